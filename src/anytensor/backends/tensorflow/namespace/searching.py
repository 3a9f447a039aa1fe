"""Searching. Indices are int64."""

from __future__ import annotations

import builtins
from typing import Any

import tensorflow as tf

from anytensor.backends.tensorflow.exporting import is_exporting
from anytensor.backends.tensorflow.namespace import promotion, shapes
from anytensor.backends.tensorflow.namespace.promotion import REAL, cast, is_scalar, pair, truth
from anytensor.backends.tensorflow.namespace.sorting import order_keys

raw = tf.raw_ops


def argmax(x: tf.Tensor, /, *, axis: int | None = None, keepdims: builtins.bool = False) -> tf.Tensor:
    """First index of the maximum along an axis, or of the flattened tensor; a NaN is the maximum."""
    return _extremum(raw.ArgMax, x, axis, keepdims, smallest=False)


def argmin(x: tf.Tensor, /, *, axis: int | None = None, keepdims: builtins.bool = False) -> tf.Tensor:
    """First index of the minimum along an axis, or of the flattened tensor; a NaN is the minimum."""
    return _extremum(raw.ArgMin, x, axis, keepdims, smallest=True)


def _extremum(
    kernel: Any, x: tf.Tensor, axis: int | None, keepdims: builtins.bool, smallest: builtins.bool
) -> tf.Tensor:
    ndim = shapes.rank(x)
    if x.dtype in REAL:
        # The kernels pass NaNs over; on keys they are comparable.
        keys = order_keys(x)
        if smallest:
            lowest = tf.constant(keys.dtype.min, keys.dtype)
            keys = raw.SelectV2(condition=raw.IsNan(x=x), t=lowest, e=keys)
        x = keys
    elif x.dtype == tf.bool and is_exporting():
        x = tf.cast(x, tf.int32)  # ONNX orders no truth values
    if axis is None:
        index = kernel(input=shapes.flatten(x), dimension=0)
        return tf.reshape(index, (1,) * ndim) if keepdims else index
    axis = shapes.normalize(axis, ndim)
    index = kernel(input=x, dimension=axis)
    return tf.expand_dims(index, axis) if keepdims else index


def count_nonzero(
    x: tf.Tensor,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    keepdims: builtins.bool = False,
) -> tf.Tensor:
    """Number of nonzero elements (NaN counts) over axes, int64."""
    counted = tf.cast(truth(x), tf.int64)
    return tf.reduce_sum(counted, shapes.reduction(axis), keepdims)


def nonzero(x: tf.Tensor, /) -> tuple[tf.Tensor, ...]:
    """Indices of the nonzero elements, one int64 vector per axis, in row-major order.

    The length depends on the data: eager mode and graphs, not XLA.
    """
    if shapes.rank(x) == 0:
        raise ValueError("nonzero needs a tensor of one dimension or more")
    return tuple(tf.unstack(tf.where(truth(x)), num=shapes.rank(x), axis=1))


def searchsorted(
    x1: tf.Tensor,
    x2: Any,
    /,
    *,
    side: str = "left",
    sorter: tf.Tensor | None = None,
) -> tf.Tensor:
    """Places where elements would be inserted into a sorted vector.

    Args:
        x1: Vector, ascending (NaNs last), or in the order that ``sorter`` gives.
        x2: Values to place, any shape.
        side: ``"left"`` before equal elements, ``"right"`` after them.
        sorter: Indices that sort ``x1``.

    Returns:
        int64 places between 0 and the length of ``x1``, in the shape of ``x2``.
    """
    if side not in ("left", "right"):
        raise ValueError(f"side must be 'left' or 'right', got {side!r}")
    x1, x2 = pair(x1, x2)
    if sorter is not None:
        x1 = tf.gather(x1, tf.cast(sorter, tf.int64))
    kernel = raw.LowerBound if side == "left" else raw.UpperBound
    keys, values = order_keys(x1), order_keys(x2)
    places = kernel(
        sorted_inputs=tf.expand_dims(keys, 0),
        values=tf.expand_dims(shapes.flatten(values), 0),
        out_type=tf.int64,
    )
    return tf.reshape(places, shapes.pack(shapes.sizes(x2)))


def where(condition: tf.Tensor, x1: Any, x2: Any, /) -> tf.Tensor:
    """Elements of ``x1`` where the condition holds, of ``x2`` elsewhere.

    Args:
        condition: Boolean tensor; other dtypes count as true where nonzero.
        x1: Tensor or Python scalar.
        x2: Tensor or Python scalar.

    Returns:
        Tensor of the broadcast shape in the common dtype of ``x1`` and ``x2``.
    """
    x1, x2 = pair(x1, x2)
    chosen = cast(condition, promotion.BOOL) if is_scalar(condition) else truth(condition)
    return raw.SelectV2(condition=chosen, t=x1, e=x2)
