"""Parts of complex numbers."""

from __future__ import annotations

from anytensor.backends import TYPES
from anytensor.ops.dispatch import operand
from anytensor.ops.kinds import not_a_number
from anytensor.typing import ArrayT, Scalar, Shaped

__all__ = ["conj", "imag", "real"]


def conj(x: Shaped[ArrayT, " ..."] | Scalar, /) -> Shaped[ArrayT, " ..."]:
    """Turn the sign of the imaginary part.

    Args:
        x: Array of any shape, numeric; real numbers stay as they are.

    Returns:
        Shape, dtype and device of x. An empty array gives an empty one.

    Raises:
        TypeError: If x has an unknown type or is bool.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.conj(np.array([1 + 2j]))
        array([1.-2.j])
    """
    backend = TYPES.get(type(x))
    if backend is None:
        backend, x = operand("conj", "x", x)
    if backend.is_no_number(x):
        raise not_a_number(x, "conj", "x")
    return backend.ops.conj(x)  # type: ignore[no-any-return]


def imag(x: Shaped[ArrayT, " ..."] | Scalar, /) -> Shaped[ArrayT, " ..."]:
    """Take the imaginary part.

    Args:
        x: Array of any shape, numeric; that of real numbers is 0.

    Returns:
        Shape and device of x; the dtype of the parts, for a real x its own. An empty array gives an empty
        one.

    Raises:
        TypeError: If x has an unknown type or is bool.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.imag(np.array([1 + 2j]))
        array([2.])
    """
    backend = TYPES.get(type(x))
    if backend is None:
        backend, x = operand("imag", "x", x)
    if backend.is_no_number(x):
        raise not_a_number(x, "imag", "x")
    return backend.ops.imag(x)  # type: ignore[no-any-return]


def real(x: Shaped[ArrayT, " ..."] | Scalar, /) -> Shaped[ArrayT, " ..."]:
    """Take the real part.

    Args:
        x: Array of any shape, numeric; real numbers stay as they are.

    Returns:
        Shape and device of x; the dtype of the parts, for a real x its own. An empty array gives an empty
        one.

    Raises:
        TypeError: If x has an unknown type or is bool.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.real(np.array([1 + 2j]))
        array([1.])
    """
    backend = TYPES.get(type(x))
    if backend is None:
        backend, x = operand("real", "x", x)
    if backend.is_no_number(x):
        raise not_a_number(x, "real", "x")
    return backend.ops.real(x)  # type: ignore[no-any-return]
