"""Shapes: read them, change them, broadcast them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from anytensor import errors
from anytensor.ops.arguments import (
    axes_in_range,
    axis_in_range,
    broadcast_fits,
    reshape_fits,
    sizes,
    together,
)
from anytensor.ops.dispatch import operand
from anytensor.typing import ArrayT, Scalar, Shaped, SizeLike

__all__ = ["broadcast_arrays", "broadcast_to", "expand_dims", "reshape", "shape", "squeeze"]


def shape(x: Any, /) -> tuple[SizeLike, ...]:
    """Read the shape of an array in sizes that stay symbolic under a compiler.

    Args:
        x: An array, any dtype, or a scalar.

    Returns:
        One size for each axis: a Python int where it is static, else a symbolic size (a 0-d ``tf.Tensor``, a
        ``SymInt``, a JAX dimension). Each feeds every parameter that takes a size. () for a scalar.

    Raises:
        TypeError: If x has an unknown type.

    Notes:
        Nothing bakes a length into a graph: use ``shape(x)[0]`` where you would write ``x.shape[0]``.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.shape(np.zeros((2, 3)))
        (2, 3)
    """
    backend, x = operand("shape", "x", x)
    return backend.shape(x)


def reshape(
    x: Shaped[ArrayT, ...] | Scalar, /, shape: Any, *, copy: bool | None = None
) -> Shaped[ArrayT, ...]:
    """Give an array another shape, its entries in row-major order.

    Args:
        x: An array, any dtype.
        shape: A size or a tuple of sizes, which may be symbolic; one may be -1 and is worked out.
        copy: True copies; False raises where a copy would be needed; None copies where needed. JAX and
            TensorFlow arrays are immutable, so there it makes no difference.

    Returns:
        The array in the new shape, dtype of x.

    Raises:
        TypeError: If x has an unknown type, ``shape`` holds no sizes, or ``copy`` is no bool.
        ValueError: If the entries do not fit the shape, a size is below -1, or ``copy=False`` needs a copy.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.reshape(np.arange(6), (2, -1))
        array([[0, 1, 2],
               [3, 4, 5]])
    """
    backend, x = operand("reshape", "x", x)
    new = sizes("reshape", shape, infer=True)
    try:
        if copy is None:
            return backend.ops.reshape(x, new)  # type: ignore[no-any-return]  # framework types are Any
        if not isinstance(copy, bool):
            raise errors.not_a_bool(copy, "reshape", "copy")
        return backend.ops.reshape(x, new, copy=copy)  # type: ignore[no-any-return]  # as above
    except Exception as error:
        reshape_fits("reshape", backend.shape(x), new, error)
        raise


def expand_dims(x: Shaped[ArrayT, ...] | Scalar, /, axis: int | Sequence[int] = 0) -> Shaped[ArrayT, ...]:
    """Put in axes of length 1.

    Args:
        x: An array, any dtype.
        axis: Place of the new axis in the result, or places of several.

    Returns:
        The array with the axes put in, dtype of x.

    Raises:
        TypeError: If x has an unknown type.
        AxisError: If a place is out of range.
        ValueError: If a place is named twice.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.shape(at.expand_dims(np.zeros((2, 3)), axis=1))
        (2, 1, 3)
    """
    backend, array = operand("expand_dims", "x", x)
    ndim = backend.rank(array)
    if not isinstance(axis, (tuple, list)):
        axis = axis_in_range("expand_dims", axis, None if ndim is None else ndim + 1)
        return backend.ops.expand_dims(array, axis=axis)  # type: ignore[no-any-return]
    places = axes_in_range("expand_dims", axis, None if ndim is None else ndim + len(axis))
    for place in sorted(places):
        array = backend.ops.expand_dims(array, axis=place)
    return array  # type: ignore[no-any-return]  # as above


def squeeze(x: Shaped[ArrayT, ...] | Scalar, /, axis: int | Sequence[int]) -> Shaped[ArrayT, ...]:
    """Take out axes of length 1.

    Args:
        x: An array, any dtype.
        axis: The axis or axes to take out; each of length 1.

    Returns:
        The array without them, dtype of x.

    Raises:
        TypeError: If x has an unknown type.
        AxisError: If an axis is out of range.
        ValueError: If an axis is named twice or its length is not 1.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.shape(at.squeeze(np.zeros((2, 1, 3)), axis=1))
        (2, 3)
    """
    backend, x = operand("squeeze", "x", x)
    places = axes_in_range("squeeze", axis, backend.rank(x))
    try:
        return backend.ops.squeeze(x, axis=places)  # type: ignore[no-any-return]
    except Exception as error:
        lengths = backend.shape(x)
        if any(isinstance(lengths[i], int) and lengths[i] != 1 for i in places):
            raise ValueError(
                f"squeeze: `axis` {axis} must name axes of length 1, got x of shape {lengths}"
            ) from error
        raise


def broadcast_to(x: Shaped[ArrayT, ...] | Scalar, /, shape: Any) -> Shaped[ArrayT, ...]:
    """Repeat an array along axes of length 1, and along new axes in front, up to a shape.

    Args:
        x: An array, any dtype.
        shape: A size or a tuple of sizes, which may be symbolic.

    Returns:
        The array in that shape, dtype of x; on NumPy a read-only view, on PyTorch a view.

    Raises:
        TypeError: If x has an unknown type or ``shape`` holds no sizes.
        ValueError: If x does not broadcast to the shape.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.broadcast_to(np.array([1, 2]), (2, 2))
        array([[1, 2],
               [1, 2]])
    """
    backend, x = operand("broadcast_to", "x", x)
    new = sizes("broadcast_to", shape)
    try:
        return backend.ops.broadcast_to(x, new)  # type: ignore[no-any-return]
    except Exception as error:
        have = backend.shape(x)
        pairs = zip(reversed(have), reversed(new), strict=False)
        if len(have) > len(new) or any(
            isinstance(a, int) and isinstance(b, int) and a not in (1, b) for a, b in pairs
        ):
            raise ValueError(f"broadcast_to: x of shape {have} does not broadcast to {new}") from error
        raise


def broadcast_arrays(*arrays: Shaped[ArrayT, ...] | Scalar) -> list[Shaped[ArrayT, ...]]:
    """Broadcast arrays to the shape that they have together.

    Args:
        *arrays: Arrays of any dtypes, at least one.

    Returns:
        A list of as many arrays, all of one shape, each in its own dtype; views where the backend has them.

    Raises:
        TypeError: If an array has an unknown type or two frameworks meet.
        ValueError: If there is none, or the shapes do not broadcast together.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.broadcast_arrays(np.array([1, 2]), np.array([[3.0]]))
        [array([[1, 2]]), array([[3., 3.]])]
    """
    if not arrays:
        raise ValueError("broadcast_arrays: at least one array is needed, got none")
    backend, parts = together("broadcast_arrays", [f"arrays[{i}]" for i in range(len(arrays))], arrays)
    try:
        return list(backend.ops.broadcast_arrays(*parts))
    except Exception as error:
        broadcast_fits("broadcast_arrays", [backend.shape(x) for x in parts], error)
        raise
