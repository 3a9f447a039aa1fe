"""Operations on the bits of integers."""

from __future__ import annotations

from anytensor import errors
from anytensor.backends import TYPES
from anytensor.ops.dispatch import operand
from anytensor.ops.kinds import BOTH, integers_or_bools
from anytensor.ops.pairs import explain, pair
from anytensor.typing import ArrayT, Scalar, Shaped

__all__ = [
    "bitwise_and",
    "bitwise_invert",
    "bitwise_left_shift",
    "bitwise_or",
    "bitwise_right_shift",
    "bitwise_xor",
]


def bitwise_and(
    x1: Shaped[ArrayT, " ..."] | Scalar, x2: Shaped[ArrayT, " ..."] | Scalar, /
) -> Shaped[ArrayT, " ..."]:
    """Take the bits that both operands have.

    Args:
        x1: Array of any shape, integer or bool.
        x2: As x1; broadcasts against it. A Python scalar takes the dtype of the other operand if that is of
            its kind or a higher one.

    Returns:
        The shape that x1 and x2 broadcast to, in their shared dtype. Empty operands give an empty array.

    Raises:
        TypeError: If an operand has an unknown type, two frameworks meet, or one holds neither integers nor
            bool.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.bitwise_and(np.array([6, 5]), 3)
        array([2, 1])
    """
    kind = type(x1)
    backend = TYPES.get(kind)
    if backend is None or kind is not type(x2) or x1.dtype is not x2.dtype:  # type: ignore[union-attr]
        backend, x1, x2 = pair("bitwise_and", x1, x2)
    integers_or_bools("bitwise_and", backend, x1, BOTH)
    try:
        return backend.ops.bitwise_and(x1, x2)  # type: ignore[no-any-return]
    except Exception as error:
        explain("bitwise_and", backend, error, x1, x2)
        raise


def bitwise_or(
    x1: Shaped[ArrayT, " ..."] | Scalar, x2: Shaped[ArrayT, " ..."] | Scalar, /
) -> Shaped[ArrayT, " ..."]:
    """Take the bits that one of the operands has.

    Args:
        x1: Array of any shape, integer or bool.
        x2: As x1; broadcasts against it. A Python scalar takes the dtype of the other operand if that is of
            its kind or a higher one.

    Returns:
        The shape that x1 and x2 broadcast to, in their shared dtype. Empty operands give an empty array.

    Raises:
        TypeError: If an operand has an unknown type, two frameworks meet, or one holds neither integers nor
            bool.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.bitwise_or(np.array([6, 5]), 3)
        array([7, 7])
    """
    kind = type(x1)
    backend = TYPES.get(kind)
    if backend is None or kind is not type(x2) or x1.dtype is not x2.dtype:  # type: ignore[union-attr]
        backend, x1, x2 = pair("bitwise_or", x1, x2)
    integers_or_bools("bitwise_or", backend, x1, BOTH)
    try:
        return backend.ops.bitwise_or(x1, x2)  # type: ignore[no-any-return]
    except Exception as error:
        explain("bitwise_or", backend, error, x1, x2)
        raise


def bitwise_xor(
    x1: Shaped[ArrayT, " ..."] | Scalar, x2: Shaped[ArrayT, " ..."] | Scalar, /
) -> Shaped[ArrayT, " ..."]:
    """Take the bits that exactly one operand has.

    Args:
        x1: Array of any shape, integer or bool.
        x2: As x1; broadcasts against it. A Python scalar takes the dtype of the other operand if that is of
            its kind or a higher one.

    Returns:
        The shape that x1 and x2 broadcast to, in their shared dtype. Empty operands give an empty array.

    Raises:
        TypeError: If an operand has an unknown type, two frameworks meet, or one holds neither integers nor
            bool.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.bitwise_xor(np.array([6, 5]), 3)
        array([5, 6])
    """
    kind = type(x1)
    backend = TYPES.get(kind)
    if backend is None or kind is not type(x2) or x1.dtype is not x2.dtype:  # type: ignore[union-attr]
        backend, x1, x2 = pair("bitwise_xor", x1, x2)
    integers_or_bools("bitwise_xor", backend, x1, BOTH)
    try:
        return backend.ops.bitwise_xor(x1, x2)  # type: ignore[no-any-return]
    except Exception as error:
        explain("bitwise_xor", backend, error, x1, x2)
        raise


def bitwise_invert(x: Shaped[ArrayT, " ..."] | Scalar, /) -> Shaped[ArrayT, " ..."]:
    """Turn every bit.

    Args:
        x: Array of any shape, integer or bool.

    Returns:
        Shape, dtype and device of x. An empty array gives an empty one.

    Raises:
        TypeError: If x has an unknown type or holds neither integers nor bool.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.bitwise_invert(np.array([0, 5]))
        array([-1, -6])
    """
    backend = TYPES.get(type(x))
    if backend is None:
        backend, x = operand("bitwise_invert", "x", x)
    integers_or_bools("bitwise_invert", backend, x)
    return backend.ops.bitwise_invert(x)  # type: ignore[no-any-return]


def bitwise_left_shift(
    x1: Shaped[ArrayT, " ..."] | Scalar, x2: Shaped[ArrayT, " ..."] | Scalar, /
) -> Shaped[ArrayT, " ..."]:
    """Shift the bits of x1 to the left, filling with zeros.

    Args:
        x1: Array of any shape, integer.
        x2: Number of places, at least 0; broadcasts against x1.

    Returns:
        The shape that x1 and x2 broadcast to, in their shared dtype. Empty operands give an empty array.

    Raises:
        TypeError: If an operand has an unknown type, two frameworks meet, or one does not hold integers.

    Notes:
        A shift by the number of bits of the dtype or more is undefined.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.bitwise_left_shift(np.array([1, 3]), 2)
        array([ 4, 12])
    """
    kind = type(x1)
    backend = TYPES.get(kind)
    if backend is None or kind is not type(x2) or x1.dtype is not x2.dtype:  # type: ignore[union-attr]
        backend, x1, x2 = pair("bitwise_left_shift", x1, x2)
    if not backend.is_integer(x1):
        raise errors.not_an_index(x1, "bitwise_left_shift", BOTH)
    try:
        return backend.ops.bitwise_left_shift(x1, x2)  # type: ignore[no-any-return]
    except Exception as error:
        explain("bitwise_left_shift", backend, error, x1, x2)
        raise


def bitwise_right_shift(
    x1: Shaped[ArrayT, " ..."] | Scalar, x2: Shaped[ArrayT, " ..."] | Scalar, /
) -> Shaped[ArrayT, " ..."]:
    """Shift the bits of x1 to the right, filling with the sign.

    Args:
        x1: Array of any shape, integer.
        x2: Number of places, at least 0; broadcasts against x1.

    Returns:
        The shape that x1 and x2 broadcast to, in their shared dtype. Empty operands give an empty array.

    Raises:
        TypeError: If an operand has an unknown type, two frameworks meet, or one does not hold integers.

    Notes:
        A shift by the number of bits of the dtype or more is undefined.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.bitwise_right_shift(np.array([8, -8]), 2)
        array([ 2, -2])
    """
    kind = type(x1)
    backend = TYPES.get(kind)
    if backend is None or kind is not type(x2) or x1.dtype is not x2.dtype:  # type: ignore[union-attr]
        backend, x1, x2 = pair("bitwise_right_shift", x1, x2)
    if not backend.is_integer(x1):
        raise errors.not_an_index(x1, "bitwise_right_shift", BOTH)
    try:
        return backend.ops.bitwise_right_shift(x1, x2)  # type: ignore[no-any-return]
    except Exception as error:
        explain("bitwise_right_shift", backend, error, x1, x2)
        raise
