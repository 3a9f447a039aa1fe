"""Gathering and repeating along an axis of TensorFlow tensors."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from anytensor.backends.tensorflow.array import EagerTensor
from anytensor.backends.tensorflow.partition import partition_ids

__all__ = ["repeat", "take"]

_gather = tf.raw_ops.GatherV2


def take(x: Any, indices: Any, axis: int) -> Any:
    """Gather along an axis: eager CPU checks the indices (IndexError), compiled code and a GPU fill."""
    indices = _index_dtype(indices)
    if tf.executing_eagerly() and _on_cpu(x) and _on_cpu(indices):
        try:
            return _gather(params=x, indices=indices, axis=axis)
        except tf.errors.InvalidArgumentError:
            return _take_checked(x, indices, axis)
    return _take_filled(tf.convert_to_tensor(x), indices, axis)


def _on_cpu(x: Any) -> bool:
    return x.__class__ is EagerTensor and x.device.endswith("CPU:0")


def _index_dtype(indices: Any) -> Any:
    """Return the indices in a dtype that GatherV2 knows, by value."""
    dtype = indices.dtype
    if dtype is tf.int32 or dtype is tf.int64:
        return indices
    if dtype == tf.uint64:
        indices = tf.minimum(indices, tf.constant(tf.int64.max, tf.uint64))  # stays out of range
    return tf.cast(indices, tf.int64 if dtype.size > 2 else tf.int32)


def _take_checked(x: Any, indices: Any, axis: int) -> Any:
    if not -x.shape.rank <= axis < x.shape.rank:
        raise IndexError(f"take: `axis` must lie in [{-x.shape.rank}, {x.shape.rank}), got {axis}")
    length = x.shape[axis]
    values = indices.numpy()
    if values.size and (values.min() < -length or values.max() >= length):
        raise IndexError(
            f"take: `indices` must lie in [{-length}, {length}) for axis {axis} of shape {tuple(x.shape)}, "
            f"got values from {values.min()} to {values.max()}"
        )
    wrapped = tf.constant(np.where(values < 0, values + length, values))
    return _gather(params=x, indices=wrapped, axis=axis)


def _take_filled(x: Any, indices: Any, axis: int) -> Any:
    length = x.shape[axis] if x.shape.rank is not None else None
    if length is None:
        length = tf.shape(x, out_type=indices.dtype)[axis]
    if isinstance(length, int) and length == 0:
        # There is nothing to clamp to: TensorFlow's CPU kernel refuses any index, XLA would read row 0.
        return _filled(x, indices, axis)
    zero = tf.zeros((), indices.dtype)
    length = tf.cast(length, indices.dtype)
    wrapped = tf.where(indices < zero, indices + length, indices)
    inside = (wrapped >= zero) & (wrapped < length)
    found = _gather(params=x, indices=tf.where(inside, wrapped, zero), axis=axis)
    trailing = _trailing(x, axis)
    inside = tf.reshape(inside, tf.concat([tf.shape(inside), tf.ones((trailing,), tf.int32)], 0))
    return tf.where(inside, found, _fill(x.dtype))


def _trailing(x: Any, axis: int) -> Any:
    if axis < 0:
        return -axis - 1
    return (tf.rank(x) if x.shape.rank is None else x.shape.rank) - axis - 1


def _fill(dtype: Any) -> Any:
    return tf.cast(float("nan"), dtype) if dtype.is_floating or dtype.is_complex else tf.zeros((), dtype)


def _filled(x: Any, indices: Any, axis: int) -> Any:
    axis = axis % x.shape.rank
    sizes = tf.shape(x)
    result = tf.fill(tf.concat([sizes[:axis], tf.shape(indices), sizes[axis + 1 :]], 0), _fill(x.dtype))
    result.set_shape(x.shape[:axis].concatenate(indices.shape).concatenate(x.shape[axis + 1 :]))
    return result


def repeat(x: Any, repeats: Any, axis: int, total: Any) -> Any:
    """Repeat entries along an axis, each as often as ``repeats`` says."""
    x = tf.convert_to_tensor(x)
    if total is None and isinstance(repeats, int):
        return tf.repeat(x, repeats, axis)
    static = x.shape[axis]
    length = tf.shape(x)[axis] if static is None else static
    repeats = tf.convert_to_tensor(repeats)
    if repeats.shape.rank != 1 or repeats.shape[0] == 1:
        repeats = tf.fill((length,), tf.reshape(repeats, ()))
    if total is None:
        total = tf.reduce_sum(tf.cast(repeats, tf.int64))
        total = int(total) if tf.executing_eagerly() else total
    rows = partition_ids(repeats, total)
    last = tf.cast(length, rows.dtype) - 1
    return _gather(params=x, indices=tf.minimum(rows, last), axis=axis)
