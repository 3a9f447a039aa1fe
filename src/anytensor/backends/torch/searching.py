"""Searching on PyTorch: in a sorted vector with NaN last, as in NumPy, and for bool; counts along no axis."""

from __future__ import annotations

from typing import Any

import array_api_compat.torch as xp
import torch

__all__ = ["count_nonzero", "searchsorted"]


def count_nonzero(x: Any, /, *, axis: Any = None, keepdims: bool = False) -> Any:
    """Count the elements that are not zero along axes."""
    if axis == ():  # to torch an empty tuple means every axis
        return (x != 0).to(torch.int64)
    return xp.count_nonzero(x, axis=axis, keepdims=keepdims)


def searchsorted(x1: Any, x2: Any, /, *, side: str = "left") -> Any:
    """Find where elements belong.

    torch.searchsorted compares with ``<`` alone, and halves the wrong way at a NaN of x1.
    """
    if x1.dtype == torch.bool:
        x1, x2 = x1.to(torch.uint8), x2.to(torch.uint8)
    if not x1.dtype.is_floating_point:
        return torch.searchsorted(x1.contiguous(), x2.contiguous(), side=side)
    is_nan = torch.isnan(x1)
    numbers = torch.sum(~is_nan)
    ordered = torch.where(is_nan, torch.inf, x1)
    found = torch.minimum(torch.searchsorted(ordered, x2.contiguous(), side=side), numbers)
    if side == "left":
        return torch.where(torch.isnan(x2), numbers, found)
    return torch.where(torch.isnan(x2), x1.shape[0], found)
