"""The kernels under NumPy's segment operations: combine the rows of one id, by ufunc.

``ufunc.at`` with rows of several entries is slow (1000 ms for a million rows of 64), so nothing here uses it
so. All of this is measured by ``benchmarks/segment_small.py`` and ``benchmarks/segment_large.py``.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from anytensor.backends.numpy.few import WRAPS

__all__ = ["BLOCK", "guard", "large_sum", "scatter", "stable_order"]

BLOCK = 1 << 16  # entries worked on at once: the temporaries stay in a second-level cache
WIDE = 16  # entries in a row from which sorting pays off
FEW = 16  # segments that are cheaper to do one by one than together
PRODUCT_BLOCK = 1 << 16  # rows of a sparse matrix of ones
SPARSE = 1 << 20  # entries from which a multiplication by SciPy pays for its import


def guard(ids: Any, n: int, sorted: bool) -> tuple[Any, int, Any, bool]:
    """Send the ids outside [0, n) to one more segment.

    Returns:
        The ids, the number of segments (n, or n + 1 if some id lay outside), a mask of the rows outside (None
        if there are none), and whether the ids are still sorted. No row is copied: a mask on wide rows costs
        more than one more segment.
    """
    if not ids.size:
        return ids, n, None, sorted
    if ids.dtype == WRAPS:
        ids = ids.astype(np.intp)  # 2**63 and above turn negative, which is outside as well
    least = ids[ids.argmin()]
    if least >= 0 and ids[ids.argmax()] < n:
        return ids, n, None, sorted
    outside = (ids < 0) | (ids >= n)
    return np.where(outside, np.intp(n), ids), n + 1, outside, bool(sorted and least >= 0)


def scatter(ufunc: Any, x: Any, ids: Any, n: int, dtype: Any, identity: Any, sorted: bool) -> Any:
    """Combine the rows of each segment.

    Args:
        ufunc: np.add, np.multiply, np.minimum or np.maximum.
        x: Rows, (E, ...).
        ids: Segment of each row, every one in [0, n).
        n: Number of segments.
        dtype: What to compute in; ``x`` is cast block by block.
        identity: What an empty segment holds.
        sorted: Whether ids are promised not to decrease.

    Returns:
        An array of shape (n, ...) in ``dtype``.
    """
    shape = (n, *x.shape[1:])
    if not x.size:
        return np.full(shape, identity, dtype)
    rows = x.reshape(x.shape[0], -1)
    width = rows.shape[1]
    if ufunc is np.add and rows.dtype == dtype and _is_large(x):
        out = _by_product(rows, ids, n)
        if out is not None:
            return out.reshape(shape)
    if width < WIDE:
        out = _by_position(ufunc, rows, ids, n, dtype, identity)
    else:
        out = _by_rank(ufunc, rows, ids, n, dtype, identity, sorted)
    return out.reshape(shape)


def large_sum(x: Any, ids: Any, n: int) -> Any:
    """Sum many rows of floating numbers, leaving out those whose id is out of range; None if x is none such.

    Ids are brought in range block by block: copies of them all would take up to a fifth of the result.
    """
    if not _is_large(x) or ids.dtype == WRAPS:
        return None
    outside = ids[ids.argmin()] < 0 or ids[ids.argmax()] >= n
    out = _by_product(x.reshape(x.shape[0], -1), ids, n + 1 if outside else n, n if outside else None)
    return None if out is None else out[:n].reshape(n, *x.shape[1:])


def _is_large(x: Any) -> bool:
    return bool(x.size >= SPARSE and x.size > x.shape[0] and x.dtype.char in "fdFD")


def _by_position(ufunc: Any, rows: Any, ids: Any, n: int, dtype: Any, identity: Any) -> Any:
    """Combine entry by entry: ``ufunc.at`` has a fast loop for flat operands of one dtype."""
    width = rows.shape[1]
    out = np.full(n * width, identity, dtype)
    columns = np.arange(width)
    step = max(1, BLOCK // width)
    for start in range(0, rows.shape[0], step):
        index = ids[start : start + step].astype(np.intp, copy=False)
        if width > 1:
            index = np.add.outer(index * width, columns).reshape(-1)
        ufunc.at(out, index, rows[start : start + step].astype(dtype, copy=False).reshape(-1))
    return out


def stable_order(ids: Any, n: int) -> Any:
    """Return the stable argsort of ids in [0, n): two bytes at a time, which NumPy sorts in linear time."""
    if n <= 1 << 16:
        return ids.astype(np.uint16).argsort(kind="stable")
    if n > 1 << 32:
        return ids.argsort(kind="stable")
    order = ids.astype(np.uint16).argsort(kind="stable")
    high = (ids >> 16).astype(np.uint16).take(order)
    return order.take(high.argsort(kind="stable"))


def _by_rank(ufunc: Any, rows: Any, ids: Any, n: int, dtype: Any, identity: Any, sorted: bool) -> Any:
    """Combine whole rows: the first row of every segment at once, then the second, and so on.

    Segments are taken in blocks of nearly equal counts, the largest first, so that each step is one gather
    and one ufunc call on a block that stays in the cache. The last few long segments are reduced singly,
    so that one segment with all the rows costs no more than many short ones.
    """
    width = rows.shape[1]
    counts = np.bincount(ids, minlength=n)
    starts = np.cumsum(counts) - counts
    order = None if sorted else stable_order(ids, n)
    by_count = np.minimum(counts, 0xFFFF).astype(np.uint16).argsort(kind="stable")[::-1]
    out = np.empty((n, width), dtype)
    block = max(FEW, BLOCK // width)
    gathered = np.empty((block, width), rows.dtype)
    for first in range(0, n, block):
        segments = by_count[first : first + block]
        count, start = counts.take(segments), starts.take(segments)
        part = np.full((len(segments), width), identity, dtype)
        descending = -np.minimum(count, 0xFFFF)
        rank, alive = 0, int(descending.searchsorted(0))
        while alive > FEW:
            position = start[:alive] + rank
            index = position if order is None else order.take(position)
            step = rows.take(index, 0, out=gathered[:alive], mode="clip")
            ufunc(part[:alive], step, out=part[:alive])
            rank += 1
            alive = int(descending.searchsorted(-rank))
        for i in range(len(segments) if rank >= 0xFFFF else alive):
            _continue(ufunc, part[i], rows, order, start[i] + rank, start[i] + count[i], block)
        out[segments] = part
    return out


def _continue(ufunc: Any, entry: Any, rows: Any, order: Any, start: int, stop: int, block: int) -> None:
    for first in range(start, stop, block):
        last = min(first + block, stop)
        chunk = rows[first:last] if order is None else rows.take(order[first:last], 0)
        ufunc(entry, ufunc.reduce(chunk, axis=0, dtype=entry.dtype), out=entry)


def _by_product(rows: Any, ids: Any, n: int, limit: int | None = None) -> Any:
    """Sum by SciPy's kernel for a sparse matrix with a one in each column; None without SciPy.

    Ids that lie outside [0, limit) go to segment ``limit``.

    The kernel adds to what is there, so that the matrix needs to exist for one block of rows at a time
    (``benchmarks/memory.py``). On narrow or integer rows the other ways are as fast. A complex number is
    summed as two real ones, since 1 * (inf + 0j) is NaN.
    """
    kernel = _csc_kernel()
    if kernel is None:
        return None
    real = rows.real.dtype
    length, width = rows.shape[0], rows.shape[1] * (rows.dtype.itemsize // real.itemsize)
    out = np.zeros((n, width), real)
    index = np.int32 if n < 2**31 else np.int64
    ones, starts = np.ones(PRODUCT_BLOCK, real), np.arange(PRODUCT_BLOCK + 1, dtype=index)
    for first in range(0, length, PRODUCT_BLOCK):
        some = ids[first : first + PRODUCT_BLOCK]
        if limit is not None:
            some = np.where((some < 0) | (some >= limit), np.intp(limit), some)
        count = len(some)
        part = np.ascontiguousarray(rows[first : first + count]).view(real).reshape(-1)
        kernel(
            n,
            count,
            width,
            starts[: count + 1],
            some.astype(index, copy=False),
            ones[:count],
            part,
            out.reshape(-1),
        )
    return out.view(rows.dtype)


@functools.lru_cache(maxsize=1)
def _csc_kernel() -> Any:
    # Private, and the same since SciPy 0.x: what a product of a CSC matrix and a dense one calls.
    try:
        from scipy.sparse._sparsetools import csc_matvecs
    except ImportError:
        return None
    return csc_matvecs
