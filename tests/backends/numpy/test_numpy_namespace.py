"""NumPy's namespace for at.*: arrays where NumPy gives scalars."""

import numpy as np
import pytest

from anytensor.backends.numpy import namespace

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
