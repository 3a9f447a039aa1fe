"""Arithmetic on elements."""

from __future__ import annotations

from anytensor.backends import TYPES
from anytensor.ops.dispatch import operand
from anytensor.ops.kinds import BOTH, NOT_REAL, not_a_number, not_real
from anytensor.ops.pairs import explain, pair
from anytensor.typing import ArrayT, Scalar, Shaped

__all__ = [
    "abs",
    "add",
    "divide",
    "floor_divide",
    "multiply",
    "negative",
    "positive",
    "reciprocal",
    "remainder",
    "sign",
    "subtract",
]


def abs(x: Shaped[ArrayT, " ..."] | Scalar, /) -> Shaped[ArrayT, " ..."]:
    """Take the magnitude of each element.

    Args:
        x: Array of any shape, numeric.

    Returns:
        Shape, dtype and device of x; the real dtype of the parts for a complex x. An empty array gives an
        empty one.

    Raises:
        TypeError: If x has an unknown type or is bool.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.abs(np.array([-1.5, 2.0]))
        array([1.5, 2. ])
    """
    backend = TYPES.get(type(x))
    if backend is None:
        backend, x = operand("abs", "x", x)
    if backend.is_no_number(x):
        raise not_a_number(x, "abs", "x")
    return backend.ops.abs(x)  # type: ignore[no-any-return]


def add(
    x1: Shaped[ArrayT, " ..."] | Scalar, x2: Shaped[ArrayT, " ..."] | Scalar, /
) -> Shaped[ArrayT, " ..."]:
    """Add the operands.

    Args:
        x1: Array of any shape, numeric.
        x2: As x1; broadcasts against it. A Python scalar takes the dtype of the other operand if that is of
            its kind or a higher one.

    Returns:
        The shape that x1 and x2 broadcast to, in their shared dtype. Empty operands give an empty array.

    Raises:
        TypeError: If an operand has an unknown type, two frameworks meet, or both are bool.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.add(np.array([1, 2]), np.array([[10], [20]]))
        array([[11, 12],
               [21, 22]])
    """
    kind = type(x1)
    backend = TYPES.get(kind)
    if backend is None or kind is not type(x2) or x1.dtype is not x2.dtype:  # type: ignore[union-attr]
        backend, x1, x2 = pair("add", x1, x2)
    if backend.is_no_number(x1):
        raise not_a_number(x1, "add", BOTH)
    try:
        return backend.ops.add(x1, x2)  # type: ignore[no-any-return]
    except Exception as error:
        explain("add", backend, error, x1, x2)
        raise


def subtract(
    x1: Shaped[ArrayT, " ..."] | Scalar, x2: Shaped[ArrayT, " ..."] | Scalar, /
) -> Shaped[ArrayT, " ..."]:
    """Subtract x2 from x1.

    Args:
        x1: Array of any shape, numeric.
        x2: As x1; broadcasts against it. A Python scalar takes the dtype of the other operand if that is of
            its kind or a higher one.

    Returns:
        The shape that x1 and x2 broadcast to, in their shared dtype. Empty operands give an empty array.

    Raises:
        TypeError: If an operand has an unknown type, two frameworks meet, or both are bool.

    Notes:
        Unsigned integers wrap.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.subtract(np.array([1.0, 2.0]), 0.5)
        array([0.5, 1.5])
    """
    kind = type(x1)
    backend = TYPES.get(kind)
    if backend is None or kind is not type(x2) or x1.dtype is not x2.dtype:  # type: ignore[union-attr]
        backend, x1, x2 = pair("subtract", x1, x2)
    if backend.is_no_number(x1):
        raise not_a_number(x1, "subtract", BOTH)
    try:
        return backend.ops.subtract(x1, x2)  # type: ignore[no-any-return]
    except Exception as error:
        explain("subtract", backend, error, x1, x2)
        raise


def multiply(
    x1: Shaped[ArrayT, " ..."] | Scalar, x2: Shaped[ArrayT, " ..."] | Scalar, /
) -> Shaped[ArrayT, " ..."]:
    """Multiply the operands.

    Args:
        x1: Array of any shape, numeric.
        x2: As x1; broadcasts against it. A Python scalar takes the dtype of the other operand if that is of
            its kind or a higher one.

    Returns:
        The shape that x1 and x2 broadcast to, in their shared dtype. Empty operands give an empty array.

    Raises:
        TypeError: If an operand has an unknown type, two frameworks meet, or both are bool.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.multiply(np.array([1.0, 2.0]), 3)
        array([3., 6.])
    """
    kind = type(x1)
    backend = TYPES.get(kind)
    if backend is None or kind is not type(x2) or x1.dtype is not x2.dtype:  # type: ignore[union-attr]
        backend, x1, x2 = pair("multiply", x1, x2)
    if backend.is_no_number(x1):
        raise not_a_number(x1, "multiply", BOTH)
    try:
        return backend.ops.multiply(x1, x2)  # type: ignore[no-any-return]
    except Exception as error:
        explain("multiply", backend, error, x1, x2)
        raise


def divide(
    x1: Shaped[ArrayT, " ..."] | Scalar, x2: Shaped[ArrayT, " ..."] | Scalar, /
) -> Shaped[ArrayT, " ..."]:
    """Divide x1 by x2.

    Args:
        x1: Array of any shape, numeric or bool.
        x2: As x1; broadcasts against it. A Python scalar takes the dtype of the other operand if that is of
            its kind or a higher one.

    Returns:
        The shape that x1 and x2 broadcast to, in their shared dtype (the default float for bool and
        integers). Empty operands give an empty array.

    Raises:
        TypeError: If an operand has an unknown type or two frameworks meet.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.divide(np.array([1.0, 2.0]), 4)
        array([0.25, 0.5 ])
    """
    kind = type(x1)
    backend = TYPES.get(kind)
    if backend is None or kind is not type(x2) or x1.dtype is not x2.dtype:  # type: ignore[union-attr]
        backend, x1, x2 = pair("divide", x1, x2)
    try:
        return backend.ops.divide(x1, x2)  # type: ignore[no-any-return]
    except Exception as error:
        explain("divide", backend, error, x1, x2)
        raise


def floor_divide(
    x1: Shaped[ArrayT, " ..."] | Scalar, x2: Shaped[ArrayT, " ..."] | Scalar, /
) -> Shaped[ArrayT, " ..."]:
    """Divide x1 by x2 and round down, as Python's ``//``.

    Args:
        x1: Array of any shape, integer or floating.
        x2: As x1; broadcasts against it. A Python scalar takes the dtype of the other operand if that is of
            its kind or a higher one.

    Returns:
        The shape that x1 and x2 broadcast to, in their shared dtype. Empty operands give an empty array.

    Raises:
        TypeError: If an operand has an unknown type, two frameworks meet, both are bool, or one is complex.

    Notes:
        An integer divided by zero is undefined: a warning, an error or any value, as the framework does.
        An infinite x1 gives NaN or an infinity, as the standard leaves open.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.floor_divide(np.array([-7, 7]), 2)
        array([-4,  3])
    """
    kind = type(x1)
    backend = TYPES.get(kind)
    if backend is None or kind is not type(x2) or x1.dtype is not x2.dtype:  # type: ignore[union-attr]
        backend, x1, x2 = pair("floor_divide", x1, x2)
    if backend.dtype_kind(x1.dtype) in NOT_REAL:  # type: ignore[union-attr]
        raise not_real(x1, "floor_divide", BOTH)
    try:
        return backend.ops.floor_divide(x1, x2)  # type: ignore[no-any-return]
    except Exception as error:
        explain("floor_divide", backend, error, x1, x2)
        raise


def remainder(
    x1: Shaped[ArrayT, " ..."] | Scalar, x2: Shaped[ArrayT, " ..."] | Scalar, /
) -> Shaped[ArrayT, " ..."]:
    """Take what is left of x1 after division by x2, with the sign of x2, as Python's ``%``.

    Args:
        x1: Array of any shape, integer or floating.
        x2: As x1; broadcasts against it. A Python scalar takes the dtype of the other operand if that is of
            its kind or a higher one.

    Returns:
        The shape that x1 and x2 broadcast to, in their shared dtype. Empty operands give an empty array.

    Raises:
        TypeError: If an operand has an unknown type, two frameworks meet, both are bool, or one is complex.

    Notes:
        An integer divided by zero is undefined: a warning, an error or any value, as the framework does.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.remainder(np.array([-7, 7]), 3)
        array([2, 1])
    """
    kind = type(x1)
    backend = TYPES.get(kind)
    if backend is None or kind is not type(x2) or x1.dtype is not x2.dtype:  # type: ignore[union-attr]
        backend, x1, x2 = pair("remainder", x1, x2)
    if backend.dtype_kind(x1.dtype) in NOT_REAL:  # type: ignore[union-attr]
        raise not_real(x1, "remainder", BOTH)
    try:
        return backend.ops.remainder(x1, x2)  # type: ignore[no-any-return]
    except Exception as error:
        explain("remainder", backend, error, x1, x2)
        raise


def negative(x: Shaped[ArrayT, " ..."] | Scalar, /) -> Shaped[ArrayT, " ..."]:
    """Turn the sign of each element.

    Args:
        x: Array of any shape, numeric.

    Returns:
        Shape, dtype and device of x. An empty array gives an empty one.

    Raises:
        TypeError: If x has an unknown type or is bool.

    Notes:
        Unsigned integers wrap.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.negative(np.array([1.0, -2.0]))
        array([-1.,  2.])
    """
    backend = TYPES.get(type(x))
    if backend is None:
        backend, x = operand("negative", "x", x)
    if backend.is_no_number(x):
        raise not_a_number(x, "negative", "x")
    return backend.ops.negative(x)  # type: ignore[no-any-return]


def positive(x: Shaped[ArrayT, " ..."] | Scalar, /) -> Shaped[ArrayT, " ..."]:
    """Return each element as it is.

    Args:
        x: Array of any shape, numeric.

    Returns:
        Shape, dtype and device of x. An empty array gives an empty one.

    Raises:
        TypeError: If x has an unknown type or is bool.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.positive(np.array([1.0, -2.0]))
        array([ 1., -2.])
    """
    backend = TYPES.get(type(x))
    if backend is None:
        backend, x = operand("positive", "x", x)
    if backend.is_no_number(x):
        raise not_a_number(x, "positive", "x")
    return backend.ops.positive(x)  # type: ignore[no-any-return]


def sign(x: Shaped[ArrayT, " ..."] | Scalar, /) -> Shaped[ArrayT, " ..."]:
    """Tell the sign of each element: -1, 0 or 1; x / abs(x) for complex numbers.

    Args:
        x: Array of any shape, numeric.

    Returns:
        Shape, dtype and device of x. NaN stays NaN. An empty array gives an empty one.

    Raises:
        TypeError: If x has an unknown type or is bool.

    Notes:
        The gradient is zero.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.sign(np.array([-3.0, 0.0, 2.0]))
        array([-1.,  0.,  1.])
    """
    backend = TYPES.get(type(x))
    if backend is None:
        backend, x = operand("sign", "x", x)
    if backend.is_no_number(x):
        raise not_a_number(x, "sign", "x")
    return backend.ops.sign(x)  # type: ignore[no-any-return]


def reciprocal(x: Shaped[ArrayT, " ..."] | Scalar, /) -> Shaped[ArrayT, " ..."]:
    """Divide one by each element.

    Args:
        x: Array of any shape, floating or complex; bool and integers count as the default float.

    Returns:
        Shape and device of x, its dtype (the default float for bool and integers). An empty array gives an
        empty one.

    Raises:
        TypeError: If x has an unknown type.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.reciprocal(np.array([2.0, 4.0]))
        array([0.5 , 0.25])
    """
    backend = TYPES.get(type(x))
    if backend is None:
        backend, x = operand("reciprocal", "x", x)
    return backend.ops.reciprocal(x)  # type: ignore[no-any-return]
