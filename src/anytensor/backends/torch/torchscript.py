"""Segment operations in TorchScript's subset of Python, for legacy ``torch.jit.script`` callers.

The public functions cannot be scripted: they are generated wrappers that look types up. ``torch.jit.script``
keeps a table of functions that it has compiled already, and asks it first; here the public functions are
entered there with these as their compiled form. Eager calls do not come by. Annotations are evaluated by the
compiler, so this file does not postpone them.
"""

import warnings
from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import Tensor

__all__ = ["register"]


def _check(x: Tensor, segment_ids: Tensor, num_segments: int) -> None:
    if x.dim() == 0 or segment_ids.dim() != 1 or segment_ids.size(0) != x.size(0):
        raise ValueError(
            f"`segment_ids` must be one id for each row of `x`: {segment_ids.size()}, {x.size()}"
        )
    if segment_ids.is_floating_point() or segment_ids.is_complex() or segment_ids.dtype == torch.bool:
        raise ValueError("`segment_ids` must hold integers")
    if num_segments < 0:
        raise ValueError(f"`num_segments` must be at least 0, got {num_segments}")


def _sent_off(segment_ids: Tensor, num_segments: int) -> Tensor:
    """Return int64 ids whose dropped ones are num_segments."""
    ids = segment_ids.to(torch.int64)
    return torch.where((ids >= 0) & (ids < num_segments), ids, torch.full_like(ids, num_segments))


def _total(x: Tensor, ids: Tensor, n: int) -> Tensor:
    shape = list(x.size())
    shape[0] = n
    return torch.zeros(shape, dtype=x.dtype, device=x.device).index_add(0, ids, x)


def segment_sum(x: Tensor, segment_ids: Tensor, num_segments: int, sorted: bool = False) -> Tensor:
    """Sum the rows of each segment."""
    _check(x, segment_ids, num_segments)
    dtype = x.dtype
    work = x
    if dtype == torch.float16 or dtype == torch.bfloat16:
        work = x.to(torch.float32)
    elif not x.is_floating_point() and not x.is_complex():
        work = x.to(torch.int64)
    result = _total(work, _sent_off(segment_ids, num_segments), num_segments + 1)[:num_segments]
    return result.to(dtype) if x.is_floating_point() else result


def _start(x: Tensor, largest: bool) -> float:
    """Return the identity of floats: an infinity."""
    return -float("inf") if largest else float("inf")


def _integer_start(x: Tensor, largest: bool) -> int:
    """Return the least or greatest value of an integer dtype; TorchScript has no torch.iinfo."""
    if x.dtype == torch.int64:  # 2**63 itself is no constant of TorchScript
        return -9223372036854775807 - 1 if largest else 9223372036854775807
    if x.dtype == torch.uint8:
        return 0 if largest else 255
    half = 128
    if x.dtype == torch.int16:
        half = 32768
    elif x.dtype == torch.int32:
        half = 2147483648
    return -half if largest else half - 1


def _native(x: Tensor, ids: Tensor, n: int, largest: bool) -> Tensor:
    shape = list(x.size())
    shape[0] = n
    if x.is_floating_point():
        begin = torch.full(shape, _start(x, largest), dtype=x.dtype, device=x.device)
    else:
        begin = torch.full(shape, _integer_start(x, largest), dtype=x.dtype, device=x.device)
    index = ids.reshape([ids.size(0)] + [1] * (x.dim() - 1)).expand(x.size())
    if largest:
        return begin.scatter_reduce(0, index, x, "amax")
    return begin.scatter_reduce(0, index, x, "amin")


def _extreme(x: Tensor, segment_ids: Tensor, num_segments: int, largest: bool) -> Tensor:
    _check(x, segment_ids, num_segments)
    if x.is_complex():
        raise ValueError("complex numbers have no order")
    n = num_segments + 1
    ids = _sent_off(segment_ids, num_segments)
    if x.dtype == torch.bool:
        return _native(x.to(torch.uint8), ids, n, largest)[:num_segments] > 0
    if not x.is_floating_point() or not x.requires_grad:
        return _native(x.detach(), ids, n, largest)[:num_segments]
    # The kernel's own gradient counts the start value among the winners: here a sum that is 0 has it instead.
    dtype = x.dtype
    work = x.to(torch.float32) if dtype == torch.float16 or dtype == torch.bfloat16 else x
    value = work.detach()
    top = _native(value, ids, n, largest)
    winner = value == top.index_select(0, ids)
    count = _total(winner.to(work.dtype), ids, n).clamp(min=1.0)
    mean = _total(torch.where(winner, work / count.index_select(0, ids), torch.zeros_like(work)), ids, n)
    nothing = torch.where(torch.isfinite(top), mean - mean.detach(), mean)
    return (top + nothing).to(dtype)[:num_segments]


def segment_min(x: Tensor, segment_ids: Tensor, num_segments: int, sorted: bool = False) -> Tensor:
    """Take the least entry of each segment."""
    return _extreme(x, segment_ids, num_segments, False)


def segment_max(x: Tensor, segment_ids: Tensor, num_segments: int, sorted: bool = False) -> Tensor:
    """Take the greatest entry of each segment."""
    return _extreme(x, segment_ids, num_segments, True)


_SCRIPTED: Mapping[str, Callable[..., Any]] = {
    "segment_sum": segment_sum,
    "segment_min": segment_min,
    "segment_max": segment_max,
}


def register(public: Mapping[str, Callable[..., Any]]) -> None:
    """Enter public functions, by name, into ``torch.jit.script``'s table of what is compiled already."""
    # PyTorch (2.4 to 2.13) has no public way to say that one function is compiled as another.
    from torch.jit._state import _set_jit_function_cache, _try_get_jit_cached_function

    for name, function in public.items():
        if _try_get_jit_cached_function(function) is None:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", DeprecationWarning)  # the caller knows that it is legacy
                _set_jit_function_cache(function, torch.jit.script(_SCRIPTED[name]))
