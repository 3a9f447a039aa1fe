"""Gathering along an axis on TensorFlow, by one index for each entry."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from anytensor.backends.tensorflow import namespace as xp
from anytensor.backends.tensorflow.array import EagerTensor, cast

__all__ = ["take_along_axis"]


def take_along_axis(x: Any, indices: Any, /, *, axis: int = -1) -> Any:
    """Gather one entry for each index: eager CPU checks (IndexError), compiled code and a GPU fill."""
    indices = tf.convert_to_tensor(indices)
    if indices.dtype == tf.uint64:
        indices = tf.minimum(indices, tf.constant(tf.int64.max, tf.uint64))  # stays out of range
    indices = tf.cast(indices, tf.int64)
    length = tf.shape(x, out_type=tf.int64)[axis] if x.shape[axis] is None else x.shape[axis]
    wrapped = tf.where(indices < 0, indices + length, indices)
    inside = (wrapped >= 0) & (wrapped < length)
    if inside.__class__ is EagerTensor and inside.device.endswith("CPU:0"):
        if not bool(tf.reduce_all(inside)):
            first = int(tf.boolean_mask(indices, tf.logical_not(inside))[0])
            raise IndexError(
                f"take_along_axis: index {first} is out of range for axis {axis} of length {int(length)}"
            )
        return xp.take_along_axis(x, wrapped, axis=axis)
    if isinstance(length, int) and length == 0:
        # There is nothing to clamp to.
        pad = [(0, 1) if i == axis else (0, 0) for i in range(x.shape.rank)]
        x = cast(tf.pad(tf.cast(x, tf.int8), pad), x.dtype)
    found = xp.take_along_axis(x, tf.where(inside, wrapped, tf.zeros((), tf.int64)), axis=axis)
    is_inexact = x.dtype.is_floating or x.dtype.is_complex
    gap = tf.constant(float("nan"), x.dtype) if is_inexact else tf.zeros((), x.dtype)
    return tf.where(inside, found, gap)
