"""Classes, signs and neighbours of floating-point numbers, and the parts of complex ones."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from anytensor.backends.tensorflow.exporting import is_exporting
from anytensor.backends.tensorflow.namespace.promotion import COMPLEX, REAL, pair_floating

raw = tf.raw_ops

_BITS = {tf.float16: tf.int16, tf.bfloat16: tf.int16, tf.float32: tf.int32, tf.float64: tf.int64}


def isnan(x: tf.Tensor, /) -> tf.Tensor:
    """Whether each element is NaN; of a complex one, whether a part is."""
    if x.dtype in REAL:
        return raw.IsNan(x=x)
    return raw.NotEqual(x=x, y=x)


def isinf(x: tf.Tensor, /) -> tf.Tensor:
    """Whether each element is infinite; of a complex one, whether a part is."""
    if x.dtype in REAL:
        return raw.IsInf(x=x)
    if x.dtype in COMPLEX:
        return raw.LogicalOr(x=raw.IsInf(x=tf.math.real(x)), y=raw.IsInf(x=tf.math.imag(x)))
    return tf.zeros_like(x, tf.bool)


def isfinite(x: tf.Tensor, /) -> tf.Tensor:
    """Whether each element is neither NaN nor infinite; of a complex one, both parts."""
    if x.dtype in REAL:
        return raw.IsFinite(x=x)
    if x.dtype in COMPLEX:
        return raw.LogicalAnd(x=raw.IsFinite(x=tf.math.real(x)), y=raw.IsFinite(x=tf.math.imag(x)))
    return tf.ones_like(x, tf.bool)


def signbit(x: tf.Tensor, /) -> tf.Tensor:
    """Whether the sign bit is set: true for -0.0 and for a NaN with the sign."""
    if is_exporting():  # ONNX has no bitcast; 1 over a zero has its sign
        zero = tf.constant(0, x.dtype)
        return raw.Less(x=raw.SelectV2(condition=raw.Equal(x=x, y=zero), t=1 / x, e=x), y=zero)
    bits = tf.bitcast(x, _BITS[x.dtype])
    return raw.Less(x=bits, y=tf.constant(0, bits.dtype))


def copysign(x1: Any, x2: Any, /) -> tf.Tensor:
    """Magnitude of ``x1`` with the sign of ``x2``; differentiable in ``x1``."""
    x1, x2 = pair_floating(x1, x2)
    same = raw.Equal(x=signbit(x1), y=signbit(x2))
    return raw.SelectV2(condition=same, t=x1, e=raw.Neg(x=x1))


def nextafter(x1: Any, x2: Any, /) -> tf.Tensor:
    """Next representable number after ``x1`` towards ``x2``."""
    x1, x2 = pair_floating(x1, x2)
    if x1.dtype in (tf.float32, tf.float64):
        return raw.NextAfter(x1=x1, x2=x2)
    # TensorFlow 2.21 has no kernel for half floats. Bits of one sign are ordered like the numbers.
    bits = tf.bitcast(x1, tf.int16)
    outwards = raw.Equal(x=raw.Greater(x=x2, y=x1), y=raw.GreaterEqual(x=bits, y=tf.constant(0, tf.int16)))
    step = tf.where(outwards, tf.constant(1, tf.int16), tf.constant(-1, tf.int16))
    moved = tf.bitcast(raw.AddV2(x=bits, y=step), x1.dtype)
    # Bits again: arithmetic would flush the smallest number to zero.
    least = tf.where(signbit(x2), tf.constant(-32767, tf.int16), tf.constant(1, tf.int16))
    from_zero = tf.bitcast(least, x1.dtype)
    moved = tf.where(raw.Equal(x=x1, y=tf.constant(0, x1.dtype)), from_zero, moved)
    moved = tf.where(raw.Equal(x=x1, y=x2), x2, moved)
    return tf.where(raw.LogicalOr(x=raw.IsNan(x=x1), y=raw.IsNan(x=x2)), x1 + x2, moved)


def conj(x: tf.Tensor, /) -> tf.Tensor:
    """Complex conjugate; a real tensor is its own."""
    return raw.Conj(input=x) if x.dtype in COMPLEX else tf.convert_to_tensor(x)


def real(x: tf.Tensor, /) -> tf.Tensor:
    """Real part, in the dtype of the components; a real tensor is its own."""
    return tf.math.real(x) if x.dtype in COMPLEX else tf.convert_to_tensor(x)


def imag(x: tf.Tensor, /) -> tf.Tensor:
    """Imaginary part, in the dtype of the components; zeros for a real tensor."""
    return tf.math.imag(x) if x.dtype in COMPLEX else raw.ZerosLike(x=x)
