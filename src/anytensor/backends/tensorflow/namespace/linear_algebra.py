"""Products of matrices and vectors, in every numeric dtype.

TensorFlow multiplies matrices of floats, int32 and int64. Other integers go through one of the two,
whose wrapping arithmetic agrees with theirs modulo their width.
"""

from __future__ import annotations

from collections.abc import Sequence

import tensorflow as tf

from anytensor.backends.tensorflow.namespace import shapes
from anytensor.backends.tensorflow.namespace.elementwise import conj
from anytensor.backends.tensorflow.namespace.promotion import FLOATING, pair

_KERNELS = FLOATING | {tf.int32, tf.int64}


def _multiply(x1: tf.Tensor, x2: tf.Tensor) -> tf.Tensor:
    dtype = x1.dtype
    if dtype in _KERNELS:
        return tf.linalg.matmul(x1, x2)
    if dtype is tf.uint64:
        product = tf.linalg.matmul(tf.bitcast(x1, tf.int64), tf.bitcast(x2, tf.int64))
        return tf.bitcast(product, tf.uint64)
    if dtype is tf.uint32:
        product = tf.linalg.matmul(tf.bitcast(x1, tf.int32), tf.bitcast(x2, tf.int32))
        return tf.bitcast(product, tf.uint32)
    return tf.cast(tf.linalg.matmul(tf.cast(x1, tf.int32), tf.cast(x2, tf.int32)), dtype)


def matmul(x1: tf.Tensor, x2: tf.Tensor, /) -> tf.Tensor:
    """Matrix product.

    Args:
        x1: Numeric tensor ``(..., n, k)`` or ``(k,)``.
        x2: Numeric tensor ``(..., k, m)`` or ``(k,)``.

    Returns:
        ``(..., n, m)`` in the common dtype, leading dimensions broadcast; the dimension of a vector
        is dropped.

    Raises:
        ValueError: If an operand is 0-d.
    """
    x1, x2 = pair(x1, x2)
    rank1, rank2 = shapes.rank(x1), shapes.rank(x2)
    if rank1 > 1 and rank2 > 1:
        return _multiply(x1, x2)
    if rank1 == 0 or rank2 == 0:
        raise ValueError("matmul needs operands of one dimension or more")
    if rank1 == 1:
        x1 = tf.expand_dims(x1, 0)
    if rank2 == 1:
        x2 = tf.expand_dims(x2, 1)
    out = _multiply(x1, x2)
    return tf.squeeze(out, ([-2] if rank1 == 1 else []) + ([-1] if rank2 == 1 else []))


def matrix_transpose(x: tf.Tensor, /) -> tf.Tensor:
    """Swap the last two dimensions."""
    if shapes.rank(x) < 2:
        raise ValueError("matrix_transpose needs a tensor of two dimensions or more")
    return tf.linalg.matrix_transpose(x)


def tensordot(
    x1: tf.Tensor,
    x2: tf.Tensor,
    /,
    *,
    axes: int | tuple[Sequence[int], Sequence[int]] = 2,
) -> tf.Tensor:
    """Contract tensors over axes.

    Args:
        x1: Numeric tensor.
        x2: Numeric tensor.
        axes: How many of the last axes of ``x1`` to contract with the first ones of ``x2``, or the
            axes of each.

    Returns:
        Tensor of the free axes of ``x1``, then those of ``x2``, in the common dtype.
    """
    x1, x2 = pair(x1, x2)
    rank1, rank2 = shapes.rank(x1), shapes.rank(x2)
    if isinstance(axes, int):
        bound1, bound2 = tuple(range(rank1 - axes, rank1)), tuple(range(axes))
    else:
        bound1, bound2 = shapes.axes(axes[0], rank1), shapes.axes(axes[1], rank2)
    dims1, dims2 = shapes.sizes(x1), shapes.sizes(x2)
    for a, b in zip(bound1, bound2, strict=True):
        if isinstance(dims1[a], int) and isinstance(dims2[b], int) and dims1[a] != dims2[b]:
            raise ValueError(f"axis {a} of x1 has size {dims1[a]}, axis {b} of x2 has {dims2[b]}")
    free1 = [a for a in range(rank1) if a not in bound1]
    free2 = [b for b in range(rank2) if b not in bound2]
    rows, columns = [dims1[a] for a in free1], [dims2[b] for b in free2]
    inner = shapes.product(dims1[a] for a in bound1)
    left = tf.reshape(tf.transpose(x1, free1 + list(bound1)), shapes.pack((shapes.product(rows), inner)))
    right = tf.reshape(tf.transpose(x2, list(bound2) + free2), shapes.pack((inner, shapes.product(columns))))
    return tf.reshape(_multiply(left, right), shapes.pack(rows + columns))


def vecdot(x1: tf.Tensor, x2: tf.Tensor, /, *, axis: int = -1) -> tf.Tensor:
    """Dot product along an axis, the first operand conjugated.

    Args:
        x1: Numeric tensor.
        x2: Numeric tensor, broadcastable.
        axis: Axis of the vectors, counted from the end as the operands may differ in rank.

    Returns:
        Tensor of the broadcast shape without ``axis``, in the common dtype.
    """
    x1, x2 = pair(x1, x2)
    n1, n2 = x1.shape[axis], x2.shape[axis]
    if None not in (n1, n2) and n1 != n2:
        raise ValueError(f"axis {axis} has size {n1} in x1 and {n2} in x2")
    return tf.reduce_sum(tf.multiply(conj(x1), x2), axis)
