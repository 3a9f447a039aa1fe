"""Gradients by central finite differences of a NumPy run in float64: slow, and independent of any backend."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import optree
from numpy.typing import NDArray

from anytensor.testing.operands import Operands, is_floating
from anytensor.testing.running import cotangent

__all__ = ["finite_difference_gradients"]

# The cube root of the rounding unit balances the error of rounding against that of truncation.
_STEP = float(np.finfo(np.float64).eps ** (1 / 3))


def finite_difference_gradients(function: Callable[..., Any], operands: Operands) -> dict[str, NDArray[Any]]:
    """Return the gradient of the weighed sum of the outputs, by name of the floating operand.

    Args:
        function: A portable function.
        operands: Its operands; two runs of the function for each of their floating entries.

    Returns:
        float64 arrays of the operands' shapes; NaN where an entry is not finite and cannot be moved.

    Notes:
        At a kink (a tie under max) the central difference is the mean of both sides, which need not be the
        gradient that is promised there: keep ties out of operands that are checked this way.
    """
    leaves = [leaf.astype(np.float64) if is_floating(leaf) else leaf for leaf in operands.leaves]

    def outputs() -> list[NDArray[Any]]:
        args, kwargs = operands.rebuild([leaf.copy() for leaf in leaves])
        found = optree.tree_leaves(function(*args, **kwargs))
        return [np.asarray(x) for x in found if isinstance(x, (np.ndarray, np.generic)) and is_floating(x)]

    gradients = {}
    for place in operands.floating:
        entries = leaves[place]
        gradient = np.full(entries.shape, np.nan)
        for index in np.ndindex(entries.shape):
            middle = entries[index]
            if not np.isfinite(middle):
                continue
            step = _STEP * max(1.0, abs(float(middle)))
            entries[index] = middle + step
            above = outputs()
            entries[index] = middle - step
            below = outputs()
            entries[index] = middle
            gradient[index] = sum(
                (_rise(a, b) * cotangent(i, a.shape)).sum()
                for i, (a, b) in enumerate(zip(above, below, strict=True))
            ) / (2 * step)
        gradients[operands.paths[place]] = gradient
    return gradients


def _rise(above: NDArray[Any], below: NDArray[Any]) -> NDArray[Any]:
    with np.errstate(invalid="ignore"):
        # An empty segment's infinity stays where it is: inf - inf is no rise.
        return np.where(above == below, 0.0, above - below)
