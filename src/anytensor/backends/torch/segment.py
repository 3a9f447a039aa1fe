"""Segment operations on PyTorch. The clauses stand in ``backends/contract.py``."""

from __future__ import annotations

from typing import Any

import torch

from anytensor.backends import formulas
from anytensor.backends.torch import kernels, large
from anytensor.backends.torch.array import from_scalar, is_traced
from anytensor.backends.torch.bags import any_outside
from anytensor.backends.torch.guard import reduce_guarded, rowwise_guarded, sent_off
from anytensor.backends.torch.kernels import KERNEL_ERRORS, kernel_ids
from anytensor.backends.torch.kit import Plain, Traced
from anytensor.backends.torch.modes import is_dynamo_tracing, is_plain
from anytensor.backends.torch.segment_extremes import extreme
from anytensor.backends.torch.segment_products import product
from anytensor.backends.torch.segment_softmax import segment_attention, segment_softmax
from anytensor.backends.torch.segment_sums import total as sum_rows
from anytensor.backends.torch.segment_sums import traced_total
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

_DIRECT = frozenset({torch.float32, torch.float64, torch.int64})
_REAL = frozenset({torch.float32, torch.float64})
_ID_DTYPES = frozenset({torch.int32, torch.int64})
_FEW = 512  # rows up to which a sum of ones counts them fastest


def segment_sum(x: Any, ids: Any, n: Any, sorted: bool) -> Any:
    """Sum the rows of each segment."""
    refused = False
    if not sorted and x.dtype in _DIRECT and ids.dtype in _ID_DTYPES and is_plain(x, ids, n):
        # The shortest way for the common case: benchmarks/segment_small.py.
        try:
            return large.total_of_inside(x, ids, n) if large.is_wide(x) else kernels.plain_total(x, ids, n)
        except KERNEL_ERRORS:
            if not any_outside(ids, n):
                raise
            refused = True
    if is_dynamo_tracing() and x.dtype.is_floating_point:
        return traced_total(x.to(kernels.accumulator(x.dtype)), kernel_ids(ids), n).to(x.dtype)
    return reduce_guarded(_sum, x, ids, n, sorted, clean=False, refused=refused)


def _sum(x: Any, ids: Any, n: Any, sorted: bool, plain: bool) -> Any:
    dtype = x.dtype
    if dtype in _DIRECT:
        return sum_rows(x, ids, n, sorted, plain)
    if dtype == torch.uint64:  # no kernel up to 2.13; sums of the same bits as int64 have the same bits
        return sum_rows(x.view(torch.int64), ids, n, sorted, plain).view(dtype)
    if dtype.is_complex:  # index_add multiplies by 1 + 0j: beside an infinite part the other would be NaN
        parts = torch.view_as_real(x.resolve_conj())
        return torch.view_as_complex(sum_rows(parts, ids, n, sorted, plain))
    if plain and not sorted:
        result = kernels.accumulated(x, ids, n)
    else:
        result = sum_rows(x.to(kernels.accumulator(dtype)), ids, n, sorted, plain)
    return result.to(dtype) if dtype.is_floating_point else result


def segment_prod(x: Any, ids: Any, n: Any, sorted: bool) -> Any:
    """Multiply the rows of each segment."""
    return reduce_guarded(product, x, ids, n, sorted, clean=True)


def segment_min(x: Any, ids: Any, n: Any, sorted: bool) -> Any:
    """Take the least entry of each segment."""
    return reduce_guarded(_min, x, ids, n, sorted, clean=False)


def segment_max(x: Any, ids: Any, n: Any, sorted: bool) -> Any:
    """Take the greatest entry of each segment."""
    return reduce_guarded(_max, x, ids, n, sorted, clean=False)


def _min(x: Any, ids: Any, n: Any, sorted: bool, plain: bool) -> Any:
    return extreme(x, ids, n, False, plain)


def _max(x: Any, ids: Any, n: Any, sorted: bool, plain: bool) -> Any:
    return extreme(x, ids, n, True, plain)


def segment_count(ids: Any, n: Any, sorted: bool) -> Any:
    """Count the rows of each segment."""
    ids = kernel_ids(ids)
    if is_plain(ids, ids, n):
        try:
            return kernels.plain_count(ids, n)
        except KERNEL_ERRORS:
            if not any_outside(ids, n):
                raise
    ids, segments, first = sent_off(ids, n, 1, False)
    return kernels.count(ids, segments)[first : first + n].to(torch.int64)


def segment_mean(x: Any, ids: Any, n: Any, sorted: bool) -> Any:
    """Average the rows of each segment."""
    refused = False
    if not sorted and x.dtype in _REAL and ids.dtype in _ID_DTYPES and is_plain(x, ids, n):
        try:  # as in segment_sum
            return _plain_mean(x, ids, n)
        except KERNEL_ERRORS:
            if not any_outside(ids, n):
                raise
            refused = True
    return reduce_guarded(_mean, x, ids, n, sorted, clean=False, refused=refused)


def _mean(x: Any, ids: Any, n: Any, sorted: bool, plain: bool) -> Any:
    if plain and not sorted and x.dtype.is_floating_point:
        return _plain_mean(x, ids, n)
    return formulas.mean(_kit(plain), x, ids, n, sorted)


def _plain_mean(x: Any, ids: Any, n: int) -> Any:
    shape = x.shape
    is_wide = x.dtype in _REAL
    sums = kernels.plain_total(x, ids, n) if is_wide else kernels.accumulated(x, ids, n)
    if shape[0] <= _FEW:
        counts = sums.new_zeros(n).index_add_(0, ids, sums.new_ones(shape[0]))
    else:
        # The quickest count of many, but it trusts its input: the sum has refused ids out of range before.
        counts = torch.bincount(ids, None, n)
    counts.clamp_min_(1)
    dims = len(shape)
    if dims == 2:
        counts = counts.unsqueeze_(1)
    elif dims > 2:
        counts = counts.reshape(n, *[1] * (dims - 1))
    means = sums.div_(counts)
    return means if is_wide else means.to(x.dtype)


def _kit(plain: bool) -> type[Traced]:
    return Plain if plain else Traced


def segment_variance(x: Any, ids: Any, n: Any, sorted: bool) -> Any:
    """Average the squared distance from the segment's mean."""
    return reduce_guarded(_variance, x, ids, n, sorted, clean=True)


def _variance(x: Any, ids: Any, n: Any, sorted: bool, plain: bool) -> Any:
    return formulas.variance(_kit(plain), x, ids, n, sorted)


def segment_std(x: Any, ids: Any, n: Any, sorted: bool) -> Any:
    """Take the root of the variance."""
    return reduce_guarded(_std, x, ids, n, sorted, clean=True)


def _std(x: Any, ids: Any, n: Any, sorted: bool, plain: bool) -> Any:
    return formulas.std(_kit(plain), x, ids, n, sorted)


def segment_normalize(x: Any, ids: Any, n: Any, sorted: bool) -> Any:
    """Divide each row by its segment's sum."""
    return rowwise_guarded(_normalize, x, ids, n, sorted)


def _normalize(x: Any, ids: Any, n: Any, sorted: bool, plain: bool) -> Any:
    return formulas.normalize(_kit(plain), x, ids, n, sorted)


def segment_logsumexp(x: Any, ids: Any, n: Any, sorted: bool) -> Any:
    """Take log(sum(exp)) over each segment."""
    return reduce_guarded(_logsumexp, x, ids, n, sorted, clean=True)


def _logsumexp(x: Any, ids: Any, n: Any, sorted: bool, plain: bool) -> Any:
    return formulas.logsumexp(_kit(plain), x, ids, n, sorted)


def segment_min_or_constant(x: Any, ids: Any, n: Any, sorted: bool, constant: Any) -> Any:
    """Take the least entry of each segment, the constant where it is empty."""
    return _filled(segment_min(x, ids, n, sorted), ids, n, sorted, constant)


def segment_max_or_constant(x: Any, ids: Any, n: Any, sorted: bool, constant: Any) -> Any:
    """Take the greatest entry of each segment, the constant where it is empty."""
    return _filled(segment_max(x, ids, n, sorted), ids, n, sorted, constant)


def _filled(result: Any, ids: Any, n: Any, sorted: bool, constant: Any) -> Any:
    empty = segment_count(ids, n, sorted) == 0
    if isinstance(constant, torch.Tensor):
        constant = constant.to(result.dtype)
    else:
        constant = from_scalar(constant, result.dtype, result)
    filled = torch.where(Traced.align_rank(empty, result), constant, result)
    return Traced.cast(filled, result.dtype)


def partition_ids(partitions: Any, total: Any) -> Any:
    """Expand lengths to ids: row i has the number of its partition, n past the last one."""
    is_huge = partitions.dtype == torch.uint64
    partitions = kernel_ids(partitions)
    if is_huge:
        partitions = torch.where(partitions < 0, total, partitions)
    may_be_past = partitions.dtype == torch.int64
    if not is_traced(partitions) and partitions.numel():
        least, greatest = [int(bound) for bound in partitions.aminmax()]
        if least < 0:
            raise negative_length(least, "partition_ids", "partitions")
        may_be_past = greatest > total
    if may_be_past:
        partitions = partitions.clamp(max=total)  # what is past the total could overflow the sum
    ends = partitions.cumsum(0).clamp(max=total)
    marks = kernels.total(torch.ones_like(ends), ends, total + 1)
    return marks.cumsum(0)[:total]
