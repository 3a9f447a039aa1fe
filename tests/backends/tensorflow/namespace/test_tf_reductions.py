"""Statistical and utility rooms: values, axes, widening, NaN, gradients, static sizes."""

import numpy as np
import pytest
import tensorflow as tf
from namespace_modes import MODES, close, run, static_shape

from anytensor.backends.tensorflow import namespace as xp

X = np.random.default_rng(0).normal(size=(2, 3, 4)).astype(np.float32)


@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize("axis", [None, 0, -1, (0, 2), ()])
@pytest.mark.parametrize("name", ["sum", "prod", "max", "min", "mean", "var", "std", "all", "any"])
def test_axes(name, axis, keepdims):
    got = getattr(xp, name)(tf.constant(X), axis=axis, keepdims=keepdims)
    close(got, getattr(np, name)(X, axis=axis, keepdims=keepdims))


@pytest.mark.parametrize("name", ["sum", "prod", "max", "min", "mean", "std", "any"])
@pytest.mark.parametrize("mode", ["graph", "xla"])
def test_compiled(name, mode):
    got = run(lambda x: getattr(xp, name)(x, axis=(0, 2)), mode, X)
    close(got, getattr(np, name)(X, axis=(0, 2)))


@pytest.mark.parametrize("name", ["max", "min", "sum", "mean", "var"])
@pytest.mark.parametrize("mode", MODES)
def test_nan_is_propagated(name, mode):
    x = np.array([[1.0, np.nan], [2.0, 3.0]], np.float32)
    close(run(lambda x: getattr(xp, name)(x, axis=1), mode, x), getattr(np, name)(x, axis=1))


@pytest.mark.parametrize(
    ("dtype", "expected"),
    [
        ("int8", "int64"),
        ("uint8", "uint64"),
        ("uint32", "uint64"),
        ("bool", "int64"),
        ("bfloat16", "bfloat16"),
        ("float64", "float64"),
    ],
)
@pytest.mark.parametrize("name", ["sum", "prod", "cumulative_sum", "cumulative_prod"])
def test_narrow_integers_widen(name, dtype, expected):
    assert getattr(xp, name)(tf.cast([1, 1], dtype)).dtype == expected


def test_a_wide_sum_does_not_wrap():
    assert int(xp.sum(tf.constant([200, 100], tf.uint8))) == 300
    assert int(xp.sum(tf.constant([200, 100], tf.uint8), dtype=xp.uint8)) == 44


@pytest.mark.parametrize(
    ("name", "expected"), [("sum", 0.0), ("prod", 1.0), ("max", -np.inf), ("min", np.inf)]
)
def test_empty(name, expected):
    close(getattr(xp, name)(tf.zeros((0, 2)), axis=0), np.full(2, expected, np.float32))


@pytest.mark.parametrize("correction", [0, 1, 1.5, 4])
@pytest.mark.parametrize("mode", ["eager", "graph"])
def test_correction(correction, mode):
    with np.errstate(all="ignore"):
        want = (np.var(X, axis=1) * 3) / np.float32(max(3 - correction, 0))
    close(run(lambda x: xp.var(x, axis=1, correction=correction), mode, X), want)


def test_std_of_equal_elements_has_zero_gradient():
    x = tf.constant([2.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = xp.std(x)
    close(tape.gradient(y, x), np.zeros(2, np.float32))


@pytest.mark.parametrize("name", ["sum", "mean", "cumulative_sum"])
def test_bfloat16_accumulates_wide(name):
    out = getattr(xp, name)(tf.ones((1000,), tf.bfloat16))
    assert float(out[-1] if name == "cumulative_sum" else out) == (1.0 if name == "mean" else 1000.0)


@pytest.mark.parametrize("include_initial", [False, True])
@pytest.mark.parametrize("dtype", ["float32", "int8", "uint64"])
@pytest.mark.parametrize("name", ["cumulative_sum", "cumulative_prod"])
@pytest.mark.parametrize("mode", MODES)
def test_cumulative(name, dtype, include_initial, mode):
    x = (np.arange(6).reshape(2, 3) + 1).astype(dtype)
    got = run(lambda x: getattr(xp, name)(x, axis=1, include_initial=include_initial), mode, x)
    close(got, getattr(np, name)(x, axis=1, include_initial=include_initial))


@pytest.mark.parametrize("dtype", ["int64", "bool", "uint8"])
@pytest.mark.parametrize("n", [1, 2])
def test_diff(n, dtype):
    x = np.array([[1, 0, 1, 4], [2, 0, 0, 1]]).astype(dtype)
    close(xp.diff(tf.constant(x), n=n), np.diff(x, n=n))
    close(
        xp.diff(tf.constant(x), axis=0, n=n, append=tf.constant(x[:1])),
        np.diff(x, axis=0, n=n, append=x[:1]),
    )


def test_diff_of_order_zero_still_prepends():
    # As the standard has it; NumPy returns x alone.
    close(xp.diff(tf.constant([3, 4]), n=0, prepend=tf.constant([2])), [2, 3, 4])


def test_static_sizes_stay_static():
    shape = static_shape(lambda x: xp.std(x, axis=1, keepdims=True), ((None, 3, 4), tf.float32))
    assert shape == (None, 1, 4)
    assert static_shape(lambda x: xp.diff(x, axis=1), ((None, 3), tf.float32)) == (None, 2)


def test_a_doubled_axis_is_refused():
    with pytest.raises(ValueError, match="names a dimension twice"):
        xp.flip(tf.constant(X), axis=(0, 0))
