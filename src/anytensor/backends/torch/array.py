"""PyTorch tensors: types, dtypes, conversion, shape. The clauses stand in ``backends/contract.py``."""

from __future__ import annotations

from functools import reduce
from typing import Any

import array_api_compat.torch as xp
import numpy as np
import torch
from torch._subclasses.fake_tensor import FakeTensor
from torch._subclasses.functional_tensor import FunctionalTensor

from anytensor.backends.torch.modes import is_dynamo_tracing, is_functorch_active

__all__ = [
    "INTS_MAY_BE_SYMBOLIC",
    "NAME",
    "array_types",
    "as_dtype",
    "as_size",
    "cast",
    "default_float",
    "default_int",
    "dtype_kind",
    "fill",
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

NAME = "torch"
INTS_MAY_BE_SYMBOLIC = True  # in the eyes of code that TorchDynamo traces, a symbolic int has type int

_NAMES = {
    "b": ("bool",),
    "i": ("int8", "int16", "int32", "int64"),
    "u": ("uint8", "uint16", "uint32", "uint64"),
    "f": ("float16", "bfloat16", "float32", "float64", "float8_e4m3fn", "float8_e5m2"),
    "c": ("complex64", "complex128"),
}
_BY_NAME = {name: getattr(torch, name) for names in _NAMES.values() for name in names}
_NAME_OF = {dtype: name for name, dtype in _BY_NAME.items()}
_KIND_OF = {_BY_NAME[name]: kind for kind, names in _NAMES.items() for name in names}
_KINDS = {dtype: "O" for dtype in vars(torch).values() if isinstance(dtype, torch.dtype)} | _KIND_OF
_BOUNDS = {
    dtype: (torch.iinfo(dtype).min, torch.iinfo(dtype).max)
    for dtype, kind in _KIND_OF.items()
    if kind in "iu"
}
_SINGLE_LIMIT = 65504.0  # no floating dtype but the 8-bit ones has a lower one
_INFINITY = float("inf")
_WIDEST = (torch.float64, torch.complex128)
_PARTS = {torch.complex64: torch.float32, torch.complex128: torch.float64}  # Dynamo traces no dtype.to_real()
_BOOL = torch.bool
_INTEGERS = frozenset(dtype for dtype, kind in _KIND_OF.items() if kind in "iu")


def array_types() -> tuple[type, ...]:
    """Return the exact types of tensor, those that stand for one in a trace included."""
    known = [torch.Tensor, torch.nn.Parameter, FakeTensor, FunctionalTensor]
    buffer = getattr(torch.nn, "Buffer", None)  # PyTorch 2.5
    return (*known, buffer) if buffer is not None else tuple(known)


def is_array(x: Any) -> bool:
    """Return whether x is a tensor."""
    return isinstance(x, torch.Tensor)


def is_traced(x: Any) -> bool:
    """Return whether the value is unknown: in a trace or a functorch transform, or on the device meta."""
    if is_dynamo_tracing() or isinstance(x, (FakeTensor, FunctionalTensor)) or x.is_meta:
        return True
    return bool(is_functorch_active() and torch._C._functorch.is_functorch_wrapped_tensor(x))


def is_integer(x: Any) -> bool:
    """Return whether the dtype is an integer one."""
    return x.dtype in _INTEGERS


def is_bool(x: Any) -> bool:
    """Return whether the dtype is bool."""
    return x.dtype is _BOOL


is_no_number = is_bool  # every other dtype is numeric


def rank(x: Any) -> int:
    """Return the number of dimensions."""
    return int(x.ndim)


def shape(x: Any) -> tuple[Any, ...]:
    """Return the shape, SymInts where a trace leaves a length open."""
    return tuple(x.shape)


def rows_match(x: Any, ids: Any) -> bool:
    """Return whether ids has one entry for each row of x; lengths known only to a trace are not compared."""
    if ids.ndim != 1 or x.ndim == 0:
        return False
    rows, entries = x.shape[0], ids.shape[0]
    if type(rows) is int and type(entries) is int:
        return rows == entries
    return _may_be_equal(rows, entries)


def _may_be_equal(a: Any, b: Any) -> bool:
    # What cannot be equal is found when the operands meet in the kernel.
    return not _is_known(a != b)


def _is_known(condition: Any) -> bool:
    """Return whether a comparison holds as far as the trace knows.

    Its truth value would make a guard: an error where a length comes from data (nonzero), and under Dims a
    constraint.
    """
    if condition is True or condition is False:
        return condition
    if isinstance(condition, torch.Tensor):
        return False  # torch.jit.trace makes tensors of lengths
    try:
        from torch.fx.experimental.symbolic_shapes import statically_known_true
    except ImportError:  # a later PyTorch may move it
        return False
    return bool(statically_known_true(condition))


def dtype_kind(dtype: Any) -> str:
    """Return one of b i u f c, or O for what holds no plain numbers: quantized ones, bits."""
    return _KINDS[dtype]


def as_dtype(dtype: Any) -> Any:
    """Return a torch dtype for a dtype, a name, a scalar type, or another backend's dtype."""
    if isinstance(dtype, torch.dtype):
        return dtype
    name = dtype if isinstance(dtype, str) else getattr(dtype, "name", None)
    if not isinstance(name, str) or name not in _BY_NAME:
        try:
            name = np.dtype(dtype).name
        except (TypeError, ValueError):
            name = str(name).removeprefix("torch.")
    found = _BY_NAME.get(name)
    if found is None:
        raise TypeError(f"PyTorch has no dtype {dtype!r}")
    return found


def numpy_dtype(dtype: Any) -> Any:
    """Return the NumPy dtype of the same name, from ml_dtypes where NumPy has none."""
    name = _NAME_OF[dtype]
    try:
        return np.dtype(name)
    except TypeError:
        pass
    try:
        import ml_dtypes
    except ImportError:
        raise TypeError(f"dtype {name} needs the ml_dtypes package on NumPy") from None
    return np.dtype(getattr(ml_dtypes, name))


def default_int() -> Any:
    """Return int64."""
    return torch.int64


def default_float() -> Any:
    """Return torch's default dtype, float32 unless the program has set another."""
    return torch.get_default_dtype()


def promote_dtypes(arrays: list[Any]) -> Any:
    """Return the dtypes' common one by torch's table, in which the rank plays no part."""
    return reduce(_promote_pair, [x.dtype for x in arrays])


def _promote_pair(a: Any, b: Any) -> Any:
    if a == b:
        return a
    wide = {torch.uint16, torch.uint32, torch.uint64}
    if a not in wide and b not in wide:
        return torch.promote_types(a, b)
    # torch (2.13) has no promotion for the wide unsigned dtypes: NumPy's rule among integers.
    kinds = dtype_kind(a), dtype_kind(b)
    if kinds[0] in "fc":
        return a
    if kinds[1] in "fc":
        return b
    return as_dtype(np.promote_types(numpy_dtype(a), numpy_dtype(b)))


def cast(x: Any, dtype: Any) -> Any:
    """Return x in the dtype, itself if it has it."""
    return x if x.dtype == dtype else x.to(dtype)


def fit_host(host: Any, kind: str) -> Any:
    """Return the array itself."""
    return host


def from_host(host: Any, like: Any, copy: bool) -> tuple[Any, str]:
    """Bring a NumPy array to the device of like, sharing its memory on the CPU where torch can."""
    device = like.device if like is not None else torch.device("cpu")
    if is_dynamo_tracing():
        # Dynamo traces NumPy arrays as tensors: no memory to look at.
        tensor = torch.as_tensor(host, device=device)
        return (tensor.clone() if copy else tensor), ""
    array = np.asarray(host)
    shareable, reason = _shareable(array)
    if copy and shareable is array:
        shareable = array.copy()
    tensor = _wrap(shareable)
    if device.type != "cpu":
        reason = reason or f"its memory is the host's, the tensor is on {device}"
        tensor = tensor.to(device)
    return tensor, "" if copy or not isinstance(host, np.ndarray) else reason


def _shareable(array: Any) -> tuple[Any, str]:
    """Return an array that torch can share, and why it is a copy if it is one."""
    name = array.dtype.name
    if name not in _BY_NAME:
        if array.dtype.kind not in "fc":
            raise TypeError(f"PyTorch has no dtype for a NumPy array of dtype {array.dtype}")
        wide = np.complex128 if array.dtype.kind == "c" else np.float64
        return array.astype(wide), f"PyTorch has no {name}"
    if not array.dtype.isnative:
        return array.astype(array.dtype.newbyteorder("=")), "its byte order is not this machine's"
    if not array.flags.writeable:
        return array.copy(), "it is read-only, and PyTorch has no read-only tensors"
    if any(stride < 0 for stride in array.strides):
        return array.copy(), "PyTorch has no negative strides"
    if any(stride % array.itemsize for stride in array.strides):
        return array.copy(), "its strides are not multiples of its item size"
    return array, ""


def _wrap(array: Any) -> Any:
    dtype = _BY_NAME[array.dtype.name]
    if array.dtype.kind in "biufc" and array.dtype.isbuiltin == 1:
        return torch.from_numpy(array)
    # ml_dtypes' arrays: torch.from_numpy knows only NumPy's own dtypes, so the bits go over as integers.
    bits = np.dtype(f"int{8 * array.itemsize}")
    return torch.from_numpy(array.view(bits)).view(dtype)


def from_scalar(value: Any, dtype: Any, like: Any) -> Any:
    """Return a 0-d tensor."""
    # torch.full, not torch.tensor: Dynamo passes a float that changes from call to call as an input.
    device = like.device if like is not None else torch.device("cpu")
    bounds = _BOUNDS.get(dtype)
    if is_dynamo_tracing():
        if bounds is not None and type(value) is int:
            _refuse_if_known(value, *bounds)
        if _is_taken(value, dtype):
            return torch.full((), value, dtype=dtype, device=device)
    elif bounds is not None:
        if type(value) is int and not bounds[0] <= value <= bounds[1]:
            raise OverflowError(f"{value} lies outside {bounds[0]} to {bounds[1]}")
        return torch.full((), value, dtype=dtype, device=device)
    else:
        try:
            return torch.full((), value, dtype=dtype, device=device)
        except (RuntimeError, OverflowError):
            pass
    # torch.full refuses what turns into an infinity; a conversion does not.
    if dtype.is_complex:
        parts = (value.real, value.imag) if type(value) is complex else (float(value), 0.0)
        return torch.complex(*[from_scalar(part, _PARTS[dtype], like) for part in parts])
    return torch.full((), float(value), dtype=torch.float64, device=device).to(dtype)


def _refuse_if_known(value: Any, least: int, greatest: int) -> None:
    if _is_known(value < least) or _is_known(value > greatest):
        raise OverflowError(f"{value} lies outside {least} to {greatest}")


def _is_taken(value: Any, dtype: Any) -> bool:
    """Return whether torch.full takes a Python number, in a trace, where that cannot be tried."""
    if dtype in _BOUNDS:
        return True
    if type(value) is complex:
        return dtype in _WIDEST or (_is_taken(value.real, dtype) and _is_taken(value.imag, dtype))
    if type(value) is int and dtype != torch.float16:
        return not (_is_known(value < -(2**63)) or _is_known(value >= 2**63))
    if type(value) is bool or dtype in _WIDEST:
        return True
    return (
        _is_known(abs(value) <= _SINGLE_LIMIT)
        or _is_known(abs(value) == _INFINITY)
        or _is_known(value != value)
    )


def fill(value: Any, dtype: Any) -> Any:
    """Return what torch.full takes for a Python number: itself, or a tensor where it may become infinite."""
    if type(value) not in (int, float, complex):
        return value
    if is_dynamo_tracing():
        is_taken = _is_taken(value, dtype)
    elif type(value) is complex:
        is_taken = False
    else:
        is_taken = -_SINGLE_LIMIT <= value <= _SINGLE_LIMIT or dtype in _BOUNDS
    return value if is_taken else from_scalar(value, dtype, None)


def as_size(x: Any) -> Any:
    """Return a SymInt as it is, a 0-d integer tensor as an int (unbacked in a trace), else None."""
    if isinstance(x, torch.SymInt):
        return x
    if isinstance(x, torch.Tensor) and x.ndim == 0 and x.dtype in _INTEGERS:
        size = x.item()
        if isinstance(size, torch.SymInt):
            torch._check(size >= 0)
        return size
    return None


def largest_size() -> int:
    """Return what torch counts entries in."""
    return 2**63 - 1


def to_numpy(x: Any) -> Any:
    """Return a NumPy array of a concrete tensor, sharing its memory where it lies on the CPU."""
    if is_dynamo_tracing():
        return x.detach().numpy()
    host = x.detach().cpu().resolve_conj().resolve_neg()
    if host._is_zerotensor():
        host = host.clone()  # a gradient of zeros that autograd made without memory
    dtype = numpy_dtype(host.dtype)
    if dtype.kind in "biufc" and dtype.isbuiltin == 1:
        return host.numpy()
    bits = torch.int16 if dtype.itemsize == 2 else torch.uint8
    return host.contiguous().view(bits).numpy().view(dtype)
