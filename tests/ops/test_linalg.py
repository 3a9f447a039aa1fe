"""Linear algebra, against NumPy on every backend, eager and compiled."""

import numpy as np
import pytest
from running import assert_same, default_float, on_backend, run, wide, widened
from samples import EAGER, numpy_dtype
from test_elementwise import PAIRS, kind_of

import anytensor as at
from anytensor.testing import assert_portable, assert_trees_close

L = at.linalg
M = np.array([[4.0, 1.0, 2.0], [1.0, 5.0, -1.0], [0.0, 2.0, 6.0]])
S = M @ M.T  # symmetric, positive-definite
STACK = np.stack([M, M.T + np.eye(3)])
VECTOR = np.array([1.0, -2.0, 3.0])
FLOATS = [(b, d) for b, d in PAIRS if kind_of(d) in "fciu"]
TALL = STACK[..., :2]

# Name: what is called on at.linalg and on NumPy, and the operands.
FLOATING = {
    "cholesky": (lambda la, x: la.cholesky(x), (np.stack([S, S + np.eye(3)]),)),
    "det": (lambda la, x: la.det(x), (STACK,)),
    "eigvalsh": (lambda la, x: la.eigvalsh(x), (np.stack([S, S + np.eye(3)]),)),
    "inv": (lambda la, x: la.inv(x), (STACK,)),
    "pinv": (lambda la, x: la.pinv(x), (TALL,)),
    "matrix_power -2": (lambda la, x: la.matrix_power(x, -2), (STACK,)),
    "slogdet": (lambda la, x: list(la.slogdet(x)), (STACK,)),
    "solve": (lambda la, a, b: la.solve(a, b), (STACK, TALL)),
    "solve a vector": (lambda la, a, b: la.solve(a, b), (M, VECTOR)),
    "svdvals": (lambda la, x: la.svdvals(x), (TALL,)),
    "norm of matrices": (lambda la, x: la.matrix_norm(x), (TALL,)),
    "norm of vectors": (lambda la, x: la.vector_norm(x, axis=-1), (TALL,)),
}


@pytest.mark.parametrize(("backend", "dtype"), FLOATS)
@pytest.mark.parametrize("case", FLOATING)
def test_every_dtype(case, backend, dtype):
    call, operands = FLOATING[case]
    if kind_of(dtype) == "u":
        operands = tuple(np.abs(x) for x in operands)
        if case in ("cholesky", "eigvalsh"):
            operands = (np.abs(np.diag(VECTOR)),)
    operands = [x.astype(numpy_dtype(dtype)) for x in operands]
    got = run(lambda *args: call(L, *args), backend, *operands)
    widest = [x.astype(np.float64) if kind_of(dtype) in "iu" else wide(x) for x in operands]
    want = call(np.linalg, *widest)
    floating = on_backend(dtype, backend) if kind_of(dtype) in "fc" else default_float(backend)
    for part, reference in zip(np.atleast_1d(got), np.atleast_1d(want), strict=True):
        assert part.dtype.name in (
            floating,
            floating.replace("complex64", "float32").replace("complex128", "float64"),
        )
        tolerance = {"float16": 2e-2, "bfloat16": 6e-2}.get(floating, 3e-4)
        assert_trees_close(part, reference, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize(("backend", "dtype"), [(b, d) for b, d in PAIRS if d != "bool"])
@pytest.mark.parametrize(
    ("call", "reference"),
    [
        (at.matmul, np.matmul),
        (at.vecdot, lambda a, b: (np.conj(a) * b).sum(-1)),
        (at.tensordot, lambda a, b: np.tensordot(a, b)),
        (L.cross, np.cross),
        (
            lambda a, b: L.outer(at.linalg.diagonal(a), at.linalg.diagonal(b)),
            lambda a, b: np.outer(np.diag(a), np.diag(b)),
        ),
        (lambda a, b: L.matrix_power(a, 3), lambda a, b: np.linalg.matrix_power(a, 3)),
        (lambda a, b: at.matrix_transpose(a), lambda a, b: a.T),
        (lambda a, b: L.diagonal(a, offset=1), lambda a, b: np.diagonal(a, 1)),
        (lambda a, b: L.diagonal(a, offset=-5), lambda a, b: np.diagonal(a, -5)),
    ],
)
def test_products_in_every_dtype(backend, dtype, call, reference):
    a = np.array([[1, 2, 0], [0, 1, 3], [2, 1, 1]]).astype(numpy_dtype(dtype))
    b = (a.T + a).astype(a.dtype)
    assert_same(run(call, backend, a, b), reference(wide(a), wide(b)), on_backend(dtype, backend))


@pytest.mark.parametrize(("backend", "dtype"), PAIRS)
def test_trace_in_every_dtype(backend, dtype):
    a = np.array([[1, 2, 0], [0, 1, 3]]).astype(numpy_dtype(dtype))
    got = run(lambda a: [L.trace(a), L.trace(a, offset=1)], backend, a)
    assert_same(got[0], np.array(2), widened(backend, dtype))
    assert complex(got[1]) == (2 if dtype == "bool" else 5)


SHAPES = [
    ((3,), (3,)),
    ((2, 3), (3,)),
    ((3,), (3, 2)),
    ((4, 2, 3), (3, 2)),
    ((4, 1, 2, 3), (5, 3, 2)),
    ((2, 0), (0, 3)),
    ((0, 3), (3, 2)),
]


@pytest.mark.parametrize("backend", EAGER)
@pytest.mark.parametrize("shapes", SHAPES, ids=str)
def test_matmul_shapes(backend, shapes):
    a, b = (np.arange(np.prod(s), dtype=np.float32).reshape(s) for s in shapes)
    assert_same(run(at.matmul, backend, a, b), np.matmul(wide(a), wide(b)), "float32")


@pytest.mark.parametrize("backend", EAGER)
@pytest.mark.parametrize("axes", [0, 1, 2, ((0, 2), (1, 0)), ((-1,), (0,)), ((), ())], ids=str)
def test_tensordot_axes(backend, axes):
    a = np.arange(18, dtype=np.float32).reshape(3, 2, 3)
    b = (
        np.arange(27, dtype=np.float32).reshape(3, 3, 3)
        if axes != 2
        else np.arange(12, dtype=np.float32).reshape(2, 3, 2)
    )
    got = run(lambda a, b: at.tensordot(a, b, axes=axes), backend, a, b)
    assert_same(got, np.tensordot(wide(a), wide(b), axes=axes), "float32")


@pytest.mark.parametrize("backend", EAGER)
@pytest.mark.parametrize(
    ("shapes", "axis"), [(((2, 3), (3,)), -1), (((3, 2), (3, 2)), 0), (((4, 1, 3), (2, 3)), -1)]
)
def test_vecdot_axes(backend, shapes, axis):
    a, b = (np.arange(np.prod(s), dtype=np.float32).reshape(s) for s in shapes)
    got = run(lambda a, b: at.vecdot(a, b, axis=axis), backend, a, b)
    assert_same(got, (wide(a) * wide(b)).sum(axis), "float32")


@pytest.mark.parametrize("backend", EAGER)
@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_products_of_halves_accumulate_in_single(backend, dtype):
    ones = np.ones((1, 2048)).astype(numpy_dtype(dtype))
    got = run(
        lambda x: [at.matmul(x, at.matrix_transpose(x)), at.vecdot(x, x), at.tensordot(x, x)], backend, ones
    )
    assert [float(part.ravel()[0]) for part in got] == [2048.0] * 3


@pytest.mark.parametrize("backend", EAGER)
@pytest.mark.parametrize("ord", ["fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf])
def test_matrix_norms(backend, ord):
    x = STACK.astype(np.float32)
    got = run(lambda x: [L.matrix_norm(x, ord=ord), L.matrix_norm(x, ord=ord, keepdims=True)], backend, x)
    want = np.linalg.norm(wide(x), ord=ord, axis=(-2, -1))
    assert_same(got[0], want, "float32")
    assert_same(got[1], want[:, None, None], "float32")


@pytest.mark.parametrize("backend", EAGER)
@pytest.mark.parametrize("ord", [0, 1, 2, 3, 2.5, -1, np.inf, -np.inf])
@pytest.mark.parametrize(
    "options", [{}, {"axis": 1}, {"axis": (0, 2), "keepdims": True}, {"axis": ()}], ids=str
)
def test_vector_norms(backend, ord, options):
    x = (STACK + 0.5).astype(np.float32)
    got = run(lambda x: L.vector_norm(x, ord=ord, **options), backend, x)
    assert_same(got, np.linalg.vector_norm(wide(x), ord=ord, **options), "float32")


@pytest.mark.parametrize("backend", EAGER)
@pytest.mark.parametrize("dtype", ["float32", "complex64", "float16"])
def test_factors_multiply_to_the_matrix(backend, dtype):
    x = TALL[0].astype(dtype) * (1 + 0.5j if dtype == "complex64" else 1)
    x = x.astype(dtype)

    def rebuilt(x):
        u, s, vh = L.svd(x, full_matrices=False)
        full = L.svd(x)
        q, r = L.qr(x)
        complete = L.qr(x, mode="complete")
        gram = at.matmul(at.matrix_transpose(at.conj(x)), x)
        values, vectors = L.eigh(gram)
        scaled = at.multiply(vectors, at.astype(values, vectors.dtype))
        return {
            "svd": at.matmul(at.multiply(u, at.astype(s, u.dtype)), vh),
            "qr": at.matmul(q, r),
            "complete": at.matmul(complete.Q, complete.R),
            "eigh": at.subtract(at.matmul(scaled, at.matrix_transpose(at.conj(vectors))), gram),
            "shapes": [full.U, full.S, full.Vh, q, r, complete.Q, complete.R],
        }

    got = run(rebuilt, backend, x)
    tolerance = 0.1 if dtype == "float16" else 2e-5
    for name in ("svd", "qr", "complete"):
        assert_trees_close(got[name], wide(x), rtol=tolerance, atol=tolerance)
    assert_trees_close(got["eigh"], np.zeros((2, 2)), rtol=tolerance, atol=tolerance * 20)
    assert [part.shape for part in got["shapes"]] == [(3, 3), (2,), (2, 2), (3, 2), (2, 2), (3, 3), (3, 2)]
    assert {part.dtype.name for part in got["shapes"]} <= {dtype, "float32"}


@pytest.mark.parametrize("backend", EAGER)
def test_upper_cholesky(backend):
    x = S.astype(np.float32)
    assert_same(run(lambda x: L.cholesky(x, upper=True), backend, x), np.linalg.cholesky(S).T, "float32")


@pytest.mark.parametrize("backend", EAGER)
def test_rank_and_tolerance(backend):
    x = np.diag([1.0, 1e-2, 0.0]).astype(np.float32)
    got = run(lambda x: [L.matrix_rank(x), L.matrix_rank(x, rtol=0.1), L.pinv(x, rtol=0.1)], backend, x)
    assert (int(got[0]), int(got[1])) == (2, 1)
    assert_same(got[2], np.diag([1.0, 0.0, 0.0]), "float32")


@pytest.mark.parametrize("backend", EAGER)
def test_solve_takes_a_stack_of_matrices_for_matrices(backend):
    a = np.stack([M, M, M]).astype(np.float32)
    b = M.astype(np.float32)  # shape (3, 3) is a.shape[:-1], and still no stack of vectors
    assert_same(run(L.solve, backend, a, b), np.linalg.solve(M, b)[None].repeat(3, 0), "float32")


@pytest.mark.parametrize("backend", EAGER)
@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda x: L.det(x[:2]), ValueError, "linalg.det: `x` must hold square matrices"),
        (lambda x: L.inv(x[0]), ValueError, "linalg.inv: `x` must have at least 2 dimensions"),
        (lambda x: L.qr(x, mode="raw"), ValueError, "linalg.qr: `mode` must be one of 'reduced', 'complete'"),
        (lambda x: L.matrix_norm(x, ord=3), ValueError, "linalg.matrix_norm: `ord` must be one of"),
        (lambda x: L.matrix_power(x, 1.0), TypeError, "linalg.matrix_power: `n` must be an int"),
        (lambda x: L.solve(x, x[:2]), ValueError, "linalg.solve: `x2` must have as many rows"),
        (lambda x: L.outer(x, x[0]), ValueError, "linalg.outer: `x1` must be 1-D"),
        (lambda x: L.cross(x[:, :2], x[:, :2]), ValueError, "linalg.cross: both operands must have size 3"),
        (lambda x: L.diagonal(x, offset=0.5), TypeError, "linalg.diagonal: `offset` must be an int"),
        (lambda x: L.trace(x[0]), ValueError, "linalg.trace: `x` must have at least 2 dimensions"),
        (lambda x: L.vector_norm(x, axis=2), np.exceptions.AxisError, "linalg.vector_norm: `axis` 2"),
        (lambda x: at.matmul(x, x[:2]), ValueError, r"matmul: .* got shapes \(3, 3\) and \(2, 3\)"),
        (lambda x: at.matmul(x, 2.0), ValueError, "matmul: `x2` must have at least 1 dimension,"),
        (lambda x: at.matmul(x > 0, x > 0), TypeError, "matmul: `x1` and `x2` must be numeric"),
        (lambda x: at.vecdot(x, x[:, :2]), ValueError, "vecdot: sizes along axis -1 differ"),
        (lambda x: at.vecdot(x, x[0], axis=0), ValueError, "vecdot: `axis` must be negative"),
        (lambda x: at.tensordot(x, x[:2], axes=1), ValueError, "tensordot: sizes of the axes"),
        (lambda x: at.tensordot(x, x, axes=3), ValueError, "tensordot: `axes` must lie between"),
        (
            lambda x: at.tensordot(x, x, axes=((0,), (0, 1))),
            ValueError,
            "tensordot: `axes` must name as many",
        ),
        (lambda x: at.tensordot(x, x, axes=1.5), TypeError, "tensordot: `axes` must be an int or a pair"),
        (lambda x: at.matrix_transpose(x[0]), ValueError, "matrix_transpose: `x` must have at least 2"),
    ],
)
def test_bad_arguments_are_named(backend, call, error, message):
    with pytest.raises(error, match=message):
        run(call, backend, M.astype(np.float32))


X = np.array([[0.3, -0.7, 1.2], [0.9, 0.1, -0.4]], dtype=np.float32)
Y = np.array([[1.5, 0.6, -0.8], [0.2, 2.0, 0.7]], dtype=np.float32)


def products(x, y):
    t = at.matrix_transpose(y)
    return [
        at.matmul(x, t),
        at.matmul(x, y[0]),
        at.vecdot(x, y),
        at.vecdot(x, y, axis=0),
        at.tensordot(x, y),
        at.tensordot(x, t, axes=1),
        L.outer(x[0], y[1]),
        L.cross(x, y),
        L.diagonal(x, offset=1),
        L.trace(x),
        L.vector_norm(x, axis=1),
        L.vector_norm(x, ord=1),
        L.matrix_norm(x),
        L.matrix_norm(x, ord=1),
    ]


def solutions(x, y):
    s = at.add(at.matmul(x, at.matrix_transpose(x)), at.multiply(at.eye(2, like=x), 2.0))
    return [
        L.cholesky(s, upper=True),
        L.eigvalsh(s),
        L.eigh(s).eigenvalues,
        L.inv(s),
        L.matrix_power(s, 3),
        L.matrix_power(s, -1),
        L.solve(s, y),
        L.solve(s, y[:, 0]),
    ]


def determinants(x):
    return [L.det(x), L.slogdet(x).logabsdet]


def factors(x):
    return [
        L.svdvals(x),
        L.svd(x, full_matrices=False).S,
        L.pinv(x),
        L.matrix_norm(x, ord="nuc"),
        at.abs(L.qr(at.matrix_transpose(x)).R),
    ]


@pytest.mark.parametrize("function", [products, solutions])
def test_every_mode_agrees(function):
    assert_portable(function, X, Y, rtol=3e-4, atol=3e-5)


def test_determinants_compile():
    modes = ("eager", "jit", "compile", "compile-dynamic", "function", "function-none")
    assert_portable(determinants, M.astype(np.float32), modes=modes, rtol=1e-3, atol=1e-4)


def test_factors_compile():
    # TensorFlow's SVD and QR have no gradient where the sizes of the matrix are unknown.
    modes = ("eager", "jit", "compile", "compile-dynamic", "function", "xla")
    assert_portable(factors, X, modes=modes, rtol=1e-3, atol=1e-4)
    assert_portable(factors, X, modes="function-none", gradients=False, rtol=1e-3, atol=1e-4)
