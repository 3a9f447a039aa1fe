"""Creation on JAX: where ``jax.numpy`` departs from what ``at.*`` promises."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from anytensor.backends.host_scalar import filling

__all__ = [
    "arange",
    "asarray",
    "device_of",
    "empty",
    "eye",
    "from_dlpack",
    "from_python",
    "full",
    "full_like",
    "linspace",
    "ones",
    "zeros",
]


_ADDRESSABLE = 2**47


def device_of(like: Any) -> Any:
    """Return the one device that an array is committed to, else None: a new array then goes along with it.

    A tracer has no device, and an array that is sharded or not committed combines with new ones anywhere.
    """
    if not getattr(like, "_committed", False):
        return None
    devices = like.devices()
    return next(iter(devices)) if len(devices) == 1 else None


def _check_memory(function: str, *sizes: Any) -> None:
    """Raise MemoryError for sizes past any memory; XLA ends the process on some, beside a size of 0 too."""
    entries = 1
    for size in sizes:
        if type(size) is not int:
            return
        entries *= size or 1
    if entries > _ADDRESSABLE:
        raise MemoryError(f"{function}: an array of shape {sizes} is past any memory")


def zeros(shape: Any, *, dtype: Any = None, device: Any = None) -> Any:
    """Return zeros."""
    _check_memory("zeros", *shape)
    return jnp.zeros(shape, dtype=dtype, device=device)


def ones(shape: Any, *, dtype: Any = None, device: Any = None) -> Any:
    """Return ones."""
    _check_memory("ones", *shape)
    return jnp.ones(shape, dtype=dtype, device=device)


def empty(shape: Any, *, dtype: Any = None, device: Any = None) -> Any:
    """Return zeros: JAX hands out no uninitialized memory."""
    _check_memory("empty", *shape)
    return jnp.zeros(shape, dtype=dtype, device=device)


def full(shape: Any, fill_value: Any, *, dtype: Any = None, device: Any = None) -> Any:
    """Return an array of one value, infinite without a warning where the dtype holds no such number."""
    _check_memory("full", *shape)
    return jnp.full(shape, filling(fill_value, dtype), dtype=dtype, device=device)


def full_like(x: Any, /, fill_value: Any, *, dtype: Any = None, device: Any = None) -> Any:
    """Return an array of the shape of x and of one value."""
    dtype = x.dtype if dtype is None else dtype
    return jnp.full_like(x, filling(fill_value, dtype), dtype=dtype, device=device)


def eye(n_rows: Any, n_cols: Any, /, *, k: int = 0, dtype: Any = None, device: Any = None) -> Any:
    """Return ones on a diagonal."""
    _check_memory("eye", n_rows, n_cols)
    return jnp.eye(n_rows, n_cols, k=k, dtype=dtype, device=device)


def arange(start: Any, stop: Any, step: Any, *, dtype: Any, device: Any = None) -> Any:
    """Return a range."""
    if type(start) is type(stop) is type(step) is int:
        _check_memory("arange", max(0, -((start - stop) // step)))
    return jnp.arange(start, stop, step, dtype=dtype, device=device)


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
        _check_memory("linspace", num)
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
