"""Sums and extremes of many rows on ordinary CPU tensors, as the kernels like them.

PyTorch's kernels (2.13) have a quick way and a slow one, and which of them runs is a matter of layout:

- rows of 16 entries and more: the quick way sorts the ids of all rows first, at 35 bytes a row. In blocks of
  rows that memory stays small beside a large result, to the same bit. Where memory is no matter, bags are
  quicker (``bags.py``);
- it is taken for int64 ids without gaps and contiguous rows only, else each row is a call of its own: what
  comes otherwise is converted, block by block, and rows of a narrow dtype to the wide one as well;
- rows of two or three entries always take the slow way: many of them are quicker column by column;
- for a vector scatter_add is quicker than index_add, which is the other way round for a few entries.

Ids are looked at before the work, all of them where rows are wide (a thousandth of it), else the last one: a
kernel finds the ids of padding, which stands at the end, when all is done.

The choices are measured in benchmarks/segment_layouts.py, that for a vector in benchmarks/segment_large.py.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from anytensor.backends.torch import bags
from anytensor.backends.torch.modes import is_differentiated, takes_functions

__all__ = ["ROWS", "extreme", "is_wide", "refuse", "total", "total_of_inside"]

ROWS = 8192  # rows from which on all this pays
_WIDE = 16  # entries in a row from which on the kernels sort
_NARROW, _COLUMNS = 3, 1 << 16  # entries in a row, up to which, and rows, from which, columns are quicker
_CONVERTED = 1 << 19  # entries converted at once, if there are more than twice as many: they stay in a cache
_CACHED = 1 << 15  # segments up to which a block finds the extremes of the one before in a cache
_OUTSIDE = "an id is out of range"

# Rows whose ids are sorted at once, at some 30 bytes a row. Beside a large result that is little: a row for
# 500 bytes of it. Beside a small one it never is; then the bound is 30 MB, and less than the kernel takes.
_BLOCK, _MANY = 1 << 16, 1 << 20
_LARGE, _SHARE = 20 << 20, 500


def refuse(x: Any, ids: Any, n: int) -> None:
    """Raise IndexError if an id is seen to be out of range."""
    if bags.any_outside(ids if is_wide(x) or bags.may_order(x, n) else ids[-1:], n):
        raise IndexError(_OUTSIDE)


def is_wide(x: Any) -> bool:
    """Return whether x has many rows of many entries."""
    length = x.shape[0]
    return bool(length >= ROWS and x.numel() >= _WIDE * length)


def total(x: Any, ids: Any, n: int, dtype: Any) -> Any:
    """Sum rows by id, in a dtype that is at least as wide as that of x; IndexError for an id out of range."""
    refuse(x, ids, n)
    return _differentiable(x, ids, n, dtype)


def _differentiable(x: Any, ids: Any, n: int, dtype: Any) -> Any:
    if not is_differentiated(x):
        return _total(x, ids, n, dtype)
    if takes_functions():
        return _Total.apply(x, ids, n, dtype)
    return x.new_zeros(n, *x.shape[1:], dtype=dtype).index_add_(0, ids, x.to(dtype))


def total_of_inside(x: Any, ids: Any, n: int) -> Any:
    """Sum wide rows by id, leaving out those whose id is out of range; IndexError if that has a gradient."""
    if not bags.any_outside(ids, n):
        return _differentiable(x, ids, n, x.dtype)
    if is_differentiated(x):
        raise IndexError(_OUTSIDE)

    if bags.may_order(x, n) and _fits(x, n):
        order = bags.order(x, ids.clamp(-1, n).add_(1), n + 2)
        if order is not None:
            return bags.total(x, order)[1 : n + 1]

    def add(out: Any, ids: Any, rows: Any) -> None:
        out.index_add_(0, ids.clamp(-1, n).add_(1), rows)

    return _by_block(x.new_zeros(n + 2, *x.shape[1:]), ids, x, add)[1 : n + 1]


def extreme(x: Any, ids: Any, begin: Any, largest: bool) -> Any:
    """Take the greatest or least entry of begin, which is overwritten, and wide rows, by id (in range)."""
    reduction = "amax" if largest else "amin"

    def scatter(out: Any, ids: Any, rows: Any) -> None:
        out.scatter_reduce_(0, ids.unsqueeze(1).expand(rows.shape), rows, reduction)

    return _by_block(begin, ids, x, scatter, _BLOCK if begin.shape[0] <= _CACHED else x.shape[0])


def _at_once(nbytes: int) -> int:
    """Return how many rows may be sorted at once for a result of that size."""
    return max(_BLOCK, nbytes // _SHARE) if nbytes >= _LARGE else _MANY


def _fits(x: Any, n: int) -> bool:
    """Return whether the rows of x may be sorted at once."""
    length = x.shape[0]
    return bool(length <= _at_once(n * (x.numel() // length) * x.itemsize))


def _total(x: Any, ids: Any, n: int, dtype: Any) -> Any:
    order = bags.order(x, ids, n, _fits(x, n))  # of float32 only, which is summed in float32
    if order is not None:
        return bags.total(x, order)
    length = x.shape[0]
    if x.dim() == 1 and ids.dtype == torch.int64:
        return x.new_zeros(n, dtype=dtype).scatter_add_(0, ids, x.to(dtype))
    width = x.numel() // length
    if width >= _WIDE:
        return _by_block(x.new_zeros(n, *x.shape[1:], dtype=dtype), ids, x, _add)
    out = x.new_zeros(n, *x.shape[1:], dtype=dtype)
    if width <= _NARROW and length >= _COLUMNS:
        index = ids.to(torch.int64)
        pairs = zip(out.view(n, width).unbind(1), x.reshape(length, width).unbind(1), strict=True)
        for column, entries in pairs:
            column.scatter_add_(0, index, entries.to(dtype))
        return out
    return out.index_add_(0, ids, x.to(dtype))


def _add(out: Any, ids: Any, rows: Any) -> None:
    out.index_add_(0, ids, rows)


def _by_block(out: Any, ids: Any, x: Any, fold: Callable[[Any, Any, Any], None], step: int = 0) -> Any:
    length = x.shape[0]
    width = x.numel() // length
    if x.dtype == out.dtype and x.is_contiguous():
        step = step or _at_once(out.nbytes)
    elif x.numel() > 2 * _CONVERTED:
        step = max(1, min(_BLOCK, _CONVERTED // width))
    else:
        step = length
    pieces = zip(ids.split(step), x.split(step), strict=True) if step < length else ((ids, x),)
    flat = out.view(-1, width)
    for some, part in pieces:
        rows = part.to(out.dtype).reshape(-1, width).contiguous()
        fold(flat, some.to(torch.int64).contiguous(), rows)
    return out


class _Total(torch.autograd.Function):  # type: ignore[misc]  # mypy skips torch
    """The sum with the gradient of index_add; autograd through the blocks would join the pieces again."""

    @staticmethod
    def forward(ctx: Any, x: Any, ids: Any, n: int, dtype: Any) -> Any:
        ctx.save_for_backward(ids)
        ctx.dtype = x.dtype
        return _total(x, ids, n, dtype)

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        (ids,) = ctx.saved_tensors
        return grad.to(ctx.dtype).index_select(0, ids), None, None, None
