"""Change the order of axes, and of entries along them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from anytensor.compiling import is_compiling
from anytensor.ops.arguments import axes_in_range, axis_in_range
from anytensor.ops.dispatch import operand
from anytensor.typing import ArrayT, Scalar, Shaped

__all__ = ["flip", "moveaxis", "permute_dims", "roll", "transpose"]

Axes = int | Sequence[int] | None
LONG = 2**31  # a shift from which kernels differ: TensorFlow's adds the length to it in int32


def flip(x: Shaped[ArrayT, ...] | Scalar, /, axis: Axes = None) -> Shaped[ArrayT, ...]:
    """Reverse the order of the entries along axes.

    Args:
        x: An array, any dtype.
        axis: One axis or several; None reverses all.

    Returns:
        An array of the shape and dtype of x.

    Raises:
        TypeError: If x has an unknown type.
        AxisError: If an axis is out of range.
        ValueError: If an axis is named twice.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.flip(np.array([[1, 2], [3, 4]]), axis=0)
        array([[3, 4],
               [1, 2]])
    """
    backend, x = operand("flip", "x", x)
    if axis is not None:
        axis = axes_in_range("flip", axis, backend.rank(x))
    return backend.ops.flip(x, axis=axis)  # type: ignore[no-any-return]  # framework types are Any


def moveaxis(
    x: Shaped[ArrayT, ...] | Scalar, source: int | Sequence[int], destination: int | Sequence[int], /
) -> Shaped[ArrayT, ...]:
    """Move axes to new places, the others keeping their order.

    Args:
        x: An array, any dtype.
        source: Axes to move.
        destination: The place of each in the result; as many as in ``source``.

    Returns:
        The array with its axes in the new order, dtype of x.

    Raises:
        TypeError: If x has an unknown type.
        AxisError: If an axis is out of range.
        ValueError: If an axis is named twice, or the two differ in length.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.shape(at.moveaxis(np.zeros((2, 3, 4)), 0, -1))
        (3, 4, 2)
    """
    backend, x = operand("moveaxis", "x", x)
    ndim = backend.rank(x)
    origin = axes_in_range("moveaxis", source, ndim, "source")
    target = axes_in_range("moveaxis", destination, ndim, "destination")
    if len(origin) != len(target):
        raise ValueError(
            f"moveaxis: `source` and `destination` must have one length, got {len(origin)} and {len(target)}"
        )
    if ndim is None:
        return backend.ops.moveaxis(x, origin, target)  # type: ignore[no-any-return]
    order = [i for i in range(ndim) if i not in origin]
    for place, axis in sorted(zip(target, origin, strict=True)):
        order.insert(place, axis)
    return backend.ops.permute_dims(x, tuple(order))  # type: ignore[no-any-return]


def permute_dims(x: Shaped[ArrayT, ...] | Scalar, /, axes: Sequence[int]) -> Shaped[ArrayT, ...]:
    """Put the axes into another order.

    Args:
        x: An array, any dtype.
        axes: For each axis of the result the axis of x that it is; every axis once.

    Returns:
        The array with its axes permuted, dtype of x.

    Raises:
        TypeError: If x has an unknown type.
        AxisError: If an axis is out of range.
        ValueError: If ``axes`` does not name every axis once.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.shape(at.permute_dims(np.zeros((2, 3, 4)), (1, 2, 0)))
        (3, 4, 2)
    """
    return _permuted("permute_dims", x, axes)  # type: ignore[no-any-return]


def _permuted(function: str, x: Any, axes: Any) -> Any:
    backend, x = operand(function, "x", x)
    ndim = backend.rank(x)
    order = axes_in_range(function, axes, ndim, "axes")
    if ndim is not None and len(order) != ndim:
        raise ValueError(f"{function}: `axes` must name each of the {ndim} axes once, got {tuple(axes)}")
    return backend.ops.permute_dims(x, order)


def transpose(x: Shaped[ArrayT, ...] | Scalar, /, axes: Sequence[int] | None = None) -> Shaped[ArrayT, ...]:
    """Put the axes into another order, the reverse one by default.

    Args:
        x: An array, any dtype.
        axes: As in ``permute_dims``; None reverses.

    Returns:
        The array with its axes permuted, dtype of x.

    Raises:
        TypeError: If x has an unknown type.
        AxisError: If an axis is out of range.
        ValueError: If ``axes`` does not name every axis once.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.transpose(np.array([[1, 2, 3]]))
        array([[1],
               [2],
               [3]])
    """
    if axes is None:
        backend, x = operand("transpose", "x", x)
        ndim = backend.rank(x)
        if ndim is None:
            raise ValueError("transpose: x has an unknown number of axes; name them with `axes`")
        return backend.ops.permute_dims(x, tuple(range(ndim - 1, -1, -1)))  # type: ignore[no-any-return]
    return _permuted("transpose", x, axes)  # type: ignore[no-any-return]


def roll(
    x: Shaped[ArrayT, ...] | Scalar, /, shift: int | Sequence[int], axis: Axes = None
) -> Shaped[ArrayT, ...]:
    """Shift entries along axes; what leaves at one end comes in at the other.

    Args:
        x: An array, any dtype.
        shift: By how many places: an int, or a tuple of as many as there are axes.
        axis: One axis or several; None rolls the flattened array and restores its shape.

    Returns:
        An array of the shape and dtype of x.

    Raises:
        TypeError: If x has an unknown type or a shift is not an integer.
        AxisError: If an axis is out of range.
        ValueError: If ``shift`` and ``axis`` are tuples that differ in length.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.roll(np.array([1, 2, 3]), 1)
        array([3, 1, 2])
    """
    backend, x = operand("roll", "x", x)
    shifts = shift if isinstance(shift, (tuple, list)) else (shift,)
    shifts = tuple(axis_in_range("roll", s, None, "shift") for s in shifts)
    is_long = not is_compiling() and any(not -LONG < s < LONG for s in shifts)
    if axis is None:
        total = sum(shifts)
        if is_long:
            total = _shortened(total, backend.shape(x))
        return backend.ops.roll(x, total, axis=None)  # type: ignore[no-any-return]
    names = axis if isinstance(axis, (tuple, list)) else (axis,)
    ndim = backend.rank(x)
    places = tuple(axis_in_range("roll", a, ndim) for a in names)
    if len(shifts) == 1:
        shifts = shifts * len(places)
    elif len(places) == 1:
        places = places * len(shifts)
    if len(shifts) != len(places):
        raise ValueError(
            f"roll: `shift` and `axis` must have one length, got {len(shifts)} shifts and {len(places)} axes"
        )
    if not places:  # which PyTorch and TensorFlow refuse
        return backend.ops.asarray(x, copy=True)  # type: ignore[no-any-return]
    if is_long and ndim is not None:
        lengths = backend.shape(x)
        shifts = tuple(_shortened(s, (lengths[a],)) for s, a in zip(shifts, places, strict=True))
    return backend.ops.roll(x, shifts, axis=places)  # type: ignore[no-any-return]


def _shortened(shift: int, lengths: Sequence[Any]) -> int:
    """Return the same shift within the length that is rolled, if that is known."""
    if not all(isinstance(n, int) for n in lengths):
        return shift
    return shift % (math.prod(lengths) or 1)
