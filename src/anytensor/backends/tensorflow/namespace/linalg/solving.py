"""Determinants, inverses and linear systems."""

from __future__ import annotations

from typing import Any, NamedTuple

import tensorflow as tf

from anytensor.backends.tensorflow.namespace import shapes
from anytensor.backends.tensorflow.namespace.data_types import finfo, real_dtype
from anytensor.backends.tensorflow.namespace.linalg.decomposition import kernel_input, own_dtype, svd
from anytensor.backends.tensorflow.namespace.promotion import COMPLEX, pair_floating

raw = tf.raw_ops


class SlogdetResult(NamedTuple):
    """Result of :func:`slogdet`."""

    sign: tf.Tensor
    logabsdet: tf.Tensor


def det(x: tf.Tensor, /) -> tf.Tensor:
    """Determinants of square matrices ``(..., m, m)``; XLA (TensorFlow 2.21) has no kernel."""
    return tf.cast(tf.linalg.det(kernel_input(x)), own_dtype(x))


def slogdet(x: tf.Tensor, /) -> SlogdetResult:
    """Sign and logarithm of the absolute value of determinants; not under XLA, as :func:`det`.

    Args:
        x: Floating tensor ``(..., m, m)``.

    Returns:
        sign ``(...)`` in the dtype of ``x`` and the real logabsdet ``(...)``; 0 and -inf for a
        singular matrix.
    """
    sign, logarithm = tf.linalg.slogdet(kernel_input(x))
    dtype = own_dtype(x)
    return SlogdetResult(tf.cast(sign, dtype), tf.cast(tf.math.real(logarithm), real_dtype(dtype)))


def inv(x: tf.Tensor, /) -> tf.Tensor:
    """Inverses of square matrices ``(..., m, m)``; a singular one raises in eager mode."""
    return tf.cast(tf.linalg.inv(kernel_input(x)), own_dtype(x))


def solve(x1: tf.Tensor, x2: tf.Tensor, /) -> tf.Tensor:
    """Solve linear systems.

    Args:
        x1: Floating tensor ``(..., m, m)``.
        x2: Floating tensor ``(m,)`` or ``(..., m, k)``; leading dimensions broadcast.

    Returns:
        The solutions, ``(..., m)`` for a vector or ``(..., m, k)``.
    """
    x1, x2 = pair_floating(x1, x2)
    dtype = x1.dtype
    x1, x2 = kernel_input(x1), kernel_input(x2)
    vector = shapes.rank(x2) == 1
    if vector:
        x2 = tf.expand_dims(x2, -1)
    batch = shapes.broadcast_sizes(shapes.sizes(x1)[:-2], shapes.sizes(x2)[:-2])
    x1 = tf.broadcast_to(x1, shapes.pack((*batch, *shapes.sizes(x1)[-2:])))
    x2 = tf.broadcast_to(x2, shapes.pack((*batch, *shapes.sizes(x2)[-2:])))
    out = tf.cast(tf.linalg.solve(x1, x2), dtype)
    return tf.squeeze(out, -1) if vector else out


def cutoff(x: tf.Tensor, singular: tf.Tensor, rtol: Any) -> tf.Tensor:
    """Value below which singular values count as zero, one per matrix, with a trailing 1."""
    if rtol is None:
        rows, columns = shapes.size(x, -2), shapes.size(x, -1)
        eps = tf.constant(finfo(own_dtype(x)).eps, singular.dtype)
        rtol = tf.cast(tf.maximum(rows, columns), singular.dtype) * eps
    elif isinstance(rtol, (bool, int, float)):
        rtol = tf.constant(float(rtol), singular.dtype)
    # The identity of max over no singular values at all is -inf; nothing is compared with it then.
    largest = tf.reduce_max(singular, -1)
    return tf.expand_dims(tf.cast(rtol, singular.dtype) * largest, -1)


def pinv(x: tf.Tensor, /, *, rtol: Any = None) -> tf.Tensor:
    """Moore-Penrose pseudo-inverse.

    Args:
        x: Floating tensor ``(..., m, n)``.
        rtol: Singular values up to ``rtol`` times the largest count as zero; a float or a tensor of
            the leading shape, ``max(m, n) * eps`` by default.

    Returns:
        Tensor ``(..., n, m)``.
    """
    u, s, vh = svd(x, full_matrices=False)
    kept = s > cutoff(x, s, rtol)
    inverse = tf.where(kept, 1 / tf.where(kept, s, tf.constant(1, s.dtype)), tf.constant(0, s.dtype))
    scaled = tf.linalg.adjoint(vh) * tf.cast(inverse, vh.dtype)[..., None, :]
    if x.dtype in COMPLEX:
        u = raw.Conj(input=u)
    return tf.linalg.matmul(scaled, u, transpose_b=True)
