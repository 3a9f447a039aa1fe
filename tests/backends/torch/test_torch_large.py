"""Many rows on PyTorch: whichever way they take, the answer is the kernel's on all at once, to the bit."""

import numpy as np
import pytest
import torch
from torch.autograd import forward_ad

import anytensor as at
from anytensor.backends.torch import bags, kernels, large, segment

# torch 2.13 scripts decompositions of its own on the first use of forward mode, by what it deprecates.
pytestmark = pytest.mark.filterwarnings("ignore:.*torch.jit.script.*:DeprecationWarning")

ROWS, N = 60, 7
SHAPES = [(), (1,), (2,), (3,), (5,), (16,), (4, 4), (1, 40)]
DTYPES = [torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int64, torch.int32, torch.bool]
by_shape = pytest.mark.parametrize("shape", SHAPES, ids=str)
by_layout = pytest.mark.parametrize("layout", ["plain", "strided", "transposed", "expanded"])


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """Make sixty rows many, seven rows a block, and no rows enough for bags."""
    monkeypatch.setattr(kernels, "_SOME", 1)
    monkeypatch.setattr(bags, "ROWS", 10**9)
    for name, value in {
        "ROWS": 50,
        "_COLUMNS": 55,
        "_BLOCK": 7,
        "_LARGE": 0,
        "_CONVERTED": 29,
        "_SHARE": 10**9,
        "_CACHED": 99,
    }.items():
        monkeypatch.setattr(large, name, value)


def rows(shape, dtype=torch.float32, layout="plain", length=ROWS):
    generator = torch.Generator().manual_seed(0)
    x = (torch.randn(length, *shape, generator=generator) * 20).to(dtype)
    if layout == "strided":
        x = torch.stack([x, x], -1)[..., 0]
    elif layout == "transposed":
        x = x.mT.contiguous().mT if x.ndim > 1 else x.flip(0).flip(0)
    elif layout == "expanded":
        x = x[:1].expand(x.shape)
    return x


def ids_of(dtype=torch.int64, low=0, high=N, length=ROWS):
    return torch.randint(low, high, (length,), generator=torch.Generator().manual_seed(1)).to(dtype)


def total(x, ids, n=N):
    """Sum on the kernel, whole, in the dtype to add in."""
    keep = (ids >= 0) & (ids < n)
    wide = x.to(kernels.accumulator(x.dtype)).contiguous()[keep]
    sums = wide.new_zeros(n, *x.shape[1:]).index_add_(0, ids[keep].long(), wide)
    return sums.to(x.dtype) if x.dtype.is_floating_point else sums


@by_layout
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@by_shape
def test_sums_are_those_of_the_kernel(shape, dtype, layout):
    x = rows(shape, dtype, layout)
    for ids in (ids_of(), ids_of(torch.int32), ids_of(torch.uint8), torch.stack([ids_of()] * 2, 1)[:, 0]):
        got = at.segment_sum(x, ids, N)
        assert torch.equal(got, total(x, ids))
        assert got.dtype == total(x, ids).dtype


@by_layout
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@by_shape
def test_extremes_are_those_of_each_segment_by_itself(shape, dtype, layout):
    x = rows(shape, dtype, layout)
    for ids in (ids_of(), ids_of(torch.int32), torch.stack([ids_of()] * 2, 1)[:, 0]):
        greatest, least = at.segment_max(x, ids, N), at.segment_min(x, ids, N)
        for i in range(N):
            inside = x[ids == i]
            assert torch.equal(greatest[i], inside.amax(0))
            assert torch.equal(least[i], inside.amin(0))


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16], ids=str)
@by_shape
def test_a_nan_in_the_first_block_outlives_the_others(shape, dtype):
    x = rows(shape, dtype)
    x[3] = torch.nan
    ids = ids_of()
    is_hit = torch.arange(N) == ids[3]
    for operation in (at.segment_max, at.segment_min, at.segment_sum, at.segment_mean):
        got = operation(x, ids, N).reshape(N, -1).isnan()
        assert got[is_hit].all()
        assert not got[~is_hit].any()


@pytest.mark.parametrize(("low", "high"), [(-2, N), (0, N + 3), (-2, N + 3), (N, N + 2)])
@by_shape
def test_rows_out_of_range_take_no_part(shape, low, high):
    x = rows(shape)
    for ids in (
        ids_of(low=low, high=high),
        ids_of(torch.int32, low, high),
        ids_of(low=low, high=high).sort()[0],
    ):
        keep = (ids >= 0) & (ids < N)
        for name in ("sum", "max", "min", "mean", "softmax"):
            operation = getattr(at, f"segment_{name}")
            got, wanted = operation(x, ids, N), operation(x[keep], ids[keep], N)
            torch.testing.assert_close(got[keep] if name == "softmax" else got, wanted)
            if name == "softmax":
                assert not got[~keep].any()


@pytest.mark.parametrize("bad", [-1, N])
@pytest.mark.parametrize("place", [0, ROWS // 2, ROWS - 1])
@by_shape
def test_every_kernel_refuses_an_id_out_of_range(shape, place, bad):
    x, ids = rows(shape), ids_of()
    ids[place] = bad
    for some in (ids, ids.int()):
        for kernel in (kernels.plain_total, kernels.accumulated):
            with pytest.raises(kernels.KERNEL_ERRORS):
                kernel(x, some, N)
        with pytest.raises(kernels.KERNEL_ERRORS):
            kernels.plain_extreme(x, some, N, True, 0.0)


@pytest.mark.parametrize("shape", [(), (3,), (16,)], ids=str)
def test_padding_is_seen_before_the_work(shape, monkeypatch):
    """A kernel would find the ids of padding, which stands at the end, when all is done."""

    def work(*args, **kwargs):
        raise AssertionError("rows were added up before the ids were looked at")

    monkeypatch.setattr(large, "_total", work)
    monkeypatch.setattr(large, "extreme", work)
    x, ids = rows(shape), ids_of()
    ids[-1] = N
    with pytest.raises(IndexError, match="out of range"):
        kernels.plain_total(x, ids, N)
    with pytest.raises(IndexError, match="out of range"):
        kernels.plain_extreme(x, ids, N, True, 0.0)


# Which rows are given to a kernel at once


def lengths(monkeypatch, call):
    """Return how many rows index_add_ got, call by call."""
    seen = []
    monkeypatch.setattr(large, "_add", lambda out, ids, part: seen.append(len(ids)))
    call()
    return seen


@pytest.mark.parametrize(
    ("share", "x", "wanted"),
    [
        (10**9, rows((16,)), [7] * 8 + [4]),
        (N * 16 * 4 // 20, rows((16,)), [20, 20, 20]),  # a result that is large beside the scratch memory
        (10**9, rows((16,), layout="strided"), [1] * 60),  # 29 entries at once: a row
        (10**9, rows((16,), torch.bfloat16), [1] * 60),
    ],
)
def test_blocks(monkeypatch, share, x, wanted):
    monkeypatch.setattr(large, "_SHARE", share)
    assert lengths(monkeypatch, lambda: large.total(x, ids_of(), N, torch.float32)) == wanted


@pytest.mark.parametrize(("large_result", "wanted"), [(N * 64, [7] * 8 + [4]), (N * 64 + 1, [25, 25, 10])])
def test_blocks_of_a_small_result(monkeypatch, large_result, wanted):
    monkeypatch.setattr(large, "_LARGE", large_result)
    monkeypatch.setattr(large, "_MANY", 25)
    assert lengths(monkeypatch, lambda: large.total(rows((16,)), ids_of(), N, torch.float32)) == wanted


def test_few_entries_are_converted_at_once(monkeypatch):
    monkeypatch.setattr(large, "_CONVERTED", ROWS * 16 // 2)
    x = rows((16,), torch.bfloat16)
    assert lengths(monkeypatch, lambda: large.total(x, ids_of(), N, torch.float32)) == [ROWS]


@pytest.mark.parametrize(
    ("shape", "length", "columns"),
    [
        ((2,), 55, True),
        ((3,), 60, True),
        ((4,), 60, False),
        ((2,), 54, False),
        ((1,), 60, True),
        ((3, 1), 60, True),
    ],
)
def test_narrow_rows_go_column_by_column(monkeypatch, shape, length, columns):
    seen = []
    original = torch.Tensor.scatter_add_
    monkeypatch.setattr(torch.Tensor, "scatter_add_", lambda *a: seen.append(1) or original(*a))
    x, ids = rows(shape, length=length), ids_of(length=length)
    assert torch.equal(large.total(x, ids, N, x.dtype), total(x, ids))
    assert len(seen) == (x[0].numel() if columns else 0)


@pytest.mark.parametrize("name", ["plain_total", "plain_extreme"])
def test_some_rows_have_their_ids_made_quick(monkeypatch, name):
    """Between few and many rows the kernel is called once, with int64 ids without gaps."""
    monkeypatch.setattr(large, "ROWS", 10**6)
    seen = []
    for method in ("index_add_", "scatter_reduce_"):
        original = getattr(torch.Tensor, method)
        monkeypatch.setattr(
            torch.Tensor,
            method,
            lambda out, dim, ids, *rest, f=original: seen.append(ids) or f(out, dim, ids, *rest),
        )
    x = rows((16,))
    gaps = torch.stack([ids_of()] * 2, 1)[:, 0]
    if name == "plain_total":
        kernels.plain_total(x, ids_of(torch.int32), N)
    else:
        kernels.plain_extreme(x, gaps, N, True, 0.0)
    (ids,) = seen
    assert ids.dtype == torch.int64
    assert ids.stride(0) == 1


@pytest.mark.parametrize(("cached", "wanted"), [(N - 1, [60]), (N, [7] * 8 + [4])])
def test_extremes_of_many_segments_are_taken_at_once(monkeypatch, cached, wanted):
    seen = []
    original = torch.Tensor.scatter_reduce_
    monkeypatch.setattr(
        torch.Tensor, "scatter_reduce_", lambda out, *rest: seen.append(len(rest[1])) or original(out, *rest)
    )
    monkeypatch.setattr(large, "_CACHED", cached)
    x, ids = rows((16,)), ids_of()
    got = large.extreme(x, ids, x.new_full((N, 16), -torch.inf), True)
    assert seen == wanted
    assert torch.equal(got, torch.stack([x[ids == i].amax(0) for i in range(N)]))


# Derivatives


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16], ids=str)
@pytest.mark.parametrize("low", [0, -2])
@by_shape
def test_gradients_are_those_of_the_kernel(shape, dtype, low):
    ids = ids_of(low=low)
    cotangent = rows(shape, dtype, length=N)
    for name in ("segment_sum", "segment_mean", "segment_softmax", "segment_max"):
        gradients = []
        for many in (50, 10**9):
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(large, "ROWS", many)
                x = rows(shape, dtype).requires_grad_()
                out = getattr(at, name)(x, ids, N)
                out.backward(rows(shape, dtype) if name == "segment_softmax" else cotangent)
            gradients.append(x.grad)
            assert x.grad.dtype == dtype
        torch.testing.assert_close(*gradients)


@pytest.mark.parametrize("shape", [(), (3,), (16,)], ids=str)
def test_second_derivatives(shape):
    x = rows(shape, torch.float64).div(10).requires_grad_()
    ids = ids_of()
    assert torch.autograd.gradgradcheck(lambda z: at.segment_sum(z, ids, N) ** 2, x, fast_mode=True)
    assert torch.autograd.gradgradcheck(lambda z: at.segment_mean(z, ids, N) ** 2, x, fast_mode=True)


@pytest.mark.parametrize("shape", [(), (3,), (16,)], ids=str)
def test_forward_mode(shape):
    x, tangent, ids = rows(shape), rows(shape).cos(), ids_of()
    with forward_ad.dual_level():
        out = forward_ad.unpack_dual(at.segment_sum(forward_ad.make_dual(x, tangent), ids, N))
    assert torch.equal(out.primal, total(x, ids))
    assert torch.equal(out.tangent, total(tangent, ids))


def test_no_graph_is_kept_where_none_is_asked_for():
    x = rows((16,)).requires_grad_()
    with torch.no_grad():
        assert not at.segment_sum(x, ids_of(), N).requires_grad
    with torch.inference_mode():
        assert torch.equal(at.segment_sum(x, ids_of(), N), total(x, ids_of()))


def test_a_mean_counts_few_rows_and_many_alike(monkeypatch):
    x, ids = rows((2,)), ids_of()
    monkeypatch.setattr(segment, "_FEW", ROWS - 1)
    many = at.segment_mean(x, ids, N)
    monkeypatch.setattr(segment, "_FEW", ROWS)
    assert torch.equal(many, at.segment_mean(x, ids, N))
    counts = torch.from_numpy(np.bincount(ids.numpy(), minlength=N))
    torch.testing.assert_close(many, total(x, ids) / counts[:, None])
