"""Where groups of given lengths end, on NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["ends_within"]


def ends_within(lengths: Any, total: int) -> Any:
    """Return where groups end that stand one after the other, cut at a total.

    Args:
        lengths: Shape (n,), any integer dtype, none negative.
        total: Where the last group ends at the latest.

    Returns:
        Shape (n,), intp, nondecreasing, at most ``total``. A length past the total is as the total: the sum
        of the lengths as they are could leave the range of intp, and ``np.repeat`` ends the process on what
        came of it.
    """
    if lengths.dtype.itemsize == 8 and lengths.size and lengths[lengths.argmax()] > total:
        lengths = np.minimum(lengths, total)
    return np.minimum(lengths.cumsum(dtype=np.intp), total)
