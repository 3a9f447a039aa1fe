"""Sums of segments as bags: a list of the rows of each, which ``embedding_bag`` adds up in registers.

Sorted ids are such a list as they stand. Ids in no order are sorted first, which pays from some ten thousand
rows on, where PyTorch sorts integers by their digits: below it compares them, at a multiple of the time. The
rows themselves stay where they are and are added in their order, so the sum is that of index_add to the bit.
At 100,000 rows of 8 to 64 entries the kernel takes 1.3 to 2.2 times as long where ids are in no order. Where
they are nearly sorted it is as quick, and gets them; benchmarks/segment_layouts.py.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import torch
from torch.nn import functional

__all__ = ["Order", "any_outside", "may_order", "order", "sorted_pays", "sorted_total", "total"]

# From these sizes on bags of sorted ids are quicker than index_add, twice at 64 columns.
_LEAST_ENTRIES = 16384
_LEAST_WIDTH = 8
_LEAST_ROWS_PER_SEGMENT = 4

# From these sizes on they are so with the sorting of the ids, two digits of 16 bits or four of 32.
ROWS = 50_000  # digits are sorted from 32,768 on
_SHORT, _SHORT_WIDTH = 1 << 15, 8
_LONG_WIDTH = 16
_SAMPLE = 64  # ids spread over all, and the first ones: most that are in no order show it there
_SEARCHED = 24  # rows in a segment from which on its begin is found before its rows are counted
# The kernels come with FBGEMM, which runs where this engine is supported.
_HAS_KERNELS = "fbgemm" in torch.backends.quantized.supported_engines


class Order(NamedTuple):
    """Where the rows of each segment are."""

    rows: Any  # (rows,) int32: row numbers, those of segment 0 first
    starts: Any  # (segments + 1,) int32: where each segment begins among them


def any_outside(ids: Any, n: int) -> bool:
    """Return whether one of the ids, of which there must be one, is out of range."""
    least, greatest = ids.aminmax()
    return int(least) < 0 or int(greatest) >= n


def may_order(x: Any, n: int) -> bool:
    """Return whether the sum of x may be quicker as bags when the ids are not known to be sorted."""
    rows = x.shape[0]
    return bool(
        rows >= ROWS
        and x.numel() >= (_SHORT_WIDTH if n <= _SHORT else _LONG_WIDTH) * rows
        and _LEAST_ROWS_PER_SEGMENT * n <= rows < 2**31
        and x.dtype == torch.float32
        and x.is_contiguous()
        and _HAS_KERNELS
    )


def order(x: Any, ids: Any, n: int, may_sort: bool = True) -> Order | None:
    """Return where the rows of each segment are, or None where the sum is quicker without.

    All ids must be in range. 28 bytes a row while they are sorted, which is up to the caller; 4 in what is
    returned.
    """
    if not may_order(x, n):
        return None
    if _some_sorted(ids[:: ids.shape[0] // _SAMPLE]):
        # Rows of nearly sorted ids are read one after the other by the kernel too.
        is_sorted = _some_sorted(ids[:_SAMPLE]) and bool((ids[1:] >= ids[:-1]).all())
        return _in_a_row(ids, n) if is_sorted else None
    if not may_sort:
        return None
    keys = ids.to(torch.int16 if n <= _SHORT else torch.int32)
    rows = torch.sort(keys, stable=True)[1].to(torch.int32)
    return Order(rows, _counted(ids, n))


def _some_sorted(ids: Any) -> bool:
    some = ids.tolist()
    return bool(some == sorted(some))


def _in_a_row(ids: Any, n: int) -> Order:
    rows = torch.arange(ids.shape[0], dtype=torch.int32, device=ids.device)
    return Order(rows, _counted(ids, n) if ids.shape[0] < _SEARCHED * n else _searched(ids, n))


def _counted(ids: Any, n: int) -> Any:
    """Return where each segment begins among the rows in order; all ids must be in range."""
    starts = ids.new_zeros(n + 1, dtype=torch.int32)
    torch.cumsum(torch.bincount(ids, None, n), 0, out=starts[1:])
    return starts


def _searched(ids: Any, n: int) -> Any:
    """Return where each segment begins among sorted ids."""
    segments = torch.arange(n + 1, dtype=ids.dtype, device=ids.device)
    return torch.searchsorted(ids.contiguous(), segments, out_int32=True)


def total(x: Any, rows: Order) -> Any:
    """Sum the rows of each segment; x is float32 and contiguous."""
    flat = x.view(x.shape[0], -1)
    sums = functional.embedding_bag(rows.rows, flat, rows.starts, mode="sum", include_last_offset=True)
    # No view: a result of an autograd.Function that is one may not be written to.
    return sums.resize_(sums.shape[0], *x.shape[1:])


def sorted_pays(x: Any, n: int) -> bool:
    """Return whether the sum of x by sorted ids is quicker as bags."""
    entries, rows = x.numel(), x.shape[0]
    return bool(
        entries >= _LEAST_ENTRIES
        and x.dtype == torch.float32
        and entries >= _LEAST_WIDTH * rows
        and rows >= _LEAST_ROWS_PER_SEGMENT * n
        and rows < 2**31
        and x.is_contiguous()
    )


def sorted_total(x: Any, ids: Any, n: int) -> tuple[Any, int, int]:
    """Return the sums, and the first and last + 1 of the rows that have an id in range."""
    if x.shape[0] < _SEARCHED * n and not any_outside(ids, n):
        return total(x, _in_a_row(ids, n)), 0, x.shape[0]
    starts = _searched(ids, n)
    # Bags that overlap would be read out of bounds. PyTorch's binary search finds none, whatever the ids are:
    # where it goes right for a number, it goes right for every greater one. Another search might.
    if bool((starts[1:] < starts[:-1]).any()):  # pragma: no cover - as said above
        starts = torch.cummax(starts, 0)[0]
    first, last = int(starts[0]), int(starts[-1])
    rows = torch.arange(first, last, dtype=torch.int32, device=ids.device)
    return total(x, Order(rows, starts - first if first else starts)), first, last
