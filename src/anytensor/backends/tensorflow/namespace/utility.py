"""Tests over axes, and differences."""

from __future__ import annotations

import builtins

import tensorflow as tf

from anytensor.backends.tensorflow.namespace import shapes
from anytensor.backends.tensorflow.namespace.manipulation import concat
from anytensor.backends.tensorflow.namespace.promotion import truth
from anytensor.backends.tensorflow.namespace.shapes import Axes


def all(x: tf.Tensor, /, *, axis: Axes = None, keepdims: builtins.bool = False) -> tf.Tensor:
    """Whether all elements over axes are true (nonzero; NaN counts); True where empty."""
    return tf.reduce_all(truth(x), shapes.reduction(axis), keepdims)


def any(x: tf.Tensor, /, *, axis: Axes = None, keepdims: builtins.bool = False) -> tf.Tensor:
    """Whether any element over axes is true (nonzero; NaN counts); False where empty."""
    return tf.reduce_any(truth(x), shapes.reduction(axis), keepdims)


def diff(
    x: tf.Tensor,
    /,
    *,
    axis: int = -1,
    n: int = 1,
    prepend: tf.Tensor | None = None,
    append: tf.Tensor | None = None,
) -> tf.Tensor:
    """Differences of neighbours along an axis.

    Args:
        x: Numeric tensor of one dimension or more; of booleans, whether they differ.
        axis: Axis.
        n: How many times to take differences.
        prepend: Tensor to put before ``x`` along the axis first.
        append: Tensor to put after it.

    Returns:
        The differences; the axis is shorter by ``n``, not below zero.
    """
    axis = shapes.normalize(axis, shapes.rank(x))
    parts = [part for part in (prepend, x, append) if part is not None]
    x = concat(parts, axis=axis) if len(parts) > 1 else tf.convert_to_tensor(x)
    later: tuple[slice, ...] = (slice(None),) * axis + (slice(1, None),)
    earlier: tuple[slice, ...] = (slice(None),) * axis + (slice(None, -1),)
    for _ in range(n):
        change = tf.not_equal if x.dtype is tf.bool else tf.subtract
        x = change(x[later], x[earlier])
    return x
