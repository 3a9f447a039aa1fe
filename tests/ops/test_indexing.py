"""Gathering along an axis."""

import numpy as np
import pytest
from samples import DTYPES, EAGER, sample

import anytensor as at
from anytensor.testing import assert_portable, prepare

X = np.arange(24.0, dtype=np.float32).reshape(2, 3, 4)
IDS = np.array([[0, -1], [1, 0]], dtype=np.int32)


def run(function, backend, *args):
    outcome = prepare(function, backend)(*args)
    if outcome.error is not None:
        raise outcome.error
    assert not outcome.foreign
    return outcome.outputs


@pytest.mark.parametrize("backend", EAGER)
@pytest.mark.parametrize("axis", [0, 1, 2, -1])
@pytest.mark.parametrize("dtype", ["int8", "uint8", "int32", "int64"])
def test_take(dtype, axis, backend):
    ids = np.array([[0, 1], [1, 0]], dtype=dtype)
    actual = run(lambda x, i: at.take(x, i, axis=axis), backend, X, ids)
    np.testing.assert_array_equal(actual, np.take(X, ids, axis=axis))


@pytest.mark.parametrize("backend", EAGER)
def test_take_by_a_scalar_drops_the_axis(backend):
    assert run(lambda x: at.take(x, -1), backend, X).tolist() == X[-1].tolist()


@pytest.mark.parametrize("backend", EAGER)
def test_take_one_of_a_vector_is_zero_dimensional(backend):
    actual = run(at.take, backend, X[0, 0], np.array(2, np.int32))
    assert (actual.shape, actual.tolist()) == ((), 2.0)


@pytest.mark.parametrize("backend", EAGER)
def test_take_nothing(backend):
    actual = run(at.take, backend, X, np.zeros((0, 2), np.int32))
    assert actual.shape == (0, 2, 3, 4)


@pytest.mark.parametrize("backend", EAGER)
@pytest.mark.parametrize("dtype", DTYPES)
def test_every_dtype_stays(dtype, backend):
    x = sample(dtype)
    ids = np.array([[2, -3, 0]], dtype=np.int32)
    taken, along = run(
        lambda x, i: (at.take(x, i, axis=1), at.take_along_axis(x, i, axis=1)), backend, x, ids
    )
    assert backend == "jax" or taken.dtype == along.dtype == x.dtype  # without x64 JAX narrows from the start
    np.testing.assert_array_equal(taken.astype(complex), np.take(x, ids, axis=1).astype(complex))
    expected = np.broadcast_to(x[:, [2, 0, 0]], (2, 3))
    np.testing.assert_array_equal(along.astype(complex), expected.astype(complex))


@pytest.mark.parametrize("backend", EAGER)
@pytest.mark.parametrize("axis", [0, 1, -1])
@pytest.mark.parametrize("dtype", ["uint8", "int32", "int64"])
def test_take_along_axis(dtype, axis, backend):
    ids = np.argsort(-X, axis=axis).astype(dtype)
    actual = run(lambda x, i: at.take_along_axis(x, i, axis=axis), backend, X, ids)
    np.testing.assert_array_equal(actual, np.take_along_axis(X, ids.astype(np.int64), axis=axis))


@pytest.mark.parametrize("backend", ["numpy", "torch", "tensorflow"])
@pytest.mark.parametrize("function", [at.take, at.take_along_axis])
def test_out_of_range_is_an_index_error(function, backend):
    with pytest.raises(IndexError):
        run(function, backend, np.ones(3, np.float32), np.array([0, 3], np.int32))


@pytest.mark.parametrize("mode", ["jax", "jax-jit", "tensorflow-xla"])
@pytest.mark.parametrize("function", [at.take, at.take_along_axis])
def test_out_of_range_is_nan_where_nothing_can_raise(function, mode):
    actual = run(function, mode, np.ones(3, np.float32), np.array([0, 3, -4], np.int32))
    np.testing.assert_array_equal(actual, [1.0, np.nan, np.nan])


def test_traces_whole_with_gradients():
    def traced(x, ids, order):
        return at.take(x, ids), at.take(x, ids, axis=1), at.take_along_axis(x, order, axis=1)

    x = np.arange(6.0, dtype=np.float32).reshape(2, 3)
    assert_portable(traced, x, IDS, np.array([[2, 0], [-1, 1]], np.int32))


def test_every_kind_in_a_trace():
    def traced(xs, ids):
        return {name: (at.take(x, ids, axis=1), at.take_along_axis(x, ids, axis=1)) for name, x in xs.items()}

    xs = {name: sample(name) for name in ("bool", "int8", "uint8", "int32", "float16", "complex64")}
    assert_portable(traced, xs, np.array([[0], [-1]], np.int32))


ERRORS = {
    "float indices": (lambda x: at.take(x, x), TypeError, "take: `indices` must hold integers"),
    "bool indices": (lambda x: at.take(x, x > 1), TypeError, "take: `indices` must hold integers"),
    "axis": (lambda x: at.take(x, 0, axis=3), IndexError, "take: `axis` 3 is out of range"),
    "axis None": (lambda x: at.take(x, 0, axis=None), TypeError, "take: `axis` must be an integer"),
    "rank": (
        lambda x: at.take_along_axis(x, at.zeros((1,), dtype="int32", like=x)),
        ValueError,
        "as many axes as x",
    ),
    "a list": (lambda x: at.take(x, [0, 1]), TypeError, "take: `indices` must be"),
}


@pytest.mark.parametrize("backend", EAGER)
@pytest.mark.parametrize("case", ERRORS)
def test_bad_input_is_refused_alike(case, backend):
    function, kind, message = ERRORS[case]
    with pytest.raises(kind, match=message):
        run(function, backend, X)
