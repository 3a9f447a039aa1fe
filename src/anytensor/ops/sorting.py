"""Sorting along an axis."""

from __future__ import annotations

from typing import Any

from anytensor.backends import TYPES, Backend
from anytensor.ops.arguments import axis_in_range
from anytensor.ops.dispatch import operand
from anytensor.ops.kinds import real_or_bool
from anytensor.ops.plain import flag
from anytensor.typing import ArrayT, Shaped

__all__ = ["argsort", "sort"]


def argsort(
    x: Shaped[ArrayT, " ..."], /, *, axis: int = -1, descending: bool = False, stable: bool = True
) -> Shaped[ArrayT, " ..."]:
    """Find the indices that sort along an axis.

    Args:
        x: Array of one dimension or more, real or bool.
        axis: The axis.
        descending: Put the greatest first.
        stable: Keep the order of equal elements. Ours is stable always.

    Returns:
        Shape and device of x, in the backend's index dtype. NaN counts as the greatest.

    Raises:
        TypeError: If x has an unknown type or is complex, or ``axis`` is not an int, or a flag is no bool.
        ValueError: If x is 0-d or ``axis`` is out of range.

    Notes:
        Not differentiable; ``take_along_axis`` with the result is.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.argsort(np.array([3.0, 1.0, 3.0]), descending=True)
        array([0, 2, 1])
    """
    backend, x, axis = _sortable("argsort", x, axis, descending, stable)
    return backend.ops.argsort(  # type: ignore[no-any-return]
        x, axis=axis, descending=descending, stable=True
    )


def sort(
    x: Shaped[ArrayT, " ..."], /, *, axis: int = -1, descending: bool = False, stable: bool = True
) -> Shaped[ArrayT, " ..."]:
    """Sort along an axis.

    Args:
        x: Array of one dimension or more, real or bool.
        axis: The axis.
        descending: Put the greatest first.
        stable: Keep the order of equal elements, which shows in the gradient and in the sign of zeros. Ours
            is stable always.

    Returns:
        Shape, dtype and device of x. NaN counts as the greatest.

    Raises:
        TypeError: If x has an unknown type or is complex, or ``axis`` is not an int, or a flag is no bool.
        ValueError: If x is 0-d or ``axis`` is out of range.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.sort(np.array([[3.0, 1.0], [2.0, 4.0]]))
        array([[1., 3.],
               [2., 4.]])
    """
    backend, x, axis = _sortable("sort", x, axis, descending, stable)
    return backend.ops.sort(  # type: ignore[no-any-return]
        x, axis=axis, descending=descending, stable=True
    )


def _sortable(function: str, x: Any, axis: Any, descending: Any, stable: Any) -> tuple[Backend, Any, int]:
    backend = TYPES.get(type(x))
    if backend is None:
        backend, x = operand(function, "x", x)
    real_or_bool(function, backend, x)
    flag(function, descending, "descending")
    flag(function, stable, "stable")
    return backend, x, axis_in_range(function, axis, backend.rank(x))
