"""Reductions that TensorFlow 2.21 leaves in float16, means of no complex numbers, running products of 0."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from anytensor.backends.tensorflow.namespace import cumulative_prod as _cumulative_prod
from anytensor.backends.tensorflow.namespace import mean as _mean
from anytensor.backends.tensorflow.namespace import prod as _prod
from anytensor.backends.tensorflow.namespace import sum as _sum
from anytensor.backends.tensorflow.namespace.promotion import HALF
from anytensor.backends.tensorflow.segment_gradient import with_gradient

__all__ = ["cumulative_prod", "mean", "prod", "sum"]


def sum(x: Any, /, *, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
    """Sum along axes, half precision in float32."""
    result = x.dtype if dtype is None else dtype
    if result not in HALF:
        return _sum(x, axis=axis, dtype=dtype, keepdims=keepdims)
    return tf.cast(_sum(x, axis=axis, dtype=tf.float32, keepdims=keepdims), result)


def prod(x: Any, /, *, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
    """Multiply along axes, half precision in float32."""
    result = x.dtype if dtype is None else dtype
    if result not in HALF:
        return _prod(x, axis=axis, dtype=dtype, keepdims=keepdims)
    return tf.cast(_prod(x, axis=axis, dtype=tf.float32, keepdims=keepdims), result)


def mean(x: Any, /, *, axis: Any = None, keepdims: bool = False) -> Any:
    """Average along axes, complex numbers by parts: their own kernel gives 0 for none, not NaN."""
    if not x.dtype.is_complex:
        return _mean(x, axis=axis, keepdims=keepdims)
    parts = (_mean(part(x), axis=axis, keepdims=keepdims) for part in (tf.math.real, tf.math.imag))
    return tf.complex(*parts)


def cumulative_prod(
    x: Any, /, *, axis: int | None = None, dtype: Any = None, include_initial: bool = False
) -> Any:
    """Multiply along an axis: TensorFlow's own gradient is 0 for a factor 0."""
    axis = 0 if axis is None else axis

    def value(x: Any) -> Any:
        return _cumulative_prod(x, axis=axis, dtype=dtype, include_initial=include_initial)

    def smooth(x: Any) -> Any:
        # The first 0 of a line, and of the products from there on, is a factor of its own; before it 1.
        zero = x == 0
        seen = tf.cumsum(tf.cast(zero, tf.int32), axis)
        first = zero & (seen == 1)
        own = tf.reduce_sum(tf.where(first, x, tf.zeros_like(x)), axis, keepdims=True)
        factor = tf.where(seen > 0, own, tf.ones_like(x))
        if include_initial:
            factor = tf.concat([tf.ones_like(own), factor], axis)
        product = value(tf.where(first, tf.ones_like(x), x))
        return product * tf.cast(factor, product.dtype)

    if x.dtype.is_integer or x.dtype.is_bool:
        return value(x)
    rows = x.shape[0] if x.shape[0] is not None else tf.shape(x)[0]
    return with_gradient(
        value, smooth, x, rows + 1 if include_initial and axis in (0, -x.shape.rank) else rows
    )
