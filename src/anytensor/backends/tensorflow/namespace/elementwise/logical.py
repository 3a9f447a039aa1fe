"""Logic on booleans; other dtypes count as true where nonzero."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from anytensor.backends.tensorflow.namespace.promotion import is_scalar, truth

raw = tf.raw_ops


def _mask(x: Any) -> tf.Tensor:
    return tf.constant(bool(x)) if is_scalar(x) else truth(x)


def logical_and(x1: Any, x2: Any, /) -> tf.Tensor:
    """Whether both operands are true."""
    return raw.LogicalAnd(x=_mask(x1), y=_mask(x2))


def logical_or(x1: Any, x2: Any, /) -> tf.Tensor:
    """Whether one of the operands is true."""
    return raw.LogicalOr(x=_mask(x1), y=_mask(x2))


def logical_xor(x1: Any, x2: Any, /) -> tf.Tensor:
    """Whether exactly one of the operands is true."""
    return raw.NotEqual(x=_mask(x1), y=_mask(x2))


def logical_not(x: tf.Tensor, /) -> tf.Tensor:
    """Whether each element is false."""
    return raw.LogicalNot(x=_mask(x))
