"""The kernels under NumPy's segment operations, each held to a loop, whichever a size would choose."""

import ml_dtypes
import numpy as np
import pytest

import anytensor as at
from anytensor.backends.numpy import scatter

UFUNCS = {"add": 0, "multiply": 1, "minimum": np.inf, "maximum": -np.inf}
KERNELS = ("by_position", "by_rank", "by_rank_sorted")


def loop(ufunc, rows, ids, n, identity):
    out = np.full((n, rows.shape[1]), identity, rows.dtype)
    for i, row in zip(ids.tolist(), rows, strict=True):
        ufunc(out[i], row, out=out[i])
    return out


def run(kernel, ufunc, rows, ids, n, dtype, identity):
    if kernel == "by_position":
        return scatter._by_position(ufunc, rows, ids, n, dtype, identity).reshape(n, -1)
    return scatter._by_rank(ufunc, rows, ids, n, dtype, identity, kernel == "by_rank_sorted")


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("name", UFUNCS)
def test_kernels_equal_a_loop(name, kernel, monkeypatch):
    monkeypatch.setattr(scatter, "BLOCK", 64)  # several blocks of segments and of rows
    monkeypatch.setattr(scatter, "FEW", 2)
    rng = np.random.default_rng(0)
    rows = rng.uniform(0.5, 1.5, (300, 3))
    ids = np.minimum(rng.geometric(0.1, 300) - 1, 59)  # long, short and empty segments
    ids = np.sort(ids) if kernel == "by_rank_sorted" else ids
    ufunc = getattr(np, name)
    got = run(kernel, ufunc, rows, ids, 60, rows.dtype, UFUNCS[name])
    np.testing.assert_allclose(got, loop(ufunc, rows, ids, 60, UFUNCS[name]), rtol=1e-12)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("dtype", [np.float16, ml_dtypes.bfloat16, np.bool_, np.uint8])
def test_rows_are_cast_block_by_block_to_what_accumulates(dtype, kernel):
    rows = np.ones((1000, 2), dtype)
    work = np.dtype(np.float32 if dtype in (np.float16, ml_dtypes.bfloat16) else np.int64)
    got = run(kernel, np.add, rows, np.zeros(1000, np.intp), 1, work, 0)
    assert got.dtype == work
    assert got.tolist() == [[1000, 1000]]


def test_long_segments_end_after_the_rank_that_fits_two_bytes():
    longest = 65535 + 3
    ids = np.repeat(np.arange(scatter.FEW + 1), longest)
    rows = np.ones((ids.size, 1), np.int64)
    got = scatter._by_rank(np.add, rows, ids, scatter.FEW + 1, rows.dtype, 0, True)
    assert got.ravel().tolist() == [longest] * (scatter.FEW + 1)


@pytest.mark.parametrize("kernel", KERNELS)
def test_a_broken_promise_stays_in_bounds(kernel):
    rows, ids = np.ones((50, 30)), np.random.default_rng(0).integers(0, 7, 50)
    assert run(kernel, np.add, rows, ids, 7, rows.dtype, 0).sum() == rows.size


@pytest.mark.parametrize("n", [3, 1 << 16, (1 << 16) + 1, 10**9])
@pytest.mark.parametrize("dtype", [np.int64, np.uint32, np.int32])
def test_stable_order(n, dtype):
    ids = np.random.default_rng(0).integers(0, n, 500).astype(dtype)
    ids[::7] = ids[0]
    np.testing.assert_array_equal(scatter.stable_order(ids, n), ids.argsort(kind="stable"))


def test_stable_order_beyond_four_bytes():
    ids = np.array([1 << 40, 3, 1 << 40, 0])
    assert scatter.stable_order(ids, (1 << 40) + 1).tolist() == [3, 1, 0, 2]


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.complex64])
def test_the_product_equals_the_others(dtype):
    pytest.importorskip("scipy.sparse", reason="SciPy is optional")
    rng = np.random.default_rng(0)
    rows = np.asfortranarray(rng.normal(size=(100, 5)).astype(dtype))
    rows[3, 1], rows[4, 2] = np.inf, np.nan
    ids = rng.integers(0, 9, 100).astype(np.uint8)
    got = scatter._by_product(rows, ids, 9)
    assert got.dtype == dtype
    np.testing.assert_allclose(got, loop(np.add, rows, ids, 9, 0), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("has_scipy", [True, False])
def test_large_sums_with_and_without_scipy(has_scipy, monkeypatch):
    monkeypatch.setattr(scatter, "SPARSE", 1)
    if not has_scipy:
        monkeypatch.setattr(scatter, "_csc_kernel", lambda: None)
    rng = np.random.default_rng(0)
    x, ids = rng.normal(size=(600, 20)), rng.integers(-1, 8, 600)
    got = at.segment_sum(x, ids, 7)
    inside = (ids >= 0) & (ids < 7)
    np.testing.assert_allclose(got, loop(np.add, x[inside], ids[inside], 7, 0), rtol=1e-12)


def test_large_sums_by_ids_that_numpy_would_wrap(monkeypatch):
    """2**64 - 1 is no last segment, whichever kernel sums."""
    monkeypatch.setattr(scatter, "SPARSE", 1)
    rng = np.random.default_rng(0)
    x, ids = rng.normal(size=(600, 20)), rng.integers(0, 8, 600).astype(np.uint64)
    ids[::50] = 2**64 - 1
    inside = ids < 7
    got = at.segment_sum(x, ids, 7)
    np.testing.assert_allclose(got, loop(np.add, x[inside], ids[inside], 7, 0), rtol=1e-12)


def test_guard_keeps_ids_that_lie_inside():
    ids = np.array([0, 2, 1], np.uint8)
    assert scatter.guard(ids, 3, True) == (ids, 3, None, True)


@pytest.mark.parametrize(
    ("ids", "sent", "is_sorted"),
    [
        (np.array([-1, 0, 1]), [3, 0, 1], False),
        (np.array([0, 1, 9]), [0, 1, 3], True),
        (np.array([0, 200], np.uint8), [0, 3], True),
        (np.array([0, 2**64 - 1], np.uint64), [0, 3], False),
    ],
    ids=["negative", "past the end", "uint8", "uint64"],
)
def test_guard_sends_ids_outside_to_one_more_segment(ids, sent, is_sorted):
    got, segments, outside, still_sorted = scatter.guard(ids, 3, True)
    assert (got.tolist(), segments, still_sorted) == (sent, 4, is_sorted)
    assert outside.tolist() == [i == 3 for i in sent]
