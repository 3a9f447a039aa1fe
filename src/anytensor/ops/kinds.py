"""What ordinary operations refuse before they compute: kinds of dtype, axes, nothing to choose from."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from anytensor import errors
from anytensor.backends import HOST, Backend
from anytensor.ops.arguments import axes_in_range, axis_in_range

__all__ = [
    "BOTH",
    "NOT_REAL",
    "NOT_REAL_OR_BOOL",
    "Axis",
    "integers_or_bools",
    "not_a_number",
    "not_empty",
    "not_real",
    "not_real_or_bool",
    "numeric",
    "real_or_bool",
    "reduced_axes",
]

BOTH = "x1` and `x2"
"""What errors call two operands that promotion gave one dtype: it no longer shows which one brought it."""

NOT_REAL = "bcOSUmMTV"
"""The kinds that ``Backend.dtype_kind`` gives for bool, complex numbers, and what is no number on NumPy."""

NOT_REAL_OR_BOOL = "cOSUmMTV"
"""The same, bool left out."""

Axis: TypeAlias = int | tuple[int, ...] | None
"""One axis, several, or all."""


def _is_host_without_numbers(x: Any) -> bool:
    return isinstance(x, np.ndarray) and HOST.dtype_kind(x.dtype) not in "biufc"


def not_real_or_bool(x: Any, function: str, argument: str) -> TypeError:
    """Build the error for complex data, or data without numbers, where an order is needed."""
    if _is_host_without_numbers(x):
        return errors.not_numeric(x, function, argument)
    return errors.is_complex(x, function, argument)


def not_a_number(x: Any, function: str, argument: str) -> TypeError:
    """Build the error for data that ``is_no_number`` where arithmetic is meant."""
    if _is_host_without_numbers(x):
        return errors.not_numeric(x, function, argument)
    return TypeError(
        f"{function}: `{argument}` must be numeric, got {errors.describe(x)}; "
        "cast it with astype to count with it, or use logical_and, logical_or, logical_not"
    )


def not_real(x: Any, function: str, argument: str) -> TypeError:
    """Build the error for data of a kind in NOT_REAL where an ordered number is meant."""
    if _is_host_without_numbers(x):
        return errors.not_numeric(x, function, argument)
    described = errors.describe(x)
    return TypeError(
        f"{function}: `{argument}` must be integer or floating, got {described}; bool is no number (cast it "
        "with astype), and complex numbers have no order"
    )


def real_or_bool(function: str, backend: Backend, x: Any, argument: str = "x") -> None:
    """Raise TypeError if x is complex or holds no numbers."""
    if backend.dtype_kind(x.dtype) in NOT_REAL_OR_BOOL:
        raise not_real_or_bool(x, function, argument)


def numeric(function: str, backend: Backend, x: Any, argument: str = "x") -> None:
    """Raise TypeError if x holds no numbers, as NumPy's objects, strings, dates and records do not."""
    if backend.dtype_kind(x.dtype) not in "biufc":
        raise errors.not_numeric(x, function, argument)


def integers_or_bools(function: str, backend: Backend, x: Any, argument: str = "x") -> None:
    """Raise TypeError if x holds neither integers nor bool."""
    if not (backend.is_integer(x) or backend.is_bool(x)):
        raise TypeError(f"{function}: `{argument}` must hold integers or bool, got {errors.describe(x)}")


def reduced_axes(function: str, backend: Backend, x: Any, axis: Any) -> Any:
    """Return the axis or the axes of a reduction, counted from the front.

    Raises:
        TypeError: If it is neither an int nor a tuple of ints.
        numpy.exceptions.AxisError: If one is out of range; an IndexError and a ValueError at once.
        ValueError: If one comes twice.
    """
    rank = backend.rank(x)
    if isinstance(axis, (tuple, list)):
        return axes_in_range(function, axis, rank)
    return axis_in_range(function, axis, rank)


def not_empty(function: str, backend: Backend, x: Any, axis: Axis) -> None:
    """Raise ValueError if the entries along the axes are known to be none, where a greatest is asked."""
    if backend.is_traced(x):
        return  # a size may be symbolic; what a framework's compiler says of an empty axis stands
    shape = backend.shape(x)
    reduced = shape if axis is None else [shape[i] for i in (axis if isinstance(axis, tuple) else (axis,))]
    if 0 in reduced:
        raise ValueError(
            f"{function}: `x` of shape {shape} has no entries along axis {axis}, and no entry is greatest or "
            "least among none"
        )
