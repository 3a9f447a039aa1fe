"""Element-wise functions where NumPy's own give an answer of another dtype, or none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from anytensor.backends.numpy import namespace as xp
from anytensor.backends.numpy.array import dtype_kind, numbers_only
from anytensor.backends.numpy.array import from_scalar as scalar_operand

__all__ = [
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "ceil",
    "clip",
    "copysign",
    "cos",
    "cosh",
    "exp",
    "expm1",
    "floor",
    "hypot",
    "imag",
    "log",
    "log1p",
    "log2",
    "log10",
    "logaddexp",
    "nextafter",
    "pow",
    "reciprocal",
    "rsqrt",
    "scalar_operand",
    "sign",
    "sin",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
    "trunc",
]


_ARRAY = np.ndarray  # one lookup less in each call


_WIDENED = "biuOSUmMTV"  # and what holds no numbers, which is refused there; ml_dtypes' are V


def _standard_name(function: Any) -> str:
    return str(function.__name__).replace("arc", "a")


def _as_float(x: Any, function: str, argument: str) -> Any:
    """Return integers and bool as float64; refuse what holds no numbers."""
    if x.dtype.kind in "biu":
        return x.astype(np.float64)
    numbers_only(x, function, argument)
    return x.astype(np.float64) if dtype_kind(x.dtype) in "iu" else x


def _floating(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Give a unary function float64 for integers: NumPy takes float16 for bool and the narrowest ones."""
    name = _standard_name(function)

    def unary(x: Any, /) -> Any:
        if x.dtype.kind in _WIDENED:
            x = _as_float(x, name, "x")
        result = function(x)
        return result if type(result) is _ARRAY else np.asarray(result)

    return unary


def _floating_pair(function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """As ``_floating``, for two operands of one dtype."""
    name = _standard_name(function)

    def binary(x1: Any, x2: Any, /) -> Any:
        if x1.dtype.kind in _WIDENED:
            x1, x2 = _as_float(x1, name, "x1"), _as_float(x2, name, "x2")
        result = function(x1, x2)
        return result if type(result) is _ARRAY else np.asarray(result)

    return binary


acos = _floating(np.arccos)
acosh = _floating(np.arccosh)
asin = _floating(np.arcsin)
asinh = _floating(np.arcsinh)
atan = _floating(np.arctan)
atanh = _floating(np.arctanh)
cos = _floating(np.cos)
cosh = _floating(np.cosh)
exp = _floating(np.exp)
expm1 = _floating(np.expm1)
log = _floating(np.log)
log1p = _floating(np.log1p)
log2 = _floating(np.log2)
log10 = _floating(np.log10)
reciprocal = _floating(np.reciprocal)
sin = _floating(np.sin)
sinh = _floating(np.sinh)
sqrt = _floating(np.sqrt)
tan = _floating(np.tan)
tanh = _floating(np.tanh)

atan2 = _floating_pair(np.arctan2)
copysign = _floating_pair(np.copysign)
hypot = _floating_pair(np.hypot)
logaddexp = _floating_pair(np.logaddexp)
nextafter = _floating_pair(np.nextafter)


def _whole(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Keep a 0-d result an array."""

    def unary(x: Any, /) -> Any:
        result = function(x)
        return result if type(result) is _ARRAY else np.asarray(result)

    return unary


def _rounding(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Keep integers as they are: NumPy before 2.1 rounds them to floats."""
    if np.lib.NumpyVersion(np.__version__) >= "2.1.0":
        return _whole(function)

    def unary(x: Any, /) -> Any:
        if x.dtype.kind in "iu":
            return x.copy()
        result = function(x)
        return result if type(result) is _ARRAY else np.asarray(result)

    return unary


ceil = _rounding(np.ceil)
floor = _rounding(np.floor)
trunc = _rounding(np.trunc)
_real_sign = _whole(np.sign)


def sign(x: Any, /) -> Any:
    """Take the sign; array_api_compat's wrapper asks for the kind of dtype at seven times the price."""
    if x.dtype.kind == "c":
        return xp.sign(x)  # type: ignore[attr-defined]  # made by a loop over the names
    return _real_sign(x)


def pow(x1: Any, x2: Any, /) -> Any:
    """Raise to a power: for an exponent 0.5 that broadcasts, NumPy 2.4 takes the square root.

    Which is NaN of -inf and -0.0 of -0.0, where the power is inf and 0.0.
    """
    strides = x2.strides
    if strides and 0 not in strides and x2.shape == x1.shape:
        return np.power(x1, x2)
    result = np.power(_base_of_halves(x1, x2), x2)
    return result if type(result) is _ARRAY else np.asarray(result)


def _base_of_halves(x1: Any, x2: Any) -> Any:
    """Return the base with no signs that matter where the exponent is 0.5."""
    if x1.dtype.kind != "f":
        return x1
    if not x2.ndim:
        return _without_signs(x1) if x2.item() == 0.5 else x1
    half = x2 == 0.5
    return np.where(half, _without_signs(x1), x1) if half.any() else x1


def _without_signs(x: Any) -> Any:
    """Return x with inf for -inf and 0.0 for -0.0."""
    return np.where(np.isinf(x), np.abs(x), x + x.dtype.type(0))


def rsqrt(x: Any, /) -> Any:
    """Divide one by the square root: NumPy has no such function."""
    if x.dtype.kind in _WIDENED:
        x = _as_float(x, "rsqrt", "x")
    return reciprocal(sqrt(x))


def clip(x: Any, min: Any = None, max: Any = None) -> Any:
    """Bound x: np.clip costs ten times two comparisons, and lets a NaN bound pass for integers."""
    dtype = x.dtype
    if min is not None:
        x = np.maximum(x, min if type(min) is _ARRAY else scalar_operand(min, dtype, x))
    if max is not None:
        x = np.minimum(x, max if type(max) is _ARRAY else scalar_operand(max, dtype, x))
    return x if type(x) is _ARRAY else np.asarray(x)


def imag(x: Any, /) -> Any:
    """Take the imaginary part: of a real array np.imag gives one that cannot be written to."""
    return np.imag(x) if x.dtype.kind == "c" else np.zeros_like(x)
