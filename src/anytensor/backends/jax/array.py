"""JAX arrays: types, dtypes, conversion, shape. The clauses stand in ``backends/contract.py``."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as xp
import numpy as np

from anytensor.backends.host_scalar import host_scalar
from anytensor.backends.jax.tracing import trace_token
from anytensor.loaded import module_if_loaded

try:
    from jaxlib._jax import ArrayImpl
except ImportError:  # pragma: no cover - jaxlib before 0.6
    from jaxlib.xla_extension import ArrayImpl

__all__ = [
    "AT_A_GLANCE",
    "INTS_MAY_BE_SYMBOLIC",
    "NAME",
    "array_types",
    "as_dtype",
    "as_size",
    "cast",
    "default_float",
    "default_int",
    "dtype_kind",
    "fit_host",
    "from_host",
    "from_scalar",
    "is_array",
    "is_bool",
    "is_integer",
    "is_no_number",
    "is_traced",
    "largest_size",
    "numpy_dtype",
    "promote_dtypes",
    "rank",
    "rows_match",
    "shape",
    "to_numpy",
    "xp",
]

NAME = "jax"
AT_A_GLANCE: dict[str, Any] = {}
INTS_MAY_BE_SYMBOLIC = False  # a symbolic dimension has a type of its own

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


is_no_number = is_bool  # every other dtype is numeric


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
    """Return one of b i u f c, or O for keys of random numbers; ml_dtypes' types have NumPy kind V."""
    try:
        dtype = np.dtype(dtype)
    except TypeError:
        if not jax.dtypes.issubdtype(dtype, jax.dtypes.extended):
            raise  # pragma: no cover - issubdtype (JAX 0.10) has raised the same of what is no dtype
        return "O"
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
        own = jax.dtypes.canonicalize_dtype(np.dtype(dtype))
    except TypeError:
        raise TypeError(f"JAX has no dtype {dtype!r}") from None
    if dtype_kind(own) not in "biufc":
        raise TypeError(f"the dtype {own} holds no numbers; bool, integer, floating and complex ones do")
    return own


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


def fit_host(host: Any, kind: str) -> Any:
    """Return a mask as bool, and indices in the dtype that JAX has, those past its range as its limit."""
    if kind == "mask" and host.dtype != _BOOL:
        return host.astype(bool)
    if kind == "index":
        kept = jax.dtypes.canonicalize_dtype(host.dtype)
        if kept != host.dtype:
            limits = np.iinfo(kept)
            return host.clip(limits.min, limits.max).astype(kept)
    return host


def _narrowed(host: Any) -> tuple[Any, str]:
    """Return host data in the dtype that JAX has for it, and a reason if numbers are lost by that."""
    kept = jax.dtypes.canonicalize_dtype(host.dtype)
    if kept == host.dtype or not host.size:
        return host, ""
    if host.dtype.kind in "iu":
        limits = np.iinfo(kept)
        is_lost = host.min() < limits.min or host.max() > limits.max
        narrow = host
    else:
        with np.errstate(over="ignore"):
            narrow = host.astype(kept)
        is_lost = np.isinf(narrow).any() and (np.isinf(narrow) & np.isfinite(host)).any()
    reason = f"{kept}, for {host.dtype} without jax_enable_x64, does not hold all of its numbers"
    return narrow, reason if is_lost else ""


def from_host(host: Any, like: Any, copy: bool) -> tuple[Any, str]:
    """Bring host data to the device of like, by reference where XLA can use the memory as it stands.

    A dtype that JAX does not have under its settings (float64 without x64) is converted, which is no copy to
    warn of unless a number is lost; nor is a single number.
    """
    is_kept = host.dtype.isnative and host.dtype == jax.dtypes.canonicalize_dtype(host.dtype)
    if not host.dtype.isnative:
        host = host.astype(host.dtype.newbyteorder("="))  # JAX has one byte order
    host, reason = (host, "") if is_kept else _narrowed(host)
    if copy:
        reason = ""
    if isinstance(like, jax.core.Tracer) or trace_token() is not None:
        return xp.asarray(host), reason  # a constant of the trace
    device = _single_device(like)
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
    host = host_scalar(value, dtype)
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


def largest_size() -> int:
    """Return the greatest index of JAX's integers; an address, where they are wider than one.

    XLA ends the process where the bytes of an array are more than 63 bits count.
    """
    return min(int(np.iinfo(default_int()).max), 2**47)


def to_numpy(x: Any) -> Any:
    """Return the values on the host."""
    return np.asarray(x)
