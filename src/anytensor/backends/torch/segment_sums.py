"""Sums of segments, bare (every id in range): unsorted by the native kernel, sorted ones as bags."""

from __future__ import annotations

from typing import Any

import torch

from anytensor.backends.torch import bags, kernels
from anytensor.backends.torch.guard import inside, sent_off
from anytensor.backends.torch.modes import (
    is_differentiated,
    is_dynamo_tracing,
    is_known_positive,
    takes_functions,
)

__all__ = ["total", "traced_total"]


def total(x: Any, ids: Any, n: Any, sorted: bool, plain: bool) -> Any:
    """Sum rows by id, in the dtype of x."""
    if not plain:
        return kernels.total(x, ids, n)
    if sorted and bags.sorted_pays(x, n):
        if not is_differentiated(x):
            return bags.sorted_total(x, ids, n)[0]
        if takes_functions():
            return _SortedTotal.apply(x, ids, n)
    return kernels.plain_total(x, ids, n)


class _SortedTotal(torch.autograd.Function):  # type: ignore[misc]  # mypy skips torch
    """The sum as bags, with the gradient that index_add has (embedding_bag's own is slower)."""

    @staticmethod
    def forward(ctx: Any, x: Any, ids: Any, n: int) -> Any:
        sums, first, last = bags.sorted_total(x, ids, n)
        ctx.save_for_backward(ids)
        ctx.reach = first, last, n
        return sums

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        (ids,) = ctx.saved_tensors
        first, last, n = ctx.reach
        inner = ids[first:last]
        # Not needed unless the promise of sorted ids was broken.
        inner = inner.clamp(0, max(n - 1, 0))
        rows = grad.index_select(0, inner)
        if first or last < ids.shape[0]:
            before = grad.new_zeros(first, *grad.shape[1:])
            after = grad.new_zeros(ids.shape[0] - last, *grad.shape[1:])
            rows = torch.cat([before, rows, after])
        return rows, None, None


def traced_total(x: Any, ids: Any, n: Any) -> Any:
    """Sum rows in a trace, where ids may be out of range, in the dtype of x."""
    if is_dynamo_tracing() and takes_functions() and is_differentiated(x) and is_known_positive(n):
        return _TracedTotal.apply(x, ids, n)
    return _traced_value(x, ids, n)


def _traced_value(x: Any, ids: Any, n: Any) -> Any:
    ids, segments, first = sent_off(ids, n, x.ndim, False)
    return kernels.total(x, ids, segments)[first : first + n]


class _TracedTotal(torch.autograd.Function):  # type: ignore[misc]  # mypy skips torch
    """The sum with a gradient that reads n rows: that of the cut reads a padded copy, entry by entry.

    A tenth of an attention layer's step under Inductor. benchmarks/compiled.py
    """

    @staticmethod
    def forward(ctx: Any, x: Any, ids: Any, n: Any) -> Any:
        ctx.save_for_backward(ids)
        ctx.n = n
        return _traced_value(x, ids, n)

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        (ids,) = ctx.saved_tensors
        rows = grad.index_select(0, ids.clamp(0, ctx.n - 1))
        return torch.where(inside(ids, ctx.n, rows), rows, 0), None, None
