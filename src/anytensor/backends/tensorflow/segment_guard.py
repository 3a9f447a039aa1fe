"""Ids outside [0, n): found out for free on an eager CPU, sent to a segment of their own elsewhere.

TensorFlow's CPU kernels drop negative ids and refuse an id of n or more; XLA's and the GPU's drop both in
silence. So an eager call on a CPU runs the kernel first and looks at the ids only if it refused. Every other
call (a trace, a GPU) gives the dropped rows the id n, computes n + 1 segments and cuts the last one off: that
holds under vectorized_map too, whose rule for these kernels adds an offset to each id, and keeps every gather
of the gradient in range when n is 0.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf
from tensorflow.python.eager import forwardprop_util, record

from anytensor.backends.tensorflow.array import EagerTensor

__all__ = ["cut", "divert", "in_range", "kernel_ids", "on_host", "recording", "run", "select_rows", "tangents"]

Operation = Callable[[Any, Any, Any, bool], Any]

recording: Callable[[], bool] = record.could_possibly_record
"""Whether a tape or a forward accumulator listens; TensorFlow has no public way to ask (0.1 us)."""


def tangents(x: Any) -> bool:
    """Return whether a forward accumulator follows x."""
    return bool(forwardprop_util.pack_tangents([x]).tangents)


def on_host(x: Any, ids: Any) -> bool:
    """Return whether the call is eager and both tensors are concrete and on the CPU."""
    return (
        x.__class__ is EagerTensor
        and ids.__class__ is EagerTensor
        and tf.executing_eagerly()
        and x.device.endswith("CPU:0")
        and ids.device.endswith("CPU:0")
    )


def kernel_ids(ids: Any) -> Any:
    """Return the ids as int32 or int64, by value; a uint64 past int64 turns negative and stays dropped."""
    dtype = ids.dtype
    if dtype is tf.int32 or dtype is tf.int64:
        return tf.convert_to_tensor(ids)
    return tf.cast(ids, tf.int64 if dtype.size == 8 or dtype == tf.uint32 else tf.int32)


def in_range(ids: Any, n: int) -> bool:
    """Return whether every concrete id lies in [0, n)."""
    values = np.asarray(ids)
    return not values.size or bool(values.min() >= 0 and values.max() < n)


def divert(ids: Any, n: Any) -> tuple[Any, Any]:
    """Return ids whose dropped ones are n, and where they were in range."""
    size = tf.cast(n, ids.dtype)
    inside = (ids >= tf.zeros((), ids.dtype)) & (ids < size)
    return tf.where(inside, ids, size), inside


def cut(segments: Any, n: Any) -> Any:
    """Return the first n segments."""
    return segments[:n]


def select_rows(inside: Any, x: Any, fill: Any) -> Any:
    """Return x with ``fill`` in the rows that are not inside."""
    if x.shape.rank is None:
        ones = tf.ones((tf.rank(x) - 1,), tf.int32)
        inside = tf.reshape(inside, tf.concat([tf.shape(inside), ones], 0))
    else:
        inside = tf.reshape(inside, (-1,) + (1,) * (x.shape.rank - 1))
    return tf.where(inside, x, tf.cast(fill, x.dtype))


def run(
    operation: Operation, x: Any, ids: Any, n: Any, sorted: bool, fill: Any = None, by_row: bool = False
) -> Any:
    """Call an operation that is right for ids in range, with ids that may not be.

    Args:
        operation: Called with (x, ids, n, sorted).
        x: A tensor, or a tuple of tensors with the same rows.
        ids: The ids, (E,), of any integer dtype.
        n: The number of segments.
        sorted: Whether the ids are nondecreasing.
        fill: What stands in the dropped rows while they are computed with, so that a NaN there reaches no
            gradient; None where the operation is linear in each row.
        by_row: Whether the result has the rows of x (0 in the dropped ones), not segments.

    Returns:
        The operation's result, of n segments or of the rows of x.
    """
    several = isinstance(x, tuple)
    arrays = tuple(tf.convert_to_tensor(a) for a in (x if several else (x,)))
    ids = kernel_ids(ids)
    if all(on_host(a, ids) for a in arrays):
        if recording():
            # The kernel's forward pass takes a negative id, but not every gradient does.
            if in_range(ids, n):
                return operation(arrays if several else arrays[0], ids, n, sorted)
        else:
            try:
                return operation(arrays if several else arrays[0], ids, n, sorted)
            except tf.errors.InvalidArgumentError:
                if in_range(ids, n):
                    raise
    ids, inside = divert(ids, n)
    if fill is not None:
        arrays = tuple(select_rows(inside, a, fill) for a in arrays)
    result = operation(arrays if several else arrays[0], ids, n + 1, False)
    return select_rows(inside, result, 0) if by_row else cut(result, n)
