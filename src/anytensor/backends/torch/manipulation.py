"""Manipulation on PyTorch: where array_api_compat's namespace departs from what ``at.*`` promises."""

from __future__ import annotations

from typing import Any

import torch

__all__ = ["squeeze", "unstack"]


def squeeze(x: Any, /, axis: tuple[int, ...]) -> Any:
    """Take out axes of length 1; array_api_compat reads each length, which guards a symbolic one."""
    for i in axis:
        if x.shape[i] != 1:
            raise ValueError(f"axis {i} has length {x.shape[i]}, not 1")
    return torch.squeeze(x, axis)


def unstack(x: Any, /, *, axis: int = 0) -> tuple[Any, ...]:
    """Split along an axis; array_api_compat moves it first, for which torch.func.vmap has no rule."""
    return torch.unbind(x, axis)  # type: ignore[no-any-return]
