"""Decompositions of matrices."""

from __future__ import annotations

from typing import Any, NamedTuple

from anytensor.ops.linalg.operands import matrix, narrowed
from anytensor.ops.plain import flag, option
from anytensor.typing import ArrayT, Shaped

__all__ = [
    "EighResult",
    "QRResult",
    "SVDResult",
    "cholesky",
    "eigh",
    "eigvalsh",
    "qr",
    "svd",
    "svdvals",
]


class EighResult(NamedTuple):
    """What ``eigh`` returns."""

    eigenvalues: Any
    eigenvectors: Any


class QRResult(NamedTuple):
    """What ``qr`` returns."""

    Q: Any
    R: Any


class SVDResult(NamedTuple):
    """What ``svd`` returns."""

    U: Any
    S: Any
    Vh: Any


def cholesky(x: Shaped[ArrayT, " ..."], /, *, upper: bool = False) -> Shaped[ArrayT, " ..."]:
    """Factor symmetric positive-definite matrices into a triangular one times its adjoint.

    Args:
        x: Stack of matrices, shape (..., M, M), real symmetric or complex Hermitian.
        upper: Return the upper factor U with x = U^H U, not the lower L with x = L L^H.

    Returns:
        Shape, dtype and device of x (the default float for integers); zeros outside the triangle. An empty
        stack gives an empty one.

    Raises:
        TypeError: If x has an unknown type, or ``upper`` is no bool.
        ValueError: If it has fewer than two dimensions or is not square.

    Notes:
        For a matrix that is not positive-definite NumPy, PyTorch and TensorFlow raise their own error when
        eager; JAX and compiled code give NaN. Only one triangle of x is read, so its gradient is the
        framework's own choice between the two.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.linalg.cholesky(np.array([[4.0, 2.0], [2.0, 5.0]]))
        array([[2., 0.],
               [1., 2.]])
    """
    flag("linalg.cholesky", upper, "upper")
    backend, x, dtype = matrix("linalg.cholesky", x, square=True)
    return narrowed(backend, backend.ops.linalg.cholesky(x, upper=upper), dtype)  # type: ignore[no-any-return]


def eigh(x: Shaped[ArrayT, " ..."], /) -> EighResult:
    """Find the eigenvalues and eigenvectors of symmetric matrices.

    Args:
        x: Stack of matrices, shape (..., M, M), real symmetric or complex Hermitian.

    Returns:
        A named tuple of ``eigenvalues``, shape (..., M), real, ascending, and ``eigenvectors``, the columns
        of matrices of shape (..., M, M); dtype of x (the default float for integers).

    Raises:
        TypeError: If x has an unknown type.
        ValueError: If it has fewer than two dimensions or is not square.

    Notes:
        The sign (the phase) of an eigenvector is the framework's own choice, and the gradient through
        eigenvectors of equal eigenvalues is not finite.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.linalg.eigh(np.array([[2.0, 0.0], [0.0, 1.0]])).eigenvalues
        array([1., 2.])
    """
    backend, x, dtype = matrix("linalg.eigh", x, square=True)
    values, vectors = backend.ops.linalg.eigh(x)
    return EighResult(narrowed(backend, values, dtype), narrowed(backend, vectors, dtype))


def eigvalsh(x: Shaped[ArrayT, " ..."], /) -> Shaped[ArrayT, " ..."]:
    """Find the eigenvalues of symmetric matrices.

    Args:
        x: Stack of matrices, shape (..., M, M), real symmetric or complex Hermitian.

    Returns:
        Shape (..., M), ascending, in the real dtype of x (the default float for integers).

    Raises:
        TypeError: If x has an unknown type.
        ValueError: If it has fewer than two dimensions or is not square.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.linalg.eigvalsh(np.array([[2.0, 0.0], [0.0, 1.0]]))
        array([1., 2.])
    """
    backend, x, dtype = matrix("linalg.eigvalsh", x, square=True)
    return narrowed(backend, backend.ops.linalg.eigvalsh(x), dtype)  # type: ignore[no-any-return]


def qr(x: Shaped[ArrayT, " ..."], /, *, mode: str = "reduced") -> QRResult:
    """Factor matrices into one with orthonormal columns and an upper triangular one.

    Args:
        x: Stack of matrices, shape (..., M, N).
        mode: ``"reduced"``, Q of shape (..., M, K) and R of (..., K, N) with K = min(M, N); or
            ``"complete"``, K = M.

    Returns:
        A named tuple of ``Q`` and ``R``, dtype of x (the default float for integers).

    Raises:
        TypeError: If x has an unknown type.
        ValueError: If it has fewer than two dimensions, or ``mode`` is neither of the two.

    Notes:
        The signs of the rows of R are the framework's own choice. TensorFlow's gradient needs the sizes of
        the matrices to be known when it traces.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.linalg.qr(np.ones((3, 2))).R.shape
        (2, 2)
    """
    option("linalg.qr", mode, "mode", ("reduced", "complete"))
    backend, x, dtype = matrix("linalg.qr", x)
    q, r = backend.ops.linalg.qr(x, mode=mode)
    return QRResult(narrowed(backend, q, dtype), narrowed(backend, r, dtype))


def svd(x: Shaped[ArrayT, " ..."], /, *, full_matrices: bool = True) -> SVDResult:
    """Factor matrices into a unitary one, singular values, and another unitary one.

    Args:
        x: Stack of matrices, shape (..., M, N).
        full_matrices: Return U of shape (..., M, M) and Vh of (..., N, N); else (..., M, K) and (..., K, N)
            with K = min(M, N).

    Returns:
        A named tuple of ``U``, ``S``, shape (..., K), real, descending, and ``Vh``, with x = U S Vh; dtype of
        x (the default float for integers).

    Raises:
        TypeError: If x has an unknown type, or ``full_matrices`` is no bool.
        ValueError: If it has fewer than two dimensions.

    Notes:
        The signs (the phases) of singular vectors are the framework's own choice. Gradients need
        ``full_matrices=False`` on most frameworks, and distinct singular values; on TensorFlow also sizes of
        the matrices that are known when it traces.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.linalg.svd(np.array([[3.0, 0.0], [0.0, 4.0]])).S
        array([4., 3.])
    """
    flag("linalg.svd", full_matrices, "full_matrices")
    backend, x, dtype = matrix("linalg.svd", x)
    u, s, vh = backend.ops.linalg.svd(x, full_matrices=full_matrices)
    return SVDResult(*(narrowed(backend, part, dtype) for part in (u, s, vh)))


def svdvals(x: Shaped[ArrayT, " ..."], /) -> Shaped[ArrayT, " ..."]:
    """Find the singular values of matrices.

    Args:
        x: Stack of matrices, shape (..., M, N).

    Returns:
        Shape (..., min(M, N)), descending, in the real dtype of x (the default float for integers).

    Raises:
        TypeError: If x has an unknown type.
        ValueError: If it has fewer than two dimensions.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.linalg.svdvals(np.array([[3.0, 0.0], [0.0, 4.0]]))
        array([4., 3.])
    """
    backend, x, dtype = matrix("linalg.svdvals", x)
    return narrowed(backend, backend.ops.linalg.svdvals(x), dtype)  # type: ignore[no-any-return]
