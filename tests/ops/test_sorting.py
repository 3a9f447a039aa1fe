"""Sorting along an axis, on every backend, eager and compiled."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from running import assert_same, default_int, on_backend, run, wide
from samples import EAGER
from test_reduction import X, rows
from test_searching import ORDERED

import anytensor as at
from anytensor.testing import assert_portable


def stable_order(x, axis, descending):
    """Return a stable order with NaN as the greatest, by NumPy."""
    if not descending:
        return np.argsort(x, axis=axis, kind="stable")
    last = x.shape[axis] - 1
    return np.flip(last - np.argsort(np.flip(x, axis), axis=axis, kind="stable"), axis)


@pytest.mark.parametrize(("backend", "dtype"), ORDERED)
@pytest.mark.parametrize("axis", [0, -1])
@pytest.mark.parametrize("descending", [False, True])
def test_every_dtype(backend, dtype, axis, descending):
    x = rows(dtype)
    order = stable_order(wide(x), axis, descending)
    got = run(lambda x: [f(x, axis=axis, descending=descending) for f in (at.sort, at.argsort)], backend, x)
    assert_same(got[0], np.take_along_axis(wide(x), order, axis), on_backend(dtype, backend))
    assert_same(got[1], order, default_int(backend))


@pytest.mark.parametrize("backend", EAGER)
@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "float16"])
@given(
    values=st.lists(st.sampled_from([0.0, 1.0, -1.0, np.inf, -np.inf, np.nan]), min_size=6, max_size=6),
    descending=st.booleans(),
)
@settings(max_examples=10, deadline=None)
def test_stable_with_nan_as_the_greatest(backend, dtype, values, descending):
    x = np.array(values).astype(rows(dtype).dtype)
    got = run(lambda x: [at.sort(x, descending=descending), at.argsort(x, descending=descending)], backend, x)
    order = stable_order(wide(x), 0, descending)
    np.testing.assert_array_equal(got[1], order)
    np.testing.assert_array_equal(got[0].astype(np.float64), wide(x)[order])


@pytest.mark.parametrize("backend", EAGER)
@pytest.mark.parametrize("name", ["sort", "argsort"])
def test_an_empty_axis(name, backend):
    assert run(getattr(at, name), backend, np.zeros((2, 0), dtype=np.float32)).shape == (2, 0)


@pytest.mark.parametrize("backend", EAGER)
@pytest.mark.parametrize("name", ["sort", "argsort"])
@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda f, x: f(x, axis=2), np.exceptions.AxisError, "`axis` 2 is out of range"),
        (lambda f, x: f(x[0, 0]), np.exceptions.AxisError, "out of range"),
        (lambda f, x: f(x, axis=None), TypeError, "`axis` must be an integer"),
        (lambda f, x: f(at.multiply(x, 1j)), TypeError, "`x` must be real"),
    ],
)
def test_bad_arguments_are_named(backend, name, call, error, message):
    with pytest.raises(error, match=f"{name}: .*{message}"):
        run(lambda x: call(getattr(at, name), x), backend, rows("float32"))


def orders(x):
    return [
        at.sort(x),
        at.sort(x, axis=0, descending=True),
        at.argsort(x, descending=True),
        at.argsort(x, axis=0),
    ]


def test_every_mode_agrees():
    assert_portable(orders, X)
