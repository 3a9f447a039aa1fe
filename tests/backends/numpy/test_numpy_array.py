"""The host's side of the Protocol, its dtypes, and what older NumPy and a missing SciPy would do."""

import sys

import ml_dtypes
import numpy as np
import pytest

import anytensor as at
from anytensor.backends import numpy as backend
from anytensor.backends.numpy import array, elementwise, scatter

X = np.array([1.5, 2.5])


def test_nothing_is_traced_and_nothing_is_converted():
    assert backend.array_types() == (np.ndarray,)
    assert backend.trace_token() is None
    assert not backend.is_traced(X)
    assert backend.fit_host(X, "data") is X
    assert backend.to_numpy(X) is X
    same, reason = backend.from_host(X, None, False)
    assert same is X
    assert reason == ""
    copy, reason = backend.from_host(X, None, True)
    assert copy is not X
    assert (copy.tolist(), reason) == (X.tolist(), "")


@pytest.mark.parametrize(
    ("x", "size"),
    [(np.array(3), 3), (np.int8(3), 3), (np.array([3]), None), (np.array(3.0), None), ("3", None)],
    ids=["array", "scalar", "vector", "floating", "string"],
)
def test_sizes(x, size):
    assert backend.as_size(x) == size


@pytest.mark.parametrize(
    ("dtype", "kind"),
    [
        *((np.dtype("int8"), "i"), ("uint8", "u"), (np.float32, "f"), (bool, "b"), (complex, "c")),
        *(
            (np.dtype(ml_dtypes.bfloat16), "f"),
            (np.dtype(ml_dtypes.int4), "i"),
            (np.dtype(ml_dtypes.uint4), "u"),
        ),
        *((np.dtype("U3"), "U"), (np.dtype([("a", "i4")]), "V")),
    ],
    ids=str,
)
def test_kinds(dtype, kind):
    assert backend.dtype_kind(dtype) == kind


@pytest.mark.skipif(not hasattr(ml_dtypes, "bcomplex32"), reason="ml_dtypes before 0.6 has no complex dtypes")
def test_the_complex_dtypes_of_ml_dtypes_are_complex():
    assert backend.dtype_kind(np.dtype(ml_dtypes.bcomplex32)) == "c"


def test_bfloat16_needs_ml_dtypes(monkeypatch):
    monkeypatch.setitem(sys.modules, "ml_dtypes", None)
    monkeypatch.setattr(array.np, "dtype", _refuse)
    with pytest.raises(TypeError, match="dtype bfloat16 needs the ml_dtypes package on NumPy"):
        array._numpy_dtype_of("bfloat16")


def _refuse(name):
    raise TypeError(f"data type {name!r} not understood")


@pytest.mark.parametrize("version", ["2.0.2", "2.1.0", "2.4.0"])
def test_rounding_keeps_integers_whatever_numpy_does(monkeypatch, version):
    monkeypatch.setattr(np, "__version__", version)
    floor = elementwise._rounding(np.floor)
    whole = np.array([1, -2], np.int16)
    got = floor(whole)
    assert (got.dtype, got.tolist()) == (np.int16, [1, -2])
    assert floor(np.array([1.5, -1.5])).tolist() == [1, -2]
    single = floor(np.array(2.5))
    assert (type(single), single.shape, float(single)) == (np.ndarray, (), 2)


def test_a_power_of_one_half_is_no_square_root():
    """NumPy 2.4 takes the root for an exponent that broadcasts: NaN of -inf, -0.0 of -0.0."""
    x = np.array([-np.inf, -0.0, 4.0, -1.0])
    with np.errstate(invalid="ignore"):
        for got in (
            at.pow(x, 0.5),
            at.pow(x, np.array([0.5])),
            at.pow(x[:, None], np.array([0.5, 1.0]))[:, 0],
        ):
            np.testing.assert_array_equal(got, [np.inf, 0.0, 2.0, np.nan])
            assert not np.signbit(got[1])
    assert at.pow(np.array([3.0]), np.array([2.0])).tolist() == [9]


def test_counts_of_uint64_repeat():
    counts = np.array([2, 1], np.uint64)
    assert at.repeat(X, counts).tolist() == [1.5, 1.5, 2.5]
    assert at.repeat(X, counts, total_repeat_length=4).tolist() == [1.5, 1.5, 2.5, 2.5]


def test_a_type_error_that_dtypes_do_not_explain_stays():
    with pytest.raises(TypeError, match="signbit"):
        backend.ops.signbit(np.array([1j]))


@pytest.mark.parametrize("name", ["sum", "prod"])
def test_sums_of_bfloat16_in_another_dtype(name):
    x = np.array([1.5, 2.0]).astype(ml_dtypes.bfloat16)
    got = getattr(at, name)(x, dtype="float64")
    assert (got.dtype, float(got)) == (np.float64, {"sum": 3.5, "prod": 3.0}[name])
    with pytest.raises(TypeError, match=f"{name}: `x` must"):
        getattr(backend.ops, name)(np.array(["a"]), dtype=np.dtype("float64"))


@pytest.mark.parametrize("dtype", [np.float64, np.complex64, np.int64])
def test_sums_without_scipy_are_the_same(monkeypatch, dtype):
    rows = np.arange(6000).reshape(1000, 6).astype(dtype)
    ids = np.arange(1000) * 7 % 13
    wanted = at.segment_sum(rows, ids, 13)
    scatter._csc_kernel.cache_clear()
    monkeypatch.setitem(sys.modules, "scipy.sparse._sparsetools", None)
    try:
        assert scatter._csc_kernel() is None
        np.testing.assert_allclose(at.segment_sum(rows, ids, 13), wanted, rtol=1e-6)
    finally:
        scatter._csc_kernel.cache_clear()
