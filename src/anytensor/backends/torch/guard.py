"""Rows whose id is out of range: found late where kernels raise, masked where they cannot.

On an ordinary CPU tensor an operation runs on the ids as they are. Only if a kernel refuses one are they
looked at, so that ids in range, the common case, cost nothing. In a trace, under a transform and on other
devices nothing may raise: the rows are sent to a segment before the first or after the last one, and those
two are cut off the result. They keep the order, so sorted ids stay sorted.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from anytensor.backends.torch.kernels import KERNEL_ERRORS, kernel_ids
from anytensor.backends.torch.modes import is_plain

__all__ = ["any_outside", "inside", "reduce_guarded", "rowwise_guarded", "shifted"]

Formula = Callable[..., Any]


def any_outside(ids: Any, n: Any) -> bool:
    """Return whether an id is out of range (looks at values: ordinary tensors only)."""
    return bool(((ids < 0) | (ids >= n)).any())


def inside(ids: Any, n: Any, x: Any) -> Any:
    """Return which rows are in range, with axes of length 1 up to the rank of x."""
    valid = (ids >= 0) & (ids < n)
    return valid.reshape(ids.shape[0], *[1] * (x.ndim - 1)) if x.ndim > 1 else valid


def shifted(ids: Any, n: Any) -> Any:
    """Return ids for n + 2 segments, of which the first and last take the rows that are out of range."""
    return ids.clamp(-1, n) + 1


def reduce_guarded(formula: Formula, x: Any, ids: Any, n: Any, sorted: bool, *, clean: bool) -> Any:
    """Run a reduction with rows out of range left out.

    Args:
        formula: Takes x, ids, n, sorted and whether the call is plain; returns n rows.
        x: Rows.
        ids: Ids of any integer dtype.
        n: Number of segments.
        sorted: Whether ids are promised to be nondecreasing.
        clean: Whether rows out of range must not reach the formula's values: where it is not linear,
            a NaN in them would come back through the gradient as 0 * NaN.

    Returns:
        The formula's result.
    """
    ids = kernel_ids(ids)
    plain = is_plain(x, ids, n)
    if plain:
        try:
            return formula(x, ids, n, sorted, True)
        except KERNEL_ERRORS:
            if not any_outside(ids, n):
                raise
    if clean:
        x = torch.where(inside(ids, n, x), x, 0)
    return formula(x, shifted(ids, n), n + 2, sorted, plain)[1 : n + 1]


def rowwise_guarded(formula: Formula, x: Any, ids: Any, n: Any, sorted: bool) -> Any:
    """Run a row-wise operation; rows out of range come back as 0. Arguments as in ``reduce_guarded``."""
    ids = kernel_ids(ids)
    plain = is_plain(x, ids, n)
    if plain:
        try:
            return formula(x, ids, n, sorted, True)
        except KERNEL_ERRORS:
            if not any_outside(ids, n):
                raise
    valid = inside(ids, n, x)
    result = formula(torch.where(valid, x, 0), shifted(ids, n), n + 2, sorted, plain)
    return torch.where(valid, result, 0)
