"""Sorted ids: each segment a run of rows, for which TensorFlow has quicker kernels than for scattered ones.

Those kernels check that the ids do not decrease and lie below the last one, know no dropped ids, put 0 into a
gap, and make as many segments as the last id says; so the rows in range are cut out and the result is filled
up. In a trace there is no such way: XLA does not compile them, and a trace does not know who will compile it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from anytensor.backends.tensorflow.segment_kernels import refusals

__all__ = ["RUNS_PAY", "over_runs"]

RUNS_PAY = 2048
"""Entries from which on the kernels for sorted ids are quicker; benchmarks/segment_large.py."""


def over_runs(kernel: Any, x: Any, ids: Any, n: int, identity: float) -> Any:
    """Reduce runs of rows of concrete tensors on the CPU; benchmarks/segment_large.py.

    Args:
        kernel: tf.raw_ops.SegmentSum, SegmentMax or SegmentMin.
        x: The rows.
        ids: Their ids, int32 or int64, nondecreasing if the promise holds; any value.
        n: The number of segments.
        identity: What an empty segment holds.

    Returns:
        The n segments, or None if no row is in range or the promise does not hold.
    """
    values = ids._numpy_internal()
    if not values.size:
        return None
    if values[0] < 0 or values[-1] >= n:
        first, end = np.searchsorted(values, [0, n])
        if first >= end:
            return None
        x, ids, values = x[first:end], ids[first:end], values[first:end]
    last = int(values[-1])
    if not 0 <= last < n:
        return None  # the kernel would make as many segments as an id out of range says
    if refusals and (values[1:] < values[:-1]).any():
        return None
    try:
        found = kernel(data=x, segment_ids=ids)
    except tf.errors.InvalidArgumentError as error:
        refusals[:] = [str(error)]
        return None
    if identity:
        empty = np.bincount(values, minlength=last + 1) == 0
        if empty.any():
            shape = (-1,) + (1,) * (x.shape.rank - 1)
            found = tf.where(empty.reshape(shape), tf.constant(identity, x.dtype), found)
    if last + 1 == n:
        return found
    return tf.pad(found, [[0, n - last - 1]] + [[0, 0]] * (x.shape.rank - 1), constant_values=identity)
