"""Gathering along an axis on PyTorch, by one index for each entry."""

from __future__ import annotations

from typing import Any

import torch

from anytensor.backends.torch.kernels import kernel_ids

__all__ = ["take_along_axis"]

# PyTorch 2.13 gathers no unsigned integers but uint8 on CPU; the bits are the same.
_SIGNED = {torch.uint16: torch.int16, torch.uint32: torch.int32, torch.uint64: torch.int64}


def take_along_axis(x: Any, indices: Any, /, *, axis: int = -1) -> Any:
    """Gather one entry for each index; torch.take_along_dim wraps one that is out of range around."""
    if x.dtype in _SIGNED:
        return take_along_axis(x.view(_SIGNED[x.dtype]), indices, axis=axis).view(x.dtype)
    indices = kernel_ids(indices).to(torch.int64)
    length, count = x.shape[axis], indices.shape[axis]
    wrapped = torch.where(indices < 0, indices + length, indices)
    if x.ndim > 1:
        others = torch.broadcast_shapes(
            (*x.shape[:axis], *x.shape[axis + 1 :]), (*indices.shape[:axis], *indices.shape[axis + 1 :])
        )
        x = x.expand(*others[:axis], length, *others[axis:])
        wrapped = wrapped.expand(*others[:axis], count, *others[axis:])
    try:
        return torch.gather(x, axis, wrapped)
    except RuntimeError:
        outside = (wrapped < 0) | (wrapped >= length)
        if bool(outside.any()):
            message = f"index out of range for axis {axis} of length {length}"
            raise IndexError(f"take_along_axis: {message}") from None
        raise
