"""Reductions where ``jax.numpy`` (0.10) takes an imaginary number for false, or scans in half precision."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

__all__ = ["all", "any", "cumulative_prod", "cumulative_sum"]


def _truth(x: Any) -> Any:
    return x != 0 if jnp.issubdtype(x.dtype, jnp.complexfloating) else x


def all(x: Any, /, *, axis: Any = None, keepdims: bool = False) -> Any:
    """Tell whether all are true."""
    return jnp.all(_truth(x), axis=axis, keepdims=keepdims)


def any(x: Any, /, *, axis: Any = None, keepdims: bool = False) -> Any:
    """Tell whether one is true."""
    return jnp.any(_truth(x), axis=axis, keepdims=keepdims)


def _summed(dtype: Any) -> Any:
    """Return the dtype of a sum: integers in the default integer, or the unsigned one of its size."""
    if jnp.issubdtype(dtype, jnp.inexact):
        return dtype
    return jax.dtypes.canonicalize_dtype("uint64" if jnp.issubdtype(dtype, jnp.unsignedinteger) else "int64")


def _wide(function: Callable[..., Any]) -> Callable[..., Any]:
    """Have a scan take the dtype of a sum, as ``cumulative_prod`` does not, and add halves in float32."""

    def scan(x: Any, /, *, axis: int, dtype: Any = None, include_initial: bool = False) -> Any:
        result = _summed(x.dtype) if dtype is None else dtype
        is_half = result.itemsize == 2 and jnp.issubdtype(result, jnp.floating)
        out = function(
            x, axis=axis, dtype=jnp.float32 if is_half else result, include_initial=include_initial
        )
        return out.astype(result) if is_half else out

    return scan


def _product_scan(x: Any, *, axis: int, dtype: Any, include_initial: bool) -> Any:
    """Multiply along an axis: ``jnp.cumulative_prod`` is missing in JAX 0.4.35, the floor."""
    out = jnp.cumprod(x, axis=axis, dtype=dtype)
    if not include_initial:
        return out
    first = jnp.ones((*x.shape[:axis], 1, *x.shape[axis:][1:]), dtype)
    return jnp.concatenate([first, out], axis=axis)


cumulative_sum = _wide(jnp.cumulative_sum)
cumulative_prod = _wide(getattr(jnp, "cumulative_prod", _product_scan))
