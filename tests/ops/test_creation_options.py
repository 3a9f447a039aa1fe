"""Creation from numbers of unusual types, with copies forbidden, in a dtype that has to be found."""

import enum

import numpy as np
import pytest
import torch
from samples import EAGER

import anytensor as at
from anytensor.ops.creation import target

F = np.array([1.5, 2.5], dtype=np.float32)


class Colour(enum.IntEnum):
    """An int by a class of its own."""

    RED = 3


class Degrees(float):
    """A float by a class of its own."""


def made(backend):
    return at.asarray(F, like={"torch": torch.ones(1)}.get(backend)) if backend != "numpy" else F


@pytest.mark.parametrize(("x", "kind"), [(Colour.RED, 1), (Degrees(1.5), 2), (True, 0), (1j, 3)])
def test_numbers_of_a_subclass_have_their_kind(x, kind):
    assert target.number_kind("full", x, "fill_value") == kind


def test_a_number_of_a_subclass_fills():
    assert at.full((2,), Colour.RED).tolist() == [3, 3]
    assert at.full((1,), Colour.RED).dtype == np.int64
    assert at.asarray([Degrees(1.5), 2]).tolist() == [1.5, 2]


def test_numpys_numbers_in_a_list():
    got = at.asarray([np.float32(1.5), 2], like=torch.ones(1))
    assert (got.dtype, got.tolist()) == (torch.float32, [1.5, 2])


def test_bool_has_a_dtype_beside_an_array_that_holds_it():
    assert at.full((1,), True).dtype == np.bool_
    assert at.full((1,), True, like=torch.ones(1)).dtype == torch.float32
    assert target.target("full", None, None, None).default(0) == np.bool_


@pytest.mark.parametrize(
    ("host", "dtype", "words"),
    [
        (np.ones(4)[::-1], None, "torch needs a copy"),
        (F, "float64", "the cast from torch.float32 to torch.float64 copies"),
    ],
    ids=["memory", "dtype"],
)
def test_a_copy_to_a_framework_that_is_forbidden(host, dtype, words):
    with pytest.raises(ValueError, match=f"asarray: copy=False, and {words}"):
        at.asarray(host, dtype=dtype, like=torch.ones(1), copy=False)
    got = at.asarray(host, dtype=dtype, like=torch.ones(1))
    np.testing.assert_array_equal(got, host)
    assert got.dtype == torch.float64


def test_an_array_fills_and_brings_its_own_backend():
    got = at.full((2,), torch.tensor(1.5))
    assert (type(got), got.tolist()) == (torch.Tensor, [1.5, 1.5])
    host = at.full((2,), np.array(1.5))
    assert (type(host), host.tolist()) == (np.ndarray, [1.5, 1.5])
    for value in (1j, np.array(1j), torch.tensor(1j)):
        with pytest.raises(TypeError, match=r"full: a complex `fill_value` does not fit dtype .*float32"):
            at.full((2,), value, dtype="float32")
    with pytest.raises(ValueError, match="full: `fill_value` must be 0-d"):
        at.full((2,), np.ones(2))


def test_a_host_array_in_a_trace_has_the_dtype_of_its_tensor():
    assert target._dtype_in_trace(F) == np.float32


def test_dlpack_to_a_device_and_an_uninitialized_array():
    got = at.from_dlpack(F, like=torch.ones(1), device="cpu")
    assert (type(got), got.tolist()) == (torch.Tensor, F.tolist())
    empty = at.empty_like(F, dtype="int32")
    assert (empty.dtype, empty.shape) == (np.int32, (2,))


@pytest.mark.parametrize("backend", EAGER)
def test_dtypes_by_themselves(backend):
    import importlib

    like = {"numpy": F}.get(backend)
    if like is None:
        like = at.asarray(F, like=_one(importlib, backend))
    assert at.dtype(like) == like.dtype
    assert at.isdtype(like.dtype, "float32")
    assert not at.isdtype(like.dtype, "int8")


def _one(importlib, backend):
    module = importlib.import_module(backend if backend != "jax" else "jax.numpy")
    return module.ones((1,))


def test_an_operand_that_holds_no_numbers():
    with pytest.raises(TypeError, match="exp: `x`"):
        at.exp(np.str_("a"))
    import jax.numpy as jnp

    with pytest.raises(TypeError, match="result_type: operands of two frameworks"):
        at.result_type(torch.ones(1), jnp.ones(1))
    with pytest.raises(TypeError, match="broadcast_arrays: operands of two frameworks"):
        at.broadcast_arrays(torch.ones(1), jnp.ones(1))


@pytest.mark.parametrize("backend", EAGER)
def test_rolls_along_one_axis_and_differences(backend):
    from running import run

    x = np.array([[1, 4, 9], [2, 3, 5]], np.int32)
    got = run(
        lambda x: (at.roll(x, (1, 1), axis=1), at.diff(x, n=2), at.diff(x, n=5), at.cumsum(x)), backend, x
    )
    np.testing.assert_array_equal(got[0], np.roll(x, 2, axis=1))
    np.testing.assert_array_equal(got[1], np.diff(x, n=2))
    assert got[2].shape == (2, 0)
    np.testing.assert_array_equal(got[3], np.cumsum(x))
