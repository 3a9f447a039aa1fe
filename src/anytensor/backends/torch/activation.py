"""Activations on PyTorch."""

from __future__ import annotations

from typing import Any

import torch

__all__ = ["leaky_relu", "relu", "softmax"]


def softmax(x: Any, axis: int) -> Any:
    """Take the softmax along an axis; the kernel computes halves in float32."""
    return torch.softmax(x if x.is_floating_point() else x.to(torch.get_default_dtype()), axis)


def relu(x: Any) -> Any:
    """Replace negative entries by 0."""
    return torch.relu(x)


def leaky_relu(x: Any, negative_slope: Any) -> Any:
    """Scale negative entries down."""
    return torch.nn.functional.leaky_relu(x, negative_slope)
