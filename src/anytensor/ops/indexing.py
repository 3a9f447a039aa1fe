"""Indexing functions of the standard."""

from __future__ import annotations

from anytensor import errors
from anytensor.backends import TYPES
from anytensor.ops.arguments import axis_in_range
from anytensor.promotion import promote
from anytensor.typing import ArrayT, Integer, Scalar, Shaped

__all__ = ["take", "take_along_axis"]


@promote(x="data", indices="index")
def take(
    x: Shaped[ArrayT, ...], indices: Integer[ArrayT, ...] | Scalar, axis: int = 0
) -> Shaped[ArrayT, ...]:
    """Gather entries along an axis.

    Args:
        x: An array of at least one axis, any dtype.
        indices: Which entries: any shape, any integer dtype. Negative ones count from the end.
        axis: The axis.

    Returns:
        Shape ``x.shape[:axis] + indices.shape + x.shape[axis + 1:]``, dtype and device of x; empty where the
        indices are.

    Raises:
        TypeError: If an operand has an unknown type, two frameworks meet, or the indices are not integers.
        AxisError: If ``axis`` is out of range.
        IndexError: For an index out of range, on NumPy and on eager PyTorch and TensorFlow.

    Notes:
        JAX, and a compiler that cannot raise, gives NaN (0 for integers, False for bool) for an index out of
        range; no backend reads other memory. The gradient adds up over indices that occur more than once.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.take(np.array([[1, 2], [3, 4]]), np.array([1, 0, 1]))
        array([[3, 4],
               [1, 2],
               [3, 4]])
    """
    backend = TYPES[type(x)]
    ndim = backend.rank(x)
    if type(axis) is not int or ndim is None or not 0 <= axis < ndim:
        axis = axis_in_range("take", axis, ndim)
    return backend.take(x, indices, axis)  # type: ignore[no-any-return]  # framework types are Any


@promote(x="data", indices="index")
def take_along_axis(
    x: Shaped[ArrayT, ...], indices: Integer[ArrayT, ...] | Scalar, /, axis: int = -1
) -> Shaped[ArrayT, ...]:
    """Gather one entry for each index along an axis.

    Args:
        x: An array of at least one axis, any dtype.
        indices: As many axes as x, any integer dtype; broadcasts against x but along ``axis``. Negative ones
            count from the end.
        axis: The axis.

    Returns:
        The broadcast shape, its length along ``axis`` that of the indices; dtype and device of x.

    Raises:
        TypeError: If an operand has an unknown type, two frameworks meet, or the indices are not integers.
        AxisError: If ``axis`` is out of range.
        ValueError: If the indices have another number of axes than x.
        IndexError: For an index out of range, on NumPy and on eager PyTorch and TensorFlow.

    Notes:
        Out of range as for ``take``.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> x = np.array([[3, 1, 2], [9, 8, 7]])
        >>> at.take_along_axis(x, np.array([[1, 2], [0, 2]]), axis=1)
        array([[1, 2],
               [9, 7]])
    """
    backend = TYPES[type(x)]
    ndim, count = backend.rank(x), backend.rank(indices)
    axis = axis_in_range("take_along_axis", axis, ndim)
    if ndim is not None and count is not None and ndim != count:
        raise ValueError(
            f"take_along_axis: `indices` must have as many axes as x, got {errors.describe(indices)} and x, "
            f"{errors.describe(x)}"
        )
    return backend.ops.take_along_axis(x, indices, axis=axis)  # type: ignore[no-any-return]
