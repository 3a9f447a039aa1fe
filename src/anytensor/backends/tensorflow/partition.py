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
    if partitions.dtype == tf.uint64:
        partitions = tf.minimum(partitions, tf.constant(tf.int64.max, tf.uint64))
    wide = tf.int32 if partitions.dtype.size < 4 or _sums_in_int32(partitions, total) else tf.int64
    rows = tf.cast(total, wide)
    # A length past the total is as the total: the sum of the lengths as they are could overflow.
    ends = tf.cumsum(tf.minimum(tf.cast(partitions, wide), rows))
    marks = tf.raw_ops.UnsortedSegmentSum(
        data=tf.ones_like(ends, tf.int32), segment_ids=tf.minimum(ends, rows), num_segments=rows + 1
    )
    ids = tf.cumsum(marks)[:total]
    if isinstance(total, int):
        ids.set_shape((total,))
    return ids


def _sums_in_int32(partitions: Any, total: Any) -> bool:
    """Return whether int32 holds the lengths, and the sum of them, each cut at the total."""
    n = partitions.shape[0]
    return partitions.dtype == tf.int32 and n is not None and type(total) is int and n * total < 2**31 - 1
