"""How PyTorch's exporter is to lower operations that it (2.13) has no function for, or an inexact one.

Written in the operations of the opset, as the exporter's own functions are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from onnxscript import opset18 as op

__all__ = ["TRANSLATIONS"]


def _hypot(x: Any, other: Any) -> Any:
    """Take the root of the sum of squares, scaled by the greater one: no overflow on the way."""
    one, two = op.Abs(x), op.Abs(other)
    most, least = op.Max(one, two), op.Min(one, two)
    zero = op.Sub(most, most)  # NaN beside an infinity, where the quotient is not used
    quotient = op.Div(least, op.Where(op.Equal(most, zero), op.CastLike(1.0, most), most))
    scaled = op.Mul(most, op.Sqrt(op.Add(op.Mul(quotient, quotient), op.CastLike(1.0, most))))
    return op.Where(op.IsInf(op.Cast(most, to=1)), most, scaled)


def _copysign(x: Any, other: Any) -> Any:
    """Give x the sign of the other."""
    size = op.Abs(x)
    return op.Where(_signbit(other), op.Neg(size), size)


def _signbit(x: Any) -> Any:
    """Tell the sign, that of a zero by 1 over it."""
    zero = op.CastLike(0.0, x)
    return op.Less(op.Where(op.Equal(x, zero), op.Reciprocal(x), x), zero)


def _expm1(x: Any) -> Any:
    """Take exp(x) - 1 as tanh(x / 2) * (exp(x) + 1), which loses no digits near 0."""
    half = op.Mul(x, op.CastLike(0.5, x))
    return op.Mul(op.Tanh(half), op.Add(op.Exp(x), op.CastLike(1.0, x)))


def _log1p(x: Any) -> Any:
    """Take log(1 + x), corrected by the quotient of x and what 1 + x made of it."""
    one = op.CastLike(1.0, x)
    near = op.Add(x, one)
    moved = op.Sub(near, one)
    exact = op.Or(op.Equal(near, one), op.Equal(moved, x))  # nothing was left of x, or all of it
    corrected = op.Mul(op.Log(near), op.Div(x, op.Where(exact, one, moved)))
    return op.Where(op.Equal(near, one), x, op.Where(exact, op.Log(near), corrected))


def _sort(x: Any, stable: bool | None = None, dim: int = -1, descending: bool = False) -> Any:
    """Sort by TopK of all, which keeps the order of equals by its definition."""
    length = op.Gather(op.Shape(x), op.Constant(value_ints=[dim]))
    options = {"axis": dim, "largest": int(descending), "sorted": 1}
    if x.dtype is None or x.dtype.name not in ("BOOL", "INT8", "INT16", "UINT8"):
        return op.TopK(x, length, **options)
    # ONNX has no TopK of bool, ONNX Runtime none of short integers.
    values, places = op.TopK(op.Cast(x, to=6), length, **options)
    return op.CastLike(values, x), places


def _extreme(reduction: Callable[..., Any]) -> Callable[..., Any]:
    def lower(x: Any, dim: tuple[int, ...] = (), keepdim: bool = False) -> Any:
        if len(dim) == 0:
            return reduction(x, keepdims=int(keepdim))
        return reduction(x, op.Constant(value_ints=list(dim)), keepdims=int(keepdim))

    return lower


aten = torch.ops.aten
TRANSLATIONS: dict[Any, Callable[..., Any]] = {
    aten.hypot.default: _hypot,
    aten.copysign.Tensor: _copysign,
    aten.expm1.default: _expm1,
    aten.log1p.default: _log1p,
    aten.signbit.default: _signbit,
    aten.sort.stable: _sort,
    aten.amax.default: _extreme(op.ReduceMax),
    aten.amin.default: _extreme(op.ReduceMin),
}
"""Operation to function, as ``custom_translation_table`` wants them."""
