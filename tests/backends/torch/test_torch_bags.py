"""Sums as bags on PyTorch: ids are sorted, the sum is the kernel's to the bit, derivatives are the same."""

import pytest
import torch
from torch.autograd import forward_ad

import anytensor as at
from anytensor.backends.torch import bags, kernels, large
from anytensor.backends.torch.segment_softmax import _traced

# torch 2.13 scripts decompositions of its own on the first use of forward mode, by what it deprecates.
pytestmark = pytest.mark.filterwarnings("ignore:.*torch.jit.script.*:DeprecationWarning")

ROWS, N = 60, 7
by_shape = pytest.mark.parametrize("shape", [(8,), (11,), (3, 4), (16,), (1, 40)], ids=str)


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """Make sixty rows enough for bags and for everything else that wants many."""
    monkeypatch.setattr(kernels, "_SOME", 1)
    monkeypatch.setattr(large, "ROWS", 50)
    monkeypatch.setattr(bags, "ROWS", 50)
    monkeypatch.setattr(bags, "_SAMPLE", 10)


@pytest.fixture
def orders(monkeypatch):
    """Return the list of how many segments each order had that was found."""
    seen, original = [], bags.order

    def order(x, ids, n, *may_sort):
        found = original(x, ids, n, *may_sort)
        if found is not None:
            seen.append(len(found.starts) - 1)
        return found

    monkeypatch.setattr(bags, "order", order)
    return seen


@pytest.fixture
def sortings(monkeypatch):
    """Return a list with an entry for each call of torch.sort."""
    seen, original = [], torch.sort
    monkeypatch.setattr(torch, "sort", lambda *args, **kwargs: seen.append(1) or original(*args, **kwargs))
    return seen


def rows(shape, dtype=torch.float32, length=ROWS, seed=0):
    return (torch.randn(length, *shape, generator=torch.Generator().manual_seed(seed)) * 20).to(dtype)


def ids_of(dtype=torch.int64, low=0, high=N, length=ROWS):
    return torch.randint(low, high, (length,), generator=torch.Generator().manual_seed(1)).to(dtype)


def natively(monkeypatch, call):
    """Return what a call gives without bags."""
    with monkeypatch.context() as patch:
        patch.setattr(bags, "ROWS", 10**9)
        return call()


@pytest.mark.parametrize("dtype", [torch.int64, torch.int32, torch.uint8], ids=str)
@by_shape
def test_sums_are_those_of_the_kernel(shape, dtype, orders):
    x, ids = rows(shape), ids_of(dtype)
    x[2] = -0.0
    x[3, 0] = torch.nan
    x[4, 0] = torch.inf
    x[5, 0] = -torch.inf
    wanted = torch.zeros(N, *shape).index_add_(0, ids.long(), x)
    got = at.segment_sum(x, ids, N)
    assert torch.equal(got.view(torch.int32), wanted.view(torch.int32))
    assert orders == [N]


def test_an_empty_segment_is_zero(orders):
    x, ids = rows((8,)), ids_of(low=2, high=5)
    got = at.segment_sum(x, ids, N)
    assert not got[[0, 1, 5, 6]].any()
    assert torch.equal(got, torch.zeros(N, 8).index_add_(0, ids, x))
    assert orders == [N]


def test_one_segment_and_one_row_each(orders, monkeypatch):
    monkeypatch.setattr(bags, "_LEAST_ENTRIES", 1)
    x = rows((8,))
    one = torch.zeros(ROWS, dtype=torch.int64)
    assert torch.equal(at.segment_sum(x, one, 1), torch.zeros(1, 8).index_add_(0, one, x))
    each = torch.arange(ROWS).flip(0)
    assert torch.equal(at.segment_sum(x, each, ROWS), x.flip(0))
    assert orders == [1]  # so many segments are left to the kernel


@pytest.mark.parametrize(
    "x",
    [
        rows((7,)),  # narrow
        rows((8,), torch.float64),  # the kernel of bags is for float32
        rows((8,), length=49),  # few rows: one less than enough
        rows((16,))[:, ::2],  # gaps
    ],
    ids=["narrow", "float64", "few", "strided"],
)
def test_other_rows_are_left_to_the_kernel(x, orders):
    ids = ids_of(length=len(x))
    wanted = torch.zeros(N, *x.shape[1:], dtype=x.dtype).index_add_(0, ids, x)
    torch.testing.assert_close(at.segment_sum(x, ids, N), wanted)
    assert orders == []


def test_enough_rows(orders):
    at.segment_sum(rows((8,), length=50), ids_of(length=50), N)
    assert orders == [N]


@pytest.mark.parametrize(("short", "width", "wanted"), [(N, 8, [N]), (N - 1, 15, []), (N - 1, 16, [N])])
def test_the_more_segments_the_more_digits_to_sort_by(short, width, wanted, orders, monkeypatch):
    monkeypatch.setattr(bags, "_SHORT", short)
    x = rows((width,))
    assert torch.equal(at.segment_sum(x, ids_of(), N), torch.zeros(N, width).index_add_(0, ids_of(), x))
    assert orders == wanted


@pytest.mark.parametrize("n", [2**15 - 1, 2**15, 2**15 + 1, 2**16, 2**16 + 1])
def test_the_digits_of_many_segments(n, orders, monkeypatch):
    monkeypatch.setattr(bags, "_LEAST_ROWS_PER_SEGMENT", 1)
    ids = torch.randint(0, n, (2**16 + 2,), generator=torch.Generator().manual_seed(5))
    ids[::1000] = n - 1
    x = rows((16,), length=len(ids))
    assert torch.equal(at.segment_sum(x, ids, n), torch.zeros(n, 16).index_add_(0, ids, x))
    assert orders == [n]


@pytest.mark.parametrize(
    ("changed", "sorts", "order"),
    [
        ({}, 0, [N]),  # sorted: nothing to sort
        ({30: 0}, 0, []),  # the look at all of them finds it; nearly sorted ones are left to the kernel
        ({5: N - 1}, 0, []),  # the look at the first ones finds it
        ({24: 0}, 1, [N]),  # the look at some of them finds it
        ({place: N - 1 - place % N for place in range(15, ROWS)}, 1, [N]),
    ],
)
def test_which_ids_are_sorted(changed, sorts, order, orders, sortings, monkeypatch):
    monkeypatch.setattr(bags, "_LEAST_ENTRIES", 1)
    monkeypatch.setattr(bags, "_SAMPLE", 7)  # the first seven, and each eighth
    ids = torch.arange(ROWS) * N // ROWS
    for place, value in changed.items():
        ids[place] = value
    x = rows((8,))
    assert torch.equal(at.segment_sum(x, ids, N), torch.zeros(N, 8).index_add_(0, ids, x))
    assert len(sortings) == sorts
    assert orders == order


@pytest.mark.parametrize("told", [False, True])
@pytest.mark.parametrize("searched", [ROWS // N, ROWS // N + 1])
def test_segments_of_sorted_ids_are_searched_for_or_counted(searched, told, monkeypatch):
    monkeypatch.setattr(bags, "_LEAST_ENTRIES", 1)
    monkeypatch.setattr(bags, "_SEARCHED", searched)
    ids, x = ids_of().sort()[0], rows((8,))
    assert torch.equal(at.segment_sum(x, ids, N, told), torch.zeros(N, 8).index_add_(0, ids, x))
    ids, keep = ids - 1, ids > 0
    wanted = torch.zeros(N - 2, 8).index_add_(0, ids[keep & (ids < N - 2)], x[keep & (ids < N - 2)])
    assert torch.equal(at.segment_sum(x, ids, N - 2, told), wanted)
    past = ids + 1
    kept = past < N - 2
    wanted = torch.zeros(N - 2, 8).index_add_(0, past[kept], x[kept])
    assert torch.equal(at.segment_sum(x, past, N - 2, told), wanted)


def test_short_segments_are_left_to_the_kernel(orders):
    for n in (ROWS // 4, ROWS // 4 + 1):
        x, ids = rows((8,)), ids_of(high=n)
        assert torch.equal(at.segment_sum(x, ids, n), torch.zeros(n, 8).index_add_(0, ids, x))
    assert orders == [ROWS // 4]


def test_without_the_library_of_the_kernels(monkeypatch, orders):
    monkeypatch.setattr(bags, "_HAS_KERNELS", False)
    assert torch.equal(
        at.segment_sum(rows((8,)), ids_of(), N), torch.zeros(N, 8).index_add_(0, ids_of(), rows((8,)))
    )
    assert orders == []


def test_memory_bounds_the_rows_of_a_sum(monkeypatch, orders):
    """Sorting takes some 30 bytes a row: above a number of rows it must be small beside the result."""
    size = N * 16 * 4
    monkeypatch.setattr(large, "_BLOCK", 1)
    x, ids = rows((16,)), ids_of()
    for large_result, share, many, wanted in (
        (size, size // ROWS, 1, [N]),
        (size, size // ROWS + 1, 1, []),
        (size + 1, 10**9, ROWS, [N]),
        (size + 1, 10**9, ROWS - 1, []),
    ):
        orders.clear()
        for name, value in {"_LARGE": large_result, "_SHARE": share, "_MANY": many}.items():
            monkeypatch.setattr(large, name, value)
        assert torch.equal(at.segment_sum(x, ids, N), torch.zeros(N, 16).index_add_(0, ids, x))
        assert orders == wanted
    monkeypatch.setattr(bags, "_LEAST_ENTRIES", 1)
    ids = ids.sort()[0]
    assert torch.equal(at.segment_sum(x, ids, N), torch.zeros(N, 16).index_add_(0, ids, x))
    assert orders == [N]  # nothing to sort
    orders.clear()
    at.segment_softmax(x, ids_of(), N)  # beside its own intermediates that is little
    assert orders == [N]


@pytest.mark.parametrize(("low", "high"), [(-2, N), (0, N + 3), (-2, N + 3), (N, N + 2)])
@by_shape
def test_rows_out_of_range_take_no_part(shape, low, high, orders):
    x = rows(shape)
    for ids in (ids_of(low=low, high=high), ids_of(torch.int32, low, high)):
        keep = (ids >= 0) & (ids < N)
        x[~keep] = torch.nan
        for name in ("sum", "mean", "softmax", "attention"):
            operation = getattr(at, f"segment_{name}")
            some = (x, x) if name == "attention" else (x,)
            orders.clear()
            got = operation(*some, ids, N)
            if name != "attention" and keep.any():
                assert orders == [N + 2]
            wanted = operation(*[a[keep] for a in some], ids[keep], N)
            torch.testing.assert_close(got[keep] if name == "softmax" else got, wanted)
            if name == "softmax":
                assert not got[~keep].any()


def test_padding_of_nearly_sorted_ids_is_left_to_the_kernel(orders):
    ids, x = torch.arange(ROWS) * N // ROWS, rows((16,))
    ids[31], ids[-1] = 0, N
    wanted = torch.zeros(N, 16).index_add_(0, ids[:-1], x[:-1])
    assert torch.equal(at.segment_sum(x, ids, N), wanted)
    assert orders == []


@pytest.mark.parametrize("bad", [-1, N, 2**32, -(2**32), 2**62])
@pytest.mark.parametrize("place", [0, ROWS // 2, ROWS - 1])
@by_shape
def test_an_id_out_of_range_is_seen_before_the_sorting(shape, place, bad, orders):
    """Sorted as int32, the ids beyond it would fall in range."""
    x, ids = rows(shape), ids_of()
    ids[place] = bad
    with pytest.raises(kernels.KERNEL_ERRORS):
        kernels.plain_total(x, ids, N)
    assert orders == []
    keep = torch.arange(ROWS) != place
    torch.testing.assert_close(at.segment_sum(x, ids, N), at.segment_sum(x[keep], ids[keep], N))
    torch.testing.assert_close(at.segment_softmax(x, ids, N)[keep], at.segment_softmax(x[keep], ids[keep], N))


ORDERS = {
    "sorted": torch.arange(ROWS) * N // ROWS,
    "in no order": ids_of(),
    "out of range": (torch.arange(ROWS) * N // ROWS) - 1,
}


@pytest.mark.parametrize("told", [False, True])
@pytest.mark.parametrize("searched", [1, 10**6])
@pytest.mark.parametrize("case", ORDERS)
def test_a_default_device_is_not_that_of_the_operands(case, searched, told, monkeypatch):
    """What is made on the way lies where the ids do, else sums would be read from nowhere."""
    monkeypatch.setattr(bags, "_LEAST_ENTRIES", 1)
    monkeypatch.setattr(bags, "_SEARCHED", searched)
    ids = ORDERS[case]
    told = told and case != "in no order"
    for name in ("sum", "mean", "softmax", "std", "normalize", "logsumexp", "max"):
        operation = getattr(at, f"segment_{name}")
        x = rows((8,)).requires_grad_()
        wanted = operation(x, ids, N, told)
        slope = torch.autograd.grad(wanted[-2].sum(), x)[0]
        with torch.device("meta"):
            got = operation(x, ids, N, told)
            assert torch.equal(got, wanted)
            assert torch.equal(torch.autograd.grad(got[-2].sum(), x)[0], slope)


@pytest.mark.parametrize("told", [False, True])
def test_sorted_ids_with_gaps(told, monkeypatch):
    monkeypatch.setattr(bags, "_LEAST_ENTRIES", 1)
    ids = torch.arange(ROWS) * 2 // ROWS
    gaps = torch.stack([ids, ids], 1)[:, 0]
    x = rows((8,))
    assert torch.equal(at.segment_sum(x, gaps, 2, told), torch.zeros(2, 8).index_add_(0, ids, x))


# Softmax: the ids are sorted once for both ways


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16], ids=str)
@by_shape
def test_softmax_and_its_gradient(shape, dtype, orders, monkeypatch):
    ids, cotangent = ids_of(), rows(shape, dtype, seed=2)

    def run():
        x = rows(shape, dtype).requires_grad_()
        y = at.segment_softmax(x, ids, N)
        y.backward(cotangent)
        return y.detach(), x.grad

    assert all(torch.equal(a, b) for a, b in zip(run(), natively(monkeypatch, run), strict=True))
    assert orders == [N]


def test_softmax_of_a_cotangent_that_is_expanded(orders, monkeypatch):
    def run():
        x = rows((8,)).requires_grad_()
        (at.segment_softmax(x, ids_of(), N).sum(0) * torch.arange(8.0)).sum().backward()
        return x.grad

    assert torch.equal(run(), natively(monkeypatch, run))
    assert orders == [N]


def test_softmax_of_a_cotangent_with_its_axes_exchanged(monkeypatch):
    def run():
        x = rows((8,)).requires_grad_()
        at.segment_softmax(x, ids_of(), N).backward(rows((8,)).t().contiguous().t())
        return x.grad

    assert torch.equal(run(), natively(monkeypatch, run))


def test_sorted_ids_are_not_sorted_again(sortings):
    x, ids = rows((8,)).requires_grad_(), torch.arange(ROWS) * N // ROWS
    for told in (True, False):
        at.segment_softmax(x, ids, N, told).sum().backward()
    assert sortings == []


def test_softmax_twice_differentiated():
    x = rows((8,)).div(10).requires_grad_()
    cotangent = rows((8,)).requires_grad_()
    wide = x.detach().double().requires_grad_()

    def second(z, g):
        y = at.segment_softmax(z, ids_of(), N)
        (first,) = torch.autograd.grad(y, z, g.to(z.dtype), create_graph=True)
        return torch.autograd.grad((first**2).sum(), (z, g))

    for got, wanted in zip(second(x, cotangent), second(wide, cotangent), strict=True):
        torch.testing.assert_close(got, wanted.to(got.dtype), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("name", ["segment_sum", "segment_softmax", "segment_mean"])
def test_many_cotangents_at_once(name, monkeypatch):
    """A batch of gradients is a vmap of the way back, whose tensors no bag takes."""
    x = rows((8,)).requires_grad_()
    out = getattr(at, name)(x, ids_of(), N)
    cotangents = torch.stack([rows((8,), length=len(out), seed=i) for i in range(3)])
    (got,) = torch.autograd.grad(out, x, cotangents, is_grads_batched=True, retain_graph=True)
    wanted = torch.stack([torch.autograd.grad(out, x, c, retain_graph=True)[0] for c in cotangents])
    torch.testing.assert_close(got, wanted)


@pytest.mark.parametrize("name", ["segment_sum", "segment_softmax", "segment_mean"])
def test_forward_mode_and_vmap(name, monkeypatch):
    operation, ids = getattr(at, name), ids_of()

    def run():
        with forward_ad.dual_level():
            dual = forward_ad.make_dual(rows((8,)), rows((8,), seed=3))
            pair = forward_ad.unpack_dual(operation(dual, ids, N))
        batched = torch.vmap(lambda z: operation(z, ids, N))(torch.stack([rows((8,)), rows((8,), seed=3)]))
        return pair.primal, pair.tangent, batched

    for got, wanted in zip(run(), natively(monkeypatch, run), strict=True):
        torch.testing.assert_close(got, wanted)


@pytest.mark.parametrize("many", [50, 10**9])
@pytest.mark.parametrize("is_sorted", [False, True])
@pytest.mark.parametrize("shape", [(), (3,), (8,), (2, 8)], ids=str)
def test_a_result_may_be_written_to(shape, is_sorted, many, monkeypatch):
    """What a user's own function returns may, unless it is a view that was made inside."""
    monkeypatch.setattr(bags, "ROWS", many)
    monkeypatch.setattr(bags, "_LEAST_ENTRIES", 1)
    ids = ids_of().sort()[0] if is_sorted else ids_of()
    for name in ("sum", "mean"):
        x = rows(shape).div(20).abs().add(1).requires_grad_()
        y = getattr(at, f"segment_{name}")(x, ids, N, is_sorted)
        wanted = torch.autograd.grad((y * 2).sum(), x, retain_graph=True)[0]
        got = getattr(at, f"segment_{name}")(x, ids, N, is_sorted).mul_(2)
        torch.testing.assert_close(torch.autograd.grad(got.sum(), x)[0], wanted)


@by_shape
def test_the_gradient_of_a_sum(shape, orders):
    x, cotangent = rows(shape).requires_grad_(), rows(shape, length=N)
    at.segment_sum(x, ids_of(), N).backward(cotangent)
    assert torch.equal(x.grad, cotangent[ids_of()])
    assert orders == [N]


def test_softmax_keeps_the_result_the_ids_and_their_order():
    """In bytes: a result of 8 columns, ids of 8, rows of 4, and a start for each segment."""
    x, sizes = rows((8,)).requires_grad_(), []
    with torch.autograd.graph.saved_tensors_hooks(lambda t: sizes.append(t.nbytes) or t, lambda t: t):
        at.segment_softmax(x, ids_of(), N)
    assert sorted(sizes) == sorted([32 * ROWS, 8 * ROWS, 4 * ROWS, 4 * (N + 1)])


def test_attention_sorts_for_its_softmax_and_for_its_sum(orders):
    messages, logits, ids = rows((8, 5)), rows((8,)), ids_of()
    got = at.segment_attention(messages, logits, ids, N)
    weights = _traced(logits, ids, N)
    torch.testing.assert_close(got, torch.zeros(N, 8, 5).index_add_(0, ids, weights[..., None] * messages))
    assert orders == [N, N]
