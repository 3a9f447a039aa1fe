"""Least and greatest entry of each segment.

TensorFlow's kernels lose a NaN unless it stands last (CPU) or always (XLA), and start from the dtype's lowest
value: an empty segment and one of only -inf both come out as -3.4e38. On an eager CPU two reductions tell
whether any of that can have happened. Elsewhere the floats are compared as integers of the same order, where
a NaN is the greatest (least, for the minimum) and the kernel's start value stands for nothing else.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf
from tensorflow.python.ops.parallel_for import pfor

from anytensor.backends.tensorflow.array import EagerTensor
from anytensor.backends.tensorflow.exporting import is_exporting
from anytensor.backends.tensorflow.segment_gradient import with_gradient
from anytensor.backends.tensorflow.segment_guard import in_range, on_host, recording, run
from anytensor.backends.tensorflow.segment_kernels import at_once, concrete
from anytensor.backends.tensorflow.segment_runs import RUNS_PAY, over_runs

__all__ = [
    "LIMITS",
    "clean_max",
    "clean_min",
    "max_at_once",
    "min_at_once",
    "native_max",
    "segment_max",
    "segment_min",
]

_FLOAT32, _FLOAT64 = tf.float32, tf.float64
_INFINITY = float("inf")
# Looked up by number, which is quicker to ask for than the dtype. benchmarks/segment_small.py
LIMITS = {dtype.as_datatype_enum: float(dtype.max) for dtype in (_FLOAT32, _FLOAT64)}
_max, _min = tf.raw_ops.UnsortedSegmentMax, tf.raw_ops.UnsortedSegmentMin
_sum = tf.raw_ops.UnsortedSegmentSum


if "Bitcast" not in pfor._pfor_converter_registry:  # pragma: no branch - not TensorFlow's to 2.21
    # Without a rule of its own for it, tf.vectorized_map (TensorFlow 2.16 to 2.21) runs a loop instead.
    @pfor.RegisterPFor("Bitcast")  # type: ignore[untyped-decorator]  # TensorFlow is untyped
    def _stacked_bitcast(loop: Any) -> Any:
        return pfor.wrap(tf.bitcast(loop.stacked_input(0), loop.get_attr("type")), True)


def _extreme_of(kernel: Any, clean: Any, greatest: bool) -> Any:
    """Make an extreme: the kernel where it is right, else the clean way."""

    def extreme(x: Any, ids: Any, n: Any, sorted: bool) -> Any:
        if concrete(x, ids) and (limit := LIMITS.get(x._datatype_enum())):
            found = _checked_runs(x, ids, n, greatest) if sorted else None
            if found is None:
                found = kernel(x, ids, n, limit)
            if found is not None:
                return found
        return run(clean, x, ids, n, sorted)

    return extreme


def _settled(found: Any, extremes: Any, is_told: bool, ids: Any, n: int, greatest: bool) -> Any:
    """Return the kernel's answer where a start value may stand in it or a tape records; None if wrong."""
    limit = LIMITS[found._datatype_enum()]
    if is_told and not recording():
        # What starts a segment stands in an empty one only, in all of its columns.
        first = extremes.reshape(n, -1)[:, 0]
        rows = np.flatnonzero(first <= -limit if greatest else first >= limit)
        value = -_INFINITY if greatest else _INFINITY
        filled = np.full((rows.size, *extremes.shape[1:]), value, extremes.dtype)
        return tf.tensor_scatter_nd_update(found, rows[:, None], filled)
    # -inf and the lowest float: the kernel does not tell them from an empty segment.
    if (extremes <= -limit if greatest else extremes >= limit).any():
        return None
    return found if in_range(ids, n) else None  # the kernel dropped negative ids; not every gradient does


def _checked_runs(x: Any, ids: Any, n: int, greatest: bool) -> Any:
    """Return the answer of the kernel for sorted ids, which starts from infinity but loses a NaN too."""
    entries = x._numpy_internal()
    if recording() or not tf.executing_eagerly() or entries.size < RUNS_PAY:
        return None
    least = entries.item(entries.argmin())
    if least != least:
        return None
    kernel = tf.raw_ops.SegmentMax if greatest else tf.raw_ops.SegmentMin
    return over_runs(kernel, x, ids, n, -_INFINITY if greatest else _INFINITY)


def clean_max(x: Any, ids: Any, n: Any, sorted: bool) -> Any:
    """Take the maximum over segments, ids in range."""
    return _clean(x, ids, n, True)


def clean_min(x: Any, ids: Any, n: Any, sorted: bool) -> Any:
    """Take the minimum over segments, ids in range."""
    return _clean(x, ids, n, False)


max_at_once = at_once("UnsortedSegmentMax", True, _settled)
min_at_once = at_once("UnsortedSegmentMin", False, _settled)
segment_max, segment_min = (
    _extreme_of(max_at_once, clean_max, True),
    _extreme_of(min_at_once, clean_min, False),
)


def native_max(x: Any, ids: Any, n: Any, sorted: bool) -> Any:
    """Take the kernel's maximum as a constant: a shift that needs no NaN and no identity."""
    if recording() or not tf.executing_eagerly():
        x = tf.stop_gradient(x)
    if sorted and on_host(x, ids) and x._numpy_internal().size >= RUNS_PAY:
        found = over_runs(tf.raw_ops.SegmentMax, x, ids, n, 0)
        if found is not None:
            return found
    return _max(data=x, segment_ids=ids, num_segments=n)


def _clean(x: Any, ids: Any, n: Any, greatest: bool) -> Any:
    dtype = x.dtype
    kernel = _max if greatest else _min
    if dtype == tf.bool:
        return tf.cast(kernel(data=tf.cast(x, tf.uint8), segment_ids=ids, num_segments=n), tf.bool)
    if not dtype.is_floating:
        return kernel(data=x, segment_ids=ids, num_segments=n)
    if dtype.size < 4:
        return tf.cast(_clean(tf.cast(x, _FLOAT32), ids, n, greatest), dtype)
    if x.__class__ is not EagerTensor and is_exporting():
        return _by_scatter(x, ids, n, greatest)
    return with_gradient(
        lambda x: _exact(x, ids, n, greatest),
        lambda x: _smooth(x, ids, n, greatest),
        x,
        n,
        lambda x, found, upstream: _backward(x, ids, n, found, upstream),
    )


def _rows(segments: Any, ids: Any) -> Any:
    return tf.raw_ops.GatherV2(params=segments, indices=ids, axis=0)


def _exact(x: Any, ids: Any, n: Any, greatest: bool) -> Any:
    """Compare as integers: the bits of a float, with those of a negative one reversed, keep its order."""
    integer = tf.int64 if x.dtype is _FLOAT64 else tf.int32
    shift = tf.constant(integer.size * 8 - 1, integer)
    magnitude = tf.constant(integer.max, integer)
    nan = tf.constant(np.nan if greatest else np.copysign(np.nan, -1.0), x.dtype)
    bits = tf.bitcast(tf.where(tf.math.is_nan(x), nan, x), integer)
    keys = tf.bitwise.bitwise_xor(bits, tf.bitwise.right_shift(bits, shift) & magnitude)
    kernel = _max if greatest else _min
    best = kernel(data=keys, segment_ids=ids, num_segments=n)
    empty = tf.equal(best, tf.constant(integer.min if greatest else integer.max, integer))
    bits = tf.bitwise.bitwise_xor(best, tf.bitwise.right_shift(best, shift) & magnitude)
    return tf.where(
        empty, tf.constant(-_INFINITY if greatest else _INFINITY, x.dtype), tf.bitcast(bits, x.dtype)
    )


def _by_scatter(x: Any, ids: Any, n: Any, greatest: bool) -> Any:
    """Compare for ONNX, which has no bitcast, and whose scatter loses a NaN unless it stands last."""
    shape = tf.concat([tf.reshape(tf.cast(n, tf.int32), (1,)), tf.shape(x)[1:]], 0)
    begin = tf.fill(shape, tf.constant(-_INFINITY if greatest else _INFINITY, x.dtype))
    scatter = tf.tensor_scatter_nd_max if greatest else tf.tensor_scatter_nd_min
    found = scatter(begin, tf.expand_dims(ids, -1), x)
    nan = tf.where(tf.math.is_nan(x), x, tf.zeros((), x.dtype))
    return found + _sum(data=nan, segment_ids=ids, num_segments=n)


def _winners(x: Any, ids: Any, n: Any, found: Any) -> tuple[Any, Any]:
    """Return which rows equal their segment's extreme, and how many do in each segment (1 for none)."""
    wins = tf.equal(x, _rows(found, ids))
    count = _sum(data=tf.cast(wins, x.dtype), segment_ids=ids, num_segments=n)
    return wins, tf.maximum(count, tf.ones((), x.dtype))


def _backward(x: Any, ids: Any, n: Any, found: Any, upstream: Any) -> Any:
    """Split the gradient of each segment evenly among its winners."""
    found = tf.stop_gradient(found)
    wins, count = _winners(tf.stop_gradient(x), ids, n, found)
    return tf.where(wins, _rows(upstream / count, ids), tf.zeros((), x.dtype))


def _smooth(x: Any, ids: Any, n: Any, greatest: bool) -> Any:
    """Write the extreme as a constant plus the mean over winners of what is 0 and has derivative 1.

    For an infinite winner, where x - constant(x) would be NaN, the constant is 0 and the winners' mean is
    the value. A single winner is not divided: in forward mode TensorFlow multiplies the quotient by the
    divisor's tangent, 0, and infinity times 0 is NaN (which remains for several infinite winners).
    """
    fixed = tf.stop_gradient(x)
    found = tf.stop_gradient(_exact(fixed, ids, n, greatest))
    wins, count = _winners(fixed, ids, n, found)
    zero = tf.zeros((), x.dtype)
    finite = tf.math.is_finite(fixed)
    # Both where's are needed: the gradient of an unselected NaN would be NaN.
    change = tf.where(finite, tf.where(finite, x, zero) - tf.where(finite, fixed, zero), x)
    part = _sum(data=tf.where(wins, change, zero), segment_ids=ids, num_segments=n)
    part = tf.where(tf.equal(count, tf.ones((), x.dtype)), part, part / count)
    return tf.where(tf.math.is_inf(found) & tf.math.is_inf(part), zero, found) + part
