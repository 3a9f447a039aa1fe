"""Element-wise functions that add to our namespace or go past what the standard asks of it."""

from __future__ import annotations

import math
from typing import Any

import tensorflow as tf

from anytensor.backends.tensorflow.array import EagerTensor
from anytensor.backends.tensorflow.array import from_scalar as scalar_operand
from anytensor.backends.tensorflow.namespace import bitwise_left_shift as _bitwise_left_shift
from anytensor.backends.tensorflow.namespace import log as _log
from anytensor.backends.tensorflow.namespace import log2 as _log2
from anytensor.backends.tensorflow.namespace import log10 as _log10
from anytensor.backends.tensorflow.namespace import signbit as _signbit
from anytensor.backends.tensorflow.namespace.promotion import floating

__all__ = [
    "bitwise_left_shift",
    "log2",
    "log10",
    "rsqrt",
    "scalar_operand",
    "signbit",
]


_left_shift = tf.bitwise.left_shift


def bitwise_left_shift(x1: Any, x2: Any, /) -> Any:
    """Shift left; where a look at the amounts finds none of the width or more, by the kernel alone."""
    if x2.__class__ is EagerTensor and "CPU" in x2.device:
        amounts = x2._numpy_internal()
        if amounts.size and amounts.item(amounts.argmax()) < 8 * amounts.itemsize:
            return _left_shift(x1, x2)
    return _bitwise_left_shift(x1, x2)


def rsqrt(x: Any, /) -> Any:
    """Divide one by the square root."""
    return tf.raw_ops.Rsqrt(x=floating(x))


def signbit(x: Any, /) -> Any:
    """Tell where the sign bit is set, for integers too."""
    if x.dtype.is_integer:
        return tf.raw_ops.Less(x=x, y=tf.zeros((), x.dtype)) if x.dtype.min < 0 else tf.zeros_like(x, tf.bool)
    return _signbit(x)


def log2(x: Any, /) -> Any:
    """Take the logarithm to base 2, of complex numbers by parts: 0 is -inf + 0j."""
    return _by_parts(x, math.log(2)) if x.dtype.is_complex else _log2(x)


def log10(x: Any, /) -> Any:
    """Take the logarithm to base 10, of complex numbers by parts: 0 is -inf + 0j."""
    return _by_parts(x, math.log(10)) if x.dtype.is_complex else _log10(x)


def _by_parts(x: Any, divisor: float) -> Any:
    # A complex quotient multiplies the infinity of one part with the zero of the other.
    natural = _log(x)
    return tf.complex(tf.math.real(natural) / divisor, tf.math.imag(natural) / divisor)
