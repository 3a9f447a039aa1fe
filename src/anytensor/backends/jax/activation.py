"""Activations on JAX."""

from __future__ import annotations

from functools import partial
from typing import Any

import jax
import jax.numpy as jnp

__all__ = ["leaky_relu", "relu", "softmax"]


@partial(jax.jit, static_argnums=1)
def softmax(x: Any, axis: int) -> Any:
    """Take the softmax along an axis; jax.nn.softmax would compute halves in halves."""
    target = x.dtype if jnp.issubdtype(x.dtype, jnp.floating) else jnp.float64
    target = jax.dtypes.canonicalize_dtype(target)
    work = jnp.float32 if jnp.dtype(target).itemsize < 4 else target
    return jax.nn.softmax(x.astype(work), axis=axis).astype(target)


def relu(x: Any) -> Any:
    """Replace negative entries by 0."""
    return jax.nn.relu(x)


@jax.jit  # type: ignore[untyped-decorator]  # JAX 0.10 leaves it untyped
def leaky_relu(x: Any, negative_slope: Any) -> Any:
    """Scale negative entries down; at 0 jax.nn.leaky_relu has another derivative than the others."""
    return jnp.where(x > 0, x, x * jnp.asarray(negative_slope, x.dtype))
