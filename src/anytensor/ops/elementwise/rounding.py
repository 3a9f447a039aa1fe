"""Rounding of elements."""

from __future__ import annotations

from anytensor.backends import TYPES
from anytensor.ops.dispatch import operand
from anytensor.ops.kinds import NOT_REAL, not_a_number, not_real
from anytensor.typing import ArrayT, Scalar, Shaped

__all__ = ["ceil", "floor", "round", "trunc"]


def ceil(x: Shaped[ArrayT, " ..."] | Scalar, /) -> Shaped[ArrayT, " ..."]:
    """Round up to a whole number.

    Args:
        x: Array of any shape, integer or floating.

    Returns:
        Shape, dtype and device of x. An empty array gives an empty one.

    Raises:
        TypeError: If x has an unknown type, is bool or complex.

    Notes:
        The gradient is zero.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.ceil(np.array([-1.5, 1.2]))
        array([-1.,  2.])
    """
    backend = TYPES.get(type(x))
    if backend is None:
        backend, x = operand("ceil", "x", x)
    if backend.dtype_kind(x.dtype) in NOT_REAL:  # type: ignore[union-attr]
        raise not_real(x, "ceil", "x")
    return backend.ops.ceil(x)  # type: ignore[no-any-return]


def floor(x: Shaped[ArrayT, " ..."] | Scalar, /) -> Shaped[ArrayT, " ..."]:
    """Round down to a whole number.

    Args:
        x: Array of any shape, integer or floating.

    Returns:
        Shape, dtype and device of x. An empty array gives an empty one.

    Raises:
        TypeError: If x has an unknown type, is bool or complex.

    Notes:
        The gradient is zero.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.floor(np.array([-1.5, 1.2]))
        array([-2.,  1.])
    """
    backend = TYPES.get(type(x))
    if backend is None:
        backend, x = operand("floor", "x", x)
    if backend.dtype_kind(x.dtype) in NOT_REAL:  # type: ignore[union-attr]
        raise not_real(x, "floor", "x")
    return backend.ops.floor(x)  # type: ignore[no-any-return]


def round(x: Shaped[ArrayT, " ..."] | Scalar, /) -> Shaped[ArrayT, " ..."]:
    """Round to the nearest whole number, halves to the even one.

    Args:
        x: Array of any shape, numeric; parts of complex numbers are rounded apart.

    Returns:
        Shape, dtype and device of x. An empty array gives an empty one.

    Raises:
        TypeError: If x has an unknown type or is bool.

    Notes:
        The gradient is zero.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.round(np.array([0.5, 1.5, 2.4]))
        array([0., 2., 2.])
    """
    backend = TYPES.get(type(x))
    if backend is None:
        backend, x = operand("round", "x", x)
    if backend.is_no_number(x):
        raise not_a_number(x, "round", "x")
    return backend.ops.round(x)  # type: ignore[no-any-return]


def trunc(x: Shaped[ArrayT, " ..."] | Scalar, /) -> Shaped[ArrayT, " ..."]:
    """Round towards zero.

    Args:
        x: Array of any shape, integer or floating.

    Returns:
        Shape, dtype and device of x. An empty array gives an empty one.

    Raises:
        TypeError: If x has an unknown type, is bool or complex.

    Notes:
        The gradient is zero.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.trunc(np.array([-1.5, 1.2]))
        array([-1.,  1.])
    """
    backend = TYPES.get(type(x))
    if backend is None:
        backend, x = operand("trunc", "x", x)
    if backend.dtype_kind(x.dtype) in NOT_REAL:  # type: ignore[union-attr]
        raise not_real(x, "trunc", "x")
    return backend.ops.trunc(x)  # type: ignore[no-any-return]
