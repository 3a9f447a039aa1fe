"""Distinct elements by a stable sort: torch.unique finds no first indices and counts a NaN 0 times."""

from __future__ import annotations

from typing import Any

import torch

__all__ = ["unique_all", "unique_counts", "unique_inverse", "unique_values"]


def _order(flat: Any) -> Any:
    """Return the stable order of a vector; complex numbers by real part, then by imaginary part."""
    if not flat.dtype.is_complex:
        return torch.argsort(flat, stable=True)
    by_imaginary = torch.argsort(flat.imag, stable=True)
    return by_imaginary[torch.argsort(flat.real[by_imaginary], stable=True)]


def unique_all(x: Any, /) -> tuple[Any, Any, Any, Any]:
    """Find values, first indices, inverse indices and counts."""
    flat = x.reshape(-1)
    order = _order(flat)
    ordered = flat[order]
    is_first = torch.ones_like(ordered, dtype=torch.bool)
    is_first[1:] = ordered[1:] != ordered[:-1]  # true for each NaN, so each is distinct
    starts = torch.nonzero(is_first)[:, 0]
    ends = torch.cat([starts[1:], starts.new_full((min(1, starts.shape[0]),), flat.shape[0])])
    rank = torch.cumsum(is_first, 0) - 1
    inverse = torch.empty_like(order)
    inverse[order] = rank
    return ordered[starts], order[starts], inverse.reshape(x.shape), ends - starts


def unique_counts(x: Any, /) -> tuple[Any, Any]:
    """Find values and counts."""
    values, _, _, counts = unique_all(x)
    return values, counts


def unique_inverse(x: Any, /) -> tuple[Any, Any]:
    """Find values and inverse indices."""
    values, _, inverse, _ = unique_all(x)
    return values, inverse


def unique_values(x: Any, /) -> Any:
    """Find the values."""
    return unique_all(x)[0]
