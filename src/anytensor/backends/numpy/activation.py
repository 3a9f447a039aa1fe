"""Activations on NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np

from anytensor.backends.numpy.array import default_float, dtype_kind

__all__ = ["leaky_relu", "relu", "softmax"]


def softmax(x: Any, axis: int) -> Any:
    """Take the softmax along an axis; halves are computed in float32."""
    target = x.dtype if dtype_kind(x.dtype) == "f" else default_float()
    work = x.astype(np.float32 if target.itemsize < 4 else target, copy=False)
    if work.shape[axis] == 0:
        return np.array(work, dtype=target)
    with np.errstate(invalid="ignore"):  # inf - inf is NaN, as the frameworks have it without a warning
        weight = np.exp(work - np.max(work, axis=axis, keepdims=True))
        return np.asarray((weight / np.sum(weight, axis=axis, keepdims=True)).astype(target, copy=False))


def relu(x: Any) -> Any:
    """Replace negative entries by 0."""
    return np.asarray(np.maximum(x, np.zeros((), x.dtype)))


def leaky_relu(x: Any, negative_slope: Any) -> Any:
    """Scale negative entries down."""
    return np.where(x > 0, x, x * np.asarray(negative_slope, x.dtype))
