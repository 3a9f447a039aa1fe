"""Not-a-numbers: find them, fill them, compare with them; and the special numbers by name."""

from __future__ import annotations

from typing import Any

from anytensor import errors
from anytensor.backends import TYPES, Backend
from anytensor.ops.data_types import finfo
from anytensor.ops.dispatch import operand
from anytensor.ops.host_traces import trace_on_host_arrays
from anytensor.ops.kinds import BOTH, numeric
from anytensor.ops.pairs import explain
from anytensor.promotion import promote
from anytensor.typing import ArrayT, Bool, Scalar, Shaped

__all__ = [
    "e",
    "equal_nan",
    "fill_nan",
    "fill_nan_mask",
    "inf",
    "is_finite",
    "is_inf",
    "is_nan",
    "isfinite",
    "isinf",
    "isnan",
    "nan",
    "nan_fill",
    "nan_to_num",
    "newaxis",
    "ninf",
    "pi",
]

# Python floats: weak, so that they take the dtype of what they meet.
e = 2.718281828459045
inf = float("inf")
nan = float("nan")
newaxis = None
ninf = -inf
pi = 3.141592653589793


def is_nan(x: Shaped[ArrayT, ...] | Scalar, /) -> Bool[ArrayT, ...]:
    """Find the entries that are not a number.

    Args:
        x: An array, any dtype.

    Returns:
        Shape and device of x, bool; False throughout for integers and bool. A complex entry is NaN if a part
        of it is.

    Raises:
        TypeError: If x has an unknown type.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.is_nan(np.array([1.0, at.nan, at.inf]))
        array([False,  True, False])
    """
    backend = TYPES.get(type(x))
    if backend is None:
        backend, x = operand("is_nan", "x", x)
    return backend.ops.isnan(x)  # type: ignore[no-any-return]  # framework types are Any


def is_finite(x: Shaped[ArrayT, ...] | Scalar, /) -> Bool[ArrayT, ...]:
    """Find the entries that are neither infinite nor NaN.

    Args:
        x: An array, any dtype.

    Returns:
        Shape and device of x, bool; True throughout for integers and bool. A complex entry is finite if both
        parts are.

    Raises:
        TypeError: If x has an unknown type.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.is_finite(np.array([1.0, at.nan, at.inf]))
        array([ True, False, False])
    """
    backend = TYPES.get(type(x))
    if backend is None:
        backend, x = operand("is_finite", "x", x)
    return backend.ops.isfinite(x)  # type: ignore[no-any-return]


def is_inf(x: Shaped[ArrayT, ...] | Scalar, /) -> Bool[ArrayT, ...]:
    """Find the entries that are infinite, of either sign.

    Args:
        x: An array, any dtype.

    Returns:
        Shape and device of x, bool; False throughout for integers and bool. A complex entry is infinite if a
        part of it is.

    Raises:
        TypeError: If x has an unknown type.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.is_inf(np.array([1.0, at.nan, at.ninf]))
        array([False, False,  True])
    """
    backend = TYPES.get(type(x))
    if backend is None:
        backend, x = operand("is_inf", "x", x)
    return backend.ops.isinf(x)  # type: ignore[no-any-return]


isnan = is_nan
isfinite = is_finite
isinf = is_inf


def _scalar_of(function: str, backend: Backend, x: Any, value: Any, argument: str) -> Any:
    """Return a Python number as a 0-d array in the dtype of x."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise errors.not_a_scalar(value, function, argument)
    return backend.from_scalar(value, x.dtype, x)


def _filled(function: str, backend: Backend, x: Any, value: Any, mask: Any) -> Any:
    if backend.dtype_kind(x.dtype) in "biu":  # no NaN in it, and no place for every number
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise errors.not_a_scalar(value, function, "value")
        return x
    return backend.ops.where(mask, _scalar_of(function, backend, x, value, "value"), x)


def fill_nan_mask(
    x: Shaped[ArrayT, ...] | Scalar, value: int | float = 0
) -> tuple[Shaped[ArrayT, ...], Bool[ArrayT, ...]]:
    """Replace NaN by a number, and tell where it stood.

    Args:
        x: An array, any dtype; integers and bool hold no NaN.
        value: A Python number, cast to the dtype of x.

    Returns:
        The filled array, of shape, dtype and device of x (x itself for integers and bool), and the bool mask
        of the entries that were NaN.

    Raises:
        TypeError: If x has an unknown type or ``value`` is no real number.

    Notes:
        The gradient is 0 where a NaN was filled.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.fill_nan_mask(np.array([1.0, at.nan]), 5)
        (array([1., 5.]), array([False,  True]))
    """
    backend, x = operand("fill_nan_mask", "x", x)
    numeric("fill_nan_mask", backend, x)
    mask = backend.ops.isnan(x)
    return _filled("fill_nan_mask", backend, x, value, mask), mask


def fill_nan(x: Shaped[ArrayT, ...] | Scalar, value: int | float = 0) -> Shaped[ArrayT, ...]:
    """Replace NaN by a number; infinities stay.

    Args:
        x: An array, any dtype; integers and bool hold no NaN.
        value: A Python number, cast to the dtype of x.

    Returns:
        The filled array, of shape, dtype and device of x; x itself for integers and bool.

    Raises:
        TypeError: If x has an unknown type or ``value`` is no real number.

    Notes:
        The gradient is 0 where a NaN was filled.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.fill_nan(np.array([1.0, at.nan, at.inf]))
        array([ 1.,  0., inf])
    """
    backend, x = operand("fill_nan", "x", x)
    numeric("fill_nan", backend, x)
    return _filled("fill_nan", backend, x, value, backend.ops.isnan(x))  # type: ignore[no-any-return]


nan_fill = fill_nan


def nan_to_num(
    x: Shaped[ArrayT, ...] | Scalar,
    /,
    *,
    nan: int | float = 0.0,
    posinf: int | float | None = None,
    neginf: int | float | None = None,
) -> Shaped[ArrayT, ...]:
    """Replace NaN and the infinities by numbers.

    Args:
        x: An array, any dtype; integers and bool come back as they are. Complex: each part for itself.
        nan: What a NaN becomes, a Python number.
        posinf: What +inf becomes; the dtype's greatest number by default.
        neginf: What -inf becomes; the dtype's least number by default.

    Returns:
        Shape, dtype and device of x.

    Raises:
        TypeError: If x has an unknown type or a replacement is no real number.

    Notes:
        The gradient is 0 where an entry was replaced.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.nan_to_num(np.array([1.0, at.nan, at.inf]), posinf=9.0)
        array([1., 0., 9.])
    """
    backend, array = operand("nan_to_num", "x", x)
    numeric("nan_to_num", backend, array)
    kind = backend.dtype_kind(array.dtype)
    if kind in "biu":
        return array  # type: ignore[no-any-return]
    limits = finfo(array)
    values = (nan, limits.max if posinf is None else posinf, limits.min if neginf is None else neginf)
    if kind == "c":
        ops = backend.ops
        real, imaginary = (_replace(backend, part, values) for part in (ops.real(array), ops.imag(array)))
        return _complex(backend, array, real, imaginary)  # type: ignore[no-any-return]
    return _replace(backend, array, values)  # type: ignore[no-any-return]


def _complex(backend: Backend, x: Any, real: Any, imaginary: Any) -> Any:
    unit = backend.from_scalar(1j, x.dtype, x)
    return backend.cast(real, x.dtype) + unit * backend.cast(imaginary, x.dtype)


def _replace(backend: Backend, x: Any, values: tuple[Any, Any, Any]) -> Any:
    ops = backend.ops
    if_nan, if_high, if_low = (
        _scalar_of("nan_to_num", backend, x, value, name)
        for value, name in zip(values, ("nan", "posinf", "neginf"), strict=True)
    )
    infinite = ops.isinf(x)
    positive = x > backend.from_scalar(0, x.dtype, x)
    bounded = ops.where(infinite, ops.where(positive, if_high, if_low), x)
    return ops.where(ops.isnan(x), if_nan, bounded)


@promote(x1="data", x2="data")
def equal_nan(x1: Shaped[ArrayT, ...] | Scalar, x2: Shaped[ArrayT, ...] | Scalar, /) -> Bool[ArrayT, ...]:
    """Compare element by element, a NaN being equal to a NaN.

    Args:
        x1: An array, any dtype.
        x2: As x1; broadcasts against it.

    Returns:
        The shape that x1 and x2 broadcast to, bool.

    Raises:
        TypeError: If an operand has an unknown type or two frameworks meet.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.equal_nan(np.array([1.0, at.nan]), np.array([2.0, at.nan]))
        array([False,  True])
    """
    backend = TYPES[type(x1)]
    numeric("equal_nan", backend, x1, BOTH)
    ops = backend.ops
    try:
        same = ops.equal(x1, x2)
    except Exception as error:
        explain("equal_nan", backend, error, x1, x2)
        raise
    return ops.logical_or(same, ops.logical_and(ops.isnan(x1), ops.isnan(x2)))  # type: ignore[no-any-return]


trace_on_host_arrays([is_nan, is_finite, is_inf, fill_nan_mask, fill_nan, nan_to_num])
