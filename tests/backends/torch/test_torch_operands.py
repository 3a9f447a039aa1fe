"""Kinds of tensor beside the ordinary one: parameters, subclasses, fake and meta tensors, views, modes."""

import numpy as np
import pytest
import torch
from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode

import anytensor as at
import references

X = np.array([[1.0, 5.0], [2.0, -1.0], [4.0, 0.5], [8.0, 3.0]], np.float32)
IDS = np.array([0, 2, 0, -1])
N = 3
NAMES = ("segment_sum", "segment_prod", "segment_max", "segment_mean", "segment_std", "segment_softmax")
by_name = pytest.mark.parametrize("name", NAMES)


class Marked(torch.Tensor):
    """A subclass of the plainest kind."""


def expected(name, x=X, ids=IDS):
    return references.SEGMENT[name][0](x, ids, N)


def call(name, x, ids, sorted=False):
    return getattr(at, name)(x, ids, N, sorted)


@by_name
def test_a_parameter_gets_the_gradient_of_its_tensor(name):
    weights = torch.nn.Parameter(torch.from_numpy(X.copy()))
    got = call(name, weights, torch.from_numpy(IDS))
    assert type(got) is torch.Tensor
    np.testing.assert_allclose(got.detach(), expected(name), rtol=1e-5)
    got[0].sum().backward()
    cotangent = np.zeros_like(expected(name))
    cotangent[0] = 1
    wanted = references.SEGMENT[name][1](cotangent, X, IDS, N)
    np.testing.assert_allclose(weights.grad, wanted, rtol=1e-5, atol=1e-6)


@by_name
def test_a_subclass_comes_back_as_one(name):
    got = call(name, torch.from_numpy(X).as_subclass(Marked), torch.from_numpy(IDS))
    assert type(got) is Marked
    np.testing.assert_allclose(got.as_subclass(torch.Tensor), expected(name), rtol=1e-5)


@by_name
@pytest.mark.parametrize("sorted", [False, True])
def test_fake_tensors_have_the_shape_and_dtype(name, sorted):
    with FakeTensorMode() as mode:
        x, ids = mode.from_tensor(torch.from_numpy(X)), mode.from_tensor(torch.from_numpy(IDS))
        got = call(name, x, ids, sorted)
    assert type(got) is FakeTensor
    assert (got.shape, got.dtype) == (expected(name).shape, torch.float32)


LENGTHS = torch.tensor([1, 0, 3])
ON_META = {
    **{name: lambda x, ids, name=name: call(name, x, ids) for name in NAMES},
    "segment_count": lambda x, ids: at.segment_count(ids, N),
    "segment_attention": lambda x, ids: at.segment_attention(x, x[:, 0], ids, N),
    "segment_min_or_constant": lambda x, ids: at.segment_min_or_constant(x, ids, N, constant=0.5),
    "partition_ids": lambda x, ids: at.partition_ids(LENGTHS.to(x.device), 4),
    "partition_sum": lambda x, ids: at.partition_sum(x, LENGTHS.to(x.device), 4),
    "partition_softmax": lambda x, ids: at.partition_softmax(x, LENGTHS.to(x.device), 4),
    "repeat": lambda x, ids: at.repeat(x[:3], LENGTHS.to(x.device), axis=0, total_repeat_length=4),
    "take": lambda x, ids: at.take(x, ids, axis=0),
    "take_along_axis": lambda x, ids: at.take_along_axis(x, ids[:, None], axis=0),
    "max": lambda x, ids: at.max(x, axis=0),
    "clip": lambda x, ids: at.clip(x, 0, 1e30),
    "where": lambda x, ids: at.where(x > 1, x, 0.0),
    "linspace": lambda x, ids: at.linspace(0.0, 1.0, 5, like=x),
}


@pytest.mark.parametrize("name", ON_META)
def test_meta_tensors_have_no_values_to_look_at(name):
    x, ids = torch.from_numpy(X), torch.from_numpy(IDS)
    wanted = ON_META[name](x, ids)
    got = ON_META[name](x.to("meta"), ids.to("meta"))
    assert got.device.type == "meta"
    assert (got.shape, got.dtype) == (wanted.shape, wanted.dtype)


VIEWS = {
    "transposed": lambda x: x.T.contiguous().T,
    "every other row": lambda x: x.repeat_interleave(2, 0)[::2],
    "every other column": lambda x: x.repeat_interleave(2, 1)[:, ::2],
    "expanded": lambda x: x[:, :1].expand(4, 2),
    "negated": lambda x: torch.view_as_complex(torch.stack([x, -x], -1)).conj().imag,
}


@by_name
@pytest.mark.parametrize("sorted", [False, True])
@pytest.mark.parametrize("view", VIEWS)
def test_views(name, view, sorted):
    x, ids = VIEWS[view](torch.from_numpy(X)), np.sort(IDS) if sorted else IDS
    kept = x.clone()
    strided = torch.from_numpy(np.repeat(ids, 3))[::3]
    got = call(name, x, strided, sorted)
    np.testing.assert_allclose(got, expected(name, kept.numpy(), ids), rtol=1e-5)
    assert torch.equal(x, kept)


@by_name
@pytest.mark.parametrize("dims", [1, 3], ids=["vector", "three axes"])
@pytest.mark.parametrize("last", [-1, 1], ids=["dropped", "in range"])
def test_other_ranks_with_ids_that_step(name, dims, last):
    x = X[:, 0] if dims == 1 else X[:, :, None] + np.arange(3, dtype=np.float32)
    ids = np.array([0, 2, 0, last])
    got = call(name, torch.from_numpy(x), torch.from_numpy(np.repeat(ids, 2))[::2])
    np.testing.assert_allclose(got, expected(name, x, ids), rtol=1e-5)


@by_name
@pytest.mark.parametrize("mode", [torch.no_grad, torch.inference_mode])
def test_where_nothing_is_differentiated_nothing_is_recorded(name, mode):
    x = torch.from_numpy(X.copy()).requires_grad_()
    with mode():
        got = call(name, x, torch.from_numpy(IDS))
    assert not got.requires_grad
    np.testing.assert_allclose(got, expected(name), rtol=1e-5)


@by_name
def test_deterministic_algorithms_give_the_same_values_and_gradients(name):
    def outcome():
        x = torch.from_numpy(X.copy()).requires_grad_()
        got = call(name, x, torch.from_numpy(IDS))
        got[0].sum().backward()
        return got.detach(), x.grad

    usual = outcome()
    torch.use_deterministic_algorithms(True)
    try:
        strict = outcome()
    finally:
        torch.use_deterministic_algorithms(False)
    for a, b in zip(usual, strict, strict=True):
        torch.testing.assert_close(a, b, rtol=1e-6, atol=0)


@by_name
@pytest.mark.parametrize("default", [torch.float32, torch.float64])
def test_the_default_device_and_dtype_do_not_reach_a_result(name, default):
    torch.set_default_dtype(default)
    try:
        with torch.device("meta"):
            got = call(name, torch.from_numpy(X), torch.from_numpy(IDS))
    finally:
        torch.set_default_dtype(torch.float32)
    assert (got.device.type, got.dtype) == ("cpu", torch.float32)
    np.testing.assert_allclose(got, expected(name), rtol=1e-5)


def test_a_tensor_that_is_sparse_is_refused_by_the_kernel_and_not_taken_for_dense():
    with pytest.raises((NotImplementedError, RuntimeError)):
        at.segment_sum(torch.from_numpy(X).to_sparse(), torch.from_numpy(IDS), N)
