"""Gathering by index. Negative indices count from the end, which TensorFlow's kernels refuse."""

from __future__ import annotations

import tensorflow as tf

from anytensor.backends.tensorflow.namespace import shapes
from anytensor.backends.tensorflow.namespace.promotion import UNSIGNED
from anytensor.backends.tensorflow.namespace.shapes import Size

_KERNEL_INDICES = (tf.int32, tf.int64)


def _wrapped(indices: tf.Tensor, length: Size) -> tf.Tensor:
    dtype = indices.dtype
    if dtype not in _KERNEL_INDICES:
        indices = tf.cast(indices, tf.int64)
    if dtype in UNSIGNED:
        return indices
    zero = tf.constant(0, indices.dtype)
    return tf.where(indices < zero, indices + tf.cast(length, indices.dtype), indices)


def take(x: tf.Tensor, indices: tf.Tensor, /, *, axis: int | None = None) -> tf.Tensor:
    """Select entries along an axis.

    Args:
        x: Tensor of one dimension or more.
        indices: Integer tensor; negative ones count from the end. An index out of range raises on
            CPU and is clamped under XLA.
        axis: Axis to select along; needed unless ``x`` is a vector.

    Returns:
        ``x`` with ``axis`` replaced by the dimensions of ``indices``.
    """
    ndim = shapes.rank(x)
    if axis is None:
        if ndim != 1:
            raise ValueError(f"axis is needed for x of {ndim} dimensions")
        axis = 0
    axis = shapes.normalize(axis, ndim)
    return tf.gather(x, _wrapped(tf.convert_to_tensor(indices), shapes.size(x, axis)), axis=axis)


def take_along_axis(x: tf.Tensor, indices: tf.Tensor, /, *, axis: int = -1) -> tf.Tensor:
    """Select one entry per index along an axis.

    Args:
        x: Tensor.
        indices: Integer tensor of the same rank, broadcastable on every other axis.
        axis: Axis to select along.

    Returns:
        Tensor of the broadcast shape, with the size of ``indices`` along ``axis``.
    """
    axis = shapes.normalize(axis, shapes.rank(x))
    indices = _wrapped(tf.convert_to_tensor(indices), shapes.size(x, axis))
    x, indices = shapes.move_last(x, axis), shapes.move_last(indices, axis)
    batch = shapes.broadcast_sizes(shapes.sizes(x)[:-1], shapes.sizes(indices)[:-1])
    x = tf.broadcast_to(x, shapes.pack((*batch, shapes.size(x, -1))))
    indices = tf.broadcast_to(indices, shapes.pack((*batch, shapes.size(indices, -1))))
    return shapes.move_back(tf.gather(x, indices, axis=len(batch), batch_dims=len(batch)), axis)
