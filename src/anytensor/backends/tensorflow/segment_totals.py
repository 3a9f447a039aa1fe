"""Sum, product and count of each segment."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from anytensor.backends.tensorflow.array import EagerTensor
from anytensor.backends.tensorflow.segment_gradient import with_gradient
from anytensor.backends.tensorflow.segment_guard import check_numbers, on_host, recording, run, tangents
from anytensor.backends.tensorflow.segment_kernels import at_once, concrete, kernel_ids
from anytensor.backends.tensorflow.segment_runs import RUNS_PAY, over_runs

__all__ = [
    "clean_count",
    "clean_sum",
    "segment_count",
    "segment_prod",
    "segment_sum",
    "sum_at_once",
]

_WIDE = frozenset(dtype.as_datatype_enum for dtype in (tf.float32, tf.float64))
_sum, _prod = tf.raw_ops.UnsortedSegmentSum, tf.raw_ops.UnsortedSegmentProd
sum_at_once, _prod_at_once = at_once("UnsortedSegmentSum"), at_once("UnsortedSegmentProd")

# dtype of x -> (dtype to add up in, dtype of the result), where they are not that of x.
_WIDER: dict[Any, tuple[Any, Any]] = {
    **{half: (tf.float32, half) for half in (tf.float16, tf.bfloat16)},
    **dict.fromkeys(
        (tf.bool, tf.int8, tf.int16, tf.int32, tf.uint8, tf.uint16, tf.uint32), (tf.int64, tf.int64)
    ),
}


def segment_sum(x: Any, ids: Any, n: Any, sorted: bool) -> Any:
    """Sum the rows of each segment."""
    if not sorted or (x.__class__ is EagerTensor and x._numpy_internal().size < RUNS_PAY):
        found = _as_it_stands(sum_at_once, x, ids, n)
        if found is not None:
            return found
    check_numbers(x, "segment_sum")
    found = _widened(clean_sum, x, ids, n, sorted, None)
    if recording() and tangents(x):
        # The tangent of the kernel's result is IndexedSlices, that of a reshaped one a tensor.
        found = tf.reshape(found, tf.shape(found))
    return found


def segment_prod(x: Any, ids: Any, n: Any, sorted: bool) -> Any:
    """Multiply the rows of each segment."""
    found = _as_it_stands(_prod_at_once, x, ids, n)
    if found is None:
        check_numbers(x, "segment_prod")
        found = _widened(_clean_prod, x, ids, n, sorted, 1)
    return found


def _as_it_stands(kernel: Any, x: Any, ids: Any, n: Any) -> Any:
    """Return the kernel's answer where it is right as it stands, else None."""
    if concrete(x, ids) and x._datatype_enum() in _WIDE and not recording():
        return kernel(x, ids, n)
    return None


def _widened(operation: Any, x: Any, ids: Any, n: Any, sorted: bool, fill: Any) -> Any:
    wider = _WIDER.get(x.dtype)
    if wider is None:
        return run(operation, x, ids, n, sorted, fill)
    return tf.cast(run(operation, tf.cast(x, wider[0]), ids, n, sorted, fill), wider[1])


def segment_count(ids: Any, n: Any, sorted: bool) -> Any:
    """Count the rows of each segment; int32."""
    ids = kernel_ids(ids)
    return run(_count_rows, ids, ids, n, sorted)


def _count_rows(x: Any, ids: Any, n: Any, sorted: bool) -> Any:
    return clean_count(ids, n, sorted)


def clean_count(ids: Any, n: Any, sorted: bool) -> Any:
    """Count rows, ids in range."""
    return _sum(data=tf.ones_like(ids, tf.int32), segment_ids=ids, num_segments=n)


def clean_sum(x: Any, ids: Any, n: Any, sorted: bool) -> Any:
    """Sum wide x, ids in range."""
    if sorted and on_host(x, ids) and x._numpy_internal().size >= RUNS_PAY:
        found = over_runs(tf.raw_ops.SegmentSum, x, ids, n, 0)
        if found is not None:
            return found
    return _sum(data=x, segment_ids=ids, num_segments=n)


def _clean_prod(x: Any, ids: Any, n: Any, sorted: bool) -> Any:
    """Multiply wide x, ids in range."""
    if on_host(x, ids) and np.count_nonzero(x._numpy_internal()) == x._numpy_internal().size:
        return _native_prod(x, ids, n)  # TensorFlow's gradient is right without a zero
    return with_gradient(lambda x: _native_prod(x, ids, n), lambda x: _smooth_prod(x, ids, n), x, n)


def _native_prod(x: Any, ids: Any, n: Any) -> Any:
    return _prod(data=x, segment_ids=ids, num_segments=n)


def _smooth_prod(x: Any, ids: Any, n: Any) -> Any:
    """Multiply with derivatives that are right beside zeros.

    TensorFlow's gradient divides by the factors: its second derivative is NaN at a zero and 0 at two. Here
    the zeros of a segment are multiplied apart from its other factors, by the elementary symmetric
    polynomials of their power sums: one zero is s1, two are (s1 * s1 - s2) / 2, of more no second derivative
    is left.
    """
    zero, one = tf.zeros((), x.dtype), tf.ones((), x.dtype)
    is_zero = tf.equal(x, zero)
    others = _native_prod(tf.where(is_zero, one, x), ids, n)
    factors = tf.where(is_zero, x, zero)
    s1 = _sum(data=factors, segment_ids=ids, num_segments=n)
    s2 = _sum(data=factors * factors, segment_ids=ids, num_segments=n)
    zeros = _sum(data=tf.cast(is_zero, tf.int32), segment_ids=ids, num_segments=n)
    two = tf.where(tf.equal(zeros, 2), (s1 * s1 - s2) / tf.constant(2, x.dtype), zero)
    return others * tf.where(tf.equal(zeros, 0), one, tf.where(tf.equal(zeros, 1), s1, two))
