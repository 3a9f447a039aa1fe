"""Manipulation functions of JAX whose own ones compile a program for every output."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from anytensor.backends.jax.array import is_traced
from anytensor.backends.jax.compiling import compiled

__all__ = ["unstack"]


def unstack(x: Any, /, *, axis: int = 0) -> tuple[Any, ...]:
    """Return the parts of an array along an axis, without that axis.

    Eager ``jax.numpy.unstack`` compiles one program with an output for each part: 3 s for 256 rows. Here the
    place is an argument, so one small program serves all (30 ms). A tracer is split by ``jax.numpy``, as is
    an array on several devices, whose parts keep what sharding they can.
    """
    if is_traced(x) or len(x.sharding.device_set) > 1:
        return tuple(jnp.unstack(x, axis=axis))
    return tuple([_part(x, np.int32(i), axis) for i in range(x.shape[axis])])


@compiled(2)
def _part(x: Any, place: Any, axis: int) -> Any:
    return jax.lax.dynamic_index_in_dim(x, place, axis, keepdims=False)
