"""Reductions where NumPy accumulates in half precision: it adds 1000 bfloat16 ones up to 256."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from anytensor.backends.numpy import namespace
from anytensor.backends.numpy.array import numbers_only

__all__ = ["cumulative_prod", "cumulative_sum", "mean", "prod", "sum", "var"]

_space: Any = namespace  # its functions are made when it is imported

_FLOAT16 = np.dtype(np.float16)


def _is_half(dtype: Any) -> bool:
    # V: ml_dtypes' bfloat16; the other letters are of what holds no numbers, which goes no further.
    return bool(dtype.kind in "VOSUmMT" or dtype == _FLOAT16)


def _wide(function: Callable[..., Any]) -> Callable[..., Any]:
    """Have a reduction with a ``dtype`` argument accumulate half precision in float32."""

    def reduce(x: Any, /, *, dtype: Any = None, **options: Any) -> Any:
        result = x.dtype if dtype is None else dtype
        if not _is_half(result):
            if x.dtype.kind == "V":
                x = x.astype(np.float32)
            if x.dtype.kind in "OSUmMT":
                numbers_only(x, function.__name__)
            return function(x, dtype=dtype, **options)
        numbers_only(x, function.__name__)
        return function(x.astype(np.float32), **options).astype(result)

    return reduce


def _wide_mean(function: Callable[..., Any]) -> Callable[..., Any]:
    """As ``_wide``, for a function without that argument."""

    def reduce(x: Any, /, **options: Any) -> Any:
        if _is_half(x.dtype):
            numbers_only(x, function.__name__)
            return function(x.astype(np.float32), **options).astype(x.dtype)
        return function(x, **options)

    return reduce


sum = _wide(_space.sum)
prod = _wide(_space.prod)
cumulative_sum = _wide(_space.cumulative_sum)
cumulative_prod = _wide(_space.cumulative_prod)
mean = _wide_mean(_space.mean)
var = _wide_mean(_space.var)
