"""Softmax within segments, and sums weighted by it.

In reverse mode the gradient is analytic and keeps nothing but the result: at 100k rows of 8 logits about half
the time and memory of autograd through the formula (benchmarks/segment_large.py). Forward mode, functorch's
transforms and exports get the formula, which has every derivative.
"""

from __future__ import annotations

from typing import Any

import torch

from anytensor.backends.torch import bags, kernels
from anytensor.backends.torch.bags import any_outside
from anytensor.backends.torch.guard import inside, rowwise_guarded, sent_off
from anytensor.backends.torch.kernels import KERNEL_ERRORS, kernel_ids
from anytensor.backends.torch.kit import Plain, Traced, floating, result_dtype
from anytensor.backends.torch.modes import is_differentiated, is_plain, takes_functions
from anytensor.backends.torch.segment_extremes import extreme_constant
from anytensor.backends.torch.segment_sums import total, traced_total

__all__ = ["segment_attention", "segment_softmax"]


def segment_softmax(x: Any, ids: Any, n: Any, sorted: bool) -> Any:
    """Take the softmax over the rows of each segment."""
    ids = kernel_ids(ids)
    if is_plain(x, ids, n):
        try:
            return _plain(x, ids, n, sorted, True)
        except KERNEL_ERRORS:
            if not any_outside(ids, n):
                raise
        return rowwise_guarded(_plain, x, ids, n, sorted, refused=True)
    return _traced(floating(x), ids, n).to(result_dtype(x))


def _plain(x: Any, ids: Any, n: int, sorted: bool, plain: bool) -> Any:
    """Take the softmax on ordinary tensors, every id in range."""
    if not is_differentiated(x):
        return _plain_value(x, ids, n, sorted)[0]
    if takes_functions():
        return _PlainSoftmax.apply(x, ids, n, sorted)
    return _traced(floating(x), ids, n).to(result_dtype(x))


def _plain_value(x: Any, ids: Any, n: int, sorted: bool) -> tuple[Any, bags.Order | None]:
    """Return the softmax, and the order of the rows if the ids were sorted for it."""
    work = floating(x)
    # A maximum that starts from the lowest finite number shifts a segment of nothing but -inf to exp(-inf),
    # without a NaN on the way. Where an entry is finite the greatest one adds exp(0): a sum below 1 is 0.
    top = kernels.plain_extreme(work.detach(), ids, n, True, _LOWEST[work.dtype])  # refuses ids out of range
    result = top.index_select(0, ids)
    if work.numel() < _MANY:
        result = (work - result).exp_()
    else:
        torch.sub(work, result, out=result).exp_()
    # Beside the rows that are made here the memory to sort their ids is small.
    order = None if sorted else bags.order(result, ids, n)
    sums = (total(result, ids, n, sorted, True) if order is None else bags.total(result, order)).clamp_min_(1)
    result.div_(sums.index_select(0, ids))
    return (result if result.dtype is x.dtype else result.to(result_dtype(x))), order


class _PlainSoftmax(torch.autograd.Function):  # type: ignore[misc]  # mypy skips torch
    """y with the gradient y * (g - sum over the segment of y * g)."""

    @staticmethod
    def forward(ctx: Any, x: Any, ids: Any, n: int, sorted: bool) -> Any:
        result, order = _plain_value(x, ids, n, sorted)
        ctx.save_for_backward(result, ids, *(order or ()))
        ctx.n, ctx.sorted = n, sorted
        return result

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        result, ids, *order = ctx.saved_tensors
        y, g = floating(result), floating(grad)
        product = y * g
        is_last = not torch.is_grad_enabled()  # with create_graph=True it is differentiated again
        if order and is_last and is_plain(product, ids) and product.is_contiguous():
            sums = bags.total(product, bags.Order(*order))
        else:
            sums = total(product, ids, ctx.n, ctx.sorted, True)
        sums = sums.index_select(0, ids)
        rest = product.sub_(sums.mul_(y)) if is_last else product - y * sums
        return rest.to(result.dtype), None, None, None


def _traced(work: Any, ids: Any, n: Any) -> Any:
    """Take the softmax of floating x, whatever the ids; rows out of range are 0."""
    valid = inside(ids, n, work)
    ids, segments, _ = sent_off(ids, n, work.ndim, False)
    if takes_functions() and is_differentiated(work):
        return _TracedSoftmax.apply(work, valid, ids, segments)
    return _traced_value(work, valid, ids, segments)


def _traced_value(work: Any, valid: Any, ids: Any, segments: Any) -> Any:
    top = extreme_constant(work, ids, segments, True, False)
    top = torch.where(top == -_INFINITY, 0, top)
    # Rows out of range may hold NaN: cut off here, they reach neither the sum nor the gradient.
    weight = torch.where(valid, work - top.index_select(0, ids), 0).exp()
    sums = kernels.total(weight, ids, segments).clamp_min(1)
    return torch.where(valid, weight / sums.index_select(0, ids), 0)


class _TracedSoftmax(torch.autograd.Function):  # type: ignore[misc]  # mypy skips torch
    """The same gradient in operations that a trace takes; y is 0 in rows out of range."""

    @staticmethod
    def forward(ctx: Any, work: Any, valid: Any, ids: Any, segments: Any) -> Any:
        result = _traced_value(work, valid, ids, segments)
        ctx.save_for_backward(result, valid, ids)
        ctx.segments = segments
        return result

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        y, valid, ids = ctx.saved_tensors
        grad = torch.where(valid, grad, 0)  # a NaN beside a row out of range must not come back
        sums = kernels.total(y * grad, ids, ctx.segments)
        return y * (grad - sums.index_select(0, ids)), None, None, None


def segment_attention(messages: Any, logits: Any, ids: Any, n: Any, sorted: bool) -> Any:
    """Sum messages weighted by the segment softmax of their logits."""
    ids = kernel_ids(ids)
    if is_plain(messages, ids, n) and is_plain(logits, ids, n):
        try:
            return _attention(messages, logits, ids, n, sorted)
        except KERNEL_ERRORS:
            if not any_outside(ids, n):
                raise
    weight = _traced(floating(logits), ids, n)
    work = torch.where(inside(ids, n, messages), floating(messages), 0)
    weight = Traced.align_rank(Traced.cast_like(weight, work), work)
    return traced_total(work * weight, ids, n).to(result_dtype(messages))


def _attention(messages: Any, logits: Any, ids: Any, n: int, sorted: bool) -> Any:
    work = floating(messages)
    weight = _plain(floating(logits), ids, n, sorted, True)
    weight = Plain.align_rank(Plain.cast_like(weight, work), work)
    return total(work * weight, ids, n, sorted, True).to(result_dtype(messages))


_INFINITY = float("inf")
# From this size on memory is dearer than the microsecond that out= costs.
_MANY = 16384
_LOWEST = {dtype: torch.finfo(dtype).min for dtype in (torch.float32, torch.float64)}
