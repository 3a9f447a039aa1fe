"""Creation on JAX: where ``jax.numpy`` departs from what ``at.*`` promises."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

__all__ = ["asarray", "device_of", "empty", "from_dlpack", "from_python", "linspace"]


def device_of(like: Any) -> Any:
    """Return the one device that an array is committed to, else None: a new array then goes along with it.

    A tracer has no device, and an array that is sharded or not committed combines with new ones anywhere.
    """
    if not getattr(like, "_committed", False):
        return None
    devices = like.devices()
    return next(iter(devices)) if len(devices) == 1 else None


def empty(shape: Any, *, dtype: Any = None, device: Any = None) -> Any:
    """Return zeros: JAX hands out no uninitialized memory."""
    return jnp.zeros(shape, dtype=dtype, device=device)


def asarray(x: Any, /, *, dtype: Any = None, device: Any = None, copy: bool | None = None) -> Any:
    """Return an array as one of a dtype and device."""
    out = x if dtype is None else jnp.asarray(x, dtype=dtype)
    if device is not None:
        out = jax.device_put(out, device)
    return jnp.array(out, copy=True) if copy and out is x else out


def linspace(
    start: Any, stop: Any, /, num: Any, *, dtype: Any, device: Any = None, endpoint: bool = True
) -> Any:
    """Return evenly spaced values; jnp.linspace refuses a symbolic ``num``."""
    if isinstance(num, int):
        return jnp.linspace(start, stop, num, dtype=dtype, device=device, endpoint=endpoint)
    wide = jax.dtypes.canonicalize_dtype(
        jnp.complex128 if isinstance(start, complex) or isinstance(stop, complex) else jnp.float64
    )
    index = jnp.arange(num)
    steps = jnp.maximum(jnp.asarray(num - 1 if endpoint else num), 1)
    values = index.astype(wide) * (jnp.asarray(stop - start, wide) / steps.astype(wide)) + start
    if endpoint:
        values = jnp.where((index == num - 1) & (index > 0), jnp.asarray(stop, wide), values)
    if jnp.issubdtype(dtype, jnp.integer):
        values = jnp.floor(values)
    return asarray(values.astype(dtype), device=device)


def from_dlpack(x: Any, /, *, device: Any = None, copy: bool | None = None) -> Any:
    """Return an array on the memory of another library's."""
    return asarray(jnp.from_dlpack(x), device=device, copy=copy)


def from_python(obj: Any, *, dtype: Any, device: Any = None) -> Any:
    """Return an array of Python numbers or of a nest of them."""
    return jnp.asarray(obj, dtype=dtype, device=device)
