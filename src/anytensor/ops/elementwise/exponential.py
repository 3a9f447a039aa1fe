"""Exponentials, logarithms, powers and roots of elements."""

from __future__ import annotations

from anytensor.backends import TYPES
from anytensor.ops.dispatch import operand
from anytensor.ops.kinds import BOTH, NOT_REAL_OR_BOOL, not_a_number, not_real_or_bool
from anytensor.ops.pairs import explain, pair
from anytensor.typing import ArrayT, Scalar, Shaped

__all__ = ["exp", "expm1", "log", "log1p", "log2", "log10", "logaddexp", "pow", "rsqrt", "sqrt", "square"]


def exp(x: Shaped[ArrayT, " ..."] | Scalar, /) -> Shaped[ArrayT, " ..."]:
    """Raise e to each element.

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
        >>> at.exp(np.array([0.0, 1.0]))
        array([1.        , 2.71828183])
    """
    backend = TYPES.get(type(x))
    if backend is None:
        backend, x = operand("exp", "x", x)
    return backend.ops.exp(x)  # type: ignore[no-any-return]


def expm1(x: Shaped[ArrayT, " ..."] | Scalar, /) -> Shaped[ArrayT, " ..."]:
    """Compute exp(x) - 1, exact also near zero.

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
        >>> at.expm1(np.array([0.0, 1e-10]))
        array([0.e+00, 1.e-10])
    """
    backend = TYPES.get(type(x))
    if backend is None:
        backend, x = operand("expm1", "x", x)
    return backend.ops.expm1(x)  # type: ignore[no-any-return]


def log(x: Shaped[ArrayT, " ..."] | Scalar, /) -> Shaped[ArrayT, " ..."]:
    """Take the natural logarithm.

    Args:
        x: Array of any shape, floating or complex; bool and integers count as the default float.

    Returns:
        Shape and device of x, its dtype (the default float for bool and integers). Zero gives -inf, a
        negative number NaN. An empty array gives an empty one.

    Raises:
        TypeError: If x has an unknown type.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.log(np.array([1.0, np.e]))
        array([0., 1.])
    """
    backend = TYPES.get(type(x))
    if backend is None:
        backend, x = operand("log", "x", x)
    return backend.ops.log(x)  # type: ignore[no-any-return]


def log1p(x: Shaped[ArrayT, " ..."] | Scalar, /) -> Shaped[ArrayT, " ..."]:
    """Compute log(1 + x), exact also near zero.

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
        >>> at.log1p(np.array([0.0, 1e-10]))
        array([0.e+00, 1.e-10])
    """
    backend = TYPES.get(type(x))
    if backend is None:
        backend, x = operand("log1p", "x", x)
    return backend.ops.log1p(x)  # type: ignore[no-any-return]


def log2(x: Shaped[ArrayT, " ..."] | Scalar, /) -> Shaped[ArrayT, " ..."]:
    """Take the logarithm to base 2.

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
        >>> at.log2(np.array([1.0, 8.0]))
        array([0., 3.])
    """
    backend = TYPES.get(type(x))
    if backend is None:
        backend, x = operand("log2", "x", x)
    return backend.ops.log2(x)  # type: ignore[no-any-return]


def log10(x: Shaped[ArrayT, " ..."] | Scalar, /) -> Shaped[ArrayT, " ..."]:
    """Take the logarithm to base 10.

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
        >>> at.log10(np.array([1.0, 100.0]))
        array([0., 2.])
    """
    backend = TYPES.get(type(x))
    if backend is None:
        backend, x = operand("log10", "x", x)
    return backend.ops.log10(x)  # type: ignore[no-any-return]


def logaddexp(
    x1: Shaped[ArrayT, " ..."] | Scalar, x2: Shaped[ArrayT, " ..."] | Scalar, /
) -> Shaped[ArrayT, " ..."]:
    """Compute log(exp(x1) + exp(x2)) without overflow.

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
        >>> at.logaddexp(np.array([1000.0, 0.0]), 0.0)
        array([1.00000000e+03, 6.93147181e-01])
    """
    kind = type(x1)
    backend = TYPES.get(kind)
    if backend is None or kind is not type(x2) or x1.dtype is not x2.dtype:  # type: ignore[union-attr]
        backend, x1, x2 = pair("logaddexp", x1, x2)
    if backend.dtype_kind(x1.dtype) in NOT_REAL_OR_BOOL:  # type: ignore[union-attr]
        raise not_real_or_bool(x1, "logaddexp", BOTH)
    try:
        return backend.ops.logaddexp(x1, x2)  # type: ignore[no-any-return]
    except Exception as error:
        explain("logaddexp", backend, error, x1, x2)
        raise


def pow(
    x1: Shaped[ArrayT, " ..."] | Scalar, x2: Shaped[ArrayT, " ..."] | Scalar, /
) -> Shaped[ArrayT, " ..."]:
    """Raise x1 to the power x2.

    Args:
        x1: Array of any shape, numeric.
        x2: As x1; broadcasts against it. A Python scalar takes the dtype of the other operand if that is of
            its kind or a higher one.

    Returns:
        The shape that x1 and x2 broadcast to, in their shared dtype. Empty operands give an empty array.

    Raises:
        TypeError: If an operand has an unknown type, two frameworks meet, or both are bool.

    Notes:
        A negative integer power of integers is undefined; make x1 floating.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.pow(np.array([1.0, 2.0, 3.0]), 2)
        array([1., 4., 9.])
    """
    kind = type(x1)
    backend = TYPES.get(kind)
    if backend is None or kind is not type(x2) or x1.dtype is not x2.dtype:  # type: ignore[union-attr]
        backend, x1, x2 = pair("pow", x1, x2)
    if backend.is_no_number(x1):
        raise not_a_number(x1, "pow", BOTH)
    try:
        return backend.ops.pow(x1, x2)  # type: ignore[no-any-return]
    except Exception as error:
        explain("pow", backend, error, x1, x2)
        raise


def square(x: Shaped[ArrayT, " ..."] | Scalar, /) -> Shaped[ArrayT, " ..."]:
    """Multiply each element by itself.

    Args:
        x: Array of any shape, numeric.

    Returns:
        Shape, dtype and device of x. An empty array gives an empty one.

    Raises:
        TypeError: If x has an unknown type or is bool.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.square(np.array([-2.0, 3.0]))
        array([4., 9.])
    """
    backend = TYPES.get(type(x))
    if backend is None:
        backend, x = operand("square", "x", x)
    if backend.is_no_number(x):
        raise not_a_number(x, "square", "x")
    return backend.ops.square(x)  # type: ignore[no-any-return]


def sqrt(x: Shaped[ArrayT, " ..."] | Scalar, /) -> Shaped[ArrayT, " ..."]:
    """Take the square root.

    Args:
        x: Array of any shape, floating or complex; bool and integers count as the default float.

    Returns:
        Shape and device of x, its dtype (the default float for bool and integers). A negative number gives
        NaN. An empty array gives an empty one.

    Raises:
        TypeError: If x has an unknown type.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.sqrt(np.array([4.0, 9.0]))
        array([2., 3.])
    """
    backend = TYPES.get(type(x))
    if backend is None:
        backend, x = operand("sqrt", "x", x)
    return backend.ops.sqrt(x)  # type: ignore[no-any-return]


def rsqrt(x: Shaped[ArrayT, " ..."] | Scalar, /) -> Shaped[ArrayT, " ..."]:
    """Divide one by the square root.

    Args:
        x: Array of any shape, floating or complex; bool and integers count as the default float.

    Returns:
        Shape and device of x, its dtype (the default float for bool and integers). Zero gives inf. An empty
        array gives an empty one.

    Raises:
        TypeError: If x has an unknown type.

    Notes:
        Not in the standard; one kernel where the framework has it.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.rsqrt(np.array([4.0, 16.0]))
        array([0.5 , 0.25])
    """
    backend = TYPES.get(type(x))
    if backend is None:
        backend, x = operand("rsqrt", "x", x)
    return backend.ops.rsqrt(x)  # type: ignore[no-any-return]
