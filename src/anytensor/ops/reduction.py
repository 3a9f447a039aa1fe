"""Reductions along axes: sum, product, extremes, moments, truth."""

from __future__ import annotations

from typing import Any

from anytensor.backends import HOST, TYPES
from anytensor.ops.dispatch import operand, own_dtype
from anytensor.ops.kinds import Axis, not_empty, numeric, real_or_bool, reduced_axes
from anytensor.ops.plain import flag, number
from anytensor.typing import ArrayT, Scalar, Shaped

__all__ = ["all", "any", "max", "mean", "min", "prod", "std", "sum", "var"]


def sum(
    x: Shaped[ArrayT, " ..."] | Scalar,
    /,
    *,
    axis: Axis = None,
    dtype: Any = None,
    keepdims: bool = False,
) -> Shaped[ArrayT, " ..."]:
    """Add the elements along axes.

    Args:
        x: Array of any shape and dtype; bool counts as integers.
        axis: The axis or a tuple of axes to reduce; None for all.
        dtype: Dtype to sum in and to return, any backend's or a name; None as below.
        keepdims: Keep the reduced axes with size 1.

    Returns:
        Shape of x without the reduced axes, on its device; 0 over no elements. Dtype of x; bool and integers
        narrower than the backend's default integer widen to it, unsigned ones to the unsigned integer of
        its size (PyTorch, which computes with no uint64: int64).

    Raises:
        TypeError: If x has an unknown type, ``axis`` is not an int or a tuple of ints, or the backend has no
            such ``dtype``, or ``keepdims`` is no bool.
        ValueError: If an axis is out of range (numpy.exceptions.AxisError, an IndexError too) or comes twice.

    Notes:
        float16 and bfloat16 accumulate in float32.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.sum(np.array([[1.0, 2.0], [3.0, 4.0]]), axis=0)
        array([4., 6.])
    """
    backend = TYPES.get(type(x))
    if backend is None:
        backend, x = operand("sum", "x", x)
    if keepdims is not False:
        flag("sum", keepdims, "keepdims")
    if axis is not None:
        axis = reduced_axes("sum", backend, x, axis)
    if dtype is not None:
        dtype = own_dtype("sum", backend, dtype)
    return backend.ops.sum(x, axis=axis, dtype=dtype, keepdims=keepdims)  # type: ignore[no-any-return]


def prod(
    x: Shaped[ArrayT, " ..."] | Scalar,
    /,
    *,
    axis: Axis = None,
    dtype: Any = None,
    keepdims: bool = False,
) -> Shaped[ArrayT, " ..."]:
    """Multiply the elements along axes.

    Args:
        x: Array of any shape and dtype; bool counts as integers.
        axis: The axis or a tuple of axes to reduce; None for all.
        dtype: Dtype to multiply in and to return, any backend's or a name; None as below.
        keepdims: Keep the reduced axes with size 1.

    Returns:
        Shape of x without the reduced axes, on its device; 1 over no elements. Dtype as for ``sum``.

    Raises:
        TypeError: If x has an unknown type, ``axis`` is not an int or a tuple of ints, or the backend has no
            such ``dtype``, or ``keepdims`` is no bool.
        ValueError: If an axis is out of range (numpy.exceptions.AxisError, an IndexError too) or comes twice.

    Notes:
        float16 and bfloat16 accumulate in float32.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.prod(np.array([[1.0, 2.0], [3.0, 4.0]]), axis=1, keepdims=True)
        array([[ 2.],
               [12.]])
    """
    backend = TYPES.get(type(x))
    if backend is None:
        backend, x = operand("prod", "x", x)
    if keepdims is not False:
        flag("prod", keepdims, "keepdims")
    if axis is not None:
        axis = reduced_axes("prod", backend, x, axis)
    if dtype is not None:
        dtype = own_dtype("prod", backend, dtype)
    return backend.ops.prod(x, axis=axis, dtype=dtype, keepdims=keepdims)  # type: ignore[no-any-return]


def max(
    x: Shaped[ArrayT, " ..."] | Scalar, /, *, axis: Axis = None, keepdims: bool = False
) -> Shaped[ArrayT, " ..."]:
    """Take the greatest element along axes.

    Args:
        x: Array of any shape, real; of bool, any.
        axis: The axis or a tuple of axes to reduce; None for all.
        keepdims: Keep the reduced axes with size 1.

    Returns:
        Shape of x without the reduced axes, its dtype and device. NaN if an element is NaN.

    Raises:
        TypeError: If x has an unknown type or is complex, or ``axis`` is not an int or a tuple of ints, or
            ``keepdims`` is no bool.
        ValueError: If the reduced axes hold no elements, or an axis is out of range
            (numpy.exceptions.AxisError, an IndexError too) or comes twice.

    Notes:
        Elements that tie share the gradient evenly.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.max(np.array([[1.0, 4.0], [3.0, 2.0]]), axis=(0, 1))
        array(4.)
    """
    backend = TYPES.get(type(x))
    if backend is None:
        backend, x = operand("max", "x", x)
    if keepdims is not False:
        flag("max", keepdims, "keepdims")
    real_or_bool("max", backend, x)
    if axis is not None:
        axis = reduced_axes("max", backend, x, axis)
    not_empty("max", backend, x, axis)
    return backend.ops.max(x, axis=axis, keepdims=keepdims)  # type: ignore[no-any-return]


def min(
    x: Shaped[ArrayT, " ..."] | Scalar, /, *, axis: Axis = None, keepdims: bool = False
) -> Shaped[ArrayT, " ..."]:
    """Take the least element along axes.

    Args:
        x: Array of any shape, real; of bool, all.
        axis: The axis or a tuple of axes to reduce; None for all.
        keepdims: Keep the reduced axes with size 1.

    Returns:
        Shape of x without the reduced axes, its dtype and device. NaN if an element is NaN.

    Raises:
        TypeError: If x has an unknown type or is complex, or ``axis`` is not an int or a tuple of ints, or
            ``keepdims`` is no bool.
        ValueError: If the reduced axes hold no elements, or an axis is out of range
            (numpy.exceptions.AxisError, an IndexError too) or comes twice.

    Notes:
        Elements that tie share the gradient evenly.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.min(np.array([[1.0, 4.0], [3.0, 2.0]]), axis=0)
        array([1., 2.])
    """
    backend = TYPES.get(type(x))
    if backend is None:
        backend, x = operand("min", "x", x)
    if keepdims is not False:
        flag("min", keepdims, "keepdims")
    real_or_bool("min", backend, x)
    if axis is not None:
        axis = reduced_axes("min", backend, x, axis)
    not_empty("min", backend, x, axis)
    return backend.ops.min(x, axis=axis, keepdims=keepdims)  # type: ignore[no-any-return]


def mean(
    x: Shaped[ArrayT, " ..."] | Scalar, /, *, axis: Axis = None, keepdims: bool = False
) -> Shaped[ArrayT, " ..."]:
    """Average the elements along axes.

    Args:
        x: Array of any shape; bool and integers count as the default float.
        axis: The axis or a tuple of axes to reduce; None for all.
        keepdims: Keep the reduced axes with size 1.

    Returns:
        Shape of x without the reduced axes, on its device; NaN over no elements (NumPy warns). Dtype of x,
        the default float for bool and integers.

    Raises:
        TypeError: If x has an unknown type, or ``axis`` is not an int or a tuple of ints, or ``keepdims`` is
            no bool.
        ValueError: If an axis is out of range (numpy.exceptions.AxisError, an IndexError too) or comes twice.

    Notes:
        float16 and bfloat16 accumulate in float32.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.mean(np.array([[1.0, 2.0], [3.0, 5.0]]), axis=1)
        array([1.5, 4. ])
    """
    backend = TYPES.get(type(x))
    if backend is None:
        backend, x = operand("mean", "x", x)
    if keepdims is not False:
        flag("mean", keepdims, "keepdims")
    if axis is not None:
        axis = reduced_axes("mean", backend, x, axis)
    return backend.ops.mean(x, axis=axis, keepdims=keepdims)  # type: ignore[no-any-return]


def var(
    x: Shaped[ArrayT, " ..."] | Scalar,
    /,
    *,
    axis: Axis = None,
    correction: int | float = 0.0,
    keepdims: bool = False,
) -> Shaped[ArrayT, " ..."]:
    """Average the squared distance from the mean along axes.

    Args:
        x: Array of any shape, real; bool and integers count as the default float.
        axis: The axis or a tuple of axes to reduce; None for all.
        correction: What to subtract from the number of elements in the divisor: 1 for a sample.
        keepdims: Keep the reduced axes with size 1.

    Returns:
        Shape of x without the reduced axes, on its device; NaN over no elements (the framework may warn).
        Dtype of x, the default float for bool and integers.

    Raises:
        TypeError: If x has an unknown type or is complex, or ``axis`` is not an int or a tuple of ints,
            ``keepdims`` is no bool, or ``correction`` no number.
        ValueError: If an axis is out of range (numpy.exceptions.AxisError, an IndexError too) or comes twice.

    Notes:
        In two passes. float16 and bfloat16 accumulate in float32.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.var(np.array([1.0, 2.0, 3.0]), correction=1)
        array(1.)
    """
    backend = TYPES.get(type(x))
    if backend is None:
        backend, x = operand("var", "x", x)
    if keepdims is not False:
        flag("var", keepdims, "keepdims")
    real_or_bool("var", backend, x)
    if type(correction) is not float:
        correction = number("var", correction, "correction")
    if axis is not None:
        axis = reduced_axes("var", backend, x, axis)
    return backend.ops.var(  # type: ignore[no-any-return]
        x, axis=axis, correction=correction, keepdims=keepdims
    )


def std(
    x: Shaped[ArrayT, " ..."] | Scalar,
    /,
    *,
    axis: Axis = None,
    correction: int | float = 0.0,
    keepdims: bool = False,
) -> Shaped[ArrayT, " ..."]:
    """Take the root of the variance along axes.

    Args:
        x: Array of any shape, real; bool and integers count as the default float.
        axis: The axis or a tuple of axes to reduce; None for all.
        correction: What to subtract from the number of elements in the divisor: 1 for a sample.
        keepdims: Keep the reduced axes with size 1.

    Returns:
        Shape of x without the reduced axes, on its device; NaN over no elements (the framework may warn).
        Dtype of x, the default float for bool and integers.

    Raises:
        TypeError: If x has an unknown type or is complex, or ``axis`` is not an int or a tuple of ints,
            ``keepdims`` is no bool, or ``correction`` no number.
        ValueError: If an axis is out of range (numpy.exceptions.AxisError, an IndexError too) or comes twice.

    Notes:
        The gradient is 0, not NaN, where the variance is 0.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.std(np.array([[1.0, 3.0], [5.0, 5.0]]), axis=1)
        array([1., 0.])
    """
    backend = TYPES.get(type(x))
    if backend is None:
        backend, x = operand("std", "x", x)
    if keepdims is not False:
        flag("std", keepdims, "keepdims")
    real_or_bool("std", backend, x)
    if type(correction) is not float:
        correction = number("std", correction, "correction")
    if axis is not None:
        axis = reduced_axes("std", backend, x, axis)
    ops = backend.ops
    variance = ops.var(x, axis=axis, correction=correction, keepdims=keepdims)
    # The root's slope at 0 is infinite, and 0 times it NaN: so it is not taken there.
    positive = variance > 0
    return ops.where(positive, ops.sqrt(ops.where(positive, variance, ops.ones_like(variance))), variance)  # type: ignore[no-any-return]


def all(
    x: Shaped[ArrayT, " ..."] | Scalar, /, *, axis: Axis = None, keepdims: bool = False
) -> Shaped[ArrayT, " ..."]:
    """Tell whether all elements along axes are true.

    Args:
        x: Array of any shape and dtype; nonzero numbers, NaN too, are true.
        axis: The axis or a tuple of axes to reduce; None for all.
        keepdims: Keep the reduced axes with size 1.

    Returns:
        Shape of x without the reduced axes, bool, on its device; True over no elements.

    Raises:
        TypeError: If x has an unknown type, or ``axis`` is not an int or a tuple of ints, or ``keepdims`` is
            no bool.
        ValueError: If an axis is out of range (numpy.exceptions.AxisError, an IndexError too) or comes twice.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.all(np.array([[True, False], [True, True]]), axis=1)
        array([False,  True])
    """
    backend = TYPES.get(type(x))
    if backend is None:
        backend, x = operand("all", "x", x)
    if keepdims is not False:
        flag("all", keepdims, "keepdims")
    if backend is HOST:
        numeric("all", backend, x)
    if axis is not None:
        axis = reduced_axes("all", backend, x, axis)
    return backend.ops.all(x, axis=axis, keepdims=keepdims)  # type: ignore[no-any-return]


def any(
    x: Shaped[ArrayT, " ..."] | Scalar, /, *, axis: Axis = None, keepdims: bool = False
) -> Shaped[ArrayT, " ..."]:
    """Tell whether an element along axes is true.

    Args:
        x: Array of any shape and dtype; nonzero numbers, NaN too, are true.
        axis: The axis or a tuple of axes to reduce; None for all.
        keepdims: Keep the reduced axes with size 1.

    Returns:
        Shape of x without the reduced axes, bool, on its device; False over no elements.

    Raises:
        TypeError: If x has an unknown type, or ``axis`` is not an int or a tuple of ints, or ``keepdims`` is
            no bool.
        ValueError: If an axis is out of range (numpy.exceptions.AxisError, an IndexError too) or comes twice.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.any(np.array([[True, False], [False, False]]), axis=1)
        array([ True, False])
    """
    backend = TYPES.get(type(x))
    if backend is None:
        backend, x = operand("any", "x", x)
    if keepdims is not False:
        flag("any", keepdims, "keepdims")
    if backend is HOST:
        numeric("any", backend, x)
    if axis is not None:
        axis = reduced_axes("any", backend, x, axis)
    return backend.ops.any(x, axis=axis, keepdims=keepdims)  # type: ignore[no-any-return]
