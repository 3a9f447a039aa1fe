"""Join arrays, split them, and repeat their entries."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from anytensor import errors
from anytensor.backends import Backend
from anytensor.compiling import is_compiling
from anytensor.ops.arguments import aligned_list, axis_in_range, sizes
from anytensor.ops.dispatch import operand
from anytensor.promotion import align, as_size
from anytensor.typing import ArrayT, Scalar, Shaped, SizeLike

__all__ = ["concat", "concatenate", "repeat", "stack", "tile", "unstack"]


def concat(arrays: Sequence[Shaped[ArrayT, ...] | Scalar], /, axis: int | None = 0) -> Shaped[ArrayT, ...]:
    """Join arrays along an axis that they have.

    Args:
        arrays: A tuple or list of at least one array; the shapes agree but along ``axis``. Mixed dtypes
            promote.
        axis: The axis; None flattens each array first.

    Returns:
        The joined array, in the shared dtype. Arrays without entries along the axis add nothing.

    Raises:
        TypeError: If ``arrays`` is not a tuple or list, an entry has an unknown type, or two frameworks meet.
        ValueError: If it is empty, an array is 0-d, or the shapes do not agree.
        AxisError: If ``axis`` is out of range.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.concat([np.array([1, 2]), np.array([3.5])])
        array([1. , 2. , 3.5])
    """
    backend, parts = aligned_list("concat", arrays)
    if axis is not None:
        ndim = backend.rank(parts[0])
        if ndim == 0:
            raise ValueError(f"concat: `arrays` must have at least one axis, got {errors.describe(parts[0])}")
        axis = axis_in_range("concat", axis, ndim)
    try:
        return backend.ops.concat(parts, axis=axis)  # type: ignore[no-any-return]  # framework types are Any
    except Exception as error:
        if axis is not None:
            _shapes_agree("concat", backend, parts, axis, error)
        raise


concatenate = concat


def _shapes_agree(
    function: str, backend: Backend, arrays: list[Any], axis: int | None, error: Exception
) -> None:
    """Raise ValueError if shapes differ other than along an axis; called when a backend has failed."""
    shapes = [backend.shape(x) for x in arrays]
    first = shapes[0]
    for i, shape in enumerate(shapes):
        pairs = enumerate(zip(first, shape, strict=False))
        if len(shape) != len(first) or any(
            k != axis and isinstance(a, int) and isinstance(b, int) and a != b for k, (a, b) in pairs
        ):
            but = "" if axis is None else f" but along axis {axis}"
            raise ValueError(
                f"{function}: shapes must agree{but}, got {first} for arrays[0] and {shape} for arrays[{i}]"
            ) from error


def stack(arrays: Sequence[Shaped[ArrayT, ...] | Scalar], /, axis: int = 0) -> Shaped[ArrayT, ...]:
    """Join arrays of one shape along a new axis.

    Args:
        arrays: A tuple or list of at least one array, all of one shape. Mixed dtypes promote.
        axis: Place of the new axis in the result.

    Returns:
        The stacked array, with one axis more, in the shared dtype.

    Raises:
        TypeError: If ``arrays`` is not a tuple or list, an entry has an unknown type, or two frameworks meet.
        ValueError: If it is empty or the shapes differ.
        AxisError: If ``axis`` is out of range.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.stack([np.array([1, 2]), np.array([3, 4])], axis=1)
        array([[1, 3],
               [2, 4]])
    """
    backend, parts = aligned_list("stack", arrays)
    ndim = backend.rank(parts[0])
    axis = axis_in_range("stack", axis, None if ndim is None else ndim + 1)
    try:
        return backend.ops.stack(parts, axis=axis)  # type: ignore[no-any-return]  # framework types are Any
    except Exception as error:
        _shapes_agree("stack", backend, parts, None, error)
        raise


def unstack(x: Shaped[ArrayT, ...] | Scalar, /, axis: int = 0) -> tuple[Shaped[ArrayT, ...], ...]:
    """Split an array into its entries along an axis.

    Args:
        x: An array of at least one axis, any dtype.
        axis: The axis, whose length must be known.

    Returns:
        As many arrays as the axis is long, each without it; no arrays for a length of 0.

    Raises:
        TypeError: If x has an unknown type.
        ValueError: If the length along ``axis`` is known only when the graph runs.
        AxisError: If ``axis`` is out of range.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.unstack(np.array([[1, 2], [3, 4]]), axis=1)
        (array([1, 3]), array([2, 4]))
    """
    backend, x = operand("unstack", "x", x)
    axis = axis_in_range("unstack", axis, backend.rank(x))
    return tuple(backend.ops.unstack(x, axis=axis))


def repeat(
    x: Shaped[ArrayT, ...] | Scalar,
    repeats: Any,
    *,
    axis: int | None = None,
    total_repeat_length: SizeLike | None = None,
) -> Shaped[ArrayT, ...]:
    """Repeat the entries of an array, each by its own count.

    Args:
        x: An array, any dtype.
        repeats: How often: a Python int, or integers 0-d, of shape (1,), or one for each entry along
            ``axis``. At least 0.
        axis: The axis; None flattens x first.
        total_repeat_length: Length of the result along the axis: longer is cut, shorter is padded with the
            last entry. Needed where the length must be known before the counts are, as under ``jax.jit``.

    Returns:
        The array, dtype of x, its length along ``axis`` the sum of the counts or ``total_repeat_length``.

    Raises:
        TypeError: If an operand has an unknown type, two frameworks meet, or ``repeats`` are not integers.
        ValueError: If ``repeats`` has another length than the axis, or is a negative int.
        AxisError: If ``axis`` is out of range.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.repeat(np.array([5, 6, 7]), np.array([2, 0, 1]))
        array([5, 5, 7])
        >>> at.repeat(np.array([[1, 2]]), 2, axis=0)
        array([[1, 2],
               [1, 2]])
    """
    backend, x = operand("repeat", "x", x)
    if type(repeats) is int:
        if repeats < 0:
            raise errors.negative_length(repeats, "repeat", "repeats")
        if not is_compiling() and repeats >= 2**31 - 1:
            as_size(repeats, "repeat", "repeats", backend)  # past what some backends count
    else:
        x, repeats = align("repeat", ("x", "repeats"), ("data", "index"), [x, repeats])
        backend, x = operand("repeat", "x", x)
        if backend.rank(repeats) not in (0, 1, None):
            raise ValueError(f"repeat: `repeats` must be 0-d or 1-D, got {errors.describe(repeats)}")
    if total_repeat_length is not None:
        total_repeat_length = as_size(total_repeat_length, "repeat", "total_repeat_length", backend)
    if axis is None:
        x, axis = backend.ops.reshape(x, (-1,)), 0
    else:
        axis = axis_in_range("repeat", axis, backend.rank(x))
    if type(repeats) is int:
        if total_repeat_length is None:
            return backend.ops.repeat(x, repeats, axis=axis)  # type: ignore[no-any-return]
    elif backend.rank(repeats) == 1:
        have, want = backend.shape(repeats)[0], backend.shape(x)[axis]
        if isinstance(have, int) and isinstance(want, int) and have != want and have != 1:
            raise ValueError(
                f"repeat: `repeats` must have one count for each of the {want} entries along axis {axis}, "
                f"or one for all, got {have}"
            )
    return backend.repeat(x, repeats, axis, total_repeat_length)  # type: ignore[no-any-return]


def tile(x: Shaped[ArrayT, ...] | Scalar, repetitions: Any, /) -> Shaped[ArrayT, ...]:
    """Lay copies of an array side by side.

    Args:
        x: An array, any dtype.
        repetitions: Number of copies along each axis, counted from the last: an int or a tuple of sizes.

    Returns:
        The tiled array, dtype of x; axes of length 1 are put in front of x where there are more repetitions
        than axes. No repetitions along an axis leave it empty.

    Raises:
        TypeError: If x has an unknown type or a repetition is no size.
        ValueError: If a repetition is negative.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.tile(np.array([1, 2]), (2, 2))
        array([[1, 2, 1, 2],
               [1, 2, 1, 2]])
    """
    backend, x = operand("tile", "x", x)
    return backend.ops.tile(x, sizes("tile", repetitions, "repetitions"))  # type: ignore[no-any-return]
