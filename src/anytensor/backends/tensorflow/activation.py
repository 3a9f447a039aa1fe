"""Activations on TensorFlow."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

__all__ = ["leaky_relu", "relu", "softmax"]


def softmax(x: Any, axis: int) -> Any:
    """Take the softmax along an axis; the kernel would compute halves in halves."""
    if not x.dtype.is_floating:
        x = tf.cast(x, tf.float32)
    if x.dtype.size < 4:
        return tf.cast(tf.nn.softmax(tf.cast(x, tf.float32), axis), x.dtype)
    return tf.nn.softmax(x, axis)


def relu(x: Any) -> Any:
    """Replace negative entries by 0."""
    return tf.nn.relu(x)


def leaky_relu(x: Any, negative_slope: Any) -> Any:
    """Scale negative entries down."""
    return tf.nn.leaky_relu(x, negative_slope)
