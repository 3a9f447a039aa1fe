"""The softmax of segments on PyTorch: what it keeps for the gradient, and each road to a derivative."""

import importlib

import numpy as np
import pytest
import torch
from torch.autograd import forward_ad, gradcheck, gradgradcheck

import anytensor as at
import references
from anytensor.backends import torch as backend

room = importlib.import_module("anytensor.backends.torch.segment_softmax")  # a function has the same name
X = torch.tensor([[1.0, 5.0], [2.0, -1.0], [4.0, 0.5], [8.0, 3.0], [-2.0, 0.0]], dtype=torch.float64)
IDS = {"in range": torch.tensor([0, 2, 0, 2, 0]), "dropped": torch.tensor([0, 2, -1, 2, 7])}
N = 3
# torch 2.13 scripts decompositions of its own on the first use of forward mode, by what it deprecates.
pytestmark = pytest.mark.filterwarnings("ignore:.*torch.jit.script.*:DeprecationWarning")
either = pytest.mark.parametrize("ids", list(IDS.values()), ids=list(IDS))


def softmax(x, ids, sorted=False):
    return backend.segment_softmax(x, ids, N, sorted)


def pulled_back(weights, x, ids):
    return references.SEGMENT["segment_softmax"][1](weights.numpy(), x.numpy(), ids.numpy(), N)


def test_only_the_result_is_kept_for_the_gradient():
    kept = []

    def pack(tensor):
        kept.append(tensor)
        return tensor

    x = X.clone().requires_grad_()
    ids = IDS["in range"]
    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        result = softmax(x, ids)
    assert sorted(tensor.shape for tensor in kept) == sorted([result.shape, ids.shape])
    floating = next(tensor for tensor in kept if tensor.is_floating_point())
    assert torch.equal(floating, result.detach())


@either
@pytest.mark.parametrize("sorted", [False, True])
def test_gradient_in_reverse_mode(ids, sorted):
    ids = ids.sort().values if sorted else ids
    x = X.clone().requires_grad_()
    weights = torch.linspace(-1, 2, X.numel(), dtype=X.dtype).reshape(X.shape)
    softmax(x, ids, sorted).backward(weights)
    np.testing.assert_allclose(x.grad, pulled_back(weights, X, ids), rtol=1e-6, atol=1e-9)


@either
def test_derivatives_of_both_orders_in_reverse_mode(ids):
    x = X.clone().requires_grad_()
    assert gradcheck(lambda x: softmax(x, ids), (x,))
    assert gradgradcheck(lambda x: softmax(x, ids), (x,))


@either
def test_a_graph_of_the_gradient_leaves_the_kept_result_alone(ids):
    x = X.clone().requires_grad_()
    result = softmax(x, ids)
    before = result.detach().clone()
    weights = torch.linspace(-1, 2, X.numel(), dtype=X.dtype).reshape(X.shape)
    (first,) = torch.autograd.grad(result, x, weights, create_graph=True)
    (again,) = torch.autograd.grad(result, x, weights, retain_graph=True)
    assert torch.equal(result.detach(), before)
    assert torch.allclose(first, again, rtol=1e-12, atol=0)
    assert first.requires_grad
    assert not again.requires_grad


def jacobian(ids):
    x = X.clone().requires_grad_()
    result = softmax(x, ids)
    rows = [torch.autograd.grad(entry, x, retain_graph=True)[0] for entry in result.reshape(-1)]
    return torch.stack(rows).reshape(*X.shape, *X.shape)


@either
@pytest.mark.parametrize("transform", [torch.func.jacrev, torch.func.jacfwd])
def test_functorch_has_the_same_jacobian(ids, transform):
    got = transform(lambda x: softmax(x, ids))(X)
    torch.testing.assert_close(got, jacobian(ids), rtol=1e-10, atol=1e-14)


@either
def test_forward_mode_has_the_same_jacobian(ids):
    tangent = torch.linspace(-1, 1, X.numel(), dtype=X.dtype).reshape(X.shape)
    with forward_ad.dual_level():
        got = forward_ad.unpack_dual(softmax(forward_ad.make_dual(X, tangent), ids))
        value, pushed = got.primal, got.tangent
    torch.testing.assert_close(value, softmax(X, ids))
    wanted = torch.tensordot(jacobian(ids), tangent, dims=2)
    torch.testing.assert_close(pushed, wanted, rtol=1e-10, atol=1e-14)


@either
def test_vmap_over_gradients(ids):
    weights = torch.linspace(-1, 2, X.numel(), dtype=X.dtype).reshape(X.shape)

    def gradient(x):
        return torch.func.grad(lambda x: (softmax(x, ids) * weights).sum())(x)

    batch = torch.stack([X, X.flip(0), -X])
    got = torch.func.vmap(gradient)(batch)
    wanted = np.stack([pulled_back(weights, x, ids) for x in batch])
    np.testing.assert_allclose(got, wanted, rtol=1e-6, atol=1e-9)


@either
def test_the_gradient_that_a_compiled_graph_holds(ids):
    """_TracedSoftmax is what Dynamo takes; run by hand it has the values and gradients of the eager one."""
    x = X.clone().requires_grad_()
    valid = ((ids >= 0) & (ids < N))[:, None]
    sent = torch.where(valid[:, 0], ids, N)
    weights = torch.linspace(-1, 2, X.numel(), dtype=X.dtype).reshape(X.shape)
    weights[2] = torch.where(valid[2], weights[2], torch.nan)  # beside a dropped row
    got = room._TracedSoftmax.apply(x, valid, sent, N + 1)
    np.testing.assert_allclose(got.detach(), softmax(X, ids), rtol=1e-12)
    got.backward(weights)
    wanted = pulled_back(torch.where(valid, weights, 0), X, ids)
    np.testing.assert_allclose(x.grad, wanted, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_halves_have_gradients_computed_in_float32(dtype):
    x = X.to(dtype).requires_grad_()
    weights = torch.linspace(-1, 2, X.numel()).reshape(X.shape)
    result = softmax(x, IDS["in range"])
    result.backward(weights.to(dtype))
    assert (result.dtype, x.grad.dtype) == (dtype, dtype)
    wanted = pulled_back(weights.to(dtype).double(), X, IDS["in range"])
    np.testing.assert_allclose(x.grad.double(), wanted, rtol=0.02, atol=0.02)


def test_many_entries_are_overwritten_in_place_and_the_operand_is_not():
    x = torch.linspace(-3, 3, 2 * room._MANY).reshape(-1, 2)
    kept = x.clone()
    ids = torch.arange(room._MANY) % 5
    got = backend.segment_softmax(x, ids, 5, False)
    assert torch.equal(x, kept)
    sums = torch.zeros(5, 2).index_add_(0, ids, got)
    torch.testing.assert_close(sums, torch.ones(5, 2), rtol=1e-4, atol=0)
    few = backend.segment_softmax(x[::5], ids[::5], 5, False)  # all of segment 0, below the size
    torch.testing.assert_close(few, got[::5], rtol=1e-4, atol=1e-9)


@pytest.mark.parametrize("rows", [4, room._MANY], ids=["few", "many"])
def test_a_segment_of_nothing_but_minus_infinity_is_0(rows):
    x = torch.full((rows, 2), -torch.inf)
    x[-1] = 1.0
    ids = torch.zeros(rows, dtype=torch.int64)
    ids[-1] = 1
    got = backend.segment_softmax(x, ids, 2, False)
    assert got[:-1].eq(0).all()
    assert got[-1].tolist() == [1, 1]


@either
@pytest.mark.parametrize("watched", ["messages", "logits", "both"])
def test_attention_is_differentiated_by_each_operand(ids, watched):
    messages = X.flip(1).clone().requires_grad_(watched != "logits")
    logits = X[:, 0].clone().requires_grad_(watched != "messages")
    got = at.segment_attention(messages, logits, ids, N)
    weights = torch.linspace(-1, 2, got.numel(), dtype=X.dtype).reshape(got.shape)
    got.backward(weights)
    share = softmax(X[:, :1], ids)
    rows = torch.where((ids >= 0) & (ids < N), ids, 0)
    if watched != "logits":
        torch.testing.assert_close(messages.grad, share * weights[rows])
    if watched != "messages":
        toward = (weights[rows] * X.flip(1)).sum(1, keepdim=True)
        wanted = pulled_back(toward, X[:, :1], ids)[:, 0]
        np.testing.assert_allclose(logits.grad, wanted, rtol=1e-6, atol=1e-9)
