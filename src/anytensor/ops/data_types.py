"""Data types: cast, limits, kinds, and the dtype that several operands share."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from anytensor import errors
from anytensor.backends import HOST, Backend, backend_of, installed_backends
from anytensor.ops.creation.target import KINDS, Target
from anytensor.ops.dispatch import operand, own_dtype
from anytensor.ops.kinds import numeric
from anytensor.ops.plain import check_device, flag
from anytensor.typing import ArrayT, Scalar, Shaped

__all__ = [
    "FloatInfo",
    "IntegerInfo",
    "astype",
    "can_cast",
    "cast",
    "dtype",
    "finfo",
    "iinfo",
    "isdtype",
    "result_type",
]


class FloatInfo(NamedTuple):
    """Machine limits of a floating dtype, as Python numbers."""

    bits: int
    """Number of bits of one real number."""
    eps: float
    """Distance from 1 to the next number."""
    max: float
    min: float
    smallest_normal: float
    dtype: Any
    """The real dtype, of the backend that was asked."""


class IntegerInfo(NamedTuple):
    """Limits of an integer dtype, as Python ints."""

    bits: int
    max: int
    min: int
    dtype: Any
    """The dtype, of the backend that was asked."""


def _binary(bits: int, mantissa: int, exponent: int) -> FloatInfo:
    """Return the limits of an IEEE-like format from its widths in bits."""
    top = 2.0 ** ((1 << (exponent - 1)) - 1)
    largest = top * (2.0 - 2.0**-mantissa)
    smallest = 2.0 ** (2 - (1 << (exponent - 1)))
    return FloatInfo(bits, 2.0**-mantissa, largest, -largest, smallest, None)


# Plain numbers, so that a compiler sees constants: np.finfo knows no bfloat16 and is opaque to a trace.
_FLOATS = {
    "float16": _binary(16, 10, 5),
    "bfloat16": _binary(16, 7, 8),
    "float32": _binary(32, 23, 8),
    "float64": _binary(64, 52, 11),
}
_COMPONENTS = {"complex64": "float32", "complex128": "float64"}
_INTEGERS = {
    **{f"int{n}": IntegerInfo(n, 2 ** (n - 1) - 1, -(2 ** (n - 1)), None) for n in (8, 16, 32, 64)},
    **{f"uint{n}": IntegerInfo(n, 2**n - 1, 0, None) for n in (8, 16, 32, 64)},
}
_SIGNED = frozenset(name for name in _INTEGERS if name.startswith("i"))
_KINDS: dict[str, frozenset[str]] = {
    "bool": frozenset(["bool"]),
    "signed integer": _SIGNED,
    "unsigned integer": frozenset(_INTEGERS) - _SIGNED,
    "integral": frozenset(_INTEGERS),
    "real floating": frozenset(_FLOATS),
    "complex floating": frozenset(_COMPONENTS),
    "numeric": frozenset(_INTEGERS) | frozenset(_FLOATS) | frozenset(_COMPONENTS),
}

_PLAIN = ("bool", *_INTEGERS, "float16", "float32", "float64", *_COMPONENTS)
# A table, for a compiler sees constants in it and no function of NumPy's.
_CASTS = {(a, b): bool(np.can_cast(a, b)) for a in _PLAIN for b in _PLAIN}


def _is_array(x: Any) -> bool:
    # A dtype object or a scalar type has no shape; tf.DType and torch.dtype have none either.
    if isinstance(x, (str, type, np.dtype)):
        return False  # asked for by itself: Dynamo (torch 2.13) cannot ask these for an attribute
    return isinstance(x, (bool, int, float, complex, np.generic)) or (
        hasattr(x, "shape") and hasattr(x, "dtype")
    )


def _backend_of_dtype(x: Any) -> Backend:
    """Return the backend whose own dtype object it is; NumPy for NumPy's (JAX's too) and for names."""
    if isinstance(x, (str, type, np.dtype)):
        return HOST  # a name or a scalar type, whose module Dynamo (torch 2.13) cannot ask for
    module = type(x).__module__.partition(".")[0]
    for backend in installed_backends():
        if module == backend.NAME:
            return backend
    return HOST


def _name(backend: Backend, x: Any) -> str:
    """Return the plain name of a dtype, such as bfloat16."""
    own = backend.as_dtype(x)
    return str(getattr(own, "name", own)).removeprefix("torch.")


def _resolve(function: str, x: Any, argument: str) -> tuple[Backend, Any]:
    """Return the backend and the dtype of an array, or of a dtype in any form."""
    if _is_array(x):
        backend, x = operand(function, argument, x)
        return backend, x.dtype
    backend = _backend_of_dtype(x)
    return backend, own_dtype(function, backend, x, argument)


def dtype(x: Any, /, like: Any = None) -> Any:
    """Return a dtype in the form that a backend has it.

    Args:
        x: An array or scalar, whose dtype is meant; or a NumPy dtype, a name or a backend's own dtype.
        like: An array of the backend whose dtype is wanted; by default that of x, NumPy for a name.

    Returns:
        The backend's own dtype object.

    Raises:
        TypeError: If the backend has no such dtype, or ``like`` has an unknown type.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.dtype("float32", like=np.zeros(2))
        dtype('float32')
    """
    backend, own = _resolve("dtype", x, "x")
    if like is None:
        return own
    return own_dtype("dtype", backend_of(like, "dtype", "like"), _name(backend, own), "x")


def astype(
    x: Shaped[ArrayT, ...] | Scalar, dtype: Any, /, *, copy: bool = True, device: Any = None
) -> Shaped[ArrayT, ...]:
    """Cast an array to a dtype.

    Args:
        x: An array, any dtype.
        dtype: A NumPy dtype, a name or the backend's own dtype.
        copy: False returns x itself if it has the dtype; True never does on NumPy and PyTorch. JAX and
            TensorFlow arrays are immutable, so there it makes no difference.
        device: A device of the backend; that of x by default.

    Returns:
        Shape and device of x. To bool every entry that is not 0, NaN too, is True; from floating to integer
        the fraction is cut off.

    Raises:
        TypeError: If x has an unknown type, the backend has no such dtype, or x is complex and the dtype real
            (take ``at.real`` first; to bool is allowed).

    Notes:
        The gradient flows between floating dtypes.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.astype(np.array([1.7, -1.7]), "int32")
        array([ 1, -1], dtype=int32)
    """
    backend, array = operand("astype", "x", x)
    numeric("astype", backend, array)
    own = own_dtype("astype", backend, dtype)
    if copy is not True:
        flag("astype", copy, "copy")
    if device is not None:
        check_device("astype", backend, device)
    if own == array.dtype:
        if copy is not False or device is not None:
            return backend.ops.asarray(array, device=device, copy=copy)  # type: ignore[no-any-return]
        return array  # type: ignore[no-any-return]  # framework types are Any
    if backend.dtype_kind(array.dtype) == "c" and backend.dtype_kind(own) not in "cb":
        raise TypeError(f"astype: `x` is complex and {own} is not; take at.real(x) or at.imag(x) first")
    out = backend.cast(array, own)
    return out if device is None else backend.ops.asarray(out, device=device)  # type: ignore[no-any-return]


cast = astype


def can_cast(from_: Any, to: Any, /) -> bool:
    """Tell whether a dtype can be cast to another without losing values.

    Args:
        from_: An array, or a dtype in any form.
        to: A dtype in any form.

    Returns:
        A Python bool; by NumPy's "safe" rule on every backend.

    Raises:
        TypeError: If an argument is no dtype.

    Example:
        >>> import anytensor as at
        >>> at.can_cast("int32", "int64"), at.can_cast("float64", "float32")
        (True, False)
    """
    backend, own = _resolve("can_cast", from_, "from_")
    if to is None:
        raise TypeError("can_cast: `to` must be a dtype or its name, got None")
    target = _backend_of_dtype(to)
    names = _name(backend, own), _name(target, to)
    if names in _CASTS:
        return _CASTS[names]
    return bool(np.can_cast(HOST.as_dtype(names[0]), HOST.as_dtype(names[1])))


def finfo(type: Any, /) -> FloatInfo:
    """Return the machine limits of a floating dtype.

    Args:
        type: An array, or a dtype in any form; complex stands for its real parts.

    Returns:
        ``bits eps max min smallest_normal`` as Python numbers and ``dtype``.

    Raises:
        TypeError: If the dtype is not floating.

    Example:
        >>> import anytensor as at
        >>> at.finfo("bfloat16").eps
        0.0078125
    """
    backend, own = _resolve("finfo", type, "type")
    name = _name(backend, own)
    name = _COMPONENTS.get(name, name)
    if name not in _FLOATS:
        raise TypeError(f"finfo: `type` must be a floating dtype or array, got {name}")
    return _FLOATS[name]._replace(dtype=backend.as_dtype(name))


def iinfo(type: Any, /) -> IntegerInfo:
    """Return the limits of an integer dtype.

    Args:
        type: An array, or a dtype in any form.

    Returns:
        ``bits max min`` as Python ints and ``dtype``.

    Raises:
        TypeError: If the dtype is not integer.

    Example:
        >>> import anytensor as at
        >>> at.iinfo("uint8").max
        255
    """
    backend, own = _resolve("iinfo", type, "type")
    name = _name(backend, own)
    if name not in _INTEGERS:
        raise TypeError(f"iinfo: `type` must be an integer dtype or array, got {name}")
    return _INTEGERS[name]._replace(dtype=own)


def isdtype(dtype: Any, kind: Any) -> bool:
    """Tell whether a dtype is of a kind.

    Args:
        dtype: A dtype of any backend, or its name.
        kind: A dtype; a kind by name: bool, signed integer, unsigned integer, integral, real floating,
            complex floating, numeric; or a tuple of those.

    Returns:
        A Python bool. float16 and bfloat16 are real floating.

    Raises:
        TypeError: If ``dtype`` is none.
        ValueError: If a name is neither a kind nor a dtype.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.isdtype(np.dtype("float32"), ("integral", "real floating"))
        True
    """
    name = _name(_backend_of_dtype(dtype), dtype)
    kinds = kind if isinstance(kind, tuple) else (kind,)
    return any(_is_kind(name, k) for k in kinds)


def _is_kind(name: str, kind: Any) -> bool:
    if isinstance(kind, str):
        if kind in _KINDS:
            return name in _KINDS[kind]
        if kind not in _KINDS["numeric"]:
            raise errors.unknown_option(kind, "isdtype", "kind", tuple(_KINDS))
    return name == _name(_backend_of_dtype(kind), kind)


def result_type(*arrays_and_dtypes: Any) -> Any:
    """Return the dtype that operands come to together.

    Args:
        *arrays_and_dtypes: Arrays, Python scalars and dtypes in any form, at least one; of at most one
            framework, which NumPy's go along with.

    Returns:
        A dtype of that framework, by its own rule (JAX's dtype objects are NumPy's: alone they follow NumPy's
        rule, beside an array JAX's). Python scalars are weak: they count only where their kind
        is higher than that of everything else.

    Raises:
        ValueError: If there is none.
        TypeError: If an operand is neither array nor dtype, or two frameworks meet.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.result_type(np.zeros(2, dtype=np.float32), 1.5)
        dtype('float32')
    """
    if not arrays_and_dtypes:
        raise ValueError("result_type: at least one array or dtype is needed, got none")
    backend: Backend = HOST
    first, names, weak = None, [], 0
    arrays = []
    for x in arrays_and_dtypes:
        if isinstance(x, (bool, int, float, complex)) and not isinstance(x, np.generic):
            weak = max(
                weak, 3 if isinstance(x, complex) else 2 if isinstance(x, float) else not isinstance(x, bool)
            )
            continue
        own, kind = _resolve("result_type", x, "arrays_and_dtypes")
        names.append(_name(own, kind))
        arrays.append(x)
        if own is HOST or own is backend:
            continue
        if backend is not HOST:
            raise errors.mixed_frameworks(first, x, "result_type")
        backend, first = own, x
    if not names:
        return Target(backend, None, None, None).default(weak)
    shared = backend.promote_dtypes(
        [backend.from_scalar(False, backend.as_dtype(name), None) for name in names]
    )
    if KINDS[backend.dtype_kind(shared)] >= weak:
        return shared
    return Target(backend, None, None, shared).default(weak)
