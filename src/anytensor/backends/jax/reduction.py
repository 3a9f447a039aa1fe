"""Reductions where ``jax.numpy`` (0.10) takes an imaginary number for false, or scans in half precision."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

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


def _wide(function: Callable[..., Any]) -> Callable[..., Any]:
    """Have a scan accumulate half precision in float32, as ``jax.numpy``'s own sum and prod do."""

    def scan(x: Any, /, *, axis: int, dtype: Any = None, include_initial: bool = False) -> Any:
        result = jnp.dtype(x.dtype if dtype is None else dtype)
        if result.itemsize > 2 or not jnp.issubdtype(result, jnp.floating):
            return function(x, axis=axis, dtype=dtype, include_initial=include_initial)
        wide = function(x, axis=axis, dtype=jnp.float32, include_initial=include_initial)
        return wide.astype(result)

    return scan


cumulative_sum = _wide(jnp.cumulative_sum)
cumulative_prod = _wide(jnp.cumulative_prod)
