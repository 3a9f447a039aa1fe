"""Linear algebra: the standard's ``linalg`` extension, on any backend, as ``at.linalg``."""

from anytensor.ops.linalg.decompositions import cholesky, eigh, eigvalsh, qr, svd, svdvals
from anytensor.ops.linalg.norms import diagonal, matrix_norm, trace, vector_norm
from anytensor.ops.linalg.products import cross, matmul, matrix_transpose, outer, tensordot, vecdot
from anytensor.ops.linalg.solving import det, inv, matrix_power, matrix_rank, pinv, slogdet, solve

__all__ = [
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
