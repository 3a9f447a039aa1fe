"""Searching: places of extremes, of nonzero elements, in a sorted vector; choice by a mask."""

from __future__ import annotations

from typing import Any

from anytensor import errors
from anytensor.backends import HOST, TYPES, Backend
from anytensor.ops.arguments import axis_in_range
from anytensor.ops.dispatch import operand
from anytensor.ops.kinds import BOTH, Axis, not_empty, numeric, real_or_bool, reduced_axes
from anytensor.ops.pairs import explain, fits, scalar_beside
from anytensor.ops.plain import flag, option
from anytensor.promotion import promote
from anytensor.promotion.align import align
from anytensor.typing import ArrayT, Bool, Integer, Scalar, Shaped

__all__ = ["argmax", "argmin", "count_nonzero", "nonzero", "searchsorted", "where"]


def argmax(
    x: Shaped[ArrayT, " ..."] | Scalar, /, *, axis: int | None = None, keepdims: bool = False
) -> Shaped[ArrayT, " ..."]:
    """Find the place of the greatest element.

    Args:
        x: Array of any shape, real or bool.
        axis: The axis to search along; None for the flattened array.
        keepdims: Keep the reduced axes with size 1.

    Returns:
        Shape of x without the axis, on its device, in the backend's index dtype: the first of several
        greatest elements; the first NaN if there is one.

    Raises:
        TypeError: If x has an unknown type or is complex, or ``axis`` is not an int, or ``keepdims`` is no
            bool.
        ValueError: If the axis holds no elements or is out of range (numpy.exceptions.AxisError, an
            IndexError too).

    Notes:
        Not differentiable.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.argmax(np.array([[1.0, 3.0], [5.0, 2.0]]), axis=1)
        array([1, 0])
    """
    backend = TYPES.get(type(x))
    if backend is None:
        backend, x = operand("argmax", "x", x)
    if keepdims is not False:
        flag("argmax", keepdims, "keepdims")
    real_or_bool("argmax", backend, x)
    if axis is not None:
        axis = axis_in_range("argmax", axis, backend.rank(x))
    not_empty("argmax", backend, x, axis)
    return backend.ops.argmax(x, axis=axis, keepdims=keepdims)  # type: ignore[no-any-return]


def argmin(
    x: Shaped[ArrayT, " ..."] | Scalar, /, *, axis: int | None = None, keepdims: bool = False
) -> Shaped[ArrayT, " ..."]:
    """Find the place of the least element.

    Args:
        x: Array of any shape, real or bool.
        axis: The axis to search along; None for the flattened array.
        keepdims: Keep the reduced axes with size 1.

    Returns:
        Shape of x without the axis, on its device, in the backend's index dtype: the first of several least
        elements; the first NaN if there is one.

    Raises:
        TypeError: If x has an unknown type or is complex, or ``axis`` is not an int, or ``keepdims`` is no
            bool.
        ValueError: If the axis holds no elements or is out of range (numpy.exceptions.AxisError, an
            IndexError too).

    Notes:
        Not differentiable.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.argmin(np.array([3.0, 1.0, 1.0]))
        array(1)
    """
    backend = TYPES.get(type(x))
    if backend is None:
        backend, x = operand("argmin", "x", x)
    if keepdims is not False:
        flag("argmin", keepdims, "keepdims")
    real_or_bool("argmin", backend, x)
    if axis is not None:
        axis = axis_in_range("argmin", axis, backend.rank(x))
    not_empty("argmin", backend, x, axis)
    return backend.ops.argmin(x, axis=axis, keepdims=keepdims)  # type: ignore[no-any-return]


def count_nonzero(
    x: Shaped[ArrayT, " ..."] | Scalar, /, *, axis: Axis = None, keepdims: bool = False
) -> Shaped[ArrayT, " ..."]:
    """Count the elements that are not zero along axes.

    Args:
        x: Array of any shape and dtype; NaN is not zero.
        axis: The axis or a tuple of axes to count along; None for all.
        keepdims: Keep the reduced axes with size 1.

    Returns:
        Shape of x without the reduced axes, on its device, in the backend's default integer; 0 over no
        elements.

    Raises:
        TypeError: If x has an unknown type, or ``axis`` is not an int or a tuple of ints, or ``keepdims`` is
            no bool.
        ValueError: If an axis is out of range (numpy.exceptions.AxisError, an IndexError too) or comes twice.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.count_nonzero(np.array([[0, 1], [2, 3]]), axis=1)
        array([1, 2])
    """
    backend = TYPES.get(type(x))
    if backend is None:
        backend, x = operand("count_nonzero", "x", x)
    if keepdims is not False:
        flag("count_nonzero", keepdims, "keepdims")
    if backend is HOST:
        numeric("count_nonzero", backend, x)
    if axis is not None:
        axis = reduced_axes("count_nonzero", backend, x, axis)
    return backend.ops.count_nonzero(x, axis=axis, keepdims=keepdims)  # type: ignore[no-any-return]


def nonzero(x: Shaped[ArrayT, " ..."], /) -> tuple[Shaped[ArrayT, " found"], ...]:
    """Find the places of the elements that are not zero.

    Args:
        x: Array of one dimension or more, any dtype; NaN is not zero.

    Returns:
        One vector of indices for each axis of x, all as long as elements were found, in row-major order, in
        the backend's index dtype; empty vectors where all is zero.

    Raises:
        TypeError: If x has an unknown type.
        ValueError: If x is 0-d.

    Notes:
        The length depends on the data: it does not compile under ``jax.jit``, XLA or
        ``torch.compile(fullgraph=True)``. ``where`` with a mask does.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.nonzero(np.array([[0, 1], [2, 0]]))
        (array([0, 1]), array([1, 0]))
    """
    backend = TYPES.get(type(x))
    if backend is None:
        backend, x = operand("nonzero", "x", x)
    if backend is HOST:
        numeric("nonzero", backend, x)
    if backend.rank(x) == 0:
        raise ValueError(f"nonzero: `x` must have at least one dimension, got {errors.describe(x)}")
    return tuple(backend.ops.nonzero(x))


@promote(x1="data", x2="data", sorter="index")
def searchsorted(
    x1: Shaped[ArrayT, " entries"],
    x2: Shaped[ArrayT, " ..."] | Scalar,
    /,
    *,
    side: str = "left",
    sorter: Integer[Any, " entries"] | None = None,
) -> Shaped[ArrayT, " ..."]:
    """Find where elements belong in a sorted vector.

    Args:
        x1: Vector in ascending order, real; NaN sorts last.
        x2: The elements, any shape, real.
        side: ``"left"`` for the first fitting place among equals, ``"right"`` for the last.
        sorter: Indices that sort x1, where x1 itself is in no order; any integer dtype.

    Returns:
        Shape of x2, in the backend's index dtype: i with x1[i - 1] < x2 <= x1[i] for the left side,
        x1[i - 1] <= x2 < x1[i] for the right. All 0 if x1 is empty.

    Raises:
        TypeError: If an operand has an unknown type or is complex, two frameworks meet, or ``sorter`` holds
            no integers.
        ValueError: If x1 is not a vector or ``side`` is neither of the two.

    Notes:
        Not differentiable.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.searchsorted(np.array([1.0, 2.0, 2.0, 3.0]), np.array([2.0, 5.0]), side="right")
        array([3, 4])
    """
    option("searchsorted", side, "side", ("left", "right"))
    backend = TYPES[type(x1)]
    real_or_bool("searchsorted", backend, x1, BOTH)
    if backend.rank(x1) not in (1, None):
        raise errors.not_a_vector(backend.shape(x1), "searchsorted", "x1")
    if sorter is not None:
        if backend.rank(sorter) not in (1, None):
            raise errors.not_a_vector(backend.shape(sorter), "searchsorted", "sorter")
        x1 = backend.ops.take(x1, sorter, axis=0)
    return backend.ops.searchsorted(x1, x2, side=side)  # type: ignore[no-any-return]


def where(
    condition: Bool[Any, " ..."], x1: Shaped[ArrayT, " ..."] | Scalar, x2: Shaped[ArrayT, " ..."] | Scalar, /
) -> Shaped[ArrayT, " ..."]:
    """Choose between two arrays, element by element.

    Args:
        condition: Mask of any shape; numbers are cast to bool.
        x1: What to take where the mask is true; any shape and dtype.
        x2: What to take elsewhere; any shape and dtype.

    Returns:
        The shape that all three broadcast to, in the shared dtype of x1 and x2. Empty operands give an empty
        array.

    Raises:
        TypeError: If an operand has an unknown type or two frameworks meet.

    Notes:
        The branch that is not taken gets gradient 0; 0 times an infinite slope in it is NaN all the same, so
        make its argument harmless first, with another ``where``.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.where(np.array([True, False]), np.array([1.0, 2.0]), 0.0)
        array([1., 0.])
    """
    backend = TYPES.get(type(condition))
    if backend is None or not backend.is_bool(condition):
        backend, condition, x1, x2 = _aligned_choice(condition, x1, x2)
    elif TYPES.get(type(x1)) is backend:
        if TYPES.get(type(x2)) is not backend or x1.dtype is not x2.dtype:  # type: ignore[union-attr]
            if fits(backend, x2, x1):
                x2 = scalar_beside("where", "x2", backend, x2, x1)
            else:
                backend, condition, x1, x2 = _aligned_choice(condition, x1, x2)
    elif TYPES.get(type(x2)) is backend and fits(backend, x1, x2):
        x1 = scalar_beside("where", "x1", backend, x1, x2)
    else:
        backend, condition, x1, x2 = _aligned_choice(condition, x1, x2)
    try:
        return backend.ops.where(condition, x1, x2)  # type: ignore[no-any-return]
    except Exception as error:
        explain("where", backend, error, condition, x1, x2)
        raise


def _aligned_choice(condition: Any, x1: Any, x2: Any) -> tuple[Backend, Any, Any, Any]:
    condition, x1, x2 = align(
        "where", ["condition", "x1", "x2"], ["mask", "data", "data"], [condition, x1, x2]
    )
    return TYPES[type(x1)], condition, x1, x2
