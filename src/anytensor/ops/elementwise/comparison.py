"""Comparison of elements, and bounds on them."""

from __future__ import annotations

from anytensor import errors
from anytensor.backends import TYPES
from anytensor.ops.kinds import BOTH, NOT_REAL, not_real
from anytensor.ops.pairs import explain, fits, pair, scalar_beside
from anytensor.promotion.align import align
from anytensor.typing import ArrayT, Scalar, Shaped

__all__ = [
    "clip",
    "equal",
    "greater",
    "greater_equal",
    "less",
    "less_equal",
    "maximum",
    "minimum",
    "not_equal",
]


def equal(
    x1: Shaped[ArrayT, " ..."] | Scalar, x2: Shaped[ArrayT, " ..."] | Scalar, /
) -> Shaped[ArrayT, " ..."]:
    """Tell where x1 equals x2.

    Args:
        x1: Array of any shape, numeric or bool.
        x2: As x1; broadcasts against it. A Python scalar takes the dtype of the other operand if that is of
            its kind or a higher one.

    Returns:
        The shape that x1 and x2 broadcast to, bool. False beside NaN. Empty operands give an empty array.

    Raises:
        TypeError: If an operand has an unknown type or two frameworks meet.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.equal(np.array([1, 2, 3]), 2)
        array([False,  True, False])
    """
    kind = type(x1)
    backend = TYPES.get(kind)
    if backend is None or kind is not type(x2) or x1.dtype is not x2.dtype:  # type: ignore[union-attr]
        backend, x1, x2 = pair("equal", x1, x2)
    try:
        return backend.ops.equal(x1, x2)  # type: ignore[no-any-return]
    except Exception as error:
        explain("equal", backend, error, x1, x2)
        raise


def not_equal(
    x1: Shaped[ArrayT, " ..."] | Scalar, x2: Shaped[ArrayT, " ..."] | Scalar, /
) -> Shaped[ArrayT, " ..."]:
    """Tell where x1 differs from x2.

    Args:
        x1: Array of any shape, numeric or bool.
        x2: As x1; broadcasts against it. A Python scalar takes the dtype of the other operand if that is of
            its kind or a higher one.

    Returns:
        The shape that x1 and x2 broadcast to, bool. NaN differs from everything. Empty operands give an
        empty array.

    Raises:
        TypeError: If an operand has an unknown type or two frameworks meet.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.not_equal(np.array([1, 2, 3]), 2)
        array([ True, False,  True])
    """
    kind = type(x1)
    backend = TYPES.get(kind)
    if backend is None or kind is not type(x2) or x1.dtype is not x2.dtype:  # type: ignore[union-attr]
        backend, x1, x2 = pair("not_equal", x1, x2)
    try:
        return backend.ops.not_equal(x1, x2)  # type: ignore[no-any-return]
    except Exception as error:
        explain("not_equal", backend, error, x1, x2)
        raise


def less(
    x1: Shaped[ArrayT, " ..."] | Scalar, x2: Shaped[ArrayT, " ..."] | Scalar, /
) -> Shaped[ArrayT, " ..."]:
    """Tell where x1 lies below x2.

    Args:
        x1: Array of any shape, integer or floating.
        x2: As x1; broadcasts against it. A Python scalar takes the dtype of the other operand if that is of
            its kind or a higher one.

    Returns:
        The shape that x1 and x2 broadcast to, bool. False beside NaN. Empty operands give an empty array.

    Raises:
        TypeError: If an operand has an unknown type, two frameworks meet, both are bool, or one is complex.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.less(np.array([1, 2, 3]), 2)
        array([ True, False, False])
    """
    kind = type(x1)
    backend = TYPES.get(kind)
    if backend is None or kind is not type(x2) or x1.dtype is not x2.dtype:  # type: ignore[union-attr]
        backend, x1, x2 = pair("less", x1, x2)
    if backend.dtype_kind(x1.dtype) in NOT_REAL:  # type: ignore[union-attr]
        raise not_real(x1, "less", BOTH)
    try:
        return backend.ops.less(x1, x2)  # type: ignore[no-any-return]
    except Exception as error:
        explain("less", backend, error, x1, x2)
        raise


def less_equal(
    x1: Shaped[ArrayT, " ..."] | Scalar, x2: Shaped[ArrayT, " ..."] | Scalar, /
) -> Shaped[ArrayT, " ..."]:
    """Tell where x1 lies below x2 or equals it.

    Args:
        x1: Array of any shape, integer or floating.
        x2: As x1; broadcasts against it. A Python scalar takes the dtype of the other operand if that is of
            its kind or a higher one.

    Returns:
        The shape that x1 and x2 broadcast to, bool. False beside NaN. Empty operands give an empty array.

    Raises:
        TypeError: If an operand has an unknown type, two frameworks meet, both are bool, or one is complex.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.less_equal(np.array([1, 2, 3]), 2)
        array([ True,  True, False])
    """
    kind = type(x1)
    backend = TYPES.get(kind)
    if backend is None or kind is not type(x2) or x1.dtype is not x2.dtype:  # type: ignore[union-attr]
        backend, x1, x2 = pair("less_equal", x1, x2)
    if backend.dtype_kind(x1.dtype) in NOT_REAL:  # type: ignore[union-attr]
        raise not_real(x1, "less_equal", BOTH)
    try:
        return backend.ops.less_equal(x1, x2)  # type: ignore[no-any-return]
    except Exception as error:
        explain("less_equal", backend, error, x1, x2)
        raise


def greater(
    x1: Shaped[ArrayT, " ..."] | Scalar, x2: Shaped[ArrayT, " ..."] | Scalar, /
) -> Shaped[ArrayT, " ..."]:
    """Tell where x1 lies above x2.

    Args:
        x1: Array of any shape, integer or floating.
        x2: As x1; broadcasts against it. A Python scalar takes the dtype of the other operand if that is of
            its kind or a higher one.

    Returns:
        The shape that x1 and x2 broadcast to, bool. False beside NaN. Empty operands give an empty array.

    Raises:
        TypeError: If an operand has an unknown type, two frameworks meet, both are bool, or one is complex.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.greater(np.array([1, 2, 3]), 2)
        array([False, False,  True])
    """
    kind = type(x1)
    backend = TYPES.get(kind)
    if backend is None or kind is not type(x2) or x1.dtype is not x2.dtype:  # type: ignore[union-attr]
        backend, x1, x2 = pair("greater", x1, x2)
    if backend.dtype_kind(x1.dtype) in NOT_REAL:  # type: ignore[union-attr]
        raise not_real(x1, "greater", BOTH)
    try:
        return backend.ops.greater(x1, x2)  # type: ignore[no-any-return]
    except Exception as error:
        explain("greater", backend, error, x1, x2)
        raise


def greater_equal(
    x1: Shaped[ArrayT, " ..."] | Scalar, x2: Shaped[ArrayT, " ..."] | Scalar, /
) -> Shaped[ArrayT, " ..."]:
    """Tell where x1 lies above x2 or equals it.

    Args:
        x1: Array of any shape, integer or floating.
        x2: As x1; broadcasts against it. A Python scalar takes the dtype of the other operand if that is of
            its kind or a higher one.

    Returns:
        The shape that x1 and x2 broadcast to, bool. False beside NaN. Empty operands give an empty array.

    Raises:
        TypeError: If an operand has an unknown type, two frameworks meet, both are bool, or one is complex.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.greater_equal(np.array([1, 2, 3]), 2)
        array([False,  True,  True])
    """
    kind = type(x1)
    backend = TYPES.get(kind)
    if backend is None or kind is not type(x2) or x1.dtype is not x2.dtype:  # type: ignore[union-attr]
        backend, x1, x2 = pair("greater_equal", x1, x2)
    if backend.dtype_kind(x1.dtype) in NOT_REAL:  # type: ignore[union-attr]
        raise not_real(x1, "greater_equal", BOTH)
    try:
        return backend.ops.greater_equal(x1, x2)  # type: ignore[no-any-return]
    except Exception as error:
        explain("greater_equal", backend, error, x1, x2)
        raise


def maximum(
    x1: Shaped[ArrayT, " ..."] | Scalar, x2: Shaped[ArrayT, " ..."] | Scalar, /
) -> Shaped[ArrayT, " ..."]:
    """Take the greater of two elements.

    Args:
        x1: Array of any shape, integer or floating.
        x2: As x1; broadcasts against it. A Python scalar takes the dtype of the other operand if that is of
            its kind or a higher one.

    Returns:
        The shape that x1 and x2 broadcast to, in their shared dtype. NaN beside anything is NaN. Empty
        operands give an empty array.

    Raises:
        TypeError: If an operand has an unknown type, two frameworks meet, both are bool, or one is complex.

    Notes:
        Operands that tie share the gradient evenly.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.maximum(np.array([1.0, 3.0]), 2.0)
        array([2., 3.])
    """
    kind = type(x1)
    backend = TYPES.get(kind)
    if backend is None or kind is not type(x2) or x1.dtype is not x2.dtype:  # type: ignore[union-attr]
        backend, x1, x2 = pair("maximum", x1, x2)
    if backend.dtype_kind(x1.dtype) in NOT_REAL:  # type: ignore[union-attr]
        raise not_real(x1, "maximum", BOTH)
    try:
        return backend.ops.maximum(x1, x2)  # type: ignore[no-any-return]
    except Exception as error:
        explain("maximum", backend, error, x1, x2)
        raise


def minimum(
    x1: Shaped[ArrayT, " ..."] | Scalar, x2: Shaped[ArrayT, " ..."] | Scalar, /
) -> Shaped[ArrayT, " ..."]:
    """Take the lesser of two elements.

    Args:
        x1: Array of any shape, integer or floating.
        x2: As x1; broadcasts against it. A Python scalar takes the dtype of the other operand if that is of
            its kind or a higher one.

    Returns:
        The shape that x1 and x2 broadcast to, in their shared dtype. NaN beside anything is NaN. Empty
        operands give an empty array.

    Raises:
        TypeError: If an operand has an unknown type, two frameworks meet, both are bool, or one is complex.

    Notes:
        Operands that tie share the gradient evenly.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.minimum(np.array([1.0, 3.0]), 2.0)
        array([1., 2.])
    """
    kind = type(x1)
    backend = TYPES.get(kind)
    if backend is None or kind is not type(x2) or x1.dtype is not x2.dtype:  # type: ignore[union-attr]
        backend, x1, x2 = pair("minimum", x1, x2)
    if backend.dtype_kind(x1.dtype) in NOT_REAL:  # type: ignore[union-attr]
        raise not_real(x1, "minimum", BOTH)
    try:
        return backend.ops.minimum(x1, x2)  # type: ignore[no-any-return]
    except Exception as error:
        explain("minimum", backend, error, x1, x2)
        raise


def clip(
    x: Shaped[ArrayT, " ..."] | Scalar,
    /,
    min: Shaped[ArrayT, " ..."] | Scalar | None = None,
    max: Shaped[ArrayT, " ..."] | Scalar | None = None,
) -> Shaped[ArrayT, " ..."]:
    """Bring each element into the range from min to max.

    Args:
        x: Array of any shape, integer or floating.
        min: Least value; None for no bound. Broadcasts against x. A Python scalar takes the dtype of x if
            that is of its kind or a higher one.
        max: Greatest value; as min. Where it lies below min, it wins.

    Returns:
        The shape that the operands broadcast to, in their shared dtype. NaN stays NaN; a NaN bound gives
        NaN. Empty operands give an empty array.

    Raises:
        TypeError: If an operand has an unknown type, two frameworks meet, all are bool, or one is complex.

    Notes:
        Without bounds x comes back as it is. The gradient at a bound is the framework's own choice.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.clip(np.array([-1.0, 0.5, 3.0]), 0, 1)
        array([0. , 0.5, 1. ])
    """
    backend = TYPES.get(type(x))
    if backend is None or not (
        (min is None or fits(backend, min, x)) and (max is None or fits(backend, max, x))
    ):
        if x is None:
            raise errors.unknown_operand(x, "clip", "x")
        given = {name: value for name, value in (("x", x), ("min", min), ("max", max)) if value is not None}
        aligned = align("clip", list(given), ["data"] * len(given), list(given.values()))
        bounds = dict(zip(given, aligned, strict=True))
        x, min, max = bounds["x"], bounds.get("min"), bounds.get("max")
        backend = TYPES[type(x)]
    kind = backend.dtype_kind(x.dtype)  # type: ignore[union-attr]
    if kind in NOT_REAL:
        raise not_real(x, "clip", "x")
    if min is None and max is None:
        return x  # type: ignore[return-value]  # as above
    if kind in "iu":
        for name, bound in (("min", min), ("max", max)):
            if type(bound) is int:
                scalar_beside("clip", name, backend, bound, x)  # refuses what the dtype does not hold
    try:
        return backend.ops.clip(x, min, max)  # type: ignore[no-any-return]
    except Exception as error:
        explain("clip", backend, error, x, min, max)
        raise
