"""Norms, diagonals and traces."""

from __future__ import annotations

from typing import Any

from anytensor import errors
from anytensor.backends import TYPES
from anytensor.ops.dispatch import operand, own_dtype
from anytensor.ops.kinds import Axis, numeric, reduced_axes
from anytensor.ops.linalg.operands import matrix, narrowed, too_few_dimensions
from anytensor.ops.plain import flag, near, number, option
from anytensor.typing import ArrayT, Shaped

__all__ = ["diagonal", "matrix_norm", "trace", "vector_norm"]

_MATRIX_ORDERS = ("fro", "nuc", 1, -1, 2, -2, float("inf"), -float("inf"))


def vector_norm(
    x: Shaped[ArrayT, " ..."],
    /,
    *,
    axis: Axis = None,
    keepdims: bool = False,
    ord: int | float = 2,
) -> Shaped[ArrayT, " ..."]:
    """Compute the norm of vectors.

    Args:
        x: Array of any shape.
        axis: The axis of the vectors, or a tuple of axes that are flattened to one; None for all.
        keepdims: Keep the reduced axes with size 1.
        ord: The order p of (sum of abs(x)**p)**(1/p); inf for the greatest magnitude, -inf for the least, 0
            for the number of elements that are not zero.

    Returns:
        Shape of x without the reduced axes, in its real dtype (the default float for integers); 0 for
        vectors without entries (an order of 0 or more, but for inf).

    Raises:
        TypeError: If x has an unknown type, or ``axis`` is not an int or a tuple of ints, ``keepdims`` is no
            bool, or ``ord`` no number.
        ValueError: If an axis is out of range or comes twice.

    Notes:
        The gradient of the norm of order 2 at the zero vector is the framework's own choice: 0 on PyTorch,
        NaN elsewhere.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.linalg.vector_norm(np.array([[3.0, 4.0], [6.0, 8.0]]), axis=1)
        array([ 5., 10.])
    """
    backend, x, dtype = matrix("linalg.vector_norm", x, least_rank=0)
    if axis is not None:
        axis = reduced_axes("linalg.vector_norm", backend, x, axis)
    flag("linalg.vector_norm", keepdims, "keepdims")
    ord = number("linalg.vector_norm", ord, "ord")
    norm = backend.ops.linalg.vector_norm(x, axis=axis, keepdims=keepdims, ord=ord)
    return narrowed(backend, norm, dtype)  # type: ignore[no-any-return]


def matrix_norm(
    x: Shaped[ArrayT, " ..."], /, *, keepdims: bool = False, ord: int | float | str = "fro"
) -> Shaped[ArrayT, " ..."]:
    """Compute the norm of matrices.

    Args:
        x: Stack of matrices, shape (..., M, N).
        keepdims: Keep the last two axes with size 1.
        ord: ``"fro"``, the root of the sum of squares; ``"nuc"``, the sum of the singular values; 2 and -2,
            the greatest and the least singular value; 1 and -1, the greatest and the least sum of magnitudes
            down a column; inf and -inf, along a row.

    Returns:
        Shape (...), in the real dtype of x (the default float for integers).

    Raises:
        TypeError: If x has an unknown type, or ``keepdims`` is no bool.
        ValueError: If it has fewer than two dimensions, or ``ord`` is none of those.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.linalg.matrix_norm(np.array([[3.0, 0.0], [0.0, 4.0]]))
        array(5.)
    """
    option("linalg.matrix_norm", ord, "ord", _MATRIX_ORDERS)
    flag("linalg.matrix_norm", keepdims, "keepdims")
    backend, x, dtype = matrix("linalg.matrix_norm", x)
    return narrowed(backend, backend.ops.linalg.matrix_norm(x, keepdims=keepdims, ord=ord), dtype)  # type: ignore[no-any-return]


def diagonal(x: Shaped[ArrayT, " ..."], /, *, offset: int = 0) -> Shaped[ArrayT, " ..."]:
    """Take the diagonal of matrices.

    Args:
        x: Stack of matrices, shape (..., M, N), any dtype.
        offset: Which one: 0 for the main diagonal, above it positive, below it negative.

    Returns:
        Shape (..., K), dtype and device of x; empty if the offset lies outside the matrix.

    Raises:
        TypeError: If x has an unknown type or ``offset`` is not an int.
        ValueError: If x has fewer than two dimensions.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.linalg.diagonal(np.array([[1, 2], [3, 4]]))
        array([1, 4])
    """
    backend = TYPES.get(type(x))
    if backend is None:
        backend, x = operand("linalg.diagonal", "x", x)
    _diagonal_exists("linalg.diagonal", backend.rank(x), x, offset)
    return backend.ops.linalg.diagonal(x, offset=near(offset))  # type: ignore[no-any-return]


def trace(x: Shaped[ArrayT, " ..."], /, *, offset: int = 0, dtype: Any = None) -> Shaped[ArrayT, " ..."]:
    """Add up the diagonal of matrices.

    Args:
        x: Stack of matrices, shape (..., M, N), any dtype; bool counts as integers.
        offset: Which diagonal, as for ``diagonal``.
        dtype: Dtype to sum in and to return, any backend's or a name; None as for ``sum``.

    Returns:
        Shape (...), on the device of x; dtype as for ``sum``; 0 if the diagonal is empty.

    Raises:
        TypeError: If x has an unknown type or ``offset`` is not an int.
        ValueError: If x has fewer than two dimensions.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.linalg.trace(np.array([[1, 2], [3, 4]]))
        array(5)
    """
    backend = TYPES.get(type(x))
    if backend is None:
        backend, x = operand("linalg.trace", "x", x)
    numeric("linalg.trace", backend, x)
    _diagonal_exists("linalg.trace", backend.rank(x), x, offset)
    if dtype is not None:
        dtype = own_dtype("linalg.trace", backend, dtype)
    entries = backend.ops.linalg.diagonal(x, offset=near(offset))
    return backend.ops.sum(entries, axis=-1, dtype=dtype)  # type: ignore[no-any-return]


def _diagonal_exists(function: str, rank: int | None, x: Any, offset: Any) -> None:
    if isinstance(offset, bool) or not isinstance(offset, int):
        raise TypeError(f"{function}: `offset` must be an int, got {errors.describe(offset)}")
    if rank is not None and rank < 2:
        raise too_few_dimensions(function, x, "x", 2)
