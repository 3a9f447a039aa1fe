"""Rounding; integers are integral already and come back as they are."""

from __future__ import annotations

import tensorflow as tf

from anytensor.backends.tensorflow.namespace.promotion import REAL

raw = tf.raw_ops


def ceil(x: tf.Tensor, /) -> tf.Tensor:
    """Smallest integer not below each element."""
    return raw.Ceil(x=x) if x.dtype in REAL else tf.convert_to_tensor(x)


def floor(x: tf.Tensor, /) -> tf.Tensor:
    """Largest integer not above each element."""
    return raw.Floor(x=x) if x.dtype in REAL else tf.convert_to_tensor(x)


def round(x: tf.Tensor, /) -> tf.Tensor:
    """Nearest integer, ties to even; both parts of a complex element."""
    if x.dtype in REAL:
        return raw.Round(x=x)
    if x.dtype.is_complex:
        return tf.complex(raw.Round(x=tf.math.real(x)), raw.Round(x=tf.math.imag(x)))
    return tf.convert_to_tensor(x)


def trunc(x: tf.Tensor, /) -> tf.Tensor:
    """Nearest integer towards zero; the sign of a zero is kept."""
    if x.dtype not in REAL:
        return tf.convert_to_tensor(x)
    below = raw.Less(x=x, y=tf.constant(0, x.dtype))
    return raw.SelectV2(condition=below, t=raw.Ceil(x=x), e=raw.Floor(x=x))
