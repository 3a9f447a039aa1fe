"""Arithmetic. Raw operations, because the public wrappers cost as much again as the kernel."""

from __future__ import annotations

import builtins
from typing import Any

import tensorflow as tf

from anytensor.backends.tensorflow.namespace.promotion import (
    COMPLEX,
    FLOATING,
    REAL,
    UNSIGNED,
    cast,
    constant,
    floating,
    is_scalar,
    join_scalar,
    pair,
    pair_floating,
)

raw = tf.raw_ops


def abs(x: tf.Tensor, /) -> tf.Tensor:
    """Absolute value; of a complex tensor its magnitude, in the dtype of the components."""
    dtype = x.dtype
    if dtype in REAL:
        return raw.Abs(x=x)
    if dtype in COMPLEX:
        return tf.abs(x)
    return tf.convert_to_tensor(x) if dtype in UNSIGNED else raw.Abs(x=x)


def add(x1: Any, x2: Any, /) -> tf.Tensor:
    """Sum of the operands."""
    x1, x2 = pair(x1, x2)
    return raw.AddV2(x=x1, y=x2)


def subtract(x1: Any, x2: Any, /) -> tf.Tensor:
    """Difference of the operands; unsigned integers wrap."""
    x1, x2 = pair(x1, x2)
    return raw.Sub(x=x1, y=x2)


def multiply(x1: Any, x2: Any, /) -> tf.Tensor:
    """Product of the operands."""
    x1, x2 = pair(x1, x2)
    return raw.Mul(x=x1, y=x2)


def divide(x1: Any, x2: Any, /) -> tf.Tensor:
    """Quotient of the operands; integers are divided in the default float."""
    x1, x2 = pair_floating(x1, x2)
    return raw.RealDiv(x=x1, y=x2)


def floor_divide(x1: Any, x2: Any, /) -> tf.Tensor:
    """Quotient rounded down, as Python's ``//``; an integer zero divisor raises in eager mode."""
    x1, x2 = pair(x1, x2)
    return raw.FloorDiv(x=x1, y=x2)


def remainder(x1: Any, x2: Any, /) -> tf.Tensor:
    """Remainder with the sign of the divisor, as Python's ``%``."""
    x1, x2 = pair(x1, x2)
    return raw.FloorMod(x=x1, y=x2)


def negative(x: tf.Tensor, /) -> tf.Tensor:
    """Negated elements; unsigned integers wrap."""
    if x.dtype in UNSIGNED:
        return raw.Sub(x=tf.constant(0, x.dtype), y=x)
    return raw.Neg(x=x)


def positive(x: tf.Tensor, /) -> tf.Tensor:
    """The elements as they are."""
    return tf.convert_to_tensor(x)


def pow(x1: Any, x2: Any, /) -> tf.Tensor:
    """``x1`` to the power of ``x2``; integers wrap, a negative integer exponent raises."""
    x1, x2 = pair(x1, x2)
    if x1.dtype in UNSIGNED:
        return _unsigned_pow(tf.convert_to_tensor(x1), tf.convert_to_tensor(x2))
    return raw.Pow(x=x1, y=x2)


def _unsigned_pow(base: tf.Tensor, exponent: tf.Tensor) -> tf.Tensor:
    # TensorFlow 2.21 has no kernel for unsigned powers. Powers modulo 2**64 agree in int64; an
    # exponent of 2**62 or more is folded below 2**63, since odd x has x**(2**62) = 1 and even x 0.
    dtype = base.dtype
    if dtype is tf.uint64:
        period = tf.constant(2**62, tf.uint64)
        folded = raw.FloorMod(x=exponent, y=period)
        exponent = tf.where(exponent < period, folded, folded + period)
        power = raw.Pow(x=tf.bitcast(base, tf.int64), y=tf.bitcast(exponent, tf.int64))
        return tf.bitcast(power, tf.uint64)
    return tf.cast(raw.Pow(x=tf.cast(base, tf.int64), y=tf.cast(exponent, tf.int64)), dtype)


def reciprocal(x: tf.Tensor, /) -> tf.Tensor:
    """One divided by each element."""
    return raw.Reciprocal(x=floating(x))


def square(x: tf.Tensor, /) -> tf.Tensor:
    """Square of each element."""
    return raw.Square(x=x)


def sqrt(x: tf.Tensor, /) -> tf.Tensor:
    """Square root of each element; NaN for negative ones."""
    return raw.Sqrt(x=floating(x))


def sign(x: tf.Tensor, /) -> tf.Tensor:
    """-1, 0 or 1 (NaN for NaN); of a complex tensor ``x / abs(x)``, 0 at 0."""
    if x.dtype in UNSIGNED:
        return tf.cast(raw.NotEqual(x=x, y=tf.constant(0, x.dtype)), x.dtype)
    return raw.Sign(x=x)


def maximum(x1: Any, x2: Any, /) -> tf.Tensor:
    """Larger of the operands; NaN where one of them is NaN."""
    x1, x2 = pair(x1, x2)
    out = raw.Maximum(x=x1, y=x2)
    return out if tf.executing_eagerly() else _with_nan(out, x1, x2)


def minimum(x1: Any, x2: Any, /) -> tf.Tensor:
    """Smaller of the operands; NaN where one of them is NaN."""
    x1, x2 = pair(x1, x2)
    out = raw.Minimum(x=x1, y=x2)
    return out if tf.executing_eagerly() else _with_nan(out, x1, x2)


def _with_nan(out: tf.Tensor, x1: tf.Tensor, x2: tf.Tensor) -> tf.Tensor:
    # XLA on CPU (TensorFlow 2.21, xla_cpu_enable_fast_min_max) drops a NaN; the kernels keep it.
    # Whether a graph will be compiled is not known while it is traced, so every graph pays.
    if out.dtype not in REAL:
        return out
    unordered = raw.LogicalOr(x=raw.IsNan(x=x1), y=raw.IsNan(x=x2))
    return raw.SelectV2(condition=unordered, t=tf.constant(float("nan"), out.dtype), e=out)


def clip(x: tf.Tensor, /, min: Any = None, max: Any = None) -> tf.Tensor:
    """Clamp the elements between two bounds.

    Args:
        x: Real tensor.
        min: Lower bound, scalar or broadcastable tensor; ``None`` for no bound.
        max: Upper bound, likewise.

    Returns:
        The clamped tensor of the broadcast shape, in the dtype of ``x`` unless a bound is of a
        higher kind; NaN where ``x`` or a bound is NaN.
    """
    dtype = x.dtype
    for bound in (min, max):
        if is_scalar(bound):
            dtype = join_scalar(dtype, bound)
    x = tf.cast(x, dtype)
    if min is not None:
        x = maximum(x, _bound(min, dtype))
    if max is not None:
        x = minimum(x, _bound(max, dtype))
    return x


def _bound(bound: Any, dtype: tf.DType) -> tf.Tensor:
    # A Python int outside the dtype's range is no bound at all, or clamps everything to the limit.
    if is_scalar(bound) and dtype not in FLOATING:
        return constant(builtins.min(builtins.max(int(bound), dtype.min), dtype.max), dtype)
    return cast(bound, dtype)
