"""Minimum and maximum of segments, bare (every id in range), with a gradient that k winners share evenly.

Three roads, since PyTorch's own gradient of scatter_reduce counts the start value as a winner where it equals
the extreme, has no forward mode, and under torch.compile gave NaN (pytorch issue 168358):

- nothing is differentiated: the kernel alone;
- reverse mode, eager and compiled: an autograd.Function that keeps x and the result;
- forward mode, functorch's transforms and exports: a sum of native operations, which has every derivative.

An ONNX graph is not differentiated, and its scatter by maximum or minimum loses a NaN unless it stands last.
"""

from __future__ import annotations

from typing import Any

import torch

from anytensor.backends.torch import kernels
from anytensor.backends.torch.modes import is_differentiated, is_onnx_exporting, takes_functions

__all__ = ["extreme", "extreme_constant"]


def extreme(x: Any, ids: Any, n: Any, largest: bool, plain: bool) -> Any:
    """Take the greatest or least entry by id; a segment without rows holds the identity."""
    dtype = x.dtype
    if not dtype.is_floating_point:
        return _of_integers(x, ids, n, largest, plain)
    if not plain and is_onnx_exporting():
        return _for_onnx(x, ids, n, largest)
    if not is_differentiated(x):
        return _of_floats(x, ids, n, largest, plain)
    if takes_functions():
        return _Extreme.apply(x, ids, n, largest, plain)
    return _differentiable(x, ids, n, largest, plain)


def extreme_constant(x: Any, ids: Any, n: Any, largest: bool, plain: bool) -> Any:
    """Take the greatest or least entry by id, of floating x, as a constant."""
    return _of_floats(x.detach(), ids, n, largest, plain)


def _of_floats(x: Any, ids: Any, n: Any, largest: bool, plain: bool) -> Any:
    kernel = kernels.plain_extreme if plain else kernels.extreme
    return kernel(x, ids, n, largest, -_INFINITY if largest else _INFINITY)


def _for_onnx(x: Any, ids: Any, n: Any, largest: bool) -> Any:
    work = x.to(torch.float32) if x.dtype.itemsize < 4 else x  # ONNX Runtime (1.32) adds up no halves
    nan = torch.where(work.isnan(), work, 0)
    return (_of_floats(work, ids, n, largest, False) + kernels.total(nan, ids, n)).to(x.dtype)


def _of_integers(x: Any, ids: Any, n: Any, largest: bool, plain: bool) -> Any:
    dtype = x.dtype
    if dtype.is_complex:
        raise TypeError(f"complex numbers have no order: x must not be of dtype {dtype}")
    kernel = kernels.plain_extreme if plain else kernels.extreme
    if dtype == torch.bool:
        return kernel(x.to(torch.uint8), ids, n, largest, 0 if largest else 1).to(dtype)
    limits = torch.iinfo(dtype)
    if dtype == torch.uint64:
        # No kernel up to 2.13. Flipping the highest bit turns the order of uint64 into that of int64.
        lowest = torch.iinfo(torch.int64).min
        flipped = x.view(torch.int64) ^ lowest
        start = lowest if largest else -1 - lowest
        return (kernel(flipped, ids, n, largest, start) ^ lowest).view(dtype)
    start = limits.min if largest else limits.max
    if dtype in _WIDER:  # no kernel up to 2.13
        return kernel(x.to(_WIDER[dtype]), ids, n, largest, start).to(dtype)
    return kernel(x, ids, n, largest, start)


class _Extreme(torch.autograd.Function):  # type: ignore[misc]  # mypy skips torch
    """The kernel's value; backward finds the winners again from x and the result."""

    @staticmethod
    def forward(ctx: Any, x: Any, ids: Any, n: Any, largest: bool, plain: bool) -> Any:
        top = _of_floats(x, ids, n, largest, plain)
        ctx.save_for_backward(x, ids, top)
        return top

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        x, ids, top = ctx.saved_tensors
        winner, share = _shares(x.detach(), ids, top.detach())
        return torch.where(winner, (grad * share).index_select(0, ids), 0), None, None, None, None


def _shares(x: Any, ids: Any, top: Any) -> tuple[Any, Any]:
    """Return which rows win and, by segment, 1/k for k winners (1 for none), in the dtype of x."""
    winner = x == top.index_select(0, ids)
    count = kernels.total(winner.to(kernels.accumulator(x.dtype)), ids, top.shape[0])
    return winner, count.clamp(min=1).reciprocal().to(x.dtype)


def _differentiable(x: Any, ids: Any, n: Any, largest: bool, plain: bool) -> Any:
    """Add to the constant extreme a sum that is 0 and has the gradient, in native operations."""
    dtype = x.dtype
    if dtype.itemsize < 4:  # the sum of k winners, in float32
        x = x.to(torch.float32)
    value = x.detach()
    top = _of_floats(value, ids, n, largest, plain)
    winner, share = _shares(value, ids, top)
    # Scaled down by a power of two, the sum of up to 2**24 winners is finite if they are.
    winners = kernels.total(torch.where(winner, x * _SCALE, 0), ids, n)
    # inf - inf would be NaN, but inf + inf is what an infinite extreme must be.
    nothing = torch.where(top.isfinite(), winners - winners.detach(), winners)
    return (top + nothing * (share / _SCALE)).to(dtype)


_SCALE = 2.0**-24
_INFINITY = float("inf")
_WIDER = {torch.uint16: torch.int32, torch.uint32: torch.int64}
