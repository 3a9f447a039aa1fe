"""Logic on truth values."""

from __future__ import annotations

from anytensor import errors
from anytensor.backends import HOST, TYPES
from anytensor.ops.dispatch import operand
from anytensor.ops.pairs import explain
from anytensor.promotion import promote
from anytensor.typing import ArrayT, Scalar, Shaped

__all__ = ["logical_and", "logical_not", "logical_or", "logical_xor"]


@promote(x1="mask", x2="mask")
def logical_and(
    x1: Shaped[ArrayT, " ..."] | Scalar, x2: Shaped[ArrayT, " ..."] | Scalar, /
) -> Shaped[ArrayT, " ..."]:
    """Tell where both operands are true.

    Args:
        x1: Array of any shape; nonzero numbers, NaN too, are true.
        x2: As x1; broadcasts against it.

    Returns:
        The shape that x1 and x2 broadcast to, bool. Empty operands give an empty array.

    Raises:
        TypeError: If an operand has an unknown type or two frameworks meet.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.logical_and(np.array([True, True]), np.array([True, False]))
        array([ True, False])
    """
    backend = TYPES[type(x1)]
    try:
        return backend.ops.logical_and(x1, x2)  # type: ignore[no-any-return]
    except Exception as error:
        explain("logical_and", backend, error, x1, x2)
        raise


@promote(x1="mask", x2="mask")
def logical_or(
    x1: Shaped[ArrayT, " ..."] | Scalar, x2: Shaped[ArrayT, " ..."] | Scalar, /
) -> Shaped[ArrayT, " ..."]:
    """Tell where at least one operand is true.

    Args:
        x1: Array of any shape; nonzero numbers, NaN too, are true.
        x2: As x1; broadcasts against it.

    Returns:
        The shape that x1 and x2 broadcast to, bool. Empty operands give an empty array.

    Raises:
        TypeError: If an operand has an unknown type or two frameworks meet.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.logical_or(np.array([True, False]), np.array([False, False]))
        array([ True, False])
    """
    backend = TYPES[type(x1)]
    try:
        return backend.ops.logical_or(x1, x2)  # type: ignore[no-any-return]
    except Exception as error:
        explain("logical_or", backend, error, x1, x2)
        raise


@promote(x1="mask", x2="mask")
def logical_xor(
    x1: Shaped[ArrayT, " ..."] | Scalar, x2: Shaped[ArrayT, " ..."] | Scalar, /
) -> Shaped[ArrayT, " ..."]:
    """Tell where exactly one operand is true.

    Args:
        x1: Array of any shape; nonzero numbers, NaN too, are true.
        x2: As x1; broadcasts against it.

    Returns:
        The shape that x1 and x2 broadcast to, bool. Empty operands give an empty array.

    Raises:
        TypeError: If an operand has an unknown type or two frameworks meet.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.logical_xor(np.array([True, False]), np.array([True, True]))
        array([False,  True])
    """
    backend = TYPES[type(x1)]
    try:
        return backend.ops.logical_xor(x1, x2)  # type: ignore[no-any-return]
    except Exception as error:
        explain("logical_xor", backend, error, x1, x2)
        raise


def logical_not(x: Shaped[ArrayT, " ..."] | Scalar, /) -> Shaped[ArrayT, " ..."]:
    """Tell where an element is false.

    Args:
        x: Array of any shape, numeric or bool; nonzero numbers, NaN too, are true.

    Returns:
        Shape and device of x, bool. An empty array gives an empty one.

    Raises:
        TypeError: If x has an unknown type.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.logical_not(np.array([True, False]))
        array([False,  True])
    """
    backend = TYPES.get(type(x))
    if backend is None:
        backend, x = operand("logical_not", "x", x)
    if backend is HOST and x.dtype.char == "O":  # type: ignore[union-attr]
        raise errors.not_numeric(x, "logical_not", "x")
    return backend.ops.logical_not(x)  # type: ignore[no-any-return]
