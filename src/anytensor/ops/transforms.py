"""Activations, and the way to hold a value constant for differentiation."""

from __future__ import annotations

from typing import Any

import numpy as np

from anytensor import errors
from anytensor.backends import TYPES, Backend
from anytensor.ops.arguments import axis_in_range
from anytensor.ops.dispatch import operand
from anytensor.ops.kinds import real_or_bool
from anytensor.ops.plain import number
from anytensor.typing import ArrayT, Scalar, Shaped

__all__ = ["leaky_relu", "relu", "softmax", "stop_gradient"]


def stop_gradient(x: Shaped[ArrayT, ...] | Scalar, /) -> Shaped[ArrayT, ...]:
    """Hold a value constant for differentiation.

    Args:
        x: An array, any dtype.

    Returns:
        The same values, shape, dtype and device; the derivative with respect to x is 0. On NumPy x itself.

    Raises:
        TypeError: If x has an unknown type.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.stop_gradient(np.array([1.0, 2.0]))
        array([1., 2.])
    """
    backend = TYPES.get(type(x))
    if backend is None:
        backend, x = operand("stop_gradient", "x", x)
    return backend.stop_gradient(x)  # type: ignore[no-any-return]  # framework types are Any


def _number(function: str, backend: Backend, x: Any) -> None:
    if backend.dtype_kind(x.dtype) not in "iuf":
        raise TypeError(f"{function}: `x` must be integer or floating, got {errors.describe(x)}")


def softmax(x: Shaped[ArrayT, ...] | Scalar, /, axis: int = -1) -> Shaped[ArrayT, ...]:
    """Turn entries along an axis into positive shares of 1.

    Args:
        x: An array of at least one axis, real; bool and integers count as the default float.
        axis: The axis.

    Returns:
        Shape and device of x, its dtype (the default float for bool and integers). An entry of -inf gets 0;
        only -inf along the axis, or a NaN or +inf there, gives NaN.

    Raises:
        TypeError: If x has an unknown type or is complex.
        AxisError: If ``axis`` is out of range.

    Notes:
        The maximum is subtracted first, so that large entries do not overflow. float16 and bfloat16 are
        computed in float32. ``segment_softmax`` gives 0s for a segment of only -inf.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.softmax(np.array([0.0, 0.0, -at.inf]))
        array([0.5, 0.5, 0. ])
    """
    backend, array = operand("softmax", "x", x)
    real_or_bool("softmax", backend, array)
    return backend.ops.softmax(  # type: ignore[no-any-return]
        array, axis_in_range("softmax", axis, backend.rank(array))
    )


def relu(x: Shaped[ArrayT, ...] | Scalar, /) -> Shaped[ArrayT, ...]:
    """Replace negative entries by 0.

    Args:
        x: An array, integer or floating.

    Returns:
        Shape, dtype and device of x. A NaN stays.

    Raises:
        TypeError: If x has an unknown type, is bool or complex.

    Notes:
        The derivative at 0 is 0.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.relu(np.array([-1.0, 2.0]))
        array([0., 2.])
    """
    backend, x = operand("relu", "x", x)
    _number("relu", backend, x)
    return backend.ops.relu(x)  # type: ignore[no-any-return]


def leaky_relu(x: Shaped[ArrayT, ...] | Scalar, /, negative_slope: int | float = 0.01) -> Shaped[ArrayT, ...]:
    """Scale negative entries down.

    Args:
        x: A floating array.
        negative_slope: The factor for entries below 0, a Python number.

    Returns:
        Shape, dtype and device of x. A NaN stays.

    Raises:
        TypeError: If x has an unknown type or is not floating, or the slope is no number.

    Notes:
        The derivative at 0 is ``negative_slope``.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.leaky_relu(np.array([-1.0, 2.0]), 0.2)
        array([-0.2,  2. ])
    """
    backend, array = operand("leaky_relu", "x", x)
    if backend.dtype_kind(array.dtype) != "f":
        raise TypeError(f"leaky_relu: `x` must be floating, got {errors.describe(x)}")
    if isinstance(negative_slope, (bool, np.bool_)):
        raise errors.not_a_scalar(negative_slope, "leaky_relu", "negative_slope")
    return backend.ops.leaky_relu(array, number("leaky_relu", negative_slope, "negative_slope"))  # type: ignore[no-any-return]
