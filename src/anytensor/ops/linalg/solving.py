"""Determinants, inverses, ranks and linear equations."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from anytensor.backends import TYPES, Backend
from anytensor.ops.dispatch import operand
from anytensor.ops.kinds import not_a_number, real_or_bool
from anytensor.ops.linalg.operands import (
    differ,
    matrices,
    matrix,
    narrowed,
    not_square,
    too_few_dimensions,
)
from anytensor.ops.plain import number, whole
from anytensor.typing import ArrayT, Shaped

__all__ = ["SlogdetResult", "det", "inv", "matrix_power", "matrix_rank", "pinv", "slogdet", "solve"]


class SlogdetResult(NamedTuple):
    """What ``slogdet`` returns."""

    sign: Any
    logabsdet: Any


def det(x: Shaped[ArrayT, " ..."], /) -> Shaped[ArrayT, " ..."]:
    """Compute determinants.

    Args:
        x: Stack of matrices, shape (..., M, M).

    Returns:
        Shape (...), dtype of x (the default float for integers); 1 for matrices without rows.

    Raises:
        TypeError: If x has an unknown type.
        ValueError: If it has fewer than two dimensions or is not square.

    Notes:
        TensorFlow's XLA (2.21) has no determinant: ``jit_compile=True`` raises its own error.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.linalg.det(np.array([[2.0, 0.0], [0.0, 4.0]]))
        array(8.)
    """
    backend, x, dtype = matrix("linalg.det", x, square=True)
    return narrowed(backend, backend.ops.linalg.det(x), dtype)  # type: ignore[no-any-return]


def slogdet(x: Shaped[ArrayT, " ..."], /) -> SlogdetResult:
    """Compute the sign and the logarithm of determinants, which themselves may overflow.

    Args:
        x: Stack of matrices, shape (..., M, M).

    Returns:
        A named tuple of ``sign``, in the dtype of x (the default float for integers), and ``logabsdet``, in
        its real dtype, both of shape (...). Sign 0 and logabsdet -inf for a singular matrix.

    Raises:
        TypeError: If x has an unknown type.
        ValueError: If it has fewer than two dimensions or is not square.

    Notes:
        Not under TensorFlow's XLA, as ``det``.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.linalg.slogdet(np.array([[-1.0, 0.0], [0.0, 1.0]]))
        SlogdetResult(sign=array(-1.), logabsdet=array(0.))
    """
    backend, x, dtype = matrix("linalg.slogdet", x, square=True)
    sign, logabsdet = backend.ops.linalg.slogdet(x)
    return SlogdetResult(narrowed(backend, sign, dtype), narrowed(backend, logabsdet, dtype))


def inv(x: Shaped[ArrayT, " ..."], /) -> Shaped[ArrayT, " ..."]:
    """Invert matrices.

    Args:
        x: Stack of matrices, shape (..., M, M).

    Returns:
        Shape, dtype and device of x (the default float for integers). An empty stack gives an empty one.

    Raises:
        TypeError: If x has an unknown type.
        ValueError: If it has fewer than two dimensions or is not square.

    Notes:
        For a singular matrix NumPy, PyTorch and TensorFlow raise their own error when eager; JAX and compiled
        code give infinities or NaN. ``solve`` is faster and more exact than a product with an inverse.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.linalg.inv(np.array([[2.0, 0.0], [0.0, 4.0]]))
        array([[0.5 , 0.  ],
               [0.  , 0.25]])
    """
    backend, x, dtype = matrix("linalg.inv", x, square=True)
    return narrowed(backend, backend.ops.linalg.inv(x), dtype)  # type: ignore[no-any-return]


def pinv(x: Shaped[ArrayT, " ..."], /, *, rtol: Any = None) -> Shaped[ArrayT, " ..."]:
    """Compute the Moore-Penrose pseudo-inverse of matrices.

    Args:
        x: Stack of matrices, shape (..., M, N).
        rtol: Singular values below rtol times the greatest count as zero: a number or an array that
            broadcasts against shape (...); None for max(M, N) times the epsilon of the dtype.

    Returns:
        Shape (..., N, M), dtype and device of x (the default float for integers).

    Raises:
        TypeError: If x has an unknown type.
        ValueError: If it has fewer than two dimensions.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.linalg.pinv(np.array([[2.0, 0.0], [0.0, 0.0]]))
        array([[0.5, 0. ],
               [0. , 0. ]])
    """
    backend, x, dtype = matrix("linalg.pinv", x)
    rtol = _tolerance("linalg.pinv", backend, x, rtol)
    return narrowed(backend, backend.ops.linalg.pinv(x, rtol=rtol), dtype)  # type: ignore[no-any-return]


def matrix_rank(x: Shaped[ArrayT, " ..."], /, *, rtol: Any = None) -> Shaped[ArrayT, " ..."]:
    """Count the singular values that are not zero.

    Args:
        x: Stack of matrices, shape (..., M, N).
        rtol: As for ``pinv``.

    Returns:
        Shape (...), integer.

    Raises:
        TypeError: If x has an unknown type.
        ValueError: If it has fewer than two dimensions.

    Notes:
        Not differentiable.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.linalg.matrix_rank(np.array([[1.0, 2.0], [2.0, 4.0]]))
        array(1)
    """
    backend, x, _ = matrix("linalg.matrix_rank", x)
    rtol = _tolerance("linalg.matrix_rank", backend, x, rtol)
    return backend.ops.linalg.matrix_rank(x, rtol=rtol)  # type: ignore[no-any-return]


def matrix_power(x: Shaped[ArrayT, " ..."], n: int, /) -> Shaped[ArrayT, " ..."]:
    """Raise matrices to an integer power.

    Args:
        x: Stack of matrices, shape (..., M, M), numeric.
        n: The power; 0 gives identities, a negative one powers of the inverse.

    Returns:
        Shape, dtype and device of x; the default float for integers under a negative power.

    Raises:
        TypeError: If x has an unknown type or is bool, or n is not an int.
        ValueError: If x has fewer than two dimensions or is not square.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.linalg.matrix_power(np.array([[1, 1], [0, 1]]), 3)
        array([[1, 3],
               [0, 1]])
    """
    whole("linalg.matrix_power", n, "n", 1 - 2**31)
    backend = TYPES.get(type(x))
    if backend is None:
        backend, x = operand("linalg.matrix_power", "x", x)
    if backend.is_no_number(x):
        raise not_a_number(x, "linalg.matrix_power", "x")
    own = x
    backend, x, dtype = matrix("linalg.matrix_power", x, square=True)
    if n >= 0 and backend.is_integer(own):
        x = own
    return narrowed(backend, backend.ops.linalg.matrix_power(x, n), dtype)  # type: ignore[no-any-return]


def solve(x1: Shaped[ArrayT, " ..."], x2: Shaped[ArrayT, " ..."], /) -> Shaped[ArrayT, " ..."]:
    """Solve linear equations with one solution.

    Args:
        x1: Stack of matrices of coefficients, shape (..., M, M).
        x2: Right-hand sides: one vector of shape (M,), or a stack of matrices (..., M, K), whose leading axes
            broadcast against those of x1.

    Returns:
        What times x1 gives x2: shape (..., M) or (..., M, K), in the shared dtype (the default float for
        integers).

    Raises:
        TypeError: If an operand has an unknown type or two frameworks meet.
        ValueError: If x1 has fewer than two dimensions or is not square, or x2 has not its number of rows.

    Notes:
        For a singular matrix NumPy, PyTorch and TensorFlow raise their own error when eager; JAX and compiled
        code give infinities or NaN.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.linalg.solve(np.array([[2.0, 0.0], [0.0, 4.0]]), np.array([1.0, 1.0]))
        array([0.5 , 0.25])
    """
    backend, x1, x2, dtype = matrices("linalg.solve", x1, x2)
    ranks = backend.rank(x1), backend.rank(x2)
    if None not in ranks:
        if ranks[0] < 2:  # type: ignore[operator]  # no rank is None here
            raise too_few_dimensions("linalg.solve", x1, "x1", 2)
        if ranks[1] == 0:
            raise too_few_dimensions("linalg.solve", x2, "x2", 1)
        shape, sides = backend.shape(x1), backend.shape(x2)
        if differ(shape[-1], shape[-2]):
            raise not_square("linalg.solve", x1, "x1")
        if differ(shape[-1], sides[0] if len(sides) == 1 else sides[-2]):
            raise ValueError(
                f"linalg.solve: `x2` must have as many rows as `x1`, got x1 of shape {shape} and x2 of shape "
                f"{sides}"
            )
    return narrowed(backend, backend.ops.linalg.solve(x1, x2), dtype)  # type: ignore[no-any-return]


def _tolerance(function: str, backend: Backend, x: Any, rtol: Any) -> Any:
    """Return a tolerance: None, a number, or a real array of the backend of x, one entry for each matrix.

    Raises:
        TypeError: If it is something else.
        ValueError: If it does not broadcast against the stack.
    """
    if rtol is None:
        return rtol
    if TYPES.get(type(rtol)) is not backend or isinstance(rtol, np.generic):
        return number(function, rtol, "rtol")
    real_or_bool(function, backend, rtol, "rtol")
    if None not in (backend.rank(x), backend.rank(rtol)):
        stack, own = backend.shape(x)[:-2], backend.shape(rtol)
        pairs = zip(reversed(own), reversed(stack), strict=False)
        if len(own) > len(stack) or any(differ(a, b) and a != 1 for a, b in pairs):
            raise ValueError(
                f"{function}: `rtol` of shape {own} must broadcast against the stack of matrices, {stack}"
            )
    return rtol
