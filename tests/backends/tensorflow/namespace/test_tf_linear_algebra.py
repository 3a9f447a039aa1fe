"""Linear algebra and fft rooms against NumPy."""

import numpy as np
import pytest
import tensorflow as tf
from namespace_modes import close, run

from anytensor.backends.tensorflow import namespace as xp

M = np.random.default_rng(2).normal(size=(2, 3, 3))
A = np.random.default_rng(3).normal(size=(2, 4, 3))
SPD = M @ M.swapaxes(1, 2) + np.eye(3)
Z = M + 1j * M[::-1]


@pytest.mark.parametrize("mode", ["eager", "graph"])
@pytest.mark.parametrize(
    "dtype",
    ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32"],
)
def test_products_in_every_dtype(dtype, mode):
    x = np.array([[100, 3], [7, 90]], dtype)
    np.testing.assert_array_equal(run(xp.matmul, mode, x, x), x @ x)
    np.testing.assert_array_equal(run(xp.matmul, mode, x, x[0]), x @ x[0])
    np.testing.assert_array_equal(run(xp.matmul, mode, x[0], x[0]), x[0] @ x[0])
    got = run(lambda a, b: xp.tensordot(a, b, axes=((0,), (1,))), mode, x, x)
    np.testing.assert_array_equal(got, np.tensordot(x, x, ((0,), (1,))))
    np.testing.assert_array_equal(run(xp.vecdot, mode, x, x), np.vecdot(x, x))


@pytest.mark.parametrize("axes", [0, 1, 2, ((-1, 0), (1, 0))])
def test_tensordot_axes(axes):
    close(xp.tensordot(tf.constant(M[0]), tf.constant(SPD[0]), axes=axes), np.tensordot(M[0], SPD[0], axes))


def test_a_contraction_of_two_sizes_is_refused():
    with pytest.raises(ValueError, match="axis 1 of x1 has size 3, axis 0 of x2 has 4"):
        xp.tensordot(tf.zeros((2, 3)), tf.zeros((4, 2)), axes=1)


VALUES = {
    "cholesky": (xp.linalg.cholesky, np.linalg.cholesky, SPD),
    "cholesky upper": (
        lambda x: xp.linalg.cholesky(x, upper=True),
        lambda x: np.linalg.cholesky(x, upper=True),
        SPD,
    ),
    "det": (xp.linalg.det, np.linalg.det, M),
    "slogdet": (lambda x: xp.linalg.slogdet(x).logabsdet, lambda x: np.linalg.slogdet(x)[1], M),
    "eigvalsh": (xp.linalg.eigvalsh, np.linalg.eigvalsh, SPD),
    "inv": (xp.linalg.inv, np.linalg.inv, M),
    "matrix_power": (lambda x: xp.linalg.matrix_power(x, -3), lambda x: np.linalg.matrix_power(x, -3), M),
    "matrix_power 0": (lambda x: xp.linalg.matrix_power(x, 0), lambda x: np.linalg.matrix_power(x, 0), M),
    "matrix_rank": (xp.linalg.matrix_rank, np.linalg.matrix_rank, M * [[1.0], [1], [0]]),
    "pinv": (xp.linalg.pinv, np.linalg.pinv, A),
    "svdvals": (xp.linalg.svdvals, np.linalg.svdvals, A),
    "solve": (lambda x: xp.linalg.solve(x, x[0]), lambda x: np.linalg.solve(x, x[0]), M),
    "solve vector": (lambda x: xp.linalg.solve(x, x[0, 0]), lambda x: np.linalg.solve(x, x[0, 0]), M),
    "cross": (lambda x: xp.linalg.cross(x, x[0, 0]), lambda x: np.cross(x, x[0, 0]), M),
    "outer": (lambda x: xp.linalg.outer(x[0, 0], x[0, 1]), lambda x: np.outer(x[0, 0], x[0, 1]), M),
    "diagonal": (lambda x: xp.linalg.diagonal(x, offset=-1), lambda x: np.linalg.diagonal(x, offset=-1), A),
    "diagonal outside": (
        lambda x: xp.linalg.diagonal(x, offset=5),
        lambda x: np.linalg.diagonal(x, offset=5),
        A,
    ),
    "trace": (lambda x: xp.linalg.trace(x, offset=1), lambda x: np.trace(x, 1, -2, -1), A),
}
NO_XLA = ("det", "slogdet")  # TensorFlow 2.21 has no kernel


@pytest.mark.parametrize("mode", ["eager", "graph"])
@pytest.mark.parametrize("name", sorted(VALUES))
def test_values(name, mode):
    ours, numpys, x = VALUES[name]
    close(run(ours, mode, x), numpys(x), 1e-8)


def test_values_under_xla():
    names = sorted(set(VALUES) - set(NO_XLA))
    xs = [VALUES[n][2] for n in names]
    outs = run(lambda *xs: [VALUES[n][0](x) for n, x in zip(names, xs, strict=True)], "xla", *xs)
    for name, out in zip(names, outs, strict=True):
        close(out, VALUES[name][1](VALUES[name][2]), 1e-6)


@pytest.mark.parametrize("x", [A, Z], ids=["real", "complex"])
def test_decompositions_rebuild_the_matrix(x):
    t = tf.constant(x)
    for full in (False, True):
        u, s, vh = xp.linalg.svd(t, full_matrices=full)
        k = s.shape[-1]
        close((u.numpy()[..., :k] * s.numpy()[..., None, :]) @ vh.numpy()[..., :k, :], x, 1e-8)
        q, r = xp.linalg.qr(t, mode="complete" if full else "reduced")
        close(q.numpy() @ r.numpy(), x, 1e-8)
    hermitian = x.conj().swapaxes(1, 2) @ x
    values, vectors = xp.linalg.eigh(tf.constant(hermitian))
    assert values.dtype == tf.float64
    v = vectors.numpy()
    close((v * values.numpy()[..., None, :]) @ v.conj().swapaxes(1, 2), hermitian, 1e-8)


@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize("ord", ["fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf])
def test_matrix_norm(ord, keepdims):
    got = xp.linalg.matrix_norm(tf.constant(A), ord=ord, keepdims=keepdims)
    close(got, np.linalg.matrix_norm(A, ord=ord, keepdims=keepdims), 1e-8)


@pytest.mark.parametrize("axis", [None, 1, (0, 2)])
@pytest.mark.parametrize("ord", [0, 0.5, 1, 2, 3, -1, np.inf, -np.inf])
def test_vector_norm(ord, axis):
    got = xp.linalg.vector_norm(tf.constant(Z), ord=ord, axis=axis)
    assert got.dtype == tf.float64
    close(got, np.linalg.vector_norm(Z, ord=ord, axis=axis), 1e-8)


def test_norm_of_a_zero_vector_has_zero_gradient():
    x = tf.zeros((3,))
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = xp.linalg.vector_norm(x)
    close(tape.gradient(y, x), np.zeros(3, np.float32))


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float64"])
@pytest.mark.parametrize("name", ["det", "inv", "cholesky", "svdvals", "matrix_norm", "pinv"])
def test_dtypes_are_kept(name, dtype):
    assert getattr(xp.linalg, name)(tf.eye(2, dtype=dtype)).dtype == dtype


@pytest.mark.parametrize("norm", ["backward", "ortho", "forward"])
@pytest.mark.parametrize("n", [None, 2, 5])
@pytest.mark.parametrize("name", ["fft", "ifft", "irfft", "hfft", "rfft", "ihfft"])
def test_fft(name, n, norm):
    x = M if name in ("rfft", "ihfft") else Z
    got = getattr(xp.fft, name)(tf.constant(x), n=n, axis=1, norm=norm)
    want = getattr(np.fft, name)(x, n=n, axis=1, norm=norm)
    assert got.dtype == want.dtype
    close(got, want, 1e-10)


@pytest.mark.parametrize("name", ["fftn", "ifftn", "rfftn", "irfftn"])
@pytest.mark.parametrize("kwargs", [{}, {"s": (2, 4), "axes": (0, 1)}, {"axes": (2,)}])
def test_fft_of_many_axes(name, kwargs):
    x = M if name == "rfftn" else Z
    close(getattr(xp.fft, name)(tf.constant(x), **kwargs), getattr(np.fft, name)(x, **kwargs), 1e-10)


@pytest.mark.parametrize("mode", ["graph", "xla"])
@pytest.mark.parametrize("n", [None, 4])
def test_fft_compiled(mode, n):
    got = run(lambda x: xp.fft.irfft(xp.fft.rfft(x, n=n, axis=1), n=3, axis=1), mode, M)
    close(got, np.fft.irfft(np.fft.rfft(M, n=n, axis=1), n=3, axis=1), 1e-6)


@pytest.mark.parametrize("n", [1, 4, 7])
def test_frequencies(n):
    close(xp.fft.fftfreq(n, d=0.5), np.fft.fftfreq(n, 0.5))
    close(xp.fft.rfftfreq(n, d=0.5), np.fft.rfftfreq(n, 0.5))
    x = np.arange(3.0 * n).reshape(3, n)
    close(xp.fft.fftshift(tf.constant(x)), np.fft.fftshift(x))
    close(xp.fft.ifftshift(tf.constant(x), axes=1), np.fft.ifftshift(x, axes=1))
