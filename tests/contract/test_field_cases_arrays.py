"""Faults of the field that concern all functions alike: dtypes, gradients, types of results, compilation."""

import importlib
import sys
import warnings
from pathlib import Path

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
import tensorflow as tf
import torch
from torch._dynamo.testing import CompileCounter
from torch.utils._python_dispatch import TorchDispatchMode

import anytensor as at
from anytensor import tree

sys.path.append(str(Path(__file__).parents[2] / "docs"))

from roads.calls import CALLS, arrays, function_of

HOST = arrays(4)
MAKERS = {
    "numpy": np.array,
    "jax": jnp.asarray,
    "torch": lambda host: torch.tensor(host),
    "tensorflow": tf.constant,
}
# Their rows cast to a dtype by name.
NAMED_DTYPE = ("at.imag", "at.cast", "at.fft.fftn", "at.fft.fft", "at.fft.ifft", "at.fft.ifftn")
SINGLE = (*NAMED_DTYPE, "at.fft.hfft", "at.fft.irfft", "at.fft.irfftn")


def called(name, make):
    call, names = function_of(CALLS[name])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the frameworks, about values
        return tree.leaves(call(*[make(HOST[argument]) for argument in names]))


def widened(make):
    return lambda host: make(host.astype(np.float64) if host.dtype == np.float32 else host)


# JAX 0.4.35, the floor, has it elsewhere.
enable_x64 = (jax if hasattr(jax, "enable_x64") else importlib.import_module("jax.experimental")).enable_x64


@pytest.mark.parametrize("name", [name for name in CALLS if name not in SINGLE])
def test_float64_stays_float64(name):
    """keras-team/keras/issues/23223."""
    for backend, make in MAKERS.items():
        with enable_x64(backend == "jax"):
            for leaf in called(name, widened(make)):
                kind = str(getattr(leaf, "dtype", "")).replace("torch.", "")
                assert "float32" not in kind, backend
                assert "complex64" not in kind, backend


@pytest.mark.parametrize("backend", MAKERS)
def test_bfloat16_stays_bfloat16(backend):
    """keras-team/keras/pull/18787, jax-ml/ml_dtypes/issues/189."""
    half = np.array([1.0, 2.0]).astype(ml_dtypes.bfloat16)
    x = torch.tensor([1.0, 2.0], dtype=torch.bfloat16) if backend == "torch" else MAKERS[backend](half)
    for out in (at.exp(x), at.add(x, 10), at.multiply(2.5, x), at.maximum(x, 1), at.sum(x), at.mean(x)):
        assert "bfloat16" in str(out.dtype)
    assert [float(value) for value in at.add(x, 10)] == [11.0, 12.0]


# Nothing flows through them: new arrays, what is meant to stop it, and one operand of integers.
_NO_GRADIENT = """
    zeros ones empty full eye linspace arange zeros_like ones_like empty_like full_like shape stop_gradient
    fft.fftfreq fft.rfftfreq align_arrays
"""
NO_GRADIENT = _NO_GRADIENT.split()


@pytest.mark.parametrize("name", CALLS)
def test_torch_keeps_and_passes_on_requires_grad(name):
    """pytorch/pytorch/issues/170819, scipy/scipy/issues/24186, frazane/scoringrules/issues/36."""
    given = []

    def make(host):
        given.append(torch.tensor(host, requires_grad=host.dtype == np.float32))
        return given[-1]

    leaves = [x for x in called(name, make) if isinstance(x, torch.Tensor)]
    wanted = [x.dtype == torch.float32 for x in given]
    assert [x.requires_grad for x in given] == wanted
    if any(wanted) and name.removeprefix("at.") not in NO_GRADIENT:
        for leaf in leaves:
            assert leaf.requires_grad or not (leaf.is_floating_point() or leaf.is_complex())


def test_asarray_keeps_requires_grad():
    """pytorch/pytorch/issues/170819."""
    x = torch.ones(2, requires_grad=True)
    for out in (at.asarray(x), at.asarray(x, like=x), at.astype(x, "float64"), at.asarray(x, copy=True)):
        assert out.requires_grad
    assert x.requires_grad


@pytest.mark.parametrize("backend", MAKERS)
def test_a_conversion_gives_the_type_that_was_asked_for(backend):
    """data-apis/array-api-compat/issues/106."""
    like = MAKERS[backend](np.ones(2, np.float32))
    for source in (np.array([1.0, 2.0], np.float32), [1.0, 2.0], 1.5, np.float32(2)):
        assert type(at.asarray(source, like=like)) is type(like)
        assert type(at.array_namespace(like).asarray(source)) is type(like)
    for other in MAKERS.values():
        x = other(np.ones(2, np.float32))
        assert type(at.asarray(x)) is type(x)
        assert type(at.array_namespace(x).zeros(2)) is type(x)


@pytest.mark.parametrize("backend", MAKERS)
def test_extremes_over_several_axes_and_over_all(backend):
    """keras-team/keras/issues/19064, tensorly/tensorly/issues/40."""
    x = MAKERS[backend](np.arange(24.0, dtype=np.float32).reshape(2, 3, 4))
    for reduce in (at.min, at.max, at.sum, at.prod, at.mean, at.std, at.all, at.any):
        assert at.shape(reduce(x, axis=(0, 2))) == (3,)
        assert at.shape(reduce(x)) == ()
        assert type(reduce(x)) is type(x)


class Casts(TorchDispatchMode):
    """Count the operations of PyTorch that make another integer dtype of a tensor."""

    def __init__(self):
        super().__init__()
        self.found = []

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        out = function(*args, **(kwargs or {}))
        if function is torch.ops.aten._to_copy.default and args[0].dtype == torch.int32:
            self.found.append(out.dtype)
        return out


@pytest.mark.parametrize("sorted_", [False, True])
def test_int32_ids_are_not_copied_on_torch(sorted_):
    """pytorch/pytorch/issues/61819."""
    x, ids = torch.ones(4, 3), torch.tensor([0, 1, 1, 2], dtype=torch.int32)
    with Casts() as casts:
        got = at.segment_sum(x, ids, 3, sorted=sorted_)
    assert got.tolist() == [[1] * 3, [2] * 3, [1] * 3]
    assert casts.found == []


def test_annotations_cost_no_compilation():
    """patrick-kidger/jaxtyping/issues/384, /235; pytorch/pytorch/issues/122093: ten shapes."""
    counter = CompileCounter()

    def net(x, ids):
        return at.segment_softmax(at.matmul(x, at.transpose(x)), ids, 3)

    torch._dynamo.reset()
    compiled = torch.compile(net, fullgraph=True, backend=counter)
    for rows in range(4, 14):
        x, ids = torch.ones(rows, 2), torch.arange(rows) % 3
        torch.testing.assert_close(compiled(x, ids), net(x, ids))
    assert counter.frame_count <= 2
