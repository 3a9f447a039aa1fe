"""The ``linalg`` extension. Half floats are computed in float32 and cast back: there are no kernels."""

from anytensor.backends.tensorflow.namespace.linalg.decomposition import (
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
from anytensor.backends.tensorflow.namespace.linalg.norms import matrix_norm, matrix_rank, vector_norm
from anytensor.backends.tensorflow.namespace.linalg.products import (
    cross,
    diagonal,
    matrix_power,
    outer,
    trace,
)
from anytensor.backends.tensorflow.namespace.linalg.solving import (
    SlogdetResult,
    det,
    inv,
    pinv,
    slogdet,
    solve,
)
from anytensor.backends.tensorflow.namespace.linear_algebra import matmul, matrix_transpose, tensordot, vecdot

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
