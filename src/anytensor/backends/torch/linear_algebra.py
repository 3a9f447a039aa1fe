"""Products on PyTorch; array_api_compat's look the namespace up, which makes Dynamo warn."""

from __future__ import annotations

from typing import Any

import torch

__all__ = ["matrix_transpose", "vecdot"]


def matrix_transpose(x: Any, /) -> Any:
    """Exchange the last two axes."""
    return x.mT


def vecdot(x1: Any, x2: Any, /, *, axis: int = -1) -> Any:
    """Multiply and add up along an axis: torch.linalg.vecdot refuses integers."""
    if x1.dtype.is_floating_point or x1.dtype.is_complex:
        return torch.linalg.vecdot(x1, x2, dim=axis)
    return torch.sum(x1 * x2, dim=axis, dtype=x1.dtype)
