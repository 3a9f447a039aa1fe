"""Products of vectors and matrices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from anytensor import errors
from anytensor.backends import TYPES, Backend
from anytensor.ops.arguments import axes_in_range, axis_in_range
from anytensor.ops.dispatch import operand
from anytensor.ops.kinds import BOTH, not_a_number
from anytensor.ops.linalg.operands import differ, too_few_dimensions
from anytensor.promotion import promote
from anytensor.typing import ArrayT, Shaped

__all__ = ["cross", "matmul", "matrix_transpose", "outer", "tensordot", "vecdot"]


def _numeric(function: str, x1: Any) -> Backend:
    backend = TYPES[type(x1)]
    if backend.is_no_number(x1):
        raise not_a_number(x1, function, BOTH)
    return backend


@promote(x1="data", x2="data")
def matmul(x1: Shaped[ArrayT, " ..."], x2: Shaped[ArrayT, " ..."], /) -> Shaped[ArrayT, " ..."]:
    """Multiply matrices.

    Args:
        x1: A vector (K,) or a stack of matrices (..., M, K), numeric.
        x2: A vector (K,) or a stack of matrices (..., K, N); leading axes broadcast.

    Returns:
        Shape (..., M, N), without M or N where an operand is a vector; the shared dtype. 0 where K is 0.

    Raises:
        TypeError: If an operand has an unknown type, two frameworks meet, or both are bool.
        ValueError: If an operand is 0-d or the sizes K differ.

    Notes:
        float16 and bfloat16 accumulate in float32. On a GPU or TPU the framework's own setting of the
        precision of float32 products holds.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.matmul(np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([1.0, 10.0]))
        array([21., 43.])
    """
    backend = _numeric("matmul", x1)
    ranks = backend.rank(x1), backend.rank(x2)
    if ranks[0] == 0 or ranks[1] == 0:
        raise too_few_dimensions("matmul", x1 if ranks[0] == 0 else x2, "x1" if ranks[0] == 0 else "x2", 1)
    if None not in ranks:
        shape1, shape2 = backend.shape(x1), backend.shape(x2)
        if differ(shape1[-1], shape2[0] if len(shape2) == 1 else shape2[-2]):
            raise ValueError(
                f"matmul: the last axis of `x1` must be as long as the last but one of `x2` (the only one of "
                f"a vector), got shapes {shape1} and {shape2}"
            )
    return backend.ops.matmul(x1, x2)  # type: ignore[no-any-return]


@promote(x1="data", x2="data")
def vecdot(
    x1: Shaped[ArrayT, " ..."], x2: Shaped[ArrayT, " ..."], /, *, axis: int = -1
) -> Shaped[ArrayT, " ..."]:
    """Multiply vectors along an axis and add up, the first one conjugated.

    Args:
        x1: Stack of vectors, numeric.
        x2: As x1; the other axes broadcast.
        axis: The axis of the vectors, the same size in both; counted from the end if the operands have
            different numbers of dimensions.

    Returns:
        The broadcast shape without the axis, in the shared dtype; 0 for vectors without entries.

    Raises:
        TypeError: If an operand has an unknown type, two frameworks meet, or both are bool.
        ValueError: If the axis is out of range of an operand, or its sizes differ.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.vecdot(np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([1.0, 10.0]))
        array([21., 43.])
    """
    backend = _numeric("vecdot", x1)
    axis = _shared_axis("vecdot", backend, x1, x2, axis)
    if backend.rank(x1) is None or backend.rank(x2) is None:
        return backend.ops.vecdot(x1, x2, axis=axis)  # type: ignore[no-any-return]
    shape1, shape2 = backend.shape(x1), backend.shape(x2)
    if differ(shape1[axis], shape2[axis]):
        raise ValueError(f"vecdot: sizes along axis {axis} differ, got shapes {shape1} and {shape2}")
    return backend.ops.vecdot(x1, x2, axis=axis)  # type: ignore[no-any-return]


def _shared_axis(function: str, backend: Backend, x1: Any, x2: Any, axis: Any) -> int:
    """Return the axis of two operands, counted from the end."""
    ranks = backend.rank(x1), backend.rank(x2)
    if ranks[0] is None or ranks[1] is None:
        return axis  # type: ignore[no-any-return]
    least = min(ranks)  # type: ignore[type-var]  # no rank is None here
    axis_in_range(function, axis, least)
    if axis >= 0:
        if ranks[0] != ranks[1]:
            raise ValueError(
                f"{function}: `axis` must be negative for operands of {ranks[0]} and {ranks[1]} dimensions, "
                f"got {axis}"
            )
        axis -= ranks[0]
    return int(axis)


@promote(x1="data", x2="data")
def tensordot(
    x1: Shaped[ArrayT, " ..."],
    x2: Shaped[ArrayT, " ..."],
    /,
    *,
    axes: int | tuple[Sequence[int], Sequence[int]] = 2,
) -> Shaped[ArrayT, " ..."]:
    """Multiply arrays and add up along pairs of axes.

    Args:
        x1: Array, numeric.
        x2: Array, numeric.
        axes: A number n, for the last n axes of x1 with the first n of x2; or the axes of x1 and those of x2,
            paired in order.

    Returns:
        Shape of the other axes of x1, then those of x2, in the shared dtype; 0 where a contracted axis has
        size 0.

    Raises:
        TypeError: If an operand has an unknown type, two frameworks meet, both are bool, or an axis is not
            an int.
        ValueError: If an axis is out of range or comes twice, or paired sizes differ.

    Notes:
        float16 and bfloat16 accumulate in float32.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.tensordot(np.ones((2, 3)), np.ones((3, 2)), axes=1)
        array([[3., 3.],
               [3., 3.]])
    """
    backend = _numeric("tensordot", x1)
    rank1, rank2 = backend.rank(x1), backend.rank(x2)
    if rank1 is None or rank2 is None:
        return backend.ops.tensordot(x1, x2, axes=axes)  # type: ignore[no-any-return]
    if isinstance(axes, int) and not isinstance(axes, bool):
        if not 0 <= axes <= min(rank1, rank2):
            raise ValueError(
                f"tensordot: `axes` must lie between 0 and the number of dimensions, got {axes} for arrays "
                f"of {rank1} and {rank2} dimensions"
            )
        pair: tuple[Sequence[int], Sequence[int]] = (range(rank1 - axes, rank1), range(axes))
    elif isinstance(axes, (tuple, list)) and len(axes) == 2 and not any(isinstance(a, int) for a in axes):
        pair = axes
    else:
        raise TypeError(
            f"tensordot: `axes` must be an int or a pair of sequences of ints, got {errors.describe(axes)}"
        )
    left = axes_in_range("tensordot", tuple(pair[0]), rank1, "axes[0]")
    right = axes_in_range("tensordot", tuple(pair[1]), rank2, "axes[1]")
    if len(left) != len(right):
        raise ValueError(
            f"tensordot: `axes` must name as many axes of x1 as of x2, got {len(left)} and {len(right)}"
        )
    shape1, shape2 = backend.shape(x1), backend.shape(x2)
    if any(differ(shape1[i], shape2[j]) for i, j in zip(left, right, strict=True)):
        raise ValueError(
            f"tensordot: sizes of the axes {left} of x1 and {right} of x2 differ, got shapes {shape1} and "
            f"{shape2}"
        )
    return backend.ops.tensordot(x1, x2, axes=(left, right))  # type: ignore[no-any-return]


@promote(x1="data", x2="data")
def outer(x1: Shaped[ArrayT, " m"], x2: Shaped[ArrayT, " n"], /) -> Shaped[ArrayT, " m n"]:
    """Multiply each entry of one vector by each of another.

    Args:
        x1: Vector (M,), numeric.
        x2: Vector (N,), numeric.

    Returns:
        Shape (M, N), the shared dtype.

    Raises:
        TypeError: If an operand has an unknown type, two frameworks meet, or both are bool.
        ValueError: If an operand is not a vector.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.linalg.outer(np.array([1, 2]), np.array([10, 20]))
        array([[10, 20],
               [20, 40]])
    """
    backend = _numeric("linalg.outer", x1)
    for argument, x in (("x1", x1), ("x2", x2)):
        if backend.rank(x) not in (1, None):
            raise errors.not_a_vector(backend.shape(x), "linalg.outer", argument)
    ops = backend.ops
    return ops.multiply(ops.expand_dims(x1, axis=1), ops.expand_dims(x2, axis=0))  # type: ignore[no-any-return]


@promote(x1="data", x2="data")
def cross(
    x1: Shaped[ArrayT, " ..."], x2: Shaped[ArrayT, " ..."], /, *, axis: int = -1
) -> Shaped[ArrayT, " ..."]:
    """Compute the cross product of vectors of three entries.

    Args:
        x1: Stack of vectors, numeric.
        x2: As x1; the other axes broadcast.
        axis: The axis of the vectors; counted from the end if the operands have different numbers of
            dimensions.

    Returns:
        The broadcast shape, in the shared dtype.

    Raises:
        TypeError: If an operand has an unknown type, two frameworks meet, or both are bool.
        ValueError: If the axis is out of range of an operand, or has not size 3.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.linalg.cross(np.array([1, 0, 0]), np.array([0, 1, 0]))
        array([0, 0, 1])
    """
    backend = _numeric("linalg.cross", x1)
    axis = _shared_axis("linalg.cross", backend, x1, x2, axis)
    if backend.rank(x1) is None or backend.rank(x2) is None:
        return backend.ops.linalg.cross(x1, x2, axis=axis)  # type: ignore[no-any-return]
    shape1, shape2 = backend.shape(x1), backend.shape(x2)
    if differ(shape1[axis], 3) or differ(shape2[axis], 3):
        raise ValueError(
            f"linalg.cross: both operands must have size 3 along axis {axis}, got shapes {shape1} and "
            f"{shape2}"
        )
    return backend.ops.linalg.cross(x1, x2, axis=axis)  # type: ignore[no-any-return]


def matrix_transpose(x: Shaped[ArrayT, " ..."], /) -> Shaped[ArrayT, " ..."]:
    """Exchange the last two axes.

    Args:
        x: Stack of matrices, shape (..., M, N), any dtype.

    Returns:
        Shape (..., N, M), dtype and device of x; a view where the framework has views.

    Raises:
        TypeError: If x has an unknown type.
        ValueError: If it has fewer than two dimensions.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.matrix_transpose(np.array([[1, 2], [3, 4]]))
        array([[1, 3],
               [2, 4]])
    """
    backend = TYPES.get(type(x))
    if backend is None:
        backend, x = operand("matrix_transpose", "x", x)
    rank = backend.rank(x)
    if rank is not None and rank < 2:
        raise too_few_dimensions("matrix_transpose", x, "x", 2)
    return backend.ops.matrix_transpose(x)  # type: ignore[no-any-return]
