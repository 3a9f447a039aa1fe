"""Element-wise functions on PyTorch: its own, since promotion has settled the dtypes already.

array_api_compat's wrappers mend the dtypes of 0-d operands once more, which costs as much as the kernel.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from anytensor.backends.torch.array import from_scalar as scalar_operand

__all__ = [
    "add",
    "atan2",
    "bitwise_and",
    "bitwise_left_shift",
    "bitwise_or",
    "bitwise_right_shift",
    "bitwise_xor",
    "clip",
    "copysign",
    "divide",
    "equal",
    "floor_divide",
    "greater",
    "greater_equal",
    "hypot",
    "imag",
    "less",
    "less_equal",
    "logaddexp",
    "logical_and",
    "logical_or",
    "logical_xor",
    "maximum",
    "minimum",
    "multiply",
    "nextafter",
    "not_equal",
    "positive",
    "pow",
    "real",
    "remainder",
    "round",
    "scalar_operand",
    "sign",
    "subtract",
    "where",
]

add = torch.add
bitwise_and = torch.bitwise_and
bitwise_left_shift = torch.bitwise_left_shift
bitwise_or = torch.bitwise_or
bitwise_right_shift = torch.bitwise_right_shift
bitwise_xor = torch.bitwise_xor
divide = torch.divide
equal = torch.eq
greater = torch.gt
greater_equal = torch.ge
less = torch.lt
less_equal = torch.le
logical_and = torch.logical_and
logical_or = torch.logical_or
logical_xor = torch.logical_xor
maximum = torch.maximum
minimum = torch.minimum
multiply = torch.multiply
not_equal = torch.ne
pow = torch.pow
remainder = torch.remainder
subtract = torch.subtract
where = torch.where


def floor_divide(x1: Any, x2: Any, /) -> Any:
    """Divide and round down, with gradient zero: torch.floor_divide (2.13) has none."""
    return torch.div(x1, x2, rounding_mode="floor")


def _floating_pair(function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """Give a binary function the default float for integers, for which it has no kernel."""

    def binary(x1: Any, x2: Any, /) -> Any:
        if not x1.dtype.is_floating_point:
            dtype = torch.get_default_dtype()
            x1, x2 = x1.to(dtype), x2.to(dtype)
        return function(x1, x2)

    return binary


atan2 = _floating_pair(torch.atan2)
copysign = _floating_pair(torch.copysign)
hypot = _floating_pair(torch.hypot)
logaddexp = _floating_pair(torch.logaddexp)
nextafter = _floating_pair(torch.nextafter)


def clip(x: Any, min: Any = None, max: Any = None) -> Any:
    """Bound x by scalars or tensors: array_api_compat's clip takes a slow road for tensors."""
    # torch.clamp takes two tensors or two scalars, and (2.13, #172067) ignores a scalar NaN.
    if _is_no_plain_number(min) or _is_no_plain_number(max):
        min, max = _bound(min, x), _bound(max, x)
    return torch.clamp(x, min=min, max=max)


def _is_no_plain_number(bound: Any) -> bool:
    # A number that the dtype makes infinite is refused by torch.clamp, and not by the conversion to a tensor.
    return bound is not None and (isinstance(bound, torch.Tensor) or not -65504 <= bound <= 65504)


def _bound(bound: Any, x: Any) -> Any:
    if bound is None or isinstance(bound, torch.Tensor):
        return bound
    return scalar_operand(bound, x.dtype, x)


def positive(x: Any, /) -> Any:
    """Return x, as torch.positive does by way of C++."""
    return x


def round(x: Any, /) -> Any:
    """Round to even: torch.round (2.13) has no complex kernel, and array_api_compat's round costs more."""
    if x.dtype.is_complex:
        return torch.complex(torch.round(x.real), torch.round(x.imag))
    return torch.round(x)


def sign(x: Any, /) -> Any:
    """Tell the sign, NaN for NaN: torch.sgn gives 0, and array_api_compat writes into its result."""
    if x.dtype.is_floating_point:
        return torch.where(torch.isnan(x), x.detach(), torch.sgn(x))  # the slope is 0, of a NaN too
    return torch.sgn(x)


def real(x: Any, /) -> Any:
    """Take the real part, a real x itself."""
    return torch.real(x) if x.dtype.is_complex else x


def imag(x: Any, /) -> Any:
    """Take the imaginary part: torch.imag refuses a real x."""
    return torch.imag(x) if x.dtype.is_complex else torch.zeros_like(x)
