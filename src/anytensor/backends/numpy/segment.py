"""Segment operations on NumPy. The clauses stand in ``backends/contract.py``."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from anytensor.backends import formulas
from anytensor.backends.numpy.array import cast, dtype_kind, from_scalar, numbers_only
from anytensor.backends.numpy.cumulative import ends_within
from anytensor.backends.numpy.few import few_extreme, few_hot, few_mean, few_softmax, few_sum, sum_by
from anytensor.backends.numpy.scatter import BLOCK, guard, large_sum, scatter
from anytensor.errors import negative_length

__all__ = [
    "partition_ids",
    "segment_attention",
    "segment_count",
    "segment_logsumexp",
    "segment_max",
    "segment_max_or_constant",
    "segment_mean",
    "segment_min",
    "segment_min_or_constant",
    "segment_normalize",
    "segment_prod",
    "segment_softmax",
    "segment_std",
    "segment_sum",
    "segment_variance",
]

_DEFAULT_INT = np.dtype(np.int_)
_SINGLE = np.dtype(np.float32)
_DOUBLE = np.dtype(np.float64)
_EXACT = (np.minimum, np.maximum)  # nothing to accumulate


def _total_dtype(dtype: Any) -> Any:
    """Return what sums and products of a dtype come in: bool and narrow integers widen."""
    kind = dtype_kind(dtype)
    if kind == "b" or (kind in "iu" and dtype.itemsize < _DEFAULT_INT.itemsize):
        return _DEFAULT_INT
    return dtype


def _work_dtype(dtype: Any) -> Any:
    """Return what floating dtypes accumulate in: halves, ml_dtypes' too, in float32."""
    return _SINGLE if dtype_kind(dtype) == "f" and dtype.itemsize < 4 else dtype


@functools.lru_cache(maxsize=64)
def _least(dtype: Any) -> Any:
    kind = dtype_kind(dtype)
    if kind == "b":
        return False
    return np.iinfo(dtype).min if kind in "iu" else -np.inf


@functools.lru_cache(maxsize=64)
def _greatest(dtype: Any) -> Any:
    kind = dtype_kind(dtype)
    if kind == "b":
        return True
    return np.iinfo(dtype).max if kind in "iu" else np.inf


@np.errstate(all="ignore")
def _reduce(ufunc: Any, x: Any, ids: Any, n: int, dtype: Any, identity: Any, sorted: bool) -> Any:
    if ufunc in _EXACT or (x.dtype == dtype and dtype.itemsize > 2):
        out = few_extreme(ufunc, x, ids, n, identity)
        if out is not None:
            return out
    ids, segments, _, sorted = guard(ids, n, sorted)
    work = dtype if ufunc in _EXACT else _work_dtype(dtype)
    return cast(scatter(ufunc, x, ids, segments, work, identity, sorted)[:n], dtype)


def segment_sum(x: Any, ids: Any, n: int, sorted: bool) -> Any:
    """Sum the rows of each segment."""
    out = few_sum(x, ids, n)
    if out is not None:
        return out
    numbers_only(x, "segment_sum")
    out = large_sum(x, ids, n)
    if out is not None:
        return out
    return _reduce(np.add, x, ids, n, _total_dtype(x.dtype), 0, sorted)


def segment_prod(x: Any, ids: Any, n: int, sorted: bool) -> Any:
    """Multiply the rows of each segment."""
    numbers_only(x, "segment_prod")
    return _reduce(np.multiply, x, ids, n, _total_dtype(x.dtype), 1, sorted)


def segment_min(x: Any, ids: Any, n: int, sorted: bool) -> Any:
    """Take the least entry of each segment."""
    return _reduce(np.minimum, x, ids, n, x.dtype, _greatest(x.dtype), sorted)


def segment_max(x: Any, ids: Any, n: int, sorted: bool) -> Any:
    """Take the greatest entry of each segment."""
    return _reduce(np.maximum, x, ids, n, x.dtype, _least(x.dtype), sorted)


def segment_count(ids: Any, n: int, sorted: bool) -> Any:
    """Count the rows of each segment."""
    ids, segments, _, _ = guard(ids, n, sorted)
    return np.bincount(ids.astype(np.intp, copy=False), minlength=segments)[:n]


class _Kit:
    """What the formulas are made of. Ids lie in [0, n)."""

    @staticmethod
    def floating(x: Any) -> Any:
        kind = dtype_kind(x.dtype)
        return cast(x, _work_dtype(x.dtype) if kind in "fc" else _DOUBLE)

    @staticmethod
    def result_dtype(x: Any) -> Any:
        return x.dtype if dtype_kind(x.dtype) in "fc" else _DOUBLE

    @staticmethod
    def cast(x: Any, dtype: Any) -> Any:
        return x if x.dtype == dtype else x.astype(dtype)

    @staticmethod
    def where(condition: Any, a: Any, b: Any) -> Any:
        return np.where(condition, a, b)

    @staticmethod
    def exp(x: Any) -> Any:
        return np.exp(x)

    @staticmethod
    def log(x: Any) -> Any:
        return np.log(x)

    @staticmethod
    def sqrt(x: Any) -> Any:
        return np.sqrt(x)

    @staticmethod
    def is_finite(x: Any) -> Any:
        return np.isfinite(x)

    @staticmethod
    def cast_like(x: Any, other: Any) -> Any:
        return cast(x, other.dtype)

    @staticmethod
    def align_rank(x: Any, other: Any) -> Any:
        return x.reshape(x.shape + (1,) * (other.ndim - x.ndim))

    @staticmethod
    def sum(x: Any, ids: Any, n: int, sorted: bool) -> Any:
        return segment_sum(x, ids, n, sorted)

    @staticmethod
    def min(x: Any, ids: Any, n: int, sorted: bool) -> Any:
        return segment_min(x, ids, n, sorted)

    @staticmethod
    def max(x: Any, ids: Any, n: int, sorted: bool) -> Any:
        return segment_max(x, ids, n, sorted)

    @staticmethod
    def max_constant(x: Any, ids: Any, n: int, sorted: bool) -> Any:
        return segment_max(x, ids, n, sorted)

    @staticmethod
    def count(ids: Any, n: int, sorted: bool) -> Any:
        return np.bincount(ids, minlength=n)

    @staticmethod
    def rows(values: Any, ids: Any) -> Any:
        return values.take(ids, 0)


class _FewKit(_Kit):
    """The same on a few finite rows."""

    def __init__(self, hot: Any) -> None:
        self.hot = hot

    def sum(self, x: Any, ids: Any, n: int, sorted: bool) -> Any:  # type: ignore[override]
        return sum_by(self.hot, x)


@np.errstate(all="ignore")
def _reduction(formula: Any, x: Any, ids: Any, n: int, sorted: bool, *more: Any) -> Any:
    hot = few_hot(x, ids, n)
    if hot is not None:
        return formula(_FewKit(hot), x, ids, n, sorted, *more)
    numbers_only(x, f"segment_{formula.__name__}")
    ids, segments, _, sorted = guard(ids, n, sorted)
    return formula(_Kit, x, ids, segments, sorted, *more)[:n]


@np.errstate(all="ignore")
def _row_wise(formula: Any, x: Any, ids: Any, n: int, sorted: bool) -> Any:
    hot = few_hot(x, ids, n)
    if hot is not None:
        return formula(_FewKit(hot), x, ids, n, sorted)
    numbers_only(x, f"segment_{formula.__name__}")
    ids, segments, outside, sorted = guard(ids, n, sorted)
    result = formula(_Kit, x, ids, segments, sorted)
    if outside is not None:
        result[outside] = 0
    return result


@np.errstate(all="ignore")
def _softmax(x: Any, ids: Any, n: int, sorted: bool) -> Any:
    ids, segments, outside, sorted = guard(ids, n, sorted)
    weight = _weights(_Kit.floating(x), ids, segments, sorted)
    if outside is not None:
        weight[outside] = 0
    return cast(weight, _Kit.result_dtype(x))


def _weights(x: Any, ids: Any, n: int, sorted: bool) -> Any:
    """Take the softmax, ids in [0, n), block by block in the memory of the result.

    The formula makes five arrays of the size of x on its way: 2.6 s for a million rows of 64, which is
    0.6 s so (``benchmarks/segment_large.py``).
    """
    top = segment_max(x, ids, n, sorted)
    top[top == -np.inf] = 0
    weight = np.empty(x.shape, x.dtype)
    step = max(1, BLOCK * x.shape[0] // max(1, x.size))
    blocks = [slice(start, start + step) for start in range(0, x.shape[0], step)]
    for block in blocks:
        np.subtract(x[block], top.take(ids[block], 0), out=weight[block])
        np.exp(weight[block], out=weight[block])
    total = segment_sum(weight, ids, n, sorted)
    total[total == 0] = 1
    for block in blocks:
        weight[block] /= total.take(ids[block], 0)
    return weight


def segment_mean(x: Any, ids: Any, n: int, sorted: bool) -> Any:
    """Average the rows of each segment."""
    out = few_mean(x, ids, n)
    return _reduction(formulas.mean, x, ids, n, sorted) if out is None else out


def segment_variance(x: Any, ids: Any, n: int, sorted: bool) -> Any:
    """Average the squared distance from the segment's mean."""
    return _reduction(formulas.variance, x, ids, n, sorted)


def segment_std(x: Any, ids: Any, n: int, sorted: bool) -> Any:
    """Take the root of the variance."""
    return _reduction(formulas.std, x, ids, n, sorted)


def segment_normalize(x: Any, ids: Any, n: int, sorted: bool) -> Any:
    """Divide each row by its segment's sum."""
    return _row_wise(formulas.normalize, x, ids, n, sorted)


def segment_softmax(x: Any, ids: Any, n: int, sorted: bool) -> Any:
    """Take the softmax over the rows of each segment."""
    out = few_softmax(x, ids, n)
    return _softmax(x, ids, n, sorted) if out is None else out


def segment_logsumexp(x: Any, ids: Any, n: int, sorted: bool) -> Any:
    """Take log(sum(exp)) over each segment."""
    return _reduction(formulas.logsumexp, x, ids, n, sorted)


def segment_min_or_constant(x: Any, ids: Any, n: int, sorted: bool, constant: Any) -> Any:
    """As segment_min, an empty segment holding a constant."""
    return _reduction(formulas.min_or_constant, x, ids, n, sorted, from_scalar(constant, x.dtype, x))


def segment_max_or_constant(x: Any, ids: Any, n: int, sorted: bool, constant: Any) -> Any:
    """As segment_max, an empty segment holding a constant."""
    return _reduction(formulas.max_or_constant, x, ids, n, sorted, from_scalar(constant, x.dtype, x))


@np.errstate(all="ignore")
def segment_attention(messages: Any, logits: Any, ids: Any, n: int, sorted: bool) -> Any:
    """Sum messages weighted by the segment softmax of their logits."""
    ids, segments, _, sorted = guard(ids, n, sorted)
    work = _Kit.floating(messages)
    weight = _Kit.cast_like(_weights(_Kit.floating(logits), ids, segments, sorted), work)
    total = segment_sum(work * _Kit.align_rank(weight, work), ids, segments, sorted)
    return cast(total[:n], _Kit.result_dtype(messages))


def partition_ids(partitions: Any, total: int) -> Any:
    """Expand lengths to nondecreasing ids, cut or filled up with n to the total."""
    if partitions.size:
        least = partitions[partitions.argmin()]
        if least < 0:
            raise negative_length(least, "partition_ids", "partitions")
    lengths = np.diff(ends_within(partitions, total), prepend=0, append=total)
    return np.repeat(np.arange(partitions.shape[0] + 1), lengths)
