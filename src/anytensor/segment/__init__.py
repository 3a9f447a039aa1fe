"""Segment operations: reduce, weigh and normalize rows by the segment that each belongs to.

``op(x, segment_ids, num_segments, sorted=False)`` reduces axis 0. The same values and gradients on every
backend, eager and compiled; the clauses stand in ``anytensor/backends/contract.py``.
"""

from anytensor.segment.moments import *  # noqa: F403
from anytensor.segment.reductions import *  # noqa: F403
from anytensor.segment.weights import *  # noqa: F403
