"""Comparisons. Results are boolean; NaN equals nothing."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from anytensor.backends.tensorflow.namespace.promotion import pair

raw = tf.raw_ops


def equal(x1: Any, x2: Any, /) -> tf.Tensor:
    """Whether the operands are equal."""
    x1, x2 = pair(x1, x2)
    return raw.Equal(x=x1, y=x2)


def not_equal(x1: Any, x2: Any, /) -> tf.Tensor:
    """Whether the operands differ."""
    x1, x2 = pair(x1, x2)
    return raw.NotEqual(x=x1, y=x2)


def less(x1: Any, x2: Any, /) -> tf.Tensor:
    """Whether ``x1 < x2``."""
    x1, x2 = pair(x1, x2)
    return raw.Less(x=x1, y=x2)


def less_equal(x1: Any, x2: Any, /) -> tf.Tensor:
    """Whether ``x1 <= x2``."""
    x1, x2 = pair(x1, x2)
    return raw.LessEqual(x=x1, y=x2)


def greater(x1: Any, x2: Any, /) -> tf.Tensor:
    """Whether ``x1 > x2``."""
    x1, x2 = pair(x1, x2)
    return raw.Greater(x=x1, y=x2)


def greater_equal(x1: Any, x2: Any, /) -> tf.Tensor:
    """Whether ``x1 >= x2``."""
    x1, x2 = pair(x1, x2)
    return raw.GreaterEqual(x=x1, y=x2)
