"""Gathering and repeating on PyTorch."""

from __future__ import annotations

from typing import Any

import torch

from anytensor.backends.torch.kernels import kernel_ids
from anytensor.backends.torch.modes import is_plain
from anytensor.backends.torch.segment import partition_ids

__all__ = ["repeat", "take"]


def take(x: Any, indices: Any, axis: int) -> Any:
    """Gather along an axis; negative indices count from the end, others out of range raise IndexError."""
    flat = indices if indices.ndim == 1 else indices.reshape(-1)
    flat = kernel_ids(flat)
    if is_plain(x, flat):
        try:
            taken = x.index_select(axis, flat)
        except (IndexError, RuntimeError):
            taken = x.index_select(axis, _wrapped_in_range(flat, x.shape[axis], axis))
    else:
        taken = x.index_select(axis, torch.where(flat < 0, flat + x.shape[axis], flat))
    if indices.ndim == 1:
        return taken
    axis = axis % x.ndim
    return taken.reshape((*x.shape[:axis], *indices.shape, *x.shape[axis + 1 :]))


def _wrapped_in_range(flat: Any, length: int, axis: int) -> Any:
    outside = (flat < -length) | (flat >= length)
    if bool(outside.any()):
        first = int(flat[outside][0])
        raise IndexError(f"take: index {first} is out of range for axis {axis} of length {length}")
    return torch.where(flat < 0, flat + length, flat)


def repeat(x: Any, repeats: Any, axis: int, total: Any) -> Any:
    """Repeat entries along an axis; with total, cut to it or padded with the last entry."""
    if total is None:
        if isinstance(repeats, torch.Tensor):
            repeats = kernel_ids(repeats)
        return torch.repeat_interleave(x, repeats, dim=axis)
    length = x.shape[axis]
    if isinstance(repeats, torch.Tensor):
        counts = repeats.reshape(-1).expand(length) if repeats.numel() == 1 else repeats
    else:
        counts = torch.full((length,), repeats, dtype=torch.int64, device=x.device)
    return x.index_select(axis, partition_ids(counts, total).clamp(max=length - 1))
