"""Exponentials and logarithms; integers are widened to the default float."""

from __future__ import annotations

import math
from typing import Any

import tensorflow as tf

from anytensor.backends.tensorflow.namespace.elementwise.arithmetic import maximum, minimum
from anytensor.backends.tensorflow.namespace.elementwise.trigonometry import hypot
from anytensor.backends.tensorflow.namespace.promotion import COMPLEX, floating, pair_floating

raw = tf.raw_ops


def exp(x: tf.Tensor, /) -> tf.Tensor:
    """``e`` to the power of each element."""
    return raw.Exp(x=floating(x))


def expm1(x: tf.Tensor, /) -> tf.Tensor:
    """``exp(x) - 1``, exact near zero."""
    return _complex_expm1(x) if x.dtype in COMPLEX else raw.Expm1(x=floating(x))


def log(x: tf.Tensor, /) -> tf.Tensor:
    """Natural logarithm."""
    return _complex_log(x) if x.dtype in COMPLEX else raw.Log(x=floating(x))


def log1p(x: tf.Tensor, /) -> tf.Tensor:
    """``log(1 + x)``, exact near zero."""
    return _complex_log1p(x) if x.dtype in COMPLEX else raw.Log1p(x=floating(x))


def log2(x: tf.Tensor, /) -> tf.Tensor:
    """Logarithm to base 2."""
    return _log(x, math.log(2.0))


def log10(x: tf.Tensor, /) -> tf.Tensor:
    """Logarithm to base 10."""
    return _log(x, math.log(10.0))


def _log(x: tf.Tensor, scale: float) -> tf.Tensor:
    logarithm = log(x)
    return raw.RealDiv(x=logarithm, y=tf.constant(scale, logarithm.dtype))


def logaddexp(x1: Any, x2: Any, /) -> tf.Tensor:
    """``log(exp(x1) + exp(x2))`` without overflow; finite ties share the gradient, infinite ones do not."""
    x1, x2 = pair_floating(x1, x2)
    # The kernels' gradient gives a tie to the first operand: swapped, each operand wins one.
    high, low = maximum(x1, x2), minimum(x2, x1)
    infinite = raw.LogicalAnd(x=raw.Equal(x=high, y=low), y=raw.IsInf(x=high))
    gap = raw.SelectV2(condition=infinite, t=tf.constant(0, high.dtype), e=raw.Sub(x=low, y=high))
    return raw.AddV2(x=high, y=raw.Log1p(x=raw.Exp(x=gap)))


# TensorFlow's complex kernels (2.21) give NaN at infinities, where the standard has limits, and (log, in
# vectors) at tiny and huge elements, and lose the sign of a zero. The parts are computed apart instead;
# a NaN or infinite angle is masked before the sine and the cosine, so that neither value nor gradient
# turns into NaN where the limit exists.


def _complex_expm1(z: tf.Tensor) -> tf.Tensor:
    x, y = tf.math.real(z), tf.math.imag(z)
    zero, one = tf.constant(0, x.dtype), tf.constant(1, x.dtype)
    nan, inf = tf.constant(math.nan, x.dtype), tf.constant(math.inf, x.dtype)
    turning = tf.logical_not(tf.math.is_finite(y))
    angle = tf.where(turning, zero, y)
    half = tf.sin(angle / 2)
    part = tf.math.expm1(x) * tf.cos(angle) - 2 * half * half + zero
    limit = tf.where(tf.equal(x, inf), inf, tf.where(tf.equal(x, -inf), -one, nan))
    real = tf.where(turning, limit, part)
    flat = tf.equal(angle, zero)
    part = tf.where(flat, angle, tf.exp(x) * tf.sin(tf.where(flat, one, angle)))
    imag = tf.where(turning, tf.where(tf.equal(x, -inf), zero, nan), part)
    return tf.complex(real, imag)


def _complex_log(z: tf.Tensor) -> tf.Tensor:
    x, y = tf.math.real(z), tf.math.imag(z)
    return tf.complex(tf.math.log(hypot(x, y)), tf.atan2(y, x))


def _complex_log1p(z: tf.Tensor) -> tf.Tensor:
    x, y = tf.math.real(z), tf.math.imag(z)
    one = tf.constant(1, x.dtype)
    near = tf.logical_and(tf.abs(x) < 0.5, tf.abs(y) < 0.5)
    small_x, small_y = tf.where(near, x, 0 * one), tf.where(near, y, 0 * one)
    close = 0.5 * tf.math.log1p(small_x * (2 + small_x) + small_y * small_y)
    far = tf.math.log(hypot(tf.where(near, one, one + x), tf.where(near, 0 * one, y)))
    return tf.complex(tf.where(near, close, far), tf.atan2(y, one + x))
