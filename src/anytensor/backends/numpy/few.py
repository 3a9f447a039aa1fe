"""A few rows on NumPy, where a call's own cost outweighs the work (``benchmarks/segment_small.py``).

``ufunc.at`` on rows of several entries takes 5 us for 20 rows of 8. Here a sum is one product with the
one-hot ids, and the other ufuncs run on flat operands, where ``at`` has a fast loop. What these cannot do
right is left to the caller by returning None.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

__all__ = ["WRAPS", "few_extreme", "few_hot", "few_mean", "few_softmax", "few_sum", "sum_by"]

SMALL = 1 << 12  # entries, of the data and of the one-hot ids
KEPT = 64  # side of the greatest one-hot table, and how many of a sort are kept: 2 MiB
LARGE = 1e36  # a sum of squares below it leaves room for what the formulas do, in float32 too

WRAPS = np.dtype(np.uint64)  # NumPy 2.4 indexes by it as by int64: 2**64 - 1 would be the last entry


@functools.lru_cache(maxsize=KEPT)
def _one_hot(n: int, dtype: Any) -> Any:
    table = np.eye(n, dtype=dtype)
    table.flags.writeable = False
    return table


@functools.lru_cache(maxsize=KEPT)
def _positions(n: int, width: int) -> Any:
    table = np.arange(n * width).reshape(n, width)
    table.flags.writeable = False
    return table


def few_hot(x: Any, ids: Any, n: int) -> Any:
    """Return the one-hot ids (E, n) in the dtype of x if x is small, floating, finite and each id in [0, n).

    A NaN or an infinity would reach every segment of a product (0 * inf). The sum of squares tells of both.
    """
    dtype = x.dtype
    if not (dtype.char in "fd" and 0 < x.size <= SMALL and n <= KEPT and n * ids.size <= SMALL):
        return None
    if ids[ids.argmin()] < 0 or ids.dtype == WRAPS:
        return None
    entries = x.reshape(-1)
    if not entries.dot(entries) < LARGE:
        return None
    try:
        return _one_hot(n, dtype).take(ids, 0)
    except IndexError:
        return None


def sum_by(hot: Any, x: Any) -> Any:
    """Sum the rows of each segment by its one-hot ids."""
    if x.ndim <= 2:
        return hot.T.dot(x)
    return hot.T.dot(x.reshape(x.shape[0], -1)).reshape(hot.shape[1], *x.shape[1:])


@np.errstate(all="ignore")
def few_sum(x: Any, ids: Any, n: int) -> Any:
    """Sum the rows of each segment, or return None."""
    hot = few_hot(x, ids, n)
    return None if hot is None else sum_by(hot, x)


@np.errstate(all="ignore")
def few_mean(x: Any, ids: Any, n: int) -> Any:
    """Average the rows of each segment, or return None."""
    hot = few_hot(x, ids, n)
    if hot is None:
        return None
    total = sum_by(hot, x)
    count = np.maximum(np.bincount(ids, minlength=n), 1).astype(x.dtype)
    total /= count.reshape(n, *(1,) * (x.ndim - 1))
    return total


@np.errstate(all="ignore")
def few_softmax(x: Any, ids: Any, n: int) -> Any:
    """Take the softmax over the rows of each segment, or return None."""
    hot = few_hot(x, ids, n)
    if hot is None:
        return None
    top = _by_position(np.maximum, x, ids, n, -np.inf)
    weight = x - top.take(ids, 0)
    np.exp(weight, out=weight)
    weight /= sum_by(hot, weight).take(ids, 0)
    return weight


def few_extreme(ufunc: Any, x: Any, ids: Any, n: int, identity: Any) -> Any:
    """Combine the rows of each segment in the dtype of x, or return None."""
    if not (0 < x.size <= SMALL and n * x.size <= SMALL * ids.size):
        return None
    if ids[ids.argmin()] < 0 or ids.dtype == WRAPS:
        return None
    try:
        return _by_position(ufunc, x, ids, n, identity)
    except IndexError:
        return None


def _by_position(ufunc: Any, x: Any, ids: Any, n: int, identity: Any) -> Any:
    width = x.size // ids.size
    out = np.empty((n, *x.shape[1:]), x.dtype)
    out.fill(identity)
    ufunc.at(out.reshape(-1), _positions(n, width).take(ids, 0).reshape(-1), x.reshape(-1))
    return out
