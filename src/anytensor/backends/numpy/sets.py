"""Distinct elements in ascending order: NumPy 2.3 leaves ``unique_values`` in no order."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["unique_all", "unique_counts", "unique_inverse", "unique_values"]


def unique_all(x: Any, /) -> tuple[Any, Any, Any, Any]:
    """Find values, first indices, inverse indices and counts."""
    # bfloat16 goes by float32, since ml_dtypes (0.6) sorts a NaN among the numbers.
    flat = x.ravel().astype(np.float32) if x.dtype.kind == "V" else x.ravel()
    values, indices, inverse, counts = np.unique(
        flat, return_index=True, return_inverse=True, return_counts=True, equal_nan=False
    )
    return values.astype(x.dtype, copy=False), indices, inverse.reshape(x.shape), counts


def unique_counts(x: Any, /) -> tuple[Any, Any]:
    """Find values and counts."""
    values, _, _, counts = unique_all(x)
    return values, counts


def unique_inverse(x: Any, /) -> tuple[Any, Any]:
    """Find values and inverse indices."""
    values, _, inverse, _ = unique_all(x)
    return values, inverse


def unique_values(x: Any, /) -> Any:
    """Find the values."""
    return unique_all(x)[0]
