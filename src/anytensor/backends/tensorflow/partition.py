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
    may_be_past = True
    if isinstance(partitions, EagerTensor) and tf.executing_eagerly() and partitions.shape[0]:
        lengths = partitions.numpy()
        least, greatest = int(lengths[lengths.argmin()]), int(lengths[lengths.argmax()])
        if least < 0:
            raise negative_length(least, "partition_ids", "partitions")
        may_be_past = type(total) is not int or greatest > total
    if partitions.dtype == tf.uint64:
        partitions = tf.minimum(partitions, tf.constant(tf.int64.max, tf.uint64))
    wide = tf.int32 if _sums_in_int32(partitions, total) else tf.int64
    rows = tf.cast(total, wide)
    lengths = tf.cast(partitions, wide)
    if may_be_past:
        lengths = tf.minimum(lengths, rows)  # as they are, their sum could overflow
    ends = tf.cumsum(lengths)
    marks = tf.raw_ops.UnsortedSegmentSum(
        data=tf.ones_like(ends, tf.int32), segment_ids=tf.minimum(ends, rows), num_segments=rows + 1
    )
    ids = tf.cumsum(marks)[:total]
    if isinstance(total, int):
        ids.set_shape((total,))
    return ids


def _sums_in_int32(partitions: Any, total: Any) -> bool:
    """Return whether int32 holds the lengths, and the sum of them, each cut at the total."""
    n = partitions.shape[0] if partitions.shape.rank else None
    narrow = partitions.dtype.size < 4 or partitions.dtype == tf.int32
    return narrow and type(n) is int and type(total) is int and n * total < 2**31 - 1
