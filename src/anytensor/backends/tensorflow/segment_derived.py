"""The derived segment operations: the shared formulas over TensorFlow's kernels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from anytensor.backends import formulas
from anytensor.backends.tensorflow import segment_extremes, segment_totals
from anytensor.backends.tensorflow.array import EagerTensor, from_scalar
from anytensor.backends.tensorflow.segment_guard import check_numbers, run

__all__ = [
    "segment_attention",
    "segment_logsumexp",
    "segment_max_or_constant",
    "segment_mean",
    "segment_min_or_constant",
    "segment_normalize",
    "segment_softmax",
    "segment_std",
    "segment_variance",
]

raw = tf.raw_ops
_WIDE = frozenset([tf.float32, tf.float64, tf.complex64, tf.complex128])


class Kit:
    """The primitives, for ids in range (see ``segment_guard``)."""

    sum = staticmethod(segment_totals.clean_sum)
    count = staticmethod(segment_totals.clean_count)
    min = staticmethod(segment_extremes.clean_min)
    max = staticmethod(segment_extremes.clean_max)
    exp = staticmethod(tf.exp)
    log = staticmethod(tf.math.log)
    sqrt = staticmethod(tf.sqrt)
    is_finite = staticmethod(tf.math.is_finite)

    @staticmethod
    def floating(x: Any) -> Any:
        """Return x in float32 unless it is wide already."""
        return x if x.dtype in _WIDE else tf.cast(x, tf.float32)

    @staticmethod
    def result_dtype(x: Any) -> Any:
        """Return float32 for integers and bool, else the dtype of x."""
        return x.dtype if x.dtype.is_floating or x.dtype.is_complex else tf.float32

    @staticmethod
    def cast(x: Any, dtype: Any) -> Any:
        """Return x in the dtype."""
        return x if x.dtype == dtype else tf.cast(x, dtype)

    @staticmethod
    def cast_like(x: Any, other: Any) -> Any:
        """Return x in the dtype of other."""
        return x if x.dtype == other.dtype else tf.cast(x, other.dtype)

    @staticmethod
    def where(condition: Any, a: Any, b: Any) -> Any:
        """Select; a scalar takes the other's dtype."""
        if not tf.is_tensor(a):
            a = tf.constant(a, b.dtype)
        elif not tf.is_tensor(b):
            b = tf.constant(b, a.dtype)
        return tf.where(condition, a, b)

    @staticmethod
    def align_rank(x: Any, other: Any) -> Any:
        """Append axes of length 1 to x."""
        if x.shape.rank is None or other.shape.rank is None:
            ones = tf.ones((tf.rank(other) - tf.rank(x),), tf.int32)
        elif x.shape.rank == other.shape.rank:
            return x
        elif x.shape.is_fully_defined():
            return tf.reshape(x, x.shape + (1,) * (other.shape.rank - x.shape.rank))
        else:
            ones = tf.ones((other.shape.rank - x.shape.rank,), tf.int32)
        return tf.reshape(x, tf.concat([tf.shape(x), ones], 0))

    @staticmethod
    def max_constant(x: Any, ids: Any, n: Any, sorted: bool) -> Any:
        """Take the kernel's maximum: finite where all is -inf, and a lost NaN comes back through exp."""
        return segment_extremes.native_max(x, ids, n, sorted)

    @staticmethod
    def rows(values: Any, ids: Any) -> Any:
        """Give each row its segment's entry."""
        return raw.GatherV2(params=values, indices=ids, axis=0)


def _with_kit(formula: Callable[..., Any], *extra: Any) -> Callable[[Any, Any, Any, bool], Any]:
    def operation(x: Any, ids: Any, n: Any, sorted: bool) -> Any:
        return formula(Kit, x, ids, n, sorted, *extra)

    return operation


_variance, _std = _with_kit(formulas.variance), _with_kit(formulas.std)
_normalize, _logsumexp = _with_kit(formulas.normalize), _with_kit(formulas.logsumexp)


def _mean(x: Any, ids: Any, n: Any, sorted: bool) -> Any:
    total = segment_totals.clean_sum(Kit.floating(x), ids, n, sorted)
    count = tf.cast(segment_totals.clean_count(ids, n, sorted), total.dtype)
    # 0/0, in an empty segment, is 0 by this division, and so is its gradient.
    return Kit.cast(raw.DivNoNan(x=total, y=Kit.align_rank(count, total)), Kit.result_dtype(x))


def segment_mean(x: Any, ids: Any, n: Any, sorted: bool) -> Any:
    """Average the rows of each segment."""
    check_numbers(x, "segment_mean")
    return run(_mean, x, ids, n, sorted)


def segment_variance(x: Any, ids: Any, n: Any, sorted: bool) -> Any:
    """Average the squared distance from the segment's mean."""
    return run(_variance, x, ids, n, sorted, fill=0)


def segment_std(x: Any, ids: Any, n: Any, sorted: bool) -> Any:
    """Take the root of the variance."""
    return run(_std, x, ids, n, sorted, fill=0)


def segment_normalize(x: Any, ids: Any, n: Any, sorted: bool) -> Any:
    """Divide each row by its segment's sum."""
    check_numbers(x, "segment_normalize")
    return run(_normalize, x, ids, n, sorted, fill=0, by_row=True)


def _softmax_wide(work: Any, ids: Any, n: Any, sorted: bool) -> Any:
    # Raw operations: the public ones cost as much again on small arrays. benchmarks/segment_small.py
    top = segment_extremes.native_max(work, ids, n, sorted)
    weight = raw.Exp(x=raw.Sub(x=work, y=raw.GatherV2(params=top, indices=ids, axis=0)))
    total = segment_totals.clean_sum(weight, ids, n, sorted)
    # 0/0, in a segment of only -inf, is 0 by this division, and so is its gradient.
    return raw.DivNoNan(x=weight, y=raw.GatherV2(params=total, indices=ids, axis=0))


def _softmax(x: Any, ids: Any, n: Any, sorted: bool) -> Any:
    return Kit.cast(_softmax_wide(Kit.floating(x), ids, n, sorted), Kit.result_dtype(x))


def segment_softmax(x: Any, ids: Any, n: Any, sorted: bool) -> Any:
    """Take the softmax over the rows of each segment."""
    return run(_softmax, x, ids, n, sorted, fill=0, by_row=True)


def segment_logsumexp(x: Any, ids: Any, n: Any, sorted: bool) -> Any:
    """Take log(sum(exp)) over each segment."""
    return run(_logsumexp, x, ids, n, sorted, fill=0)


def segment_min_or_constant(x: Any, ids: Any, n: Any, sorted: bool, constant: Any) -> Any:
    """Take the least entry of each segment, ``constant`` where it is empty."""
    return run(_with_kit(formulas.min_or_constant, _in_dtype(constant, x.dtype)), x, ids, n, sorted)


def segment_max_or_constant(x: Any, ids: Any, n: Any, sorted: bool, constant: Any) -> Any:
    """Take the greatest entry of each segment, ``constant`` where it is empty."""
    return run(_with_kit(formulas.max_or_constant, _in_dtype(constant, x.dtype)), x, ids, n, sorted)


def _in_dtype(constant: Any, dtype: Any) -> Any:
    if not tf.is_tensor(constant) and not isinstance(constant, EagerTensor):
        return from_scalar(bool(constant) if dtype == tf.bool else constant, dtype, None)
    return tf.cast(constant, dtype)


def _attention(x: tuple[Any, Any], ids: Any, n: Any, sorted: bool) -> Any:
    messages, logits = x
    work = Kit.floating(messages)
    weight = Kit.cast_like(_softmax_wide(Kit.floating(logits), ids, n, sorted), work)
    total = Kit.sum(work * Kit.align_rank(weight, work), ids, n, sorted)
    return Kit.cast(total, Kit.result_dtype(messages))


def segment_attention(messages: Any, logits: Any, ids: Any, n: Any, sorted: bool) -> Any:
    """Sum messages weighted by the segment softmax of their logits."""
    return run(_attention, (messages, logits), ids, n, sorted, fill=0)
