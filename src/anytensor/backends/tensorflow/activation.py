"""Activations on TensorFlow."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from anytensor.backends.tensorflow.array import EagerTensor
from anytensor.backends.tensorflow.segment_kernels import concrete

__all__ = ["leaky_relu", "relu", "softmax"]


def softmax(x: Any, axis: int) -> Any:
    """Take the softmax along an axis; the kernel would compute halves in halves."""
    if not x.dtype.is_floating:
        x = tf.cast(x, tf.float32)
    if x.dtype.size < 4:
        return tf.cast(_softmax(tf.cast(x, tf.float32), axis), x.dtype)
    return _softmax(x, axis)


def _softmax(x: Any, axis: int) -> Any:
    # TensorFlow's vectorized CPU kernel (2.21) leaves 0 beside a NaN and beside +inf, where all are NaN.
    found = tf.nn.softmax(x, axis)
    if found.__class__ is EagerTensor and concrete(found, found):
        entries = found._numpy_internal()
        least = entries.item(entries.argmin()) if entries.size else 0.0
        if least == least:
            return found
    total = tf.reduce_sum(tf.stop_gradient(found), axis, keepdims=True)
    return found + (total - total)


def relu(x: Any) -> Any:
    """Replace negative entries by 0."""
    return tf.nn.relu(x)


def leaky_relu(x: Any, negative_slope: Any) -> Any:
    """Scale negative entries down."""
    return tf.nn.leaky_relu(x, negative_slope)
