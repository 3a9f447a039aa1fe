"""Element-wise functions that ``jax.numpy`` lacks."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from anytensor.backends.host_scalar import host_scalar
from anytensor.backends.jax.array import default_float

__all__ = ["clip", "rsqrt", "scalar_operand"]


def clip(x: Any, min: Any = None, max: Any = None) -> Any:
    """Bound x; a bound that the dtype does not hold is infinite, of which NumPy would warn."""
    return jnp.clip(x, _bound(min, x), _bound(max, x))


def _bound(bound: Any, x: Any) -> Any:
    if bound.__class__ in (int, float) and not -65504 <= bound <= 65504:
        return scalar_operand(bound, x.dtype, x)
    return bound


def rsqrt(x: Any, /) -> Any:
    """Divide one by the square root; integers as the default float, which the primitive refuses."""
    if not jnp.issubdtype(x.dtype, jnp.inexact):
        x = x.astype(default_float())
    return jax.lax.rsqrt(x)


# A 0-d NumPy array, which JAX takes to the device of ``like`` within its call: a jax.Array made before costs
# three times the call of an element-wise function (0.10).
scalar_operand = host_scalar
