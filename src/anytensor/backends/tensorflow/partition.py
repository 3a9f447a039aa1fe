"""Expanding lengths to ids on TensorFlow tensors."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from anytensor.backends.tensorflow.array import EagerTensor
from anytensor.errors import negative_length

__all__ = ["partition_ids"]


def partition_ids(partitions: Any, total: Any) -> Any:
    """Expand lengths to ids: row i has as its id the number of partitions that end at or before it.

    Linear in rows and partitions; ``tf.searchsorted``, the shorter way, compares every row with every
    partition under XLA.
    """
    partitions = tf.convert_to_tensor(partitions)
    if isinstance(partitions, EagerTensor) and tf.executing_eagerly() and partitions.shape[0]:
        least = int(partitions.numpy().min())
        if least < 0:
            raise negative_length(least, "partition_ids", "partitions")
    wide = tf.int64 if partitions.dtype.size > 4 or partitions.dtype == tf.uint32 else tf.int32
    ends = tf.cumsum(tf.cast(partitions, wide))
    rows = tf.cast(total, wide)
    marks = tf.raw_ops.UnsortedSegmentSum(
        data=tf.ones_like(ends, tf.int32), segment_ids=tf.minimum(ends, rows), num_segments=rows + 1
    )
    ids = tf.cumsum(marks)[:total]
    if isinstance(total, int):
        ids.set_shape((total,))
    return ids
