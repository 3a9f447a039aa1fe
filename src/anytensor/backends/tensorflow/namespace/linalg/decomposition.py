"""Decompositions, on TensorFlow's kernels with the standard's names and conventions."""

from __future__ import annotations

from typing import NamedTuple

import tensorflow as tf

from anytensor.backends.tensorflow.namespace.data_types import real_dtype
from anytensor.backends.tensorflow.namespace.promotion import HALF, floating


class EighResult(NamedTuple):
    """Result of :func:`eigh`."""

    eigenvalues: tf.Tensor
    eigenvectors: tf.Tensor


class QRResult(NamedTuple):
    """Result of :func:`qr`."""

    Q: tf.Tensor
    R: tf.Tensor


class SVDResult(NamedTuple):
    """Result of :func:`svd`."""

    U: tf.Tensor
    S: tf.Tensor
    Vh: tf.Tensor


def kernel_input(x: tf.Tensor) -> tf.Tensor:
    """``x`` in a dtype that the linear algebra kernels take."""
    x = floating(x)
    return tf.cast(x, tf.float32) if x.dtype in HALF else tf.convert_to_tensor(x)


def own_dtype(x: tf.Tensor) -> tf.DType:
    """Dtype that results for ``x`` are cast back to."""
    return floating(x).dtype


def cholesky(x: tf.Tensor, /, *, upper: bool = False) -> tf.Tensor:
    """Cholesky factor of symmetric or Hermitian positive-definite matrices.

    Args:
        x: Floating tensor ``(..., m, m)``.
        upper: Whether to return the upper factor.

    Returns:
        Factor ``(..., m, m)``, zeros in the other triangle.
    """
    factor = tf.linalg.cholesky(kernel_input(x))
    return tf.cast(tf.linalg.adjoint(factor) if upper else factor, own_dtype(x))


def eigh(x: tf.Tensor, /) -> EighResult:
    """Eigenvalues (ascending, real) and eigenvectors (columns) of symmetric or Hermitian matrices."""
    values, vectors = tf.linalg.eigh(kernel_input(x))
    dtype = own_dtype(x)
    return EighResult(_real(values, dtype), tf.cast(vectors, dtype))


def eigvalsh(x: tf.Tensor, /) -> tf.Tensor:
    """Eigenvalues (ascending, real) of symmetric or Hermitian matrices."""
    return _real(tf.linalg.eigvalsh(kernel_input(x)), own_dtype(x))


def _real(values: tf.Tensor, dtype: tf.DType) -> tf.Tensor:
    return tf.cast(tf.math.real(values), real_dtype(dtype))


def qr(x: tf.Tensor, /, *, mode: str = "reduced") -> QRResult:
    """Orthonormal and upper-triangular factors.

    Args:
        x: Floating tensor ``(..., m, n)``.
        mode: ``"reduced"`` for k = min(m, n) columns of Q, ``"complete"`` for m.

    Returns:
        Q ``(..., m, k)`` and R ``(..., k, n)``.
    """
    if mode not in ("reduced", "complete"):
        raise ValueError(f"mode must be 'reduced' or 'complete', got {mode!r}")
    q, r = tf.linalg.qr(kernel_input(x), full_matrices=mode == "complete")
    dtype = own_dtype(x)
    return QRResult(tf.cast(q, dtype), tf.cast(r, dtype))


def svd(x: tf.Tensor, /, *, full_matrices: bool = True) -> SVDResult:
    """Singular value decomposition ``U @ diag(S) @ Vh``.

    Args:
        x: Floating tensor ``(..., m, n)``. XLA (TensorFlow 2.21) has no kernel for complex ones.
        full_matrices: Whether U and Vh are square.

    Returns:
        U, the real singular values S in descending order, and Vh.
    """
    s, u, v = tf.linalg.svd(kernel_input(x), full_matrices=full_matrices)
    dtype = own_dtype(x)
    return SVDResult(tf.cast(u, dtype), tf.cast(s, real_dtype(dtype)), tf.cast(tf.linalg.adjoint(v), dtype))


def svdvals(x: tf.Tensor, /) -> tf.Tensor:
    """Singular values in descending order, real."""
    values = tf.linalg.svd(kernel_input(x), compute_uv=False)
    return tf.cast(values, real_dtype(own_dtype(x)))
