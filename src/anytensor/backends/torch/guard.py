"""Rows whose id is out of range: found late where kernels raise, masked where they cannot.

On an ordinary CPU tensor an operation runs on the ids as they are. Only if a kernel refuses one are they
looked at, so that ids in range, the common case, cost nothing. In a trace, under a transform and on other
devices nothing may raise: the rows are sent to segments of their own, which are cut off the result.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from anytensor.backends.torch.bags import any_outside
from anytensor.backends.torch.kernels import KERNEL_ERRORS, kernel_ids
from anytensor.backends.torch.modes import is_plain

__all__ = ["inside", "reduce_guarded", "rowwise_guarded", "sent_off"]

Formula = Callable[..., Any]


def inside(ids: Any, n: Any, x: Any) -> Any:
    """Return which rows are in range, with axes of length 1 up to the rank of x."""
    valid = (ids >= 0) & (ids < n)
    return valid.reshape(ids.shape[0], *[1] * (x.ndim - 1)) if x.ndim > 1 else valid


def sent_off(ids: Any, n: Any, dims: int, plain: bool) -> tuple[Any, Any, int]:
    """Return ids for a few segments more, how many, and the place of segment 0 among them.

    The added segments, before or after the others, take the rows that are out of range. Eager, both ends
    are used, so that sorted ids stay sorted. Compiled by Inductor, fewer segments cost nothing beside the
    sum of rows of several columns (clamping: a tenth), and clamping is cheaper on single numbers.
    """
    if plain:
        return ids.clamp(-1, n).add_(1), n + 2, 1
    if dims == 1:
        return ids.clamp(-1, n) + 1, n + 2, 1
    return torch.where((ids >= 0) & (ids < n), ids, n), n + 1, 0


def reduce_guarded(
    formula: Formula, x: Any, ids: Any, n: Any, sorted: bool, *, clean: bool, refused: bool = False
) -> Any:
    """Run a reduction with rows out of range left out.

    Args:
        formula: Takes x, ids, n, sorted and whether the call is plain; returns n rows.
        x: Rows.
        ids: Ids of any integer dtype.
        n: Number of segments.
        sorted: Whether ids are promised to be nondecreasing.
        clean: Whether rows out of range must not reach the formula's values: where it is not linear,
            a NaN in them would come back through the gradient as 0 * NaN.
        refused: Whether a kernel has refused an id already.

    Returns:
        The formula's result.
    """
    ids = kernel_ids(ids)
    plain = is_plain(x, ids, n)
    if plain and not refused:
        try:
            return formula(x, ids, n, sorted, True)
        except KERNEL_ERRORS:
            if not any_outside(ids, n):
                raise
    if clean and may_hold_nan(x):
        x = torch.where(inside(ids, n, x), x, 0)
    ids, segments, first = sent_off(ids, n, x.ndim, plain)
    return formula(x, ids, segments, sorted, plain)[first : first + n]


def rowwise_guarded(
    formula: Formula, x: Any, ids: Any, n: Any, sorted: bool, *, refused: bool = False
) -> Any:
    """Run a row-wise operation; rows out of range come back as 0. Arguments as in ``reduce_guarded``."""
    ids = kernel_ids(ids)
    plain = is_plain(x, ids, n)
    if plain and not refused:
        try:
            return formula(x, ids, n, sorted, True)
        except KERNEL_ERRORS:
            if not any_outside(ids, n):
                raise
    valid = inside(ids, n, x)
    ids, segments, _ = sent_off(ids, n, x.ndim, plain)
    if may_hold_nan(x):
        x = torch.where(valid, x, 0)
    return torch.where(valid, formula(x, ids, segments, sorted, plain), 0)


def may_hold_nan(x: Any) -> bool:
    """Return whether x is floating or complex: integers need no cleaning, nor has uint16 a kernel for it."""
    return bool(x.is_floating_point() or x.is_complex())
