"""NumPy's namespace for at.*: arrays where NumPy gives scalars."""

import numpy as np
import pytest

import anytensor as at
from anytensor.backends.numpy import namespace
from anytensor.testing import prepare

V = np.array([3.0, 1.0, 2.0])
M = np.array([[2.0, 1.0], [1.0, 3.0]])


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("exp", (np.asarray(1.0),)),
        ("add", (np.asarray(1.0), np.asarray(2.0))),
        ("sum", (V,)),
        ("max", (V,)),
        ("mean", (V,)),
        ("argmax", (V,)),
        ("all", (V > 0,)),
        ("count_nonzero", (V,)),
        ("vecdot", (V, V)),
        ("matmul", (V, V)),
    ],
)
def test_a_result_of_no_axes_is_an_array(name, args):
    result = getattr(namespace, name)(*args)
    assert type(result) is np.ndarray
    assert result.shape == ()
    np.testing.assert_array_equal(result, getattr(namespace.xp, name)(*args))


def test_sub_namespaces_give_arrays_too():
    assert type(namespace.linalg.det(M)) is np.ndarray
    assert type(namespace.linalg.vector_norm(V)) is np.ndarray
    assert type(namespace.linalg.slogdet(M).sign) is np.ndarray
    assert type(namespace.fft.fft(V)) is np.ndarray


def test_named_tuples_dtypes_and_bools_stay_what_they_are():
    assert namespace.unique_counts(V)._fields == ("values", "counts")
    assert namespace.linalg.eigh(M)._fields == ("eigenvalues", "eigenvectors")
    assert namespace.can_cast(np.float32, np.float64) is True
    assert namespace.result_type(V, np.float32) == np.float64
    assert namespace.float32 is np.float32


@pytest.mark.parametrize("backend", ["numpy", "jax", "torch", "tensorflow"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.float16])
@pytest.mark.parametrize("shape", [(), (1,), (4,)])
@pytest.mark.filterwarnings("ignore:invalid value")  # NumPy's, of the root of -4
def test_a_power_of_one_half_is_no_square_root(backend, dtype, shape):
    x = np.array([-np.inf, -0.0, 4.0, -4.0], dtype)
    half = np.broadcast_to(dtype(0.5), shape)
    outcomes = [prepare(at.pow, backend)(x, half), prepare(lambda x: at.pow(x, 0.5), backend)(x)]
    for outcome in outcomes:
        np.testing.assert_array_equal(outcome.outputs, [np.inf, 0.0, 2.0, np.nan])
        assert not np.signbit(outcome.outputs[1])
        assert outcome.outputs.dtype == (np.float32 if backend == "jax" and dtype is np.float64 else dtype)


def test_other_powers_beside_one_half_keep_their_signs():
    x = np.array([[-np.inf], [-0.0]])
    got = at.pow(x, np.array([0.5, 3.0, 1.0]))
    np.testing.assert_array_equal(got, [[np.inf, -np.inf, -np.inf], [0.0, -0.0, -0.0]])
    assert np.signbit(got).tolist() == [[False, True, True], [False, True, True]]
