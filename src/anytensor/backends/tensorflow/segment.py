"""The segment operations on TensorFlow tensors, room by room."""

from __future__ import annotations

from anytensor.backends.tensorflow.partition import partition_ids
from anytensor.backends.tensorflow.segment_derived import (
    segment_attention,
    segment_logsumexp,
    segment_max_or_constant,
    segment_mean,
    segment_min_or_constant,
    segment_normalize,
    segment_softmax,
    segment_std,
    segment_variance,
)
from anytensor.backends.tensorflow.segment_extremes import segment_max, segment_min
from anytensor.backends.tensorflow.segment_totals import segment_count, segment_prod, segment_sum

__all__ = [
    "partition_ids",
    "segment_attention",
    "segment_count",
    "segment_logsumexp",
    "segment_max",
    "segment_max_or_constant",
    "segment_mean",
    "segment_min",
    "segment_min_or_constant",
    "segment_normalize",
    "segment_prod",
    "segment_softmax",
    "segment_std",
    "segment_sum",
    "segment_variance",
]
