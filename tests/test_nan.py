"""NaN helpers and the special numbers."""

import math

import numpy as np
import pytest

import anytensor as at
from anytensor.testing import assert_portable, prepare

EAGER = ("numpy", "jax", "torch", "tensorflow")
X = np.array([1.0, np.nan, np.inf, -np.inf, 0.0], dtype=np.float32)


def run(function, backend, *args):
    outcome = prepare(function, backend)(*args)
    if outcome.error is not None:
        raise outcome.error
    assert not outcome.foreign
    return outcome.outputs


def test_specials_are_plain_floats():
    assert [type(x) for x in (at.inf, at.ninf, at.nan, at.pi, at.e)] == [float] * 5
    assert (at.inf, at.ninf, at.pi, at.e) == (math.inf, -math.inf, math.pi, math.e)
    assert math.isnan(at.nan)
    assert at.newaxis is None


def test_aliases():
    assert at.isnan is at.is_nan
    assert at.isfinite is at.is_finite
    assert at.isinf is at.is_inf
    assert at.nan_fill is at.fill_nan


@pytest.mark.parametrize("backend", EAGER)
@pytest.mark.parametrize("dtype", ["float32", "float16", "float64", "complex64", "int32", "uint8", "bool"])
def test_predicates_on_every_kind(dtype, backend):
    x = X.astype(dtype) if dtype in ("float32", "float16", "float64", "complex64") else np.ones(2, dtype)
    for function, reference in ((at.is_nan, np.isnan), (at.is_finite, np.isfinite), (at.is_inf, np.isinf)):
        actual = run(function, backend, x)
        assert actual.dtype == bool
        np.testing.assert_array_equal(actual, reference(x))


@pytest.mark.parametrize("backend", EAGER)
def test_fill(backend):
    filled, mask = run(lambda x: at.fill_nan_mask(x, 7), backend, X)
    np.testing.assert_array_equal(filled, [1, 7, np.inf, -np.inf, 0])
    np.testing.assert_array_equal(mask, np.isnan(X))
    np.testing.assert_array_equal(run(at.fill_nan, backend, X), [1, 0, np.inf, -np.inf, 0])
    whole = run(at.fill_nan, backend, np.array([1, 2], np.int32))
    assert whole.dtype == np.int32
    assert whole.tolist() == [1, 2]


@pytest.mark.parametrize("backend", EAGER)
@pytest.mark.parametrize("dtype", ["float16", "float32", "complex64"])
def test_nan_to_num_is_numpys(dtype, backend):
    x = X.astype(dtype)
    np.testing.assert_array_equal(run(at.nan_to_num, backend, x), np.nan_to_num(x))
    actual = run(lambda x: at.nan_to_num(x, nan=1.0, posinf=2.0, neginf=3.0), backend, x)
    np.testing.assert_array_equal(actual, np.nan_to_num(x, nan=1.0, posinf=2.0, neginf=3.0))
    assert actual.dtype == x.dtype


@pytest.mark.parametrize("backend", EAGER)
def test_equal_nan(backend):
    actual = run(at.equal_nan, backend, X, X[::-1].copy())
    assert actual.tolist() == [False, False, True, False, False]
    assert run(lambda x: at.equal_nan(x, at.nan), backend, X).tolist() == np.isnan(X).tolist()
    assert run(lambda x: at.equal_nan(x, 1), backend, np.array([1, 2], np.int32)).tolist() == [True, False]


def test_traces_whole_with_gradients():
    def traced(x, y):
        filled, mask = at.fill_nan_mask(x, 2)
        return {
            "predicates": [at.is_nan(x), at.is_finite(x), at.is_inf(x)],
            "filled": filled * y,
            "mask": mask,
            "fill": at.fill_nan(x) * y,
            "numbers": at.nan_to_num(x, posinf=3.0, neginf=-3.0) * y,
            "equal": at.equal_nan(x, y),
        }

    assert_portable(traced, X, np.array([1.0, 2.0, 3.0, 4.0, 5.0], np.float32))


def test_what_was_filled_has_no_gradient():
    outcome = prepare(lambda x: at.fill_nan(x * x), "torch", gradients=True)(X[:2])
    assert outcome.error is None
    assert np.isnan(outcome.gradients["x"][1]) or outcome.gradients["x"][1] == 0
    outcome = prepare(lambda x: at.fill_nan(x), "torch", gradients=True)(X[:2])
    assert outcome.gradients["x"][1] == 0


@pytest.mark.parametrize("backend", EAGER)
def test_bad_input_is_refused(backend):
    with pytest.raises(TypeError, match="fill_nan: `value` must be"):
        run(lambda x: at.fill_nan(x, "a"), backend, X)
    with pytest.raises(TypeError, match="nan_to_num: `posinf` must be"):
        run(lambda x: at.nan_to_num(x, posinf=1j), backend, X)
    with pytest.raises(TypeError, match="is_nan: `x` must be"):
        at.is_nan([1.0])


@pytest.mark.parametrize("dtype", [bool, np.int8, np.uint8])
def test_what_holds_no_nan_comes_back_as_it_is(dtype):
    x = np.array([1, 0, 1]).astype(dtype)

    def traced(x):
        return at.fill_nan(x), at.fill_nan(x, 0.5), at.fill_nan_mask(x, 300), at.nan_to_num(x)

    assert_portable(traced, x, gradients=False)
    assert at.fill_nan(x, 0.5).tolist() == x.tolist()
    assert at.fill_nan_mask(x)[1].tolist() == [False] * 3
