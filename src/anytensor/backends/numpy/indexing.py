"""Indexing on NumPy. The clauses stand in ``backends/contract.py``."""

from __future__ import annotations

from typing import Any

import numpy as np

from anytensor.backends.numpy.cumulative import ends_within

__all__ = ["repeat", "take"]


def take(x: Any, indices: Any, axis: int) -> Any:
    """Gather along an axis; IndexError for an index out of range."""
    if indices.dtype == np.uint64:
        # NumPy 2.4 reads uint64 as int64: 2**64 - 1 would be the last entry. It is past any end.
        indices = np.minimum(indices, np.uint64(np.iinfo(np.intp).max)).astype(np.intp)
    try:
        return np.asarray(np.take(x, indices, axis=axis))
    except IndexError as error:
        raise IndexError(f"take: `indices`: {error}") from None


def repeat(x: Any, repeats: Any, axis: int, total: int | None) -> Any:
    """Repeat entries along an axis, cut or padded with the last entry to a length of ``total``."""
    if type(repeats) is np.ndarray and repeats.dtype == np.uint64:  # which NumPy refuses
        repeats = np.minimum(repeats, np.uint64(np.iinfo(np.intp).max)).astype(np.intp)
    if total is None:
        return np.repeat(x, repeats, axis=axis)
    length = x.shape[axis]
    lengths = np.broadcast_to(np.asarray(repeats).reshape(-1), (length,))
    ends = ends_within(lengths, total)
    if length == 0:
        if total:
            raise ValueError(
                f"repeat: `x` has no entry along axis {axis} to fill a `total_repeat_length` of {total}"
            )
        return np.array(x)
    ends[-1] = total
    rows = np.repeat(np.arange(length), np.diff(ends, prepend=0))
    return np.take(x, rows, axis=axis)
