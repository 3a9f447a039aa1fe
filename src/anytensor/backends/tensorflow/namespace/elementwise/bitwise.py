"""Bitwise functions. Booleans take the logical operations: TensorFlow's bitwise ones refuse them."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from anytensor.backends.tensorflow.namespace.promotion import SIGNED, pair

raw = tf.raw_ops


def bitwise_and(x1: Any, x2: Any, /) -> tf.Tensor:
    """Bitwise and of integers or booleans."""
    x1, x2 = pair(x1, x2)
    return (raw.LogicalAnd if x1.dtype is tf.bool else raw.BitwiseAnd)(x=x1, y=x2)


def bitwise_or(x1: Any, x2: Any, /) -> tf.Tensor:
    """Bitwise or of integers or booleans."""
    x1, x2 = pair(x1, x2)
    return (raw.LogicalOr if x1.dtype is tf.bool else raw.BitwiseOr)(x=x1, y=x2)


def bitwise_xor(x1: Any, x2: Any, /) -> tf.Tensor:
    """Bitwise exclusive or of integers or booleans."""
    x1, x2 = pair(x1, x2)
    return (raw.NotEqual if x1.dtype is tf.bool else raw.BitwiseXor)(x=x1, y=x2)


def bitwise_invert(x: tf.Tensor, /) -> tf.Tensor:
    """Flipped bits of integers or booleans."""
    return (raw.LogicalNot if x.dtype is tf.bool else raw.Invert)(x=x)


def bitwise_left_shift(x1: Any, x2: Any, /) -> tf.Tensor:
    """Bits shifted left; a shift of the dtype's width or more gives 0."""
    x1, x2 = pair(x1, x2)
    return _cleared(raw.LeftShift(x=x1, y=x2), x2)


def bitwise_right_shift(x1: Any, x2: Any, /) -> tf.Tensor:
    """Bits shifted right, the sign kept; a shift of the width or more gives 0, or -1 below zero."""
    x1, x2 = pair(x1, x2)
    shifted = raw.RightShift(x=x1, y=x2)
    # Clamped to the width less one, a signed shift leaves the sign, which is right already.
    return shifted if shifted.dtype in SIGNED else _cleared(shifted, x2)


def _cleared(shifted: tf.Tensor, amount: tf.Tensor) -> tf.Tensor:
    # TensorFlow 2.21 clamps the amount to the width less one, and a bit would be left.
    dtype = shifted.dtype
    within = raw.Less(x=amount, y=tf.constant(8 * dtype.size, dtype))
    return raw.SelectV2(condition=within, t=shifted, e=tf.constant(0, dtype))
