"""Small eager segment operations without what usually stands before them: promotion and checks.

One look at the operands tells whether the call is good and of the simplest kind. benchmarks/segment_small.py
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from anytensor.backends.tensorflow import segment_kernels
from anytensor.backends.tensorflow.array import EagerTensor
from anytensor.backends.tensorflow.segment_extremes import LIMITS, max_at_once, min_at_once
from anytensor.backends.tensorflow.segment_guard import recording
from anytensor.backends.tensorflow.segment_totals import sum_at_once

__all__ = ["AT_A_GLANCE"]

_IDS = frozenset(dtype.as_datatype_enum for dtype in (tf.int32, tf.int64))
_LARGE = 2**31 - 1


def _at_a_glance(kernel: Callable[[Any, Any, int, float], Any]) -> Callable[..., Any]:
    """Make the call of a kernel that checks itself that the rows are as many as the ids."""

    def call(x: Any, ids: Any, n: Any, sorted: Any) -> Any:
        if (
            ids.__class__ is EagerTensor
            and segment_kernels.single_device
            and n.__class__ is int
            and sorted is False
            and 0 <= n < _LARGE
            and ids._datatype_enum() in _IDS
            and ids._rank() == 1
            and (limit := LIMITS.get(x._datatype_enum()))
        ):
            return kernel(x, ids, n, limit)
        return None

    return call


def _sum(x: Any, ids: Any, n: int, limit: float) -> Any:
    return None if recording() else sum_at_once(x, ids, n)


AT_A_GLANCE = {
    "segment_sum": (EagerTensor, _at_a_glance(_sum)),
    "segment_min": (EagerTensor, _at_a_glance(min_at_once)),
    "segment_max": (EagerTensor, _at_a_glance(max_at_once)),
}
"""Public function -> the type of its first operand, and the call."""
