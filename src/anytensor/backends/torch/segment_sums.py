"""Sums of segments, bare (every id in range): unsorted by the native kernel, sorted ones as bags."""

from __future__ import annotations

from typing import Any

import torch
from torch.nn import functional

from anytensor.backends.torch import kernels
from anytensor.backends.torch.guard import inside, sent_off
from anytensor.backends.torch.modes import (
    is_differentiated,
    is_dynamo_tracing,
    is_known_positive,
    takes_functions,
)

__all__ = ["total", "traced_total"]

# From these sizes on the bag kernel is faster than index_add on sorted ids, twice at 64 columns: rows of a
# segment are added up in registers. Earned in benchmarks/segment_large.py.
_LEAST_ENTRIES = 16384
_LEAST_WIDTH = 8
_LEAST_ROWS_PER_SEGMENT = 4


def total(x: Any, ids: Any, n: Any, sorted: bool, plain: bool) -> Any:
    """Sum rows by id, in the dtype of x."""
    if not plain:
        return kernels.total(x, ids, n)
    if sorted and _bags_pay(x, n):
        if not is_differentiated(x):
            return _bagged(x, ids, n)[0]
        if takes_functions():
            return _SortedTotal.apply(x, ids, n)
    return kernels.plain_total(x, ids, n)


def _bags_pay(x: Any, n: int) -> bool:
    entries, rows = x.numel(), x.shape[0]
    return bool(
        entries >= _LEAST_ENTRIES
        and x.dtype == torch.float32
        and entries >= _LEAST_WIDTH * rows
        and rows >= _LEAST_ROWS_PER_SEGMENT * n
        and rows < 2**31
        and x.is_contiguous()
    )


def _bagged(x: Any, ids: Any, n: int) -> tuple[Any, int, int]:
    """Return the sums, and the first and last + 1 of the rows that have an id in range."""
    starts = torch.searchsorted(ids, torch.arange(n + 1, dtype=ids.dtype), out_int32=True)
    # Bags that overlap would be read out of bounds. PyTorch's binary search finds none, whatever the ids are:
    # where it goes right for a number, it goes right for every greater one. Another search might.
    if bool((starts[1:] < starts[:-1]).any()):  # pragma: no cover - as said above
        starts = torch.cummax(starts, 0)[0]
    first, last = int(starts[0]), int(starts[-1])
    rows = torch.arange(first, last, dtype=torch.int32)
    flat = x.view(x.shape[0], -1)
    if first:
        starts = starts - first
    sums = functional.embedding_bag(rows, flat, starts, mode="sum", include_last_offset=True)
    return sums.view(n, *x.shape[1:]), first, last


class _SortedTotal(torch.autograd.Function):  # type: ignore[misc]  # mypy skips torch
    """The sum as bags, with the gradient that index_add has (embedding_bag's own is slower)."""

    @staticmethod
    def forward(ctx: Any, x: Any, ids: Any, n: int) -> Any:
        sums, first, last = _bagged(x, ids, n)
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
