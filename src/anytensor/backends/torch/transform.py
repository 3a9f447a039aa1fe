"""Function transformations on PyTorch."""

from __future__ import annotations

from typing import Any

__all__ = ["stop_gradient"]


def stop_gradient(x: Any) -> Any:
    """Return x cut off from differentiation, reverse and forward."""
    return x.detach()
