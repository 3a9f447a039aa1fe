"""Calls that PyTorch's part takes whole: the same answers, and every other call goes the long way."""

import numpy as np
import pytest
import torch
from torch.autograd import forward_ad

import anytensor as at
import references
from anytensor.backends import SHORT_WAYS
from anytensor.backends.torch import kernels, segment_glance

# torch 2.13 scripts decompositions of its own on the first use of forward mode, by what it deprecates.
pytestmark = pytest.mark.filterwarnings("ignore:.*torch.jit.script.*:DeprecationWarning")
NAMES = ("segment_sum", "segment_min", "segment_max")
by_name = pytest.mark.parametrize("name", NAMES)
X = np.array([[1.0, 5.0], [2.0, -1.0], [4.0, 0.5], [8.0, 3.0]], np.float32)
IDS = [0, 2, 0, 1]


def short(name, x, ids, n=3, sorted=False):
    """Return what the short way says; None stands for the long way."""
    known, call = segment_glance.AT_A_GLANCE[name]
    assert SHORT_WAYS[name][known] is call
    return call(x, ids, n, sorted)


@by_name
@pytest.mark.parametrize("shape", [(4,), (4, 2), (4, 1, 2)], ids=str)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
@pytest.mark.parametrize("index", [torch.int32, torch.int64], ids=str)
def test_the_short_way_has_the_answer(name, shape, dtype, index):
    x = torch.arange(8.0)[: int(np.prod(shape))].reshape(shape).to(dtype)
    ids = torch.tensor(IDS).to(index)
    got = short(name, x, ids, 5)
    assert got.dtype == dtype
    np.testing.assert_allclose(got, references.SEGMENT[name][0](x.numpy(), ids.numpy(), 5))
    assert torch.equal(at.__dict__[name](x, ids, 5), got)


@by_name
@pytest.mark.parametrize(
    "call",
    [
        lambda x, ids: (x.to(torch.int64), ids),
        lambda x, ids: (x.to(torch.float16), ids),
        lambda x, ids: (x, ids.to(torch.uint8)),
        lambda x, ids: (x, ids.float()),
        lambda x, ids: (x, ids.numpy()),
        lambda x, ids: (x, ids.reshape(2, 2)),
        lambda x, ids: (x, ids[:3]),
        lambda x, ids: (x[:3], ids),
        lambda x, ids: (x[0, 0], ids),
        lambda x, ids: (x[:, :0], ids),
        lambda x, ids: (x[:0], ids[:0]),
        lambda x, ids: (x, torch.nn.Parameter(ids, requires_grad=False)),
        lambda x, ids: (x, ids, 0),
        lambda x, ids: (x, ids, -1),
        lambda x, ids: (x, ids, 2**31 - 1),
        lambda x, ids: (x, ids, True),
        lambda x, ids: (x, ids, torch.tensor(3)),
        lambda x, ids: (x, ids, np.int64(3)),
        lambda x, ids: (x, ids, 3, True),
        lambda x, ids: (x, ids, 3, 0),
        lambda x, ids: (x, ids, 3, None),
        lambda x, ids: (x, ids, 2),  # an id is out of range
        lambda x, ids: (x, ids - 1),
        lambda x, ids: (x.to("meta"), ids),
        lambda x, ids: (x.repeat(128, 1), ids.repeat(128)),
    ],
)
def test_every_other_call_goes_the_long_way(name, call):
    assert short(name, *call(torch.from_numpy(X), torch.tensor(IDS))) is None


@by_name
@pytest.mark.parametrize("ids", [[0, 2, 7, 0], [-1, 2, 0, 0]], ids=str)
def test_ids_out_of_range_take_no_part(name, ids):
    got = getattr(at, name)(torch.from_numpy(X), torch.tensor(ids), 3)
    np.testing.assert_allclose(got, references.SEGMENT[name][0](X, np.array(ids), 3))


@by_name
@pytest.mark.parametrize(
    ("ids", "n", "sorted", "error", "text"),
    [
        ([[0], [1], [1], [0]], 3, False, ValueError, "`segment_ids`"),
        ([0, 1, 1], 3, False, ValueError, "`segment_ids`"),
        (IDS, 3, 1, TypeError, "`sorted` must be True or False"),
        (IDS, 3, None, TypeError, "`sorted` must be True or False"),
        (IDS, -1, False, ValueError, "`num_segments` must"),
        (IDS, True, False, TypeError, "`num_segments` must"),
        ([0.0, 1.0, 1.0, 0.0], 3, False, TypeError, "`segment_ids`"),
    ],
    ids=["matrix of ids", "few ids", "sorted 1", "sorted None", "negative size", "bool size", "floating ids"],
)
def test_no_bad_call_gets_through(name, ids, n, sorted, error, text):
    with pytest.raises(error, match=f"{name}: {text}"):
        getattr(at, name)(torch.from_numpy(X), torch.tensor(ids), n, sorted)


@by_name
def test_an_error_of_the_kernel_comes_from_the_long_way(name, monkeypatch):
    def refuse(*args):
        raise RuntimeError("something else")

    for kernel in ("plain_total", "plain_extreme"):
        monkeypatch.setattr(kernels, kernel, refuse)
    x, ids = torch.from_numpy(X), torch.tensor(IDS)
    assert short(name, x, ids) is None
    with pytest.raises(RuntimeError, match="something else"):
        getattr(at, name)(x, ids, 3)


# What watches the operations


@by_name
def test_gradients(name):
    x, ids = torch.from_numpy(X).clone().requires_grad_(), torch.tensor([0, 2, 0, 0])
    with torch.no_grad():
        assert short(name, x, ids) is not None
    assert (short(name, x, ids) is None) == (name != "segment_sum")
    x.data[:] = 1  # equal entries share the gradient of an extreme
    getattr(at, name)(x, ids, 3).sum().backward()
    share = [1.0, 1.0, 1.0, 1.0] if name == "segment_sum" else [1 / 3, 1.0, 1 / 3, 1 / 3]
    torch.testing.assert_close(x.grad, torch.tensor(share)[:, None].expand(4, 2))


@by_name
def test_transforms_and_modes_go_the_long_way(name):
    x, ids = torch.from_numpy(X), torch.tensor(IDS)
    found = []

    def look(z):
        found.append(short(name, z, ids))
        return z

    torch.func.vmap(look)(x[None])
    with torch.utils._python_dispatch.TorchDispatchMode():
        look(x)
    with forward_ad.dual_level():
        if name != "segment_sum":
            look(x)
    assert found == [None] * len(found)
    assert len(found) == (2 if name == "segment_sum" else 3)


@by_name
def test_compiled_calls_take_the_long_way(name):
    x, ids = torch.from_numpy(X), torch.tensor([0, 2, 7, -1])
    compiled = torch.compile(lambda z, i: getattr(at, name)(z, i, 3), fullgraph=True, backend="eager")
    assert torch.equal(compiled(x, ids), getattr(at, name)(x, ids, 3))
    look = torch.compile(lambda z, i: (z + 1, short_is_none(name, z, i)), fullgraph=True, backend="eager")
    assert look(x, torch.tensor(IDS))[1]


def short_is_none(name, x, ids):
    return segment_glance.AT_A_GLANCE[name][1](x, ids, 3, False) is None
