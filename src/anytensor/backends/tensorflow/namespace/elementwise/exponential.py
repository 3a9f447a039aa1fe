"""Exponentials and logarithms; integers are widened to the default float."""

from __future__ import annotations

import math
from typing import Any

import tensorflow as tf

from ..promotion import floating, pair_floating
from .arithmetic import maximum, minimum

raw = tf.raw_ops


def exp(x: tf.Tensor, /) -> tf.Tensor:
    """``e`` to the power of each element."""
    return raw.Exp(x=floating(x))


def expm1(x: tf.Tensor, /) -> tf.Tensor:
    """``exp(x) - 1``, exact near zero."""
    return raw.Expm1(x=floating(x))


def log(x: tf.Tensor, /) -> tf.Tensor:
    """Natural logarithm."""
    return raw.Log(x=floating(x))


def log1p(x: tf.Tensor, /) -> tf.Tensor:
    """``log(1 + x)``, exact near zero."""
    return raw.Log1p(x=floating(x))


def log2(x: tf.Tensor, /) -> tf.Tensor:
    """Logarithm to base 2."""
    return _log(x, math.log(2.0))


def log10(x: tf.Tensor, /) -> tf.Tensor:
    """Logarithm to base 10."""
    return _log(x, math.log(10.0))


def _log(x: tf.Tensor, scale: float) -> tf.Tensor:
    x = floating(x)
    return raw.RealDiv(x=raw.Log(x=x), y=tf.constant(scale, x.dtype))


def logaddexp(x1: Any, x2: Any, /) -> tf.Tensor:
    """``log(exp(x1) + exp(x2))`` without overflow; finite ties share the gradient, infinite ones do not."""
    x1, x2 = pair_floating(x1, x2)
    # The kernels' gradient gives a tie to the first operand: swapped, each operand wins one.
    high, low = maximum(x1, x2), minimum(x2, x1)
    infinite = raw.LogicalAnd(x=raw.Equal(x=high, y=low), y=raw.IsInf(x=high))
    gap = raw.SelectV2(condition=infinite, t=tf.constant(0, high.dtype), e=raw.Sub(x=low, y=high))
    return raw.AddV2(x=high, y=raw.Log1p(x=raw.Exp(x=gap)))
