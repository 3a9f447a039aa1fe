"""Tensor code written once, run on NumPy, JAX, PyTorch and TensorFlow by the operands' types.

Segment and graph primitives, promotion and the conformance kit. See the README for a first example.
"""

from anytensor._version import __version__
from anytensor.cache import cache
from anytensor.loaded import module_if_loaded
from anytensor.partition import (
    partition_ids,
    partition_logsumexp,
    partition_max,
    partition_mean,
    partition_min,
    partition_softmax,
    partition_sum,
)
from anytensor.promotion import CopyWarning, align_arrays, promote, promote_options
from anytensor.segment import (
    segment_attention,
    segment_count,
    segment_logsumexp,
    segment_max,
    segment_max_or_constant,
    segment_mean,
    segment_min,
    segment_min_or_constant,
    segment_normalize,
    segment_prod,
    segment_softmax,
    segment_std,
    segment_sum,
    segment_variance,
)
from anytensor.typing import enable_typecheck

__all__ = [
    "CopyWarning",
    "__version__",
    "align_arrays",
    "cache",
    "enable_typecheck",
    "module_if_loaded",
    "partition_ids",
    "partition_logsumexp",
    "partition_max",
    "partition_mean",
    "partition_min",
    "partition_softmax",
    "partition_sum",
    "promote",
    "promote_options",
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
