"""Searching in a sorted vector on PyTorch, with NaN last as in NumPy, and for bool."""

from __future__ import annotations

from typing import Any

import torch

__all__ = ["searchsorted"]


def searchsorted(x1: Any, x2: Any, /, *, side: str = "left") -> Any:
    """Find where elements belong.

    torch.searchsorted compares with ``<`` alone, so an element runs past the NaNs at the end of x1.
    """
    if x1.dtype == torch.bool:
        x1, x2 = x1.to(torch.uint8), x2.to(torch.uint8)
    found = torch.searchsorted(x1.contiguous(), x2.contiguous(), side=side)
    if not x1.dtype.is_floating_point:
        return found
    numbers = (x1 == x1).sum()
    before_nan = torch.minimum(found, numbers)
    if side == "left":
        return torch.where(torch.isnan(x2), numbers, before_nan)
    return torch.where(torch.isnan(x2), x1.shape[0], before_nan)
