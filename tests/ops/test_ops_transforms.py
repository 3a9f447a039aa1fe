"""Activations and stop_gradient."""

import numpy as np
import pytest
from samples import EAGER, numpy_dtype

import anytensor as at
from anytensor.testing import assert_portable, prepare

X = np.array([[1.0, 2.0, -1.0], [0.5, -np.inf, 0.25]], dtype=np.float32)


def run(function, backend, *args):
    outcome = prepare(function, backend)(*args)
    if outcome.error is not None:
        raise outcome.error
    assert not outcome.foreign
    return outcome.outputs


def reference(x, axis):
    wide = x.astype(np.float64)
    weight = np.exp(wide - wide.max(axis=axis, keepdims=True))
    return weight / weight.sum(axis=axis, keepdims=True)


@pytest.mark.parametrize("backend", EAGER)
@pytest.mark.parametrize("axis", [0, -1])
def test_softmax(axis, backend):
    np.testing.assert_allclose(run(lambda x: at.softmax(x, axis), backend, X), reference(X, axis), rtol=1e-6)


@pytest.mark.parametrize("backend", EAGER)
@pytest.mark.parametrize("name", ["float16", "bfloat16"])
def test_softmax_of_halves_rounds_once(name, backend):
    x = np.linspace(-2, 2, 600).astype(numpy_dtype(name))
    actual = run(at.softmax, backend, x)
    assert actual.dtype == x.dtype
    expected = reference(x, 0).astype(x.dtype)
    # One unit in the last place: the framework's float32 may round the other way.
    spacing = at.finfo(name).eps
    np.testing.assert_allclose(actual.astype(float), expected.astype(float), rtol=2 * spacing)


@pytest.mark.parametrize("backend", EAGER)
def test_softmax_of_large_and_whole_numbers(backend):
    assert run(at.softmax, backend, np.array([1000.0, 1000.0], np.float32)).tolist() == [0.5, 0.5]
    whole = run(at.softmax, backend, np.array([0, 0], np.int32))
    assert whole.dtype.kind == "f"
    assert whole.tolist() == [0.5, 0.5]


@pytest.mark.parametrize("backend", EAGER)
def test_softmax_of_nothing_and_of_no_numbers(backend):
    assert run(at.softmax, backend, np.zeros((2, 0), np.float32)).shape == (2, 0)
    for x in ([-np.inf, -np.inf], [np.nan, 1.0], [np.inf, 1.0]):
        assert np.isnan(run(at.softmax, backend, np.array(x, np.float32))).all()


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_a_nan_or_an_infinity_takes_its_row_in_every_mode(dtype):
    rows = np.array([[1, np.nan, 2], [1, 2, np.inf], [1, 2, 3], [np.nan, 0, 0], [-np.inf, 0, 0]], dtype)
    assert_portable(lambda x: (at.softmax(x), at.softmax(at.transpose(x), axis=0)), rows, gradients=False)


@pytest.mark.parametrize("backend", EAGER)
def test_rectifiers(backend):
    x = np.array([-2.0, 0.0, 3.0, np.nan], np.float32)
    np.testing.assert_array_equal(run(at.relu, backend, x), [0, 0, 3, np.nan])
    np.testing.assert_allclose(
        run(lambda x: at.leaky_relu(x, 0.2), backend, x), [-0.4, 0, 3, np.nan], rtol=1e-6
    )
    assert run(at.relu, backend, np.array([-1, 2], np.int32)).tolist() == [0, 2]


def test_traces_whole_with_gradients():
    def traced(x, y):
        weights = at.softmax(x, axis=0)
        held = at.stop_gradient(x) * y
        return weights, at.softmax(x), held, at.relu(y), at.leaky_relu(y, 0.2)

    x = np.array([[1.0, 2.0, -1.0], [0.5, -3.0, 0.25]], dtype=np.float32)
    y = np.array([[-1.0, 0.0, 2.0], [0.0, -2.0, 3.0]], dtype=np.float32)
    assert_portable(traced, x, y)


@pytest.mark.parametrize("backend", ["jax", "torch", "tensorflow"])
def test_stop_gradient_stops_it(backend):
    outcome = prepare(lambda x: at.stop_gradient(x) + 0 * x, backend, gradients=True)(X[:1])
    assert outcome.error is None
    assert not np.any(outcome.gradients["x"])


@pytest.mark.parametrize("backend", EAGER)
@pytest.mark.parametrize(
    ("function", "kind", "message"),
    [
        (lambda x: at.softmax(x, axis=2), IndexError, "softmax: `axis` 2 is out of range"),
        (lambda x: at.softmax(x[0, 0]), ValueError, "softmax: `axis` -1 is out of range"),
        (lambda x: at.softmax(at.astype(x, "complex64")), TypeError, "softmax: `x` must be real"),
        (lambda x: at.relu(x > 0), TypeError, "relu: `x` must be integer or floating"),
        (lambda x: at.leaky_relu(x, "a"), TypeError, "leaky_relu: `negative_slope` must be"),
        (lambda x: at.leaky_relu(x, True), TypeError, "leaky_relu: `negative_slope` must be"),
        (
            lambda x: at.leaky_relu(at.ones(2, dtype="int32", like=x)),
            TypeError,
            "leaky_relu: `x` must be floating",
        ),
        (lambda x: at.stop_gradient([1.0]), TypeError, "stop_gradient: `x` must be"),
    ],
)
def test_bad_input_is_refused_alike(function, kind, message, backend):
    with pytest.raises(kind, match=message):
        run(function, backend, X)
