"""Stable sorting on integer keys.

TensorFlow sorts with a top-k kernel whose comparison is no order when NaNs are about, which ranks
-0.0 apart from 0.0 nowhere, and which lacks booleans. So floats are mapped to integers that are
ordered alike, every NaN last; the kernel's tie rule (lower index first) then makes both directions
stable. The elements are gathered, so gradients flow.
"""

from __future__ import annotations

import builtins

import tensorflow as tf

from anytensor.backends.tensorflow.exporting import is_exporting
from anytensor.backends.tensorflow.namespace import shapes
from anytensor.backends.tensorflow.namespace.promotion import REAL

raw = tf.raw_ops

_BITS = {tf.float16: tf.int16, tf.bfloat16: tf.int16, tf.float32: tf.int32, tf.float64: tf.int64}


def order_keys(x: tf.Tensor) -> tf.Tensor:
    """Integers ordered like the real or boolean elements of ``x``, equal where they are equal.

    Args:
        x: Real or boolean tensor.

    Returns:
        Integer tensor of the same shape; NaNs share the largest key, signed zeros share one. In a graph for
        ONNX, floats are their own keys.
    """
    dtype = x.dtype
    if dtype is tf.bool:
        return tf.cast(x, tf.int32 if is_exporting() else tf.uint8)  # ONNX's top-k has no uint8
    if dtype is tf.uint16:
        return tf.cast(x, tf.int32)  # XLA's top-k (TensorFlow 2.21) has no uint16
    if dtype not in REAL:
        return tf.convert_to_tensor(x)
    if is_exporting():  # ONNX has no bitcast; a NaN ties with infinity
        return raw.SelectV2(condition=raw.IsNan(x=x), t=tf.constant(float("inf"), dtype), e=x)
    bits = tf.bitcast(x, _BITS[dtype])
    zero = tf.constant(0, bits.dtype)
    largest = tf.constant(bits.dtype.max, bits.dtype)
    # Negative floats grow downwards in magnitude bits: flip those, and shift so that -0.0 meets 0.0.
    flipped = raw.Sub(x=tf.constant(bits.dtype.min, bits.dtype), y=bits)
    keys = raw.SelectV2(condition=raw.Less(x=bits, y=zero), t=flipped, e=bits)
    return raw.SelectV2(condition=raw.IsNan(x=x), t=largest, e=keys)


def _last_axis_order(x: tf.Tensor, descending: builtins.bool) -> tf.Tensor:
    keys = order_keys(x)
    if not descending:
        # Inverted bits reverse the order without overflow.
        keys = raw.Neg(x=keys) if keys.dtype.is_floating else raw.Invert(x=keys)
    return raw.TopKV2(input=keys, k=shapes.size(keys, -1), index_type=tf.int64).indices


def argsort(
    x: tf.Tensor,
    /,
    *,
    axis: int = -1,
    descending: builtins.bool = False,
    stable: builtins.bool = True,
) -> tf.Tensor:
    """Indices that sort along an axis.

    Args:
        x: Real or boolean tensor of one dimension or more.
        axis: Axis to sort along.
        descending: Largest first; NaN counts as the largest.
        stable: Equal elements always keep their order, whatever is asked.

    Returns:
        int64 indices, same shape.
    """
    if shapes.rank(x) == 0:
        return tf.constant(0, tf.int64)
    return shapes.move_back(_last_axis_order(shapes.move_last(x, axis), descending), axis)


def sort(
    x: tf.Tensor,
    /,
    *,
    axis: int = -1,
    descending: builtins.bool = False,
    stable: builtins.bool = True,
) -> tf.Tensor:
    """Sort along an axis, stably; NaN counts as the largest. Differentiable.

    Args:
        x: Real or boolean tensor of one dimension or more.
        axis: Axis to sort along.
        descending: Largest first.
        stable: Equal elements always keep their order, whatever is asked.

    Returns:
        The sorted tensor, same shape and dtype.
    """
    if shapes.rank(x) == 0:
        return tf.convert_to_tensor(x)
    moved = shapes.move_last(x, axis)
    order = _last_axis_order(moved, descending)
    batch = shapes.rank(moved) - 1
    return shapes.move_back(tf.gather(moved, order, axis=batch, batch_dims=batch), axis)
