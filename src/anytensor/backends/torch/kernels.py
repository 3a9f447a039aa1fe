"""The native kernels behind the segment operations, bare: every id in range, no clause of the contract.

On an ordinary CPU tensor each of them raises RuntimeError or IndexError if an id is out of range; in a trace
ids have been brought in range before (``guard.py``). Functions named ``plain_*`` write into the result that
they have made, which is cheaper, and what a functorch transform or a trace would refuse.
"""

from __future__ import annotations

from typing import Any

import torch

from anytensor.backends.torch import large
from anytensor.backends.torch.modes import is_onnx_exporting

__all__ = [
    "KERNEL_ERRORS",
    "accumulated",
    "accumulator",
    "count",
    "extreme",
    "kernel_ids",
    "plain_count",
    "plain_extreme",
    "plain_total",
    "product",
    "spread",
    "total",
]

KERNEL_ERRORS = (IndexError, RuntimeError)

# Rows from which on the quick kernels, which want int64 ids without gaps, are worth the conversion to them:
# benchmarks/segment_layouts.py.
_SOME = 512
_ID_DTYPES = frozenset({torch.int32, torch.int64})
_WIDE_IDS = frozenset({torch.uint32, torch.uint64})
_HALVES = frozenset({torch.float16, torch.bfloat16})
_FLOATS = frozenset({torch.float16, torch.bfloat16, torch.float32, torch.float64})


def kernel_ids(ids: Any) -> Any:
    """Return ids in a dtype that index_add and index_select take: int32 or int64, values kept.

    A uint64 value beyond int64 turns negative, and so stays out of range.
    """
    if ids.dtype in _ID_DTYPES:
        return ids
    return ids.to(torch.int64 if ids.dtype in _WIDE_IDS else torch.int32)


def spread(ids: Any, x: Any) -> Any:
    """Return ids as scatter kernels want them: int64, of the shape of x, without memory of their own."""
    # int32 is refused before PyTorch 2.8, and up to 2.13 where the kernel for wide rows sorts the ids.
    if ids.dtype != torch.int64:
        ids = ids.to(torch.int64)
    if x.ndim == 1:
        return ids
    return ids.reshape(ids.shape[0], *[1] * (x.ndim - 1)).expand(x.shape)


def accumulator(dtype: Any) -> Any:
    """Return the dtype to add and multiply in: halves in float32, narrow integers and bool in int64."""
    if dtype in _HALVES:
        return torch.float32
    if dtype in _FLOATS or dtype.is_complex:
        return dtype
    return torch.int64


def _places(ids: Any) -> Any:
    """Return ids as index_add wants them: ONNX scatters by int64 only, and PyTorch (2.13) exports others."""
    return ids.to(torch.int64) if ids.dtype != torch.int64 and is_onnx_exporting() else ids


def total(x: Any, ids: Any, n: Any) -> Any:
    """Sum rows by id."""
    return x.new_zeros((n, *x.shape[1:])).index_add(0, _places(ids), x)


def plain_total(x: Any, ids: Any, n: int) -> Any:
    """Sum rows by id."""
    shape = x.shape
    dims = len(shape)
    if shape[0] >= _SOME:
        if shape[0] >= large.ROWS:
            return large.total(x, ids, n, x.dtype)
        if dims > 1:
            ids = ids.to(torch.int64)
    if dims == 2:
        # Sizes one by one: new_zeros reads them a microsecond faster than a tuple.
        return x.new_zeros(n, shape[1]).index_add_(0, ids, x)
    if dims == 1:
        return x.new_zeros(n).index_add_(0, ids, x)
    return x.new_zeros(n, *shape[1:]).index_add_(0, ids, x)


def accumulated(x: Any, ids: Any, n: int) -> Any:
    """Sum rows by id on an ordinary tensor, in the dtype to add in."""
    dtype = accumulator(x.dtype)
    if x.shape[0] >= large.ROWS:
        return large.total(x, ids, n, dtype)
    return plain_total(x.to(dtype), ids, n)


def count(ids: Any, n: Any) -> Any:
    """Count rows by id, in int32: Inductor (2.13) compiles no int64 sum, it calls a kernel for it."""
    ones = torch.ones_like(ids, dtype=torch.int32)
    return ones.new_zeros((n,)).index_add(0, _places(ids), ones)


def plain_count(ids: Any, n: int) -> Any:
    """Count rows by id."""
    ones = ids.new_ones((), dtype=torch.int64).expand(ids.shape[0])
    return ones.new_zeros(n).index_add_(0, ids, ones)


def product(x: Any, ids: Any, n: Any) -> Any:
    """Multiply rows by id."""
    return x.new_ones((n, *x.shape[1:])).scatter_reduce(0, spread(ids, x), x, "prod")


def extreme(x: Any, ids: Any, n: Any, largest: bool, start: Any) -> Any:
    """Take the greatest or least entry of start and the rows, by id."""
    begin = x.new_full((n, *x.shape[1:]), start)
    return begin.scatter_reduce(0, spread(ids, x), x, "amax" if largest else "amin")


def plain_extreme(x: Any, ids: Any, n: int, largest: bool, start: Any) -> Any:
    """Take the greatest or least entry of start and the rows, by id."""
    shape = x.shape
    if shape[0] >= _SOME:
        if shape[0] >= large.ROWS:
            large.refuse(x, ids, n)
            if large.is_wide(x):
                return large.extreme(x, ids, x.new_full((n, *shape[1:]), start), largest)
        ids = ids.contiguous()
    if ids.dtype != torch.int64:
        ids = ids.to(torch.int64)
    if len(shape) == 2:
        begin = x.new_full((n, shape[1]), start)
        index = ids.as_strided(shape, (ids.stride(0), 0))  # one call in place of unsqueeze and expand
    else:
        begin = x.new_full((n, *shape[1:]), start)
        index = spread(ids, x)
    return begin.scatter_reduce_(0, index, x, "amax" if largest else "amin")
