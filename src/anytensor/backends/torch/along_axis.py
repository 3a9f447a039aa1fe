"""Gathering along an axis on PyTorch, by one index for each entry."""

from __future__ import annotations

from typing import Any

import torch

from anytensor.backends.torch.kernels import kernel_ids

__all__ = ["take_along_axis"]


def take_along_axis(x: Any, indices: Any, /, *, axis: int) -> Any:
    """Gather one entry for each index; torch.gather takes int64 only and no negative index (#146211)."""
    indices = kernel_ids(indices).to(torch.int64)
    length = x.shape[axis]
    wrapped = torch.where(indices < 0, indices + length, indices)
    try:
        return torch.take_along_dim(x, wrapped, dim=axis)
    except RuntimeError:
        outside = (wrapped < 0) | (wrapped >= length)
        if bool(outside.any()):
            first = int(indices[outside][0])
            raise IndexError(
                f"take_along_axis: index {first} is out of range for axis {axis} of length {length}"
            ) from None
        raise
