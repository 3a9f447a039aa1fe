"""Trigonometric and hyperbolic functions of elements."""

from __future__ import annotations

from anytensor.backends import TYPES
from anytensor.ops.dispatch import operand
from anytensor.ops.kinds import BOTH, NOT_REAL_OR_BOOL, not_real_or_bool
from anytensor.ops.pairs import explain, pair
from anytensor.typing import ArrayT, Scalar, Shaped

__all__ = [
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cos",
    "cosh",
    "hypot",
    "sin",
    "sinh",
    "tan",
    "tanh",
]


def sin(x: Shaped[ArrayT, " ..."] | Scalar, /) -> Shaped[ArrayT, " ..."]:
    """Take the sine of each angle in radians.

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
        >>> at.sin(np.array([0.0, np.pi / 2]))
        array([0., 1.])
    """
    backend = TYPES.get(type(x))
    if backend is None:
        backend, x = operand("sin", "x", x)
    return backend.ops.sin(x)  # type: ignore[no-any-return]


def cos(x: Shaped[ArrayT, " ..."] | Scalar, /) -> Shaped[ArrayT, " ..."]:
    """Take the cosine of each angle in radians.

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
        >>> at.cos(np.array([0.0, np.pi]))
        array([ 1., -1.])
    """
    backend = TYPES.get(type(x))
    if backend is None:
        backend, x = operand("cos", "x", x)
    return backend.ops.cos(x)  # type: ignore[no-any-return]


def tan(x: Shaped[ArrayT, " ..."] | Scalar, /) -> Shaped[ArrayT, " ..."]:
    """Take the tangent of each angle in radians.

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
        >>> at.tan(np.array([0.0, 1.0]))
        array([0.        , 1.55740772])
    """
    backend = TYPES.get(type(x))
    if backend is None:
        backend, x = operand("tan", "x", x)
    return backend.ops.tan(x)  # type: ignore[no-any-return]


def asin(x: Shaped[ArrayT, " ..."] | Scalar, /) -> Shaped[ArrayT, " ..."]:
    """Take the angle whose sine is x, in radians.

    Args:
        x: Array of any shape, floating or complex; bool and integers count as the default float.

    Returns:
        Shape and device of x, its dtype (the default float for bool and integers). Outside [-1, 1]: NaN. An
        empty array gives an empty one.

    Raises:
        TypeError: If x has an unknown type.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.asin(np.array([0.0, 1.0]))
        array([0.        , 1.57079633])
    """
    backend = TYPES.get(type(x))
    if backend is None:
        backend, x = operand("asin", "x", x)
    return backend.ops.asin(x)  # type: ignore[no-any-return]


def acos(x: Shaped[ArrayT, " ..."] | Scalar, /) -> Shaped[ArrayT, " ..."]:
    """Take the angle whose cosine is x, in radians.

    Args:
        x: Array of any shape, floating or complex; bool and integers count as the default float.

    Returns:
        Shape and device of x, its dtype (the default float for bool and integers). Outside [-1, 1]: NaN. An
        empty array gives an empty one.

    Raises:
        TypeError: If x has an unknown type.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.acos(np.array([0.0, 1.0]))
        array([1.57079633, 0.        ])
    """
    backend = TYPES.get(type(x))
    if backend is None:
        backend, x = operand("acos", "x", x)
    return backend.ops.acos(x)  # type: ignore[no-any-return]


def atan(x: Shaped[ArrayT, " ..."] | Scalar, /) -> Shaped[ArrayT, " ..."]:
    """Take the angle whose tangent is x, in radians.

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
        >>> at.atan(np.array([0.0, 1.0]))
        array([0.        , 0.78539816])
    """
    backend = TYPES.get(type(x))
    if backend is None:
        backend, x = operand("atan", "x", x)
    return backend.ops.atan(x)  # type: ignore[no-any-return]


def atan2(
    x1: Shaped[ArrayT, " ..."] | Scalar, x2: Shaped[ArrayT, " ..."] | Scalar, /
) -> Shaped[ArrayT, " ..."]:
    """Take the angle of the point (x2, x1) from the first axis, in radians.

    Args:
        x1: Array of any shape, real, the second coordinate; bool and integers count as the default float.
        x2: The first coordinate; broadcasts against x1. A Python scalar takes the dtype of x1.

    Returns:
        The shape that x1 and x2 broadcast to, in their shared dtype (the default float for bool and
        integers). Within [-pi, pi]. Empty operands give an empty array.

    Raises:
        TypeError: If an operand has an unknown type or is complex, or two frameworks meet.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.atan2(np.array([1.0, -1.0]), np.array([1.0, 0.0]))
        array([ 0.78539816, -1.57079633])
    """
    kind = type(x1)
    backend = TYPES.get(kind)
    if backend is None or kind is not type(x2) or x1.dtype is not x2.dtype:  # type: ignore[union-attr]
        backend, x1, x2 = pair("atan2", x1, x2)
    if backend.dtype_kind(x1.dtype) in NOT_REAL_OR_BOOL:  # type: ignore[union-attr]
        raise not_real_or_bool(x1, "atan2", BOTH)
    try:
        return backend.ops.atan2(x1, x2)  # type: ignore[no-any-return]
    except Exception as error:
        explain("atan2", backend, error, x1, x2)
        raise


def sinh(x: Shaped[ArrayT, " ..."] | Scalar, /) -> Shaped[ArrayT, " ..."]:
    """Take the hyperbolic sine.

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
        >>> at.sinh(np.array([0.0, 1.0]))
        array([0.        , 1.17520119])
    """
    backend = TYPES.get(type(x))
    if backend is None:
        backend, x = operand("sinh", "x", x)
    return backend.ops.sinh(x)  # type: ignore[no-any-return]


def cosh(x: Shaped[ArrayT, " ..."] | Scalar, /) -> Shaped[ArrayT, " ..."]:
    """Take the hyperbolic cosine.

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
        >>> at.cosh(np.array([0.0, 1.0]))
        array([1.        , 1.54308063])
    """
    backend = TYPES.get(type(x))
    if backend is None:
        backend, x = operand("cosh", "x", x)
    return backend.ops.cosh(x)  # type: ignore[no-any-return]


def tanh(x: Shaped[ArrayT, " ..."] | Scalar, /) -> Shaped[ArrayT, " ..."]:
    """Take the hyperbolic tangent.

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
        >>> at.tanh(np.array([0.0, 1.0]))
        array([0.        , 0.76159416])
    """
    backend = TYPES.get(type(x))
    if backend is None:
        backend, x = operand("tanh", "x", x)
    return backend.ops.tanh(x)  # type: ignore[no-any-return]


def asinh(x: Shaped[ArrayT, " ..."] | Scalar, /) -> Shaped[ArrayT, " ..."]:
    """Take the inverse of the hyperbolic sine.

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
        >>> at.asinh(np.array([0.0, 1.0]))
        array([0.        , 0.88137359])
    """
    backend = TYPES.get(type(x))
    if backend is None:
        backend, x = operand("asinh", "x", x)
    return backend.ops.asinh(x)  # type: ignore[no-any-return]


def acosh(x: Shaped[ArrayT, " ..."] | Scalar, /) -> Shaped[ArrayT, " ..."]:
    """Take the inverse of the hyperbolic cosine.

    Args:
        x: Array of any shape, floating or complex; bool and integers count as the default float.

    Returns:
        Shape and device of x, its dtype (the default float for bool and integers). Below 1: NaN. An empty
        array gives an empty one.

    Raises:
        TypeError: If x has an unknown type.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.acosh(np.array([1.0, 2.0]))
        array([0.       , 1.3169579])
    """
    backend = TYPES.get(type(x))
    if backend is None:
        backend, x = operand("acosh", "x", x)
    return backend.ops.acosh(x)  # type: ignore[no-any-return]


def atanh(x: Shaped[ArrayT, " ..."] | Scalar, /) -> Shaped[ArrayT, " ..."]:
    """Take the inverse of the hyperbolic tangent.

    Args:
        x: Array of any shape, floating or complex; bool and integers count as the default float.

    Returns:
        Shape and device of x, its dtype (the default float for bool and integers). Outside [-1, 1]: NaN. An
        empty array gives an empty one.

    Raises:
        TypeError: If x has an unknown type.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.atanh(np.array([0.0, 0.5]))
        array([0.        , 0.54930614])
    """
    backend = TYPES.get(type(x))
    if backend is None:
        backend, x = operand("atanh", "x", x)
    return backend.ops.atanh(x)  # type: ignore[no-any-return]


def hypot(
    x1: Shaped[ArrayT, " ..."] | Scalar, x2: Shaped[ArrayT, " ..."] | Scalar, /
) -> Shaped[ArrayT, " ..."]:
    """Compute sqrt(x1**2 + x2**2) without overflow.

    Args:
        x1: Array of any shape, real; bool and integers count as the default float.
        x2: As x1; broadcasts against it. A Python scalar takes the dtype of the other operand if that is of
            its kind or a higher one.

    Returns:
        The shape that x1 and x2 broadcast to, in their shared dtype (the default float for bool and
        integers). Empty operands give an empty array.

    Raises:
        TypeError: If an operand has an unknown type or is complex, or two frameworks meet.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.hypot(np.array([3.0, 5.0]), np.array([4.0, 12.0]))
        array([ 5., 13.])
    """
    kind = type(x1)
    backend = TYPES.get(kind)
    if backend is None or kind is not type(x2) or x1.dtype is not x2.dtype:  # type: ignore[union-attr]
        backend, x1, x2 = pair("hypot", x1, x2)
    if backend.dtype_kind(x1.dtype) in NOT_REAL_OR_BOOL:  # type: ignore[union-attr]
        raise not_real_or_bool(x1, "hypot", BOTH)
    try:
        return backend.ops.hypot(x1, x2)  # type: ignore[no-any-return]
    except Exception as error:
        explain("hypot", backend, error, x1, x2)
        raise
