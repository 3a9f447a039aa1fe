"""Reductions on PyTorch where its own refuse a dtype or array_api_compat loses one."""

from __future__ import annotations

from typing import Any

import array_api_compat.torch as xp
import torch

__all__ = [
    "argmax",
    "argmin",
    "cumulative_prod",
    "cumulative_sum",
    "max",
    "mean",
    "min",
    "prod",
    "sum",
    "var",
]


def _floating(x: Any) -> Any:
    """Return x in the default float if it holds integers or bool, for which torch has no mean."""
    if x.dtype.is_floating_point or x.dtype.is_complex:
        return x
    return x.to(torch.get_default_dtype())


def _sum_dtype(x: Any, dtype: Any) -> Any:
    if dtype is None and not x.dtype.is_floating_point and not x.dtype.is_complex:
        return torch.int64
    return dtype


def sum(x: Any, /, *, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
    """Sum along axes: array_api_compat keeps bool under ``axis=()``."""
    dtype = _sum_dtype(x, dtype)
    if axis == ():  # to torch an empty tuple means every axis
        return x.clone() if dtype is None else x.to(dtype)
    if axis is None and not keepdims:
        return torch.sum(x, dtype=dtype)
    return torch.sum(x, dim=axis, keepdim=keepdims, dtype=dtype)


def prod(x: Any, /, *, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
    """Multiply along axes."""
    return xp.prod(x, axis=axis, dtype=_sum_dtype(x, dtype), keepdims=keepdims)


def mean(x: Any, /, *, axis: Any = None, keepdims: bool = False) -> Any:
    """Average along axes."""
    return xp.mean(_floating(x), axis=axis, keepdims=keepdims)


def var(x: Any, /, *, axis: Any = None, correction: int | float = 0.0, keepdims: bool = False) -> Any:
    """Average squared distances from the mean."""
    if axis == ():  # array_api_compat 1.16 has 0 there, of NaN and infinities too
        distance = _floating(x) - _floating(x)
        return distance if correction < 1 else distance / 0
    return xp.var(_floating(x), axis=axis, correction=correction, keepdims=keepdims)


def _comparable(x: Any) -> Any:
    """Return x in a dtype for which torch has every comparison on the CPU: bool as uint8."""
    return x.to(torch.uint8) if x.dtype == torch.bool else x


def max(x: Any, /, *, axis: Any = None, keepdims: bool = False) -> Any:
    """Take the greatest along axes."""
    return x.clone() if axis == () else torch.amax(x, axis, keepdim=keepdims)


def min(x: Any, /, *, axis: Any = None, keepdims: bool = False) -> Any:
    """Take the least along axes."""
    return x.clone() if axis == () else torch.amin(x, axis, keepdim=keepdims)


def argmax(x: Any, /, *, axis: int | None = None, keepdims: bool = False) -> Any:
    """Find the place of the greatest."""
    return torch.argmax(_comparable(x), dim=axis, keepdim=keepdims)


def argmin(x: Any, /, *, axis: int | None = None, keepdims: bool = False) -> Any:
    """Find the place of the least."""
    return torch.argmin(_comparable(x), dim=axis, keepdim=keepdims)


def cumulative_sum(x: Any, /, *, axis: int, dtype: Any = None, include_initial: bool = False) -> Any:
    """Add up step by step; array_api_compat's looks the namespace up, which makes Dynamo warn."""
    return _initialed(torch.cumsum(x, axis, dtype=_sum_dtype(x, dtype)), axis, 0, include_initial)


def cumulative_prod(x: Any, /, *, axis: int, dtype: Any = None, include_initial: bool = False) -> Any:
    """Multiply step by step."""
    return _initialed(torch.cumprod(x, axis, dtype=_sum_dtype(x, dtype)), axis, 1, include_initial)


def _initialed(out: Any, axis: int, initial: int, include_initial: bool) -> Any:
    if not include_initial:
        return out
    shape = [*out.shape]
    shape[axis] = 1
    return torch.cat([torch.full(shape, initial, dtype=out.dtype, device=out.device), out], axis)
