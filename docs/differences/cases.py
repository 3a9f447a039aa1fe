"""All cases, in the order of the page."""

from __future__ import annotations

from differences import arrays, dtypes, gradients, segment_ids, segment_values

__all__ = ["CASES"]

CASES = (*segment_ids.CASES, *segment_values.CASES, *dtypes.CASES, *gradients.CASES, *arrays.CASES)
