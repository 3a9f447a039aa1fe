"""The ``linalg`` extension. Half floats are computed in float32 and cast back: there are no kernels."""

from ..linear_algebra import matmul, matrix_transpose, tensordot, vecdot
from .decomposition import (
    EighResult,
    QRResult,
    SVDResult,
    cholesky,
    eigh,
    eigvalsh,
    qr,
    svd,
    svdvals,
)
from .norms import matrix_norm, matrix_rank, vector_norm
from .products import cross, diagonal, matrix_power, outer, trace
from .solving import SlogdetResult, det, inv, pinv, slogdet, solve

__all__ = [
    "EighResult",
    "QRResult",
    "SVDResult",
    "SlogdetResult",
    "cholesky",
    "cross",
    "det",
    "diagonal",
    "eigh",
    "eigvalsh",
    "inv",
    "matmul",
    "matrix_norm",
    "matrix_power",
    "matrix_rank",
    "matrix_transpose",
    "outer",
    "pinv",
    "qr",
    "slogdet",
    "solve",
    "svd",
    "svdvals",
    "tensordot",
    "trace",
    "vecdot",
    "vector_norm",
]
