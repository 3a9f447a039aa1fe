"""Sizes: what is one, on which backend, and how large it may be."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
import tensorflow as tf
import torch

from anytensor.backends import HOST, backend_named
from anytensor.promotion.sizes import as_size


class Subclass(torch.Tensor):
    """A tensor of a type that nothing has met before."""


BACKENDS = ["numpy", "torch", "jax", "tensorflow"]


@pytest.mark.parametrize("name", [*BACKENDS, None])
def test_the_least_and_the_greatest(name: str | None) -> None:
    backend = None if name is None else backend_named(name)
    greatest = (HOST if backend is None else backend).largest_size()
    for size in (0, 1, greatest):
        assert as_size(size, "f", "n", backend) == size
    with pytest.raises(ValueError, match="f: `n`"):
        as_size(greatest + 1, "f", "n", backend)
    with pytest.raises(ValueError, match=r"f: `n`.*-1"):
        as_size(-1, "f", "n", backend)


@pytest.mark.parametrize(
    "size",
    [3, np.int8(3), np.uint64(3), np.array(3), torch.tensor(3), jnp.array(3), tf.constant(3), tf.Variable(3)],
    ids=lambda s: type(s).__name__,
)
def test_a_concrete_size_of_any_type_is_an_int(size: Any) -> None:
    got = as_size(size, "f", "n")
    assert got == 3
    assert type(got) is int


def test_a_tensor_of_an_unknown_type_is_a_size() -> None:
    assert as_size(torch.tensor(3).as_subclass(Subclass), "f", "n") == 3
    with pytest.raises(TypeError, match="f: `n`"):
        as_size(torch.tensor(3.0).as_subclass(Subclass), "f", "n")


@pytest.mark.parametrize("make", [np.asarray, torch.tensor, jnp.array, tf.constant])
def test_no_sizes(make: Any) -> None:
    for bad in ([3], [[3]], [1, 2]):
        with pytest.raises(ValueError, match="f: `n`"):
            as_size(make(bad), "f", "n")
    for other in (3.0, True):
        with pytest.raises(TypeError, match="f: `n`"):
            as_size(make(other), "f", "n")
    with pytest.raises(ValueError, match="f: `n`"):
        as_size(make(-3), "f", "n")
