"""Small eager segment operations without what usually stands before them: promotion and checks.

One look at the operands tells whether the call is good and of the simplest kind: ordinary CPU tensors of the
common dtypes, nothing that watches, few rows. benchmarks/segment_small.py
"""

from __future__ import annotations

from typing import Any

import torch

from anytensor.backends.torch import kernels
from anytensor.backends.torch.modes import is_differentiated, is_dynamo_tracing, is_plain

__all__ = ["AT_A_GLANCE"]

_REAL = frozenset({torch.float32, torch.float64})
_IDS = frozenset({torch.int32, torch.int64})
_FEW = 512  # rows beyond which the microsecond is nothing beside the kernel
_LARGE = 2**31 - 1
_INFINITY = float("inf")
_Tensor = torch.Tensor


def _is_simple(x: Any, ids: Any, n: Any, sorted: Any) -> bool:
    """Return whether the call is good and of the simplest kind; x is of the exact type ``torch.Tensor``."""
    return (
        not is_dynamo_tracing()
        and ids.__class__ is _Tensor
        and n.__class__ is int
        and sorted is False
        and 0 < n < _LARGE
        and x.dtype in _REAL
        and ids.dtype in _IDS
        and ids.ndim == 1
        and x.ndim != 0
        and _FEW > x.shape[0] == ids.numel()
        and is_plain(x, ids)
    )


def _sum(x: Any, ids: Any, n: Any, sorted: Any) -> Any:
    if _is_simple(x, ids, n, sorted):
        try:
            return kernels.plain_total(x, ids, n)
        except kernels.KERNEL_ERRORS:
            return None
    return None


def _extreme(x: Any, ids: Any, n: Any, sorted: Any, largest: bool) -> Any:
    if _is_simple(x, ids, n, sorted) and not is_differentiated(x):
        try:
            return kernels.plain_extreme(x, ids, n, largest, -_INFINITY if largest else _INFINITY)
        except kernels.KERNEL_ERRORS:
            return None
    return None


def _min(x: Any, ids: Any, n: Any, sorted: Any) -> Any:
    return _extreme(x, ids, n, sorted, False)


def _max(x: Any, ids: Any, n: Any, sorted: Any) -> Any:
    return _extreme(x, ids, n, sorted, True)


AT_A_GLANCE = {
    "segment_sum": (_Tensor, _sum),
    "segment_min": (_Tensor, _min),
    "segment_max": (_Tensor, _max),
}
"""Public function -> the type of its first operand, and the call."""
