"""JAX arrays: types, dtypes, conversion, shape. The clauses stand in ``backends/contract.py``."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as xp
import numpy as np

from anytensor.backends.jax.tracing import trace_token
from anytensor.loaded import module_if_loaded

try:
    from jaxlib._jax import ArrayImpl
except ImportError:  # jaxlib before 0.6
    from jaxlib.xla_extension import ArrayImpl

__all__ = [
    "NAME",
    "array_types",
    "as_dtype",
    "as_size",
    "cast",
    "default_float",
    "default_int",
    "dtype_kind",
    "from_host",
    "from_scalar",
    "is_array",
    "is_bool",
    "is_integer",
    "is_traced",
    "numpy_dtype",
    "promote_dtypes",
    "rank",
    "rows_match",
    "shape",
    "to_numpy",
    "xp",
]

NAME = "jax"

_BOOL = np.dtype(np.bool_)
_SIGNED = frozenset(np.dtype(t) for t in (xp.int4, xp.int8, xp.int16, xp.int32, xp.int64))
_UNSIGNED = frozenset(np.dtype(t) for t in (xp.uint4, xp.uint8, xp.uint16, xp.uint32, xp.uint64))
_INTEGERS = _SIGNED | _UNSIGNED
_ALIGNMENT = 64  # bytes: what XLA's CPU client asks of memory that it did not allocate


def array_types() -> tuple[type, ...]:
    """Return the exact types of array: the eager one and every tracer known now."""
    known: list[type] = [ArrayImpl]
    waiting = [jax.core.Tracer]
    while waiting:
        kind = waiting.pop()
        known.append(kind)
        waiting.extend(kind.__subclasses__())
    return tuple(known)


def is_array(x: Any) -> bool:
    """Return whether x is a JAX array or a tracer."""
    return isinstance(x, (jax.Array, jax.core.Tracer))


def is_traced(x: Any) -> bool:
    """Return whether x is a tracer."""
    return isinstance(x, jax.core.Tracer)


def is_integer(x: Any) -> bool:
    """Return whether the dtype is an integer one."""
    return x.dtype in _INTEGERS


def is_bool(x: Any) -> bool:
    """Return whether the dtype is bool."""
    return bool(x.dtype == _BOOL)


def rank(x: Any) -> int:
    """Return the number of dimensions."""
    return int(x.ndim)


def shape(x: Any) -> tuple[Any, ...]:
    """Return the shape; under jax.export with symbolic dimensions."""
    return tuple(x.shape)


def rows_match(x: Any, ids: Any) -> bool:
    """Return whether ids has one entry for each row of x; symbolic lengths are left to JAX."""
    if ids.ndim != 1 or x.ndim == 0:
        return False
    rows, length = x.shape[0], ids.shape[0]
    return bool(rows == length) or not (type(rows) is int and type(length) is int)


def dtype_kind(dtype: Any) -> str:
    """Return one of b i u f c; ml_dtypes' types have NumPy kind V."""
    dtype = np.dtype(dtype)
    if dtype in _SIGNED:
        return "i"
    if dtype in _UNSIGNED:
        return "u"
    return "f" if dtype.kind == "V" else dtype.kind


def as_dtype(dtype: Any) -> Any:
    """Return the dtype as JAX has it: without x64 the 64-bit ones become 32-bit."""
    if not isinstance(dtype, (str, type, np.dtype)):
        dtype = getattr(dtype, "name", None) or str(dtype).removeprefix("torch.")
    try:
        return jax.dtypes.canonicalize_dtype(np.dtype(dtype))
    except TypeError:
        raise TypeError(f"JAX has no dtype {dtype!r}") from None


def numpy_dtype(dtype: Any) -> Any:
    """Return the dtype itself."""
    return np.dtype(dtype)


def default_int() -> Any:
    """Return int32; int64 under x64."""
    return jax.dtypes.canonicalize_dtype(np.int64)


def default_float() -> Any:
    """Return float32; float64 under x64."""
    return jax.dtypes.canonicalize_dtype(np.float64)


def promote_dtypes(arrays: list[Any]) -> Any:
    """Return jnp.result_type: weakly typed arrays stay weak."""
    return xp.result_type(*arrays)


def cast(x: Any, dtype: Any) -> Any:
    """Return x in the dtype; the same object if it has it."""
    return x if x.dtype == dtype else x.astype(dtype)


def from_host(host: Any, like: Any, copy: bool) -> tuple[Any, str]:
    """Bring host data to the device of like, by reference where XLA can use the memory as it stands.

    A dtype that JAX does not have under its settings (float64 without x64) is converted, which is no copy to
    warn of; nor is a single number.
    """
    is_kept = host.dtype.isnative and host.dtype == jax.dtypes.canonicalize_dtype(host.dtype)
    if not host.dtype.isnative:
        host = host.astype(host.dtype.newbyteorder("="))  # JAX has one byte order
    if isinstance(like, jax.core.Tracer) or trace_token() is not None:
        return xp.asarray(host), ""  # a constant of the trace
    device = _single_device(like)
    reason = ""
    if is_kept and not copy and host.ndim and host.size:
        reason = _why_not_shared(host, device)
        if not reason:
            # jax.device_put of suitable memory is free and keeps the array uncommitted; jnp.from_dlpack
            # refuses read-only arrays and bfloat16, and commits (JAX 0.10).
            return _put(host, device), ""
    array = xp.array(host)
    return (array if device is None or device in array.devices() else _put(array, device)), reason


def _single_device(like: Any) -> Any:
    # Beside an array on several devices a new one stays uncommitted, so that it goes along with it.
    devices = like.devices()
    return next(iter(devices)) if len(devices) == 1 else None


def _put(x: Any, device: Any) -> Any:
    # Without a device the array is uncommitted, and may meet arrays committed elsewhere.
    is_default = device == (jax.config.jax_default_device or jax.local_devices()[0])
    return jax.device_put(x) if is_default else jax.device_put(x, device)


def _why_not_shared(host: Any, device: Any) -> str:
    if device is None:
        return "the operand is spread over several devices"
    if device.platform != "cpu":
        return f"the operand is on {device}"
    if not host.flags.c_contiguous:
        return "it is not contiguous"
    if host.__array_interface__["data"][0] % _ALIGNMENT:
        return f"its memory is not aligned to {_ALIGNMENT} bytes"
    return ""


def from_scalar(value: Any, dtype: Any, like: Any) -> Any:
    """Return a 0-d array, not weakly typed."""
    host = np.asarray(value, dtype=dtype)
    return xp.asarray(host) if like is None else from_host(host, like, copy=True)[0]


def as_size(x: Any) -> Any:
    """Return a symbolic dimension or a tracer as it is, a concrete 0-d integer array as an int."""
    # Who has a symbolic dimension has loaded jax.export; to do so ourselves needs absl-py on JAX 0.4.35.
    export = module_if_loaded("jax.export")
    if export is not None and export.is_symbolic_dim(x):
        return x
    if not is_array(x):
        return None
    if is_traced(x):
        return x
    return int(x) if x.ndim == 0 and is_integer(x) else None


def to_numpy(x: Any) -> Any:
    """Return the values on the host."""
    return np.asarray(x)
