"""Reductions that TensorFlow 2.21 leaves in float16, and the mean of no complex numbers (0 there)."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from anytensor.backends.tensorflow.namespace import mean as _mean
from anytensor.backends.tensorflow.namespace import prod as _prod
from anytensor.backends.tensorflow.namespace import sum as _sum
from anytensor.backends.tensorflow.namespace.promotion import HALF

__all__ = ["mean", "prod", "sum"]


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
