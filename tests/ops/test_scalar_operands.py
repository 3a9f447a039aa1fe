"""Python numbers where arrays are reduced or taken for matrices; stacks of tolerances; operands of no use."""

import einops
import numpy as np
import pytest
import tensorflow as tf
import torch
from running import run
from samples import EAGER

import anytensor as at
from anytensor.backends import HOST

REDUCED = {
    "sum": 3, "prod": 3, "max": 3, "min": 3, "mean": 3, "var": 0, "std": 0, "all": True, "any": True,
    "argmax": 0, "argmin": 0, "count_nonzero": 1,
}  # fmt: skip


@pytest.mark.parametrize("name", REDUCED)
def test_a_number_reduces_to_itself(name):
    got = getattr(at, name)(3)
    assert type(got) is np.ndarray
    assert (got.shape, got.item()) == ((), REDUCED[name])


TOO_FEW = {
    "diagonal": lambda: at.linalg.diagonal(3.0),
    "trace": lambda: at.linalg.trace(3.0),
    "inv": lambda: at.linalg.inv(3.0),
    "matrix_power": lambda: at.linalg.matrix_power(3.0, 2),
    "matrix_transpose": lambda: at.matrix_transpose(3.0),
    "fftshift": lambda: at.fft.fftshift(3.0),
    "fft": lambda: at.fft.fft(3.0),
    "solve": lambda: at.linalg.solve(np.ones(2), np.ones(2)),
    "solve, right side": lambda: at.linalg.solve(np.eye(2), 1.0),
}


@pytest.mark.parametrize("name", TOO_FEW)
def test_a_number_is_no_matrix(name):
    with pytest.raises(ValueError, match=rf"{name.partition(',')[0]}: .*(`x|axis)"):
        TOO_FEW[name]()


def test_matrices_that_are_not_square_or_hold_bool():
    with pytest.raises(ValueError, match=r"linalg\.solve: `x1`"):
        at.linalg.solve(np.ones((2, 3)), np.ones(2))
    with pytest.raises(TypeError, match=r"linalg\.matrix_power: `x`"):
        at.linalg.matrix_power(np.eye(2) > 0, 2)


@pytest.mark.parametrize("backend", EAGER)
def test_dtypes_of_traces_and_products(backend):
    x = np.array([[1, 2], [3, 4]], np.int32)
    trace, product = run(
        lambda x: (at.linalg.trace(x, dtype="float32"), at.cumulative_prod(x, axis=0, dtype="float32")),
        backend,
        x,
    )
    assert (trace.dtype, trace.item()) == (np.float32, 5)
    assert (product.dtype, product.tolist()) == (np.float32, [[1, 2], [3, 8]])


@pytest.mark.parametrize("backend", EAGER)
def test_a_tolerance_for_each_matrix(backend):
    x = np.stack([np.diag([1.0, 0.1]), np.diag([1.0, 0.5])]).astype(np.float32)
    rtol = np.array([0.2, 0.2], np.float32)

    def ranks(x, rtol):
        return at.linalg.matrix_rank(x, rtol=rtol), at.linalg.pinv(x, rtol=rtol)

    rank, inverse = run(ranks, backend, x, rtol)
    assert rank.tolist() == [1, 2]
    np.testing.assert_allclose(inverse, [np.diag([1, 0]), np.diag([1, 2])], atol=1e-5)
    with pytest.raises(ValueError, match=r"`rtol` of shape \(3,\) must broadcast against the stack"):
        run(ranks, backend, x, np.ones(3, np.float32))


def test_nextafter_names_shapes_and_swallows_nothing(monkeypatch):
    x = np.ones((2, 3))
    with pytest.raises(ValueError, match=r"nextafter: shapes \(2, 3\) and \(4,\) do not broadcast together"):
        at.nextafter(x, np.ones(4))

    def fail(*args):
        raise MemoryError("something else")

    monkeypatch.setattr(HOST.ops, "nextafter", fail)
    with pytest.raises(MemoryError, match="something else"):
        at.nextafter(x, x)


def test_a_fill_with_axes_is_named():
    with pytest.raises(ValueError, match="full_like: `fill_value` must be 0-d"):
        at.full_like(np.ones(2), np.ones(2))
    with pytest.raises(TypeError, match="full_like: a complex `fill_value` does not fit dtype"):
        at.full_like(torch.ones(2), torch.tensor(1j))


@pytest.mark.parametrize("like", ["zeros_like", "ones_like", "empty_like"])
def test_a_device_of_the_host(like):
    got = getattr(at, like)(np.ones(2), device="cpu")
    assert got.shape == (2,)
    assert at.full_like(np.ones(2), 3.0, device="cpu").tolist() == [3, 3]
    with pytest.raises(ValueError, match=f"{like}: `device`"):
        getattr(at, like)(np.ones(2), device="gpu")


@pytest.mark.parametrize("backend", EAGER)
def test_one_count_for_all(backend):
    got = run(lambda x, n: at.repeat(x, n), backend, np.array([1, 2], np.int32), np.array(2, np.int32))
    assert got.tolist() == [1, 1, 2, 2]


def test_patterns_with_a_callable_without_operands_and_with_errors_of_ones_own(monkeypatch):
    x = np.array([[1.0, 5.0], [2.0, 3.0]])

    def spread(part, axes):
        return part.max(axis=axes) - part.min(axis=axes)

    assert at.reduce(x, "rows columns -> rows", spread).tolist() == [4, 1]
    assert at.reduce(x.astype(int), "rows columns -> rows", "max").tolist() == [5, 3]
    with pytest.raises(TypeError, match="reduce: `reduction` must be callable"):
        at.reduce(x, "rows columns -> rows", 3)
    with pytest.raises(Exception, match="einsum"):
        at.einsum(" -> ")

    def fail(*args, **kwargs):
        raise MemoryError("something else")

    monkeypatch.setattr(einops, "rearrange", fail)
    with pytest.raises(MemoryError, match="something else"):
        at.rearrange(x, "a b -> b a")


def test_the_mean_of_integers_by_a_pattern():
    with pytest.raises(einops.EinopsError, match="not available for non-floating"):
        at.reduce(np.array([[1, 4], [2, 4]]), "a b -> a", "mean")
    assert at.reduce(np.array([[1.0, 4.0]]), "a b -> a", "mean").tolist() == [2.5]


def test_numbers_of_numpy_and_diagonals_past_any_matrix():
    x = np.array([-2.0, 3.0])
    assert at.leaky_relu(x, np.float32(0.5)).tolist() == [-1, 3]
    assert at.triu(np.ones((2, 2)), k=2**40).tolist() == [[0, 0], [0, 0]]
    assert at.triu(np.ones((2, 2)), k=-(2**40)).tolist() == [[1, 1], [1, 1]]


def test_a_number_beside_what_holds_none():
    with pytest.raises(TypeError, match="add: `x1`"):
        at.add(tf.constant("a"), 1)
    with pytest.raises(TypeError, match="dtype: `x`"):
        at.dtype(object())


def test_ends_and_tolerances_of_unknown_rank():
    spec = [tf.TensorSpec(None), tf.TensorSpec(None)]

    def traced(function, *arrays):
        return tf.function(function, input_signature=spec, autograph=False)(*map(tf.constant, arrays))

    x = np.diag([1.0, 0.25]).astype(np.float32)
    got = traced(lambda x, rtol: at.linalg.pinv(x, rtol=rtol), x, np.float32(0.5))
    np.testing.assert_allclose(got, np.diag([1, 0]), atol=1e-6)
    with pytest.raises(ValueError, match="unknown"):
        traced(lambda x, y: at.diff(x, prepend=y, axis=0), x, x[:1])
