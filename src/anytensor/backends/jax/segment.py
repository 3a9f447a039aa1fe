"""Segment operations on JAX. The clauses stand in ``backends/contract.py``."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np

from anytensor.backends import formulas
from anytensor.backends.host_scalar import host_scalar
from anytensor.backends.jax import scatter
from anytensor.backends.jax.array import cast, default_float, default_int, is_traced
from anytensor.backends.jax.compiling import compiled
from anytensor.backends.jax.cumulative import ends_within
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


def _total_dtype(dtype: Any) -> Any:
    """Return what sums and products of a dtype come in: bool and narrow integers widen."""
    whole = dtype == np.bool_ or jnp.issubdtype(dtype, jnp.integer)
    return default_int() if whole and dtype.itemsize < default_int().itemsize else dtype


def _work_dtype(dtype: Any) -> Any:
    """Return what a dtype accumulates in: halves in float32."""
    return np.dtype(np.float32) if jnp.issubdtype(dtype, jnp.floating) and dtype.itemsize < 4 else dtype


class _Kit:
    """What the formulas are made of. Rows whose ids lie outside [0, n) hold finite values."""

    @staticmethod
    def floating(x: Any) -> Any:
        return cast(x, _work_dtype(_Kit.result_dtype(x)))

    @staticmethod
    def result_dtype(x: Any) -> Any:
        return x.dtype if jnp.issubdtype(x.dtype, jnp.inexact) else default_float()

    @staticmethod
    def cast(x: Any, dtype: Any) -> Any:
        return cast(x, dtype)

    @staticmethod
    def cast_like(x: Any, other: Any) -> Any:
        return cast(x, other.dtype)

    @staticmethod
    def where(condition: Any, a: Any, b: Any) -> Any:
        return jnp.where(condition, a, b)

    @staticmethod
    def exp(x: Any) -> Any:
        return jnp.exp(x)

    @staticmethod
    def log(x: Any) -> Any:
        return jnp.log(x)

    @staticmethod
    def sqrt(x: Any) -> Any:
        return jnp.sqrt(x)

    @staticmethod
    def is_finite(x: Any) -> Any:
        return jnp.isfinite(x)

    @staticmethod
    def align_rank(x: Any, other: Any) -> Any:
        return scatter.align_rank(x, other)

    @staticmethod
    def sum(x: Any, ids: Any, n: Any, sorted: bool) -> Any:
        return scatter.total(x, ids, n, sorted)

    @staticmethod
    def min(x: Any, ids: Any, n: Any, sorted: bool) -> Any:
        return scatter.extreme(x, ids, n, sorted, False)

    @staticmethod
    def max(x: Any, ids: Any, n: Any, sorted: bool) -> Any:
        return scatter.extreme(x, ids, n, sorted, True)

    @staticmethod
    def max_constant(x: Any, ids: Any, n: Any, sorted: bool) -> Any:
        return scatter.extreme_constant(x, ids, n, sorted, True)

    @staticmethod
    def count(ids: Any, n: Any, sorted: bool) -> Any:
        return scatter.total(jnp.ones(ids.shape, np.int32), ids, n, sorted)

    @staticmethod
    def rows(values: Any, ids: Any) -> Any:
        # A row in no segment sees 1: no formula makes that, beside its own 0, anything but finite.
        return scatter.rows(values, ids, 1)


def _is_inside(ids: Any, n: Any, x: Any) -> Any:
    inside = ids >= 0
    if type(n) is not int or n <= jnp.iinfo(ids.dtype).max:
        inside &= ids < n
    return scatter.align_rank(inside, x)


def _guarded(formula: Any, x: Any, ids: Any, n: Any, sorted: bool) -> Any:
    """Apply a formula with zeros for the rows in no segment, whose gradient the selection stops."""
    return formula(_Kit, jnp.where(_is_inside(ids, n, x), x, 0), ids, n, sorted)


def _softmax(x: Any, ids: Any, n: Any, sorted: bool) -> Any:
    # Selecting after the shift, into a weight of 0, fuses with it: one pass over the rows less than the
    # formula between two selections (benchmarks/segment_small.py).
    top = scatter.extreme_constant(x, ids, n, sorted, True)
    top = _Kit.rows(jnp.where(top == -np.inf, 0, top), ids)
    weight = jnp.exp(jnp.where(_is_inside(ids, n, x), x - top, -np.inf))
    total = scatter.total(weight, ids, n, sorted)
    return weight / _Kit.rows(jnp.where(total == 0, 1, total), ids)


@compiled(2, 3)
def segment_sum(x: Any, ids: Any, n: Any, sorted: bool) -> Any:
    """Sum the rows of each segment."""
    dtype = _total_dtype(x.dtype)
    return cast(scatter.total(cast(x, _work_dtype(dtype)), ids, n, sorted), dtype)


@compiled(2, 3)
def segment_prod(x: Any, ids: Any, n: Any, sorted: bool) -> Any:
    """Multiply the rows of each segment."""
    dtype = _total_dtype(x.dtype)
    return cast(scatter.product(cast(x, _work_dtype(dtype)), ids, n, sorted), dtype)


@compiled(2, 3)
def segment_min(x: Any, ids: Any, n: Any, sorted: bool) -> Any:
    """Take the least entry of each segment."""
    return scatter.extreme(x, ids, n, sorted, False)


@compiled(2, 3)
def segment_max(x: Any, ids: Any, n: Any, sorted: bool) -> Any:
    """Take the greatest entry of each segment."""
    return scatter.extreme(x, ids, n, sorted, True)


@compiled(1, 2)
def segment_count(ids: Any, n: Any, sorted: bool) -> Any:
    """Count the rows of each segment."""
    return _Kit.count(ids, n, sorted)


@compiled(2, 3)
def segment_mean(x: Any, ids: Any, n: Any, sorted: bool) -> Any:
    """Average the rows of each segment."""
    return formulas.mean(_Kit, x, ids, n, sorted)


@compiled(2, 3)
def segment_variance(x: Any, ids: Any, n: Any, sorted: bool) -> Any:
    """Average the squared distance from the segment's mean."""
    return _guarded(formulas.variance, x, ids, n, sorted)


@compiled(2, 3)
def segment_std(x: Any, ids: Any, n: Any, sorted: bool) -> Any:
    """Take the root of the variance."""
    return _guarded(formulas.std, x, ids, n, sorted)


@compiled(2, 3)
def segment_normalize(x: Any, ids: Any, n: Any, sorted: bool) -> Any:
    """Divide each row by its segment's sum."""
    return jnp.where(_is_inside(ids, n, x), _guarded(formulas.normalize, x, ids, n, sorted), 0)


@compiled(2, 3)
def segment_softmax(x: Any, ids: Any, n: Any, sorted: bool) -> Any:
    """Take the softmax over the rows of each segment."""
    return cast(_softmax(_Kit.floating(x), ids, n, sorted), _Kit.result_dtype(x))


@compiled(2, 3)
def segment_logsumexp(x: Any, ids: Any, n: Any, sorted: bool) -> Any:
    """Take log(sum(exp)) over each segment."""
    return _guarded(formulas.logsumexp, x, ids, n, sorted)


@compiled(2, 3)
def _min_or_constant(x: Any, ids: Any, n: Any, sorted: bool, constant: Any) -> Any:
    return formulas.min_or_constant(_Kit, x, ids, n, sorted, constant)


@compiled(2, 3)
def _max_or_constant(x: Any, ids: Any, n: Any, sorted: bool, constant: Any) -> Any:
    return formulas.max_or_constant(_Kit, x, ids, n, sorted, constant)


def segment_min_or_constant(x: Any, ids: Any, n: Any, sorted: bool, constant: Any) -> Any:
    """As segment_min, an empty segment holding a constant."""
    return _min_or_constant(x, ids, n, sorted, host_scalar(constant, x.dtype))


def segment_max_or_constant(x: Any, ids: Any, n: Any, sorted: bool, constant: Any) -> Any:
    """As segment_max, an empty segment holding a constant."""
    return _max_or_constant(x, ids, n, sorted, host_scalar(constant, x.dtype))


@compiled(3, 4)
def segment_attention(messages: Any, logits: Any, ids: Any, n: Any, sorted: bool) -> Any:
    """Sum messages weighted by the segment softmax of their logits."""
    work = _Kit.floating(jnp.where(_is_inside(ids, n, messages), messages, 0))
    weight = _Kit.cast_like(_softmax(_Kit.floating(logits), ids, n, sorted), work)
    total = scatter.total(work * _Kit.align_rank(weight, work), ids, n, sorted)
    return cast(total, _Kit.result_dtype(messages))


def partition_ids(partitions: Any, total: Any) -> Any:
    """Expand lengths to nondecreasing ids, cut or filled up with n to the total."""
    if not is_traced(partitions) and partitions.size:
        least = int(np.asarray(partitions).min())
        if least < 0:
            raise negative_length(least, "partition_ids", "partitions")
    return _partition_ids(partitions, total)


@compiled(1)
def _partition_ids(partitions: Any, total: Any) -> Any:
    # The id of row i is the number of partitions that end at or before it.
    ends = ends_within(partitions, total)
    steps = scatter.total(jnp.ones(ends.shape, np.int32), ends, total, True)
    return jnp.cumsum(steps)
