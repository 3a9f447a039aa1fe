"""Sorting and searching bfloat16: ml_dtypes (0.6) sorts a NaN among the numbers, not behind them."""

from __future__ import annotations

from typing import Any

import numpy as np

from anytensor.backends.numpy import namespace

__all__ = ["argsort", "searchsorted", "sort"]

_space: Any = namespace  # its functions are made when it is imported


def _comparable(x: Any) -> Any:
    return x.astype(np.float32) if x.dtype.kind == "V" else x


def sort(x: Any, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Any:
    """Sort along an axis."""
    out = _space.sort(_comparable(x), axis=axis, descending=descending, stable=stable)
    return out.astype(x.dtype, copy=False)


def argsort(x: Any, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Any:
    """Find the indices that sort along an axis."""
    return _space.argsort(_comparable(x), axis=axis, descending=descending, stable=stable)


def searchsorted(x1: Any, x2: Any, /, *, side: str = "left") -> Any:
    """Find where elements belong in a sorted vector."""
    return _space.searchsorted(_comparable(x1), _comparable(x2), side=side)
