"""Norms of vectors and matrices, and the rank. Gradients at a zero vector are zero, not NaN."""

from __future__ import annotations

import math

import tensorflow as tf

from anytensor.backends.tensorflow.namespace import shapes
from anytensor.backends.tensorflow.namespace.data_types import real_dtype
from anytensor.backends.tensorflow.namespace.elementwise import abs as magnitude
from anytensor.backends.tensorflow.namespace.linalg.decomposition import svdvals
from anytensor.backends.tensorflow.namespace.linalg.solving import cutoff
from anytensor.backends.tensorflow.namespace.promotion import floating
from anytensor.backends.tensorflow.namespace.shapes import Axes
from anytensor.backends.tensorflow.namespace.statistical import max as largest
from anytensor.backends.tensorflow.namespace.statistical import min as smallest


def _root_of_squares(x: tf.Tensor, axis: Axes, keepdims: bool) -> tf.Tensor:
    size = magnitude(x)
    total = tf.reduce_sum(tf.square(size), shapes.reduction(axis), keepdims)
    empty = tf.equal(total, tf.constant(0, total.dtype))
    root = tf.sqrt(tf.where(empty, tf.constant(1, total.dtype), total))
    return tf.where(empty, tf.constant(0, total.dtype), root)


def vector_norm(
    x: tf.Tensor,
    /,
    *,
    axis: Axes = None,
    keepdims: bool = False,
    ord: int | float = 2,
) -> tf.Tensor:
    """Norm of vectors.

    Args:
        x: Floating tensor.
        axis: Axis or axes that a vector lies along, all by default.
        keepdims: Whether these stay with size one.
        ord: Order: a number, ``inf``, ``-inf``, or 0 for the number of nonzero elements.

    Returns:
        The norms, in the real dtype of the same precision.
    """
    x = floating(x)
    if ord == 2:
        return _root_of_squares(x, axis, keepdims)
    size = magnitude(x)
    if ord == math.inf:
        return largest(size, axis=axis, keepdims=keepdims)
    if ord == -math.inf:
        return smallest(size, axis=axis, keepdims=keepdims)
    along = shapes.reduction(axis)
    if ord == 0:
        counted = tf.cast(tf.not_equal(size, tf.constant(0, size.dtype)), size.dtype)
        return tf.reduce_sum(counted, along, keepdims)
    if ord == 1:
        return tf.reduce_sum(size, along, keepdims)
    power = tf.constant(ord, size.dtype)
    return tf.pow(tf.reduce_sum(tf.pow(size, power), along, keepdims), 1 / power)


def matrix_norm(
    x: tf.Tensor, /, *, keepdims: bool = False, ord: int | float | str | None = "fro"
) -> tf.Tensor:
    """Norm of matrices.

    Args:
        x: Floating tensor ``(..., m, n)``.
        keepdims: Whether the last two dimensions stay with size one.
        ord: ``"fro"`` (also for ``None``), ``"nuc"``, 1, -1, 2, -2, ``inf`` or ``-inf``.

    Returns:
        The norms ``(...)``, in the real dtype of the same precision.
    """
    x = floating(x)
    if ord in ("fro", None):
        return _root_of_squares(x, (-2, -1), keepdims)
    if ord in (1, -1, math.inf, -math.inf):
        along = -2 if abs(ord) == 1 else -1
        totals = tf.reduce_sum(magnitude(x), along, keepdims=True)
        reduce = largest if ord > 0 else smallest
        return reduce(totals, axis=(-2, -1), keepdims=keepdims)
    values = svdvals(x)
    if ord == "nuc":
        out = tf.reduce_sum(values, -1)
    elif ord in (2, -2):
        out = largest(values, axis=-1) if ord == 2 else smallest(values, axis=-1)
    else:
        raise ValueError(f"ord must be 'fro', 'nuc', 1, -1, 2, -2, inf or -inf, got {ord!r}")
    return out[..., None, None] if keepdims else out


def matrix_rank(x: tf.Tensor, /, *, rtol: float | tf.Tensor | None = None) -> tf.Tensor:
    """Number of singular values above ``rtol`` times the largest, int64.

    Args:
        x: Floating tensor ``(..., m, n)``.
        rtol: A float or a tensor of the leading shape, ``max(m, n) * eps`` by default.

    Returns:
        The ranks ``(...)``.
    """
    values = tf.cast(svdvals(x), real_dtype(floating(x).dtype))
    return tf.reduce_sum(tf.cast(values > cutoff(x, values, rtol), tf.int64), -1)
