"""Products of segments, bare (every id in range), differentiable where factors are 0."""

from __future__ import annotations

from typing import Any

import torch

from anytensor.backends.torch import kernels
from anytensor.backends.torch.modes import is_differentiated, is_onnx_exporting

__all__ = ["product"]


def product(x: Any, ids: Any, n: Any, sorted: bool, plain: bool) -> Any:
    """Multiply rows by id; halves in float32, narrow integers and bool in int64."""
    dtype = x.dtype
    if dtype == torch.uint64:  # no kernel up to 2.13; products of the same bits as int64 have the same bits
        return kernels.product(x.view(torch.int64), ids, n).view(dtype)
    work = x.to(kernels.accumulator(dtype))
    if not (dtype.is_floating_point or dtype.is_complex):
        return kernels.product(work, ids, n)
    differentiated = is_differentiated(x) and (plain or not is_onnx_exporting())
    result = _differentiable(work, ids, n) if differentiated else kernels.product(work, ids, n)
    return result.to(dtype)


def _differentiable(x: Any, ids: Any, n: Any) -> Any:
    """Multiply in operations that have every derivative.

    scatter_reduce's own gradient refuses to be differentiated again beside two zeros, looks at values (which
    no trace allows) and has no forward mode. Here the product is split in two. Factors that are not 0: the
    constant product times exp(sum(log x - constant log x)), which is 1. Factors that are 0: their product
    as a polynomial of their power sums (Newton's identities), exact for up to three of them; four or more
    leave every derivative up to the third order 0.
    """
    value = x.detach()
    zero = value == 0
    factors = torch.where(zero, 1, x)
    constant = torch.where(zero, 1, value)
    log, constant_log = _log(factors), _log(constant)
    # log of an infinity or NaN less itself is NaN; the gradient of what stands beside it is infinite anyway.
    change = torch.where(constant.isfinite(), log - constant_log, 0)
    nonzero = kernels.product(constant, ids, n) * kernels.total(change, ids, n).exp()
    zeros = torch.where(zero, x, 0)
    count = kernels.total(zero.to(torch.int64), ids, n)
    first = kernels.total(zeros, ids, n)
    second = kernels.total(zeros * zeros, ids, n)
    third = kernels.total(zeros * zeros * zeros, ids, n)
    pair = (first * first - second) / 2
    triple = (first * first * first - 3 * first * second + 2 * third) / 6
    polynomial = torch.where(count == 0, 1, torch.where(count == 1, first, 0))
    polynomial = torch.where(count == 2, pair, torch.where(count == 3, triple, polynomial))
    return nonzero * polynomial


def _log(x: Any) -> Any:
    # The derivative of log|x| is 1/x for either sign.
    return x.log() if x.is_complex() else x.abs().log()
