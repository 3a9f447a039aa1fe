"""Trigonometric and hyperbolic functions; integers are widened to the default float."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from anytensor.backends.tensorflow.namespace.elementwise.arithmetic import maximum, minimum
from anytensor.backends.tensorflow.namespace.promotion import floating, pair_floating

raw = tf.raw_ops


def sin(x: tf.Tensor, /) -> tf.Tensor:
    """Sine of each element."""
    return raw.Sin(x=floating(x))


def cos(x: tf.Tensor, /) -> tf.Tensor:
    """Cosine of each element."""
    return raw.Cos(x=floating(x))


def tan(x: tf.Tensor, /) -> tf.Tensor:
    """Tangent of each element."""
    return raw.Tan(x=floating(x))


def asin(x: tf.Tensor, /) -> tf.Tensor:
    """Inverse sine of each element, in radians (NaN outside its domain)."""
    return raw.Asin(x=floating(x))


def acos(x: tf.Tensor, /) -> tf.Tensor:
    """Inverse cosine of each element, in radians (NaN outside its domain)."""
    return raw.Acos(x=floating(x))


def atan(x: tf.Tensor, /) -> tf.Tensor:
    """Inverse tangent of each element, in radians."""
    return raw.Atan(x=floating(x))


def sinh(x: tf.Tensor, /) -> tf.Tensor:
    """Hyperbolic sine of each element."""
    return raw.Sinh(x=floating(x))


def cosh(x: tf.Tensor, /) -> tf.Tensor:
    """Hyperbolic cosine of each element."""
    return raw.Cosh(x=floating(x))


def tanh(x: tf.Tensor, /) -> tf.Tensor:
    """Hyperbolic tangent of each element."""
    return raw.Tanh(x=floating(x))


def asinh(x: tf.Tensor, /) -> tf.Tensor:
    """Inverse hyperbolic sine of each element."""
    return raw.Asinh(x=floating(x))


def acosh(x: tf.Tensor, /) -> tf.Tensor:
    """Inverse hyperbolic cosine of each element (NaN outside its domain)."""
    return raw.Acosh(x=floating(x))


def atanh(x: tf.Tensor, /) -> tf.Tensor:
    """Inverse hyperbolic tangent of each element (NaN outside its domain)."""
    return raw.Atanh(x=floating(x))


def atan2(x1: Any, x2: Any, /) -> tf.Tensor:
    """Angle of the point ``(x2, x1)``, in radians, with the signs of both."""
    x1, x2 = pair_floating(x1, x2)
    return raw.Atan2(y=x1, x=x2)


def hypot(x1: Any, x2: Any, /) -> tf.Tensor:
    """``sqrt(x1**2 + x2**2)`` without overflow; the gradient at the origin is zero."""
    x1, x2 = pair_floating(x1, x2)
    x1, x2 = raw.Abs(x=x1), raw.Abs(x=x2)
    high, low = maximum(x1, x2), minimum(x2, x1)
    zero, one = tf.constant(0, high.dtype), tf.constant(1, high.dtype)
    # 0/0 and inf/inf have no ratio; neither their value nor their gradient may be computed.
    degenerate = raw.LogicalOr(x=raw.Equal(x=high, y=zero), y=raw.IsInf(x=high))
    ratio = raw.RealDiv(x=low, y=raw.SelectV2(condition=degenerate, t=one, e=high))
    ratio = raw.SelectV2(condition=degenerate, t=zero, e=ratio)
    out = raw.Mul(x=high, y=raw.Sqrt(x=raw.AddV2(x=one, y=raw.Square(x=ratio))))
    infinite = raw.LogicalOr(x=raw.IsInf(x=x1), y=raw.IsInf(x=x2))
    return raw.SelectV2(condition=infinite, t=tf.constant(float("inf"), out.dtype), e=out)
