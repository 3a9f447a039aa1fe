"""Indexing on JAX. The clauses stand in ``backends/contract.py``."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np

from anytensor.backends.jax.compiling import compiled
from anytensor.backends.jax.cumulative import ends_within

__all__ = ["repeat", "signed", "take"]


def signed(ids: Any) -> Any:
    """Return ids of the same values in a signed dtype of at least 32 bits; too large ones turn negative.

    XLA compares an index with the length in the index's own dtype, where 300 is no uint8.
    """
    if ids.dtype.itemsize < 4 or ids.dtype == np.uint32:
        return ids.astype(np.int32)
    return ids.astype(np.int64) if ids.dtype == np.uint64 else ids


@compiled(2)
def take(x: Any, indices: Any, axis: int) -> Any:
    """Gather along an axis; NaN (0, False) for an index out of range."""
    if indices.dtype in (np.uint32, np.uint64):
        # A value past the signed range is past any end, but would come out negative.
        indices = jnp.minimum(indices, indices.dtype.type(np.iinfo(f"i{indices.dtype.itemsize}").max))
    fill = jnp.nan if jnp.issubdtype(x.dtype, jnp.inexact) else 0
    if x.shape[axis] == 0:
        axis %= x.ndim
        return jnp.full(x.shape[:axis] + indices.shape + x.shape[axis + 1 :], fill, x.dtype)
    return jnp.take(x, signed(indices), axis=axis, mode="fill", fill_value=fill)


def repeat(x: Any, repeats: Any, axis: int, total: Any) -> Any:
    """Repeat entries along an axis, cut or padded with the last entry to a length of ``total``."""
    if total is None:
        return jnp.repeat(x, repeats, axis=axis)
    if x.shape[axis] == 0:
        if type(total) is not int or total:
            raise ValueError(
                f"repeat: `x` has no entry along axis {axis} to fill a `total_repeat_length` of {total}"
            )
        return x
    if isinstance(repeats, int):
        return _repeat_evenly(x, repeats, axis, total)
    return _repeat(x, repeats, axis, total)


@compiled(1, 2, 3)
def _repeat_evenly(x: Any, repeats: int, axis: int, total: Any) -> Any:
    return jnp.repeat(x, repeats, axis=axis, total_repeat_length=total)


@compiled(2, 3)
def _repeat(x: Any, repeats: Any, axis: int, total: Any) -> Any:
    lengths = jnp.broadcast_to(repeats.reshape(-1), (x.shape[axis],))
    ends = ends_within(lengths, total)
    if type(total) is int:
        ends = jnp.minimum(ends, total)
    repeats = jnp.diff(ends, prepend=0)  # jnp.repeat adds them up without a look at the range of int32
    return jnp.repeat(x, repeats, axis=axis, total_repeat_length=total)
