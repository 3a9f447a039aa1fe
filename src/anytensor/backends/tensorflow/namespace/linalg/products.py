"""Products, powers and diagonals of matrices."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from anytensor.backends.tensorflow.namespace import shapes
from anytensor.backends.tensorflow.namespace.creation import eye
from anytensor.backends.tensorflow.namespace.linalg.solving import inv
from anytensor.backends.tensorflow.namespace.linear_algebra import matmul
from anytensor.backends.tensorflow.namespace.promotion import pair
from anytensor.backends.tensorflow.namespace.statistical import sum as total


def cross(x1: tf.Tensor, x2: tf.Tensor, /, *, axis: int = -1) -> tf.Tensor:
    """Cross product of vectors of three elements.

    Args:
        x1: Numeric tensor with size 3 along ``axis``.
        x2: Numeric tensor, likewise; the other dimensions broadcast.
        axis: Axis of the vectors, counted from the end as the operands may differ in rank.

    Returns:
        Tensor of the broadcast shape in the common dtype.
    """
    x1, x2 = pair(x1, x2)
    for name, x in (("x1", x1), ("x2", x2)):
        if x.shape[axis] not in (3, None):
            raise ValueError(f"axis {axis} of {name} has size {x.shape[axis]}, it must be 3")
    a, b = tf.unstack(x1, 3, axis), tf.unstack(x2, 3, axis)
    parts = [
        tf.subtract(tf.multiply(a[i], b[j]), tf.multiply(a[j], b[i])) for i, j in ((1, 2), (2, 0), (0, 1))
    ]
    ndim = max(shapes.rank(x1), shapes.rank(x2))
    return tf.stack(parts, axis if axis < 0 else shapes.normalize(axis, ndim))


def diagonal(x: tf.Tensor, /, *, offset: int = 0) -> tf.Tensor:
    """Diagonals of matrices.

    Args:
        x: Tensor ``(..., m, n)``.
        offset: 0 for the main diagonal, positive above it, negative below.

    Returns:
        Tensor ``(..., k)``; empty when the diagonal lies outside.
    """
    rows, columns = shapes.size(x, -2), shapes.size(x, -1)
    x = x[..., max(-offset, 0) :, max(offset, 0) :]
    length = tf.maximum(tf.minimum(rows - max(-offset, 0), columns - max(offset, 0)), 0)
    if isinstance(rows, int) and isinstance(columns, int):
        length = max(min(rows - max(-offset, 0), columns - max(offset, 0)), 0)
    index = tf.range(length)
    square = tf.gather(tf.gather(x, index, axis=-2), index, axis=-1)
    return tf.linalg.diag_part(square)


def trace(x: tf.Tensor, /, *, offset: int = 0, dtype: Any = None) -> tf.Tensor:
    """Sum of the diagonals of matrices; ``dtype`` as in :func:`sum`."""
    return total(diagonal(x, offset=offset), axis=-1, dtype=dtype)


def outer(x1: tf.Tensor, x2: tf.Tensor, /) -> tf.Tensor:
    """Outer product ``(n, m)`` of two vectors, in the common dtype."""
    x1, x2 = pair(x1, x2)
    return tf.multiply(shapes.flatten(x1)[:, None], shapes.flatten(x2)[None, :])


def matrix_power(x: tf.Tensor, n: int, /) -> tf.Tensor:
    """Integer power of square matrices, by repeated squaring.

    Args:
        x: Numeric tensor ``(..., m, m)``; floating for a negative power.
        n: The power; 0 gives identities, a negative one powers of the inverse.

    Returns:
        Tensor of the same shape and dtype.
    """
    if n == 0:
        identity = eye(shapes.size(x, -1), dtype=x.dtype)
        return tf.broadcast_to(identity, shapes.pack(shapes.sizes(x)))
    base = inv(x) if n < 0 else tf.convert_to_tensor(x)
    n = abs(n)
    out = None
    while n:
        if n & 1:
            out = base if out is None else matmul(out, base)
        n >>= 1
        base = matmul(base, base) if n else base
    return out
