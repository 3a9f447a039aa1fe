"""Ids outside [0, n): found out for free on an eager CPU, sent to a segment of their own elsewhere.

TensorFlow's CPU kernels drop negative ids and refuse an id of n or more; XLA's and the GPU's drop both in
silence. So an eager call on a CPU runs the kernel first and looks at the ids only if it refused. Once one has
refused, calls look first: TensorFlow (2.16 to 2.21) never frees the 700 bytes of a kernel's error. Every
other call (a trace, a GPU) gives the dropped rows the id n, computes n + 1 segments and cuts the last one
off: that holds under vectorized_map too, whose rule for these kernels adds an offset to each id, and keeps
every gather of the gradient in range when n is 0.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf
from tensorflow.python.eager import forwardprop_util, record

from anytensor import errors
from anytensor.backends.tensorflow.array import EagerTensor, dtype_kind
from anytensor.backends.tensorflow.segment_kernels import concrete, droppable, kernel_ids, refusals

__all__ = [
    "check_numbers",
    "divert",
    "in_range",
    "on_host",
    "recording",
    "run",
    "select_rows",
    "tangents",
]

Operation = Callable[[Any, Any, Any, bool], Any]

recording: Callable[[], bool] = record.could_possibly_record
"""Whether a tape or a forward accumulator listens; TensorFlow has no public way to ask (0.1 us)."""


def check_numbers(x: Any, function: str) -> None:
    """Raise TypeError if x holds text, quantized numbers or variants: no public check looks for them."""
    if dtype_kind(x.dtype) == "O":
        raise errors.not_numeric(x, function, "x")


def tangents(x: Any) -> bool:
    """Return whether a forward accumulator follows x."""
    return bool(forwardprop_util.pack_tangents([x]).tangents)


def on_host(x: Any, ids: Any) -> bool:
    """Return whether the call is eager, both tensors are concrete, and the process has one CPU device."""
    return concrete(x, ids) and tf.executing_eagerly()


def in_range(ids: Any, n: int) -> bool:
    """Return whether every concrete id lies in [0, n)."""
    values = np.asarray(ids)
    return not values.size or bool(values.min() >= 0 and values.max() < n)


def divert(ids: Any, n: Any) -> tuple[Any, Any]:
    """Return ids whose dropped ones are n, and where they were in range."""
    size = tf.cast(n, ids.dtype)
    inside = (ids >= tf.zeros((), ids.dtype)) & (ids < size)
    return tf.where(inside, ids, size), inside


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
            gradient; None where the operation is linear in each row, and gathers nothing by the ids.
        by_row: Whether the result has the rows of x (0 in the dropped ones), not segments.

    Returns:
        The operation's result, of n segments or of the rows of x.
    """
    ids = kernel_ids(ids)
    gathers = by_row or fill is not None
    several = x.__class__ is tuple
    if several:
        x = tuple(tf.convert_to_tensor(a) for a in x)
    elif x.__class__ is not EagerTensor:
        x = tf.convert_to_tensor(x)
    first = x[0] if several else x
    if on_host(first, ids):
        if recording() or (gathers and refusals):
            # The kernel's forward pass takes a negative id, but no gather does, nor every gradient.
            if in_range(ids, n):
                return operation(x, ids, n, sorted)
        else:
            fit = droppable(ids, n) if refusals else ids
            try:
                return operation(x, fit, n, sorted and fit is ids)
            except tf.errors.InvalidArgumentError as error:
                if in_range(ids, n):
                    raise
                refusals[:] = [str(error)]
    ids, inside = divert(ids, n)
    if fill is not None:
        x = tuple(select_rows(inside, a, fill) for a in x) if several else select_rows(inside, x, fill)
    result = operation(x, ids, n + 1, False)
    return select_rows(inside, result, 0) if by_row else result[:n]
