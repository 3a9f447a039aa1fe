"""The bare kernels of PyTorch, the kits above them, and which calls take which."""

import numpy as np
import pytest
import torch
from torch.autograd import forward_ad

import anytensor.backends.torch as backend
import references
from anytensor.backends.torch import bags, guard, kernels, kit, modes, segment, tracing

X = np.array([[1.0, 5.0], [2.0, -1.0], [4.0, 0.5], [8.0, 3.0]], np.float32)
IDS = torch.tensor([0, 2, 0, 1])
N = 3
NAMES = (
    *("segment_sum", "segment_prod", "segment_max", "segment_min", "segment_mean"),
    *("segment_variance", "segment_std", "segment_normalize", "segment_softmax", "segment_logsumexp"),
)
# torch 2.13 scripts decompositions of its own on the first use of forward mode, by what it deprecates.
pytestmark = pytest.mark.filterwarnings("ignore:.*torch.jit.script.*:DeprecationWarning")
by_name = pytest.mark.parametrize("name", NAMES)
INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")


def call(name, ids=IDS, x=X, n=N, sorted=False):
    x = torch.from_numpy(x) if isinstance(x, np.ndarray) else x
    return getattr(backend, name)(x, torch.as_tensor(ids), n, sorted)


def expected(name, ids, x=X, n=N):
    return references.SEGMENT[name][0](x, np.asarray(ids), n)


# Ids and dtypes


@pytest.mark.parametrize("dtype", INTEGERS)
def test_kernel_ids_keep_their_values_in_a_dtype_that_kernels_take(dtype):
    ids = torch.tensor([0, 100, 2]).to(getattr(torch, dtype))
    got = kernels.kernel_ids(ids)
    assert got.dtype == (torch.int64 if dtype in ("int64", "uint32", "uint64") else torch.int32)
    assert got.tolist() == [0, 100, 2]
    assert (got is ids) == (dtype in ("int32", "int64"))


def test_an_id_beyond_int64_stays_out_of_range():
    ids = torch.from_numpy(np.array([0, 2**63, 2**64 - 1, 2], np.uint64))
    assert kernels.kernel_ids(ids).tolist() == [0, -(2**63), -1, 2]
    np.testing.assert_array_equal(call("segment_sum", ids), expected("segment_sum", [0, -1, -1, 2]))


@pytest.mark.parametrize("shape", [(4,), (4, 2), (4, 2, 3)], ids=str)
@pytest.mark.parametrize("dtype", [torch.int32, torch.int64])
def test_spread_ids_have_the_shape_of_x_and_the_memory_of_the_ids(dtype, shape):
    got = kernels.spread(IDS.to(dtype), torch.zeros(shape))
    assert (got.dtype, got.shape) == (torch.int64, shape)
    assert got.stride() == (1, *[0] * (len(shape) - 1))
    assert torch.equal(got.reshape(4, -1)[:, 0], IDS)


@pytest.mark.parametrize(
    ("dtype", "wanted"),
    [
        *(("float16", "float32"), ("bfloat16", "float32"), ("float32", "float32"), ("float64", "float64")),
        *(("complex64", "complex64"), ("complex128", "complex128"), ("bool", "int64"), ("int64", "int64")),
        *((name, "int64") for name in ("int8", "uint8", "int32")),
    ],
)
def test_accumulator(dtype, wanted):
    assert kernels.accumulator(getattr(torch, dtype)) == getattr(torch, wanted)


# The kernels that write into their own result say what those for traces say.


@pytest.mark.parametrize("shape", [(4,), (4, 2), (4, 2, 3)], ids=str)
@pytest.mark.parametrize("dtype", [torch.int32, torch.int64])
def test_plain_kernels_equal_those_for_traces(dtype, shape):
    x = torch.linspace(-2, 3, int(np.prod(shape))).reshape(shape)
    ids = IDS.to(dtype)
    assert torch.equal(kernels.plain_total(x, ids, N), kernels.total(x, ids, N))
    assert torch.equal(kernels.plain_count(ids, 5), kernels.count(ids, 5).to(torch.int64))
    assert kernels.plain_count(ids, 5).tolist() == [2, 1, 1, 0, 0]
    for largest in (False, True):
        start = -torch.inf if largest else torch.inf
        plain = kernels.plain_extreme(x, ids, 4, largest, start)
        assert torch.equal(plain, kernels.extreme(x, ids, 4, largest, start))
        assert plain[3].eq(start).all()


@pytest.mark.parametrize("bad", [-1, 3, 2**31 - 1])
@pytest.mark.parametrize("shape", [(4,), (4, 2), (4, 2, 3)], ids=str)
def test_every_kernel_refuses_an_id_out_of_range(shape, bad):
    """What the guards rely on: refused with one of KERNEL_ERRORS, before memory is written."""
    x = torch.ones(shape)
    for dtype in (torch.int32, torch.int64):
        ids = torch.tensor([0, bad, 1, 2], dtype=dtype)
        for kernel in (
            lambda ids: kernels.plain_total(x, ids, N),
            lambda ids: kernels.plain_count(ids, N),
            lambda ids: kernels.plain_extreme(x, ids, N, True, 0.0),
            lambda ids: kernels.product(x, ids, N),
        ):
            with pytest.raises(kernels.KERNEL_ERRORS):
                kernel(ids)


@by_name
@pytest.mark.parametrize("ids", [[0, 2, 1, 0], [0, -1, 2, 0], [7, 0, 3, 2]], ids=str)
def test_a_trace_of_autograds_jit_takes_the_masked_road(name, ids):
    """torch.jit.trace watches the operations: nothing may depend on values seen while it does."""
    x, ids = torch.from_numpy(X), torch.tensor(ids)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(modes, "_is_jit_tracing", lambda: True)
        assert not modes.is_plain(x, ids)
        got = call(name, ids)
    np.testing.assert_allclose(got, expected(name, ids), rtol=1e-5, atol=1e-6)


@by_name
@pytest.mark.parametrize("sorted", [False, True])
def test_both_kits_say_the_same(name, sorted):
    ids = IDS.sort().values if sorted else IDS
    formulas = {"segment_mean": segment._mean, "segment_variance": segment._variance}
    formula = formulas.get(name)
    plain = call(name, ids, sorted=sorted)
    if formula is not None:
        torch.testing.assert_close(formula(torch.from_numpy(X), ids, N, sorted, False), plain)
    under_vmap = torch.func.vmap(lambda x: call(name, ids, x, sorted=sorted))(torch.from_numpy(X)[None])[0]
    torch.testing.assert_close(under_vmap, plain, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("made", [kit.Traced, kit.Plain])
def test_a_kit_reduces(made):
    x = torch.from_numpy(X)
    assert made.sum(x, IDS, N, False).tolist() == [[5, 5.5], [8, 3], [2, -1]]
    assert made.min(x, IDS, N, False).tolist() == [[1, 0.5], [8, 3], [2, -1]]
    assert made.max(x, IDS, N, False).tolist() == [[4, 5], [8, 3], [2, -1]]
    assert made.count(IDS, N, False).tolist() == [2, 1, 1]
    watched = x.clone().requires_grad_()
    constant = made.max_constant(watched, IDS, N, False)
    assert constant.tolist() == [[4, 5], [8, 3], [2, -1]]
    assert not constant.requires_grad


@pytest.mark.parametrize("shape", [(), (2,), (2, 1, 1)], ids=str)
def test_align_rank_appends_axes(shape):
    x = torch.ones(shape)
    assert kit.Traced.align_rank(x, torch.ones(2, 1, 1)).shape == shape + (1,) * (3 - len(shape))


# Errors and ids out of range


@by_name
@pytest.mark.parametrize("error", [RuntimeError, IndexError])
def test_an_error_that_ids_do_not_explain_is_not_swallowed(monkeypatch, name, error):
    def refuse(*args, **kwargs):
        raise error("something else")

    for kernel in ("plain_total", "plain_extreme", "plain_count", "product", "count", "total", "extreme"):
        monkeypatch.setattr(kernels, kernel, refuse)
    with pytest.raises(error, match="something else"):
        call(name)


def test_counting_and_attention_swallow_no_error_either(monkeypatch):
    def refuse(*args, **kwargs):
        raise RuntimeError("something else")

    monkeypatch.setattr(kernels, "plain_count", refuse)
    monkeypatch.setattr(kernels, "plain_extreme", refuse)
    with pytest.raises(RuntimeError, match="something else"):
        backend.segment_count(IDS, N, False)
    x = torch.from_numpy(X)
    with pytest.raises(RuntimeError, match="something else"):
        backend.segment_attention(x, x[:, 0], IDS, N, False)


@pytest.mark.parametrize("plain", [False, True])
@pytest.mark.parametrize("dims", [1, 2])
def test_rows_out_of_range_are_sent_to_segments_of_their_own(plain, dims):
    ids = torch.tensor([-5, -1, 0, 2, 3, 99])
    sent, segments, first = guard.sent_off(ids, N, dims, plain)
    assert (sent - first)[2:4].tolist() == [0, 2]
    outside = sent[[0, 1, 4, 5]]
    assert ((outside >= 0) & (outside < segments)).all()
    assert not ((outside >= first) & (outside < first + N)).any()
    if plain:
        assert (sent.diff() >= 0).all()  # in order, as they were


# Sums of sorted ids, as bags

ROWS, WIDTH = 2048, bags._LEAST_WIDTH
BOTH_ENDS = {
    "in range": [(0, 512), (1, 1024), (3, 512)],
    "before": [(-2, 300), (0, 1000), (3, 748)],
    "after": [(0, 1000), (2, 548), (5, 500)],
    "both": [(-1, 500), (0, 548), (3, 500), (4, 500)],
    "none": [(-1, 1048), (9, 1000)],
}


def runs(case):
    return torch.cat([torch.full((count,), one) for one, count in BOTH_ENDS[case]])


@pytest.fixture
def bagged(monkeypatch):
    """Return the numbers of rows that the kernel for bags was given."""
    rows = []
    run = bags.sorted_total

    def counted(x, ids, n):
        rows.append(x.shape[0])
        return run(x, ids, n)

    monkeypatch.setattr(bags, "sorted_total", counted)
    return rows


@pytest.mark.parametrize("case", BOTH_ENDS)
@pytest.mark.parametrize("shape", [(ROWS, WIDTH), (ROWS, 2, WIDTH // 2)], ids=["two axes", "three axes"])
def test_sorted_sums_and_their_gradient(bagged, case, shape):
    ids = runs(case)
    x = torch.linspace(-1, 1, int(np.prod(shape))).reshape(shape).requires_grad_()
    got = backend.segment_sum(x, ids, 4, True)
    wanted = expected("segment_sum", ids, x.detach().double().numpy(), 4)
    np.testing.assert_allclose(got.detach(), wanted, rtol=1e-4, atol=1e-3)
    weights = torch.arange(1.0, 5.0).reshape(4, *[1] * (len(shape) - 1)).expand(got.shape)
    got.backward(weights)
    inside = (ids >= 0) & (ids < 4)
    rows = torch.where(inside, ids + 1, 0).to(torch.float32)
    assert torch.equal(x.grad, rows.reshape(-1, *[1] * (len(shape) - 1)).expand(shape))
    with torch.no_grad():
        assert torch.equal(backend.segment_sum(x, ids, 4, True), got)
    assert bagged == [ROWS, ROWS]


@pytest.mark.parametrize("dtype", [torch.int32, torch.int64])
@pytest.mark.parametrize("ids", ["descending", "shuffled", "far"])
def test_a_broken_promise_of_order_stays_in_bounds(bagged, ids, dtype):
    places = {
        "descending": torch.arange(ROWS, 0, -1) % 7 - 1,
        "shuffled": torch.arange(ROWS) * 37 % 6 - 1,
        "far": torch.where(torch.arange(ROWS) % 3 == 0, 2**31 - 1, 1),
    }[ids].to(dtype)
    x = torch.ones(ROWS, WIDTH, requires_grad=True)
    got = backend.segment_sum(x, places, 4, True)
    assert got.shape == (4, WIDTH)
    assert ((got >= 0) & (got <= ROWS)).all()
    got.sum().backward()
    assert x.grad.shape == x.shape
    assert ((x.grad == 0) | (x.grad == 1)).all()
    assert bagged == [ROWS]


@pytest.mark.parametrize(
    ("x", "n"),
    [
        (torch.ones(ROWS - 1, WIDTH), 4),
        (torch.ones(ROWS, WIDTH, dtype=torch.float64), 4),
        (torch.ones(2 * ROWS, WIDTH - 1), 4),
        (torch.ones(ROWS, WIDTH), ROWS),
        (torch.ones(WIDTH, ROWS).T, 4),
    ],
    ids=["small", "double", "narrow", "many segments", "transposed"],
)
def test_what_bags_do_not_pay_for(bagged, x, n):
    got = backend.segment_sum(x, torch.zeros(x.shape[0], dtype=torch.int64), n, True)
    assert got[0].eq(x.shape[0]).all()
    assert got[1:].eq(0).all()
    assert bagged == []


def test_forward_mode_of_sorted_sums_takes_no_bags(bagged):
    x = torch.ones(ROWS, WIDTH)
    with forward_ad.dual_level():
        got = backend.segment_sum(forward_ad.make_dual(x, 2 * x), runs("in range"), 4, True)
        value, tangent = forward_ad.unpack_dual(got)
    assert value[:, 0].tolist() == [512, 1024, 0, 512]
    assert torch.equal(tangent, 2 * value)
    assert bagged == []


# Modes


def test_what_is_plain():
    x, ids = torch.ones(4, 2), IDS
    assert modes.is_plain(x, ids)
    assert modes.is_plain(torch.nn.Parameter(x), ids, 1)
    assert not modes.is_plain(x, ids, 0)
    assert not modes.is_plain(x[:, :0], ids)
    assert not modes.is_plain(x.to("meta"), ids)
    assert not modes.is_plain(x.as_subclass(type("Mine", (torch.Tensor,), {})), ids)
    with torch._subclasses.FakeTensorMode():
        assert not modes.is_plain(x, ids)
    seen = []
    torch.func.vmap(lambda row: seen.append(modes.is_plain(x, ids)) or row)(x)
    assert seen == [False]


def test_who_may_ask_for_a_derivative():
    x = torch.ones(2)
    watched = x.clone().requires_grad_()
    assert not modes.is_differentiated(x)
    assert modes.is_differentiated(watched)
    with torch.no_grad():
        assert not modes.is_differentiated(watched)
    with forward_ad.dual_level():
        assert modes.is_differentiated(x)
        assert not modes.takes_functions()
    assert modes.takes_functions()
    seen = []
    torch.func.grad(lambda x: seen.append((modes.is_differentiated(x), modes.takes_functions())) or x.sum())(
        x
    )
    assert seen == [(True, False)]


@pytest.mark.parametrize(("exporting", "taken"), [(True, False), (False, True)])
def test_a_trace_takes_functions_unless_it_exports(monkeypatch, exporting, taken):
    monkeypatch.setattr(modes, "is_dynamo_tracing", lambda: True)
    monkeypatch.setattr(modes, "is_exporting", lambda: exporting)
    assert modes.takes_functions() is taken


def test_a_torch_that_cannot_tell_an_export_takes_no_functions_in_a_trace(monkeypatch):
    """PyTorch before 2.7: a graph may be an export, which an autograd.Function would spoil."""
    monkeypatch.setattr(modes, "is_dynamo_tracing", lambda: True)
    monkeypatch.setattr(modes, "is_exporting", None)
    assert not modes.takes_functions()
    assert not modes.is_onnx_exporting()


def test_the_token_of_a_trace_tells_levels_apart():
    assert tracing.trace_token() is None
    tokens = []

    def outer(x):
        tokens.append(tracing.trace_token())
        torch.func.grad(lambda y: tokens.append(tracing.trace_token()) or y.sum())(x)
        return x

    torch.func.vmap(outer)(torch.ones(2, 3))
    with torch._subclasses.FakeTensorMode():
        tokens.append(tracing.trace_token())
    assert len(set(tokens)) == 3
    assert None not in tokens
