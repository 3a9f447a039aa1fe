"""Signs and neighbours of floating-point numbers."""

from __future__ import annotations

from anytensor.backends import TYPES
from anytensor.ops.dispatch import operand
from anytensor.ops.kinds import BOTH, NOT_REAL, NOT_REAL_OR_BOOL, not_real, not_real_or_bool
from anytensor.ops.pairs import explain, pair
from anytensor.typing import ArrayT, Scalar, Shaped

__all__ = ["copysign", "nextafter", "signbit"]


def copysign(
    x1: Shaped[ArrayT, " ..."] | Scalar, x2: Shaped[ArrayT, " ..."] | Scalar, /
) -> Shaped[ArrayT, " ..."]:
    """Give each element of x1 the sign of x2.

    Args:
        x1: Array of any shape, real; bool and integers count as the default float.
        x2: As x1; broadcasts against it. A Python scalar takes the dtype of the other operand if that is of
            its kind or a higher one.

    Returns:
        The shape that x1 and x2 broadcast to, in their shared dtype (the default float for bool and
        integers). The sign of a zero and of a NaN counts. Empty operands give an empty array.

    Raises:
        TypeError: If an operand has an unknown type or is complex, or two frameworks meet.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.copysign(np.array([1.0, -2.0]), -0.0)
        array([-1., -2.])
    """
    kind = type(x1)
    backend = TYPES.get(kind)
    if backend is None or kind is not type(x2) or x1.dtype is not x2.dtype:  # type: ignore[union-attr]
        backend, x1, x2 = pair("copysign", x1, x2)
    if backend.dtype_kind(x1.dtype) in NOT_REAL_OR_BOOL:  # type: ignore[union-attr]
        raise not_real_or_bool(x1, "copysign", BOTH)
    try:
        return backend.ops.copysign(x1, x2)  # type: ignore[no-any-return]
    except Exception as error:
        explain("copysign", backend, error, x1, x2)
        raise


def nextafter(
    x1: Shaped[ArrayT, " ..."] | Scalar, x2: Shaped[ArrayT, " ..."] | Scalar, /
) -> Shaped[ArrayT, " ..."]:
    """Take the next number after x1 in the direction of x2.

    Args:
        x1: Array of any shape, real; bool and integers count as the default float.
        x2: As x1; broadcasts against it. A Python scalar takes the dtype of the other operand if that is of
            its kind or a higher one.

    Returns:
        The shape that x1 and x2 broadcast to, in their shared dtype (the default float for bool and
        integers). Empty operands give an empty array.

    Raises:
        TypeError: If an operand has an unknown type or is complex, or two frameworks meet.

    Notes:
        Not differentiable.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.nextafter(np.array([1.0]), 2.0) > 1.0
        array([ True])
    """
    kind = type(x1)
    backend = TYPES.get(kind)
    if backend is None or kind is not type(x2) or x1.dtype is not x2.dtype:  # type: ignore[union-attr]
        backend, x1, x2 = pair("nextafter", x1, x2)
    if backend.dtype_kind(x1.dtype) in NOT_REAL_OR_BOOL:  # type: ignore[union-attr]
        raise not_real_or_bool(x1, "nextafter", BOTH)
    try:
        return backend.ops.nextafter(x1, x2)  # type: ignore[no-any-return]
    except Exception as error:
        explain("nextafter", backend, error, x1, x2)
        raise


def signbit(x: Shaped[ArrayT, " ..."] | Scalar, /) -> Shaped[ArrayT, " ..."]:
    """Tell where the sign bit is set: negative numbers, -0.0 and NaN of that sign.

    Args:
        x: Array of any shape, integer or floating.

    Returns:
        Shape and device of x, bool. An empty array gives an empty one.

    Raises:
        TypeError: If x has an unknown type, is bool or complex.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.signbit(np.array([-0.0, 0.0, -1.0]))
        array([ True, False,  True])
    """
    backend = TYPES.get(type(x))
    if backend is None:
        backend, x = operand("signbit", "x", x)
    if backend.dtype_kind(x.dtype) in NOT_REAL:  # type: ignore[union-attr]
        raise not_real(x, "signbit", "x")
    return backend.ops.signbit(x)  # type: ignore[no-any-return]
