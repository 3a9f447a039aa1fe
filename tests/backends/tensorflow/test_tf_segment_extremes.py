"""Minimum and maximum on TensorFlow: what its kernels get wrong, and the derivatives around it."""

import numpy as np
import pytest
import tensorflow as tf

import anytensor.backends.tensorflow as backend

INF, NAN = np.inf, np.nan
LOWEST = np.finfo(np.float32).min
# values, ids, the maximum of each of 4 segments
SPECIAL = [
    pytest.param([LOWEST, 1.0], [0, 2], [LOWEST, -INF, 1.0, -INF], id="lowest is not empty"),
    pytest.param([-INF, -INF, LOWEST], [0, 1, 1], [-INF, LOWEST, -INF, -INF], id="-inf is not lowest"),
    pytest.param([INF, -INF, -LOWEST, 3e38], [0, 0, 1, 2], [INF, -LOWEST, 3e38, -INF], id="inf and greatest"),
    pytest.param([NAN, INF, 1.0, NAN], [0, 0, 2, 3], [NAN, -INF, 1.0, NAN], id="NaN first"),
    pytest.param([np.copysign(NAN, -1.0), 7.0, 2.0], [1, 1, 0], [2.0, NAN, -INF, -INF], id="negative NaN"),
    pytest.param([-0.0, 0.0, -0.0], [0, 0, 1], [0.0, 0.0, -INF, -INF], id="zeros"),
    pytest.param([], [], [-INF] * 4, id="nothing"),
]
modes = pytest.mark.parametrize("mode", ["eager", "recorded", "function", "xla"])


def run(function, x, mode):
    if mode == "recorded":
        with tf.GradientTape() as tape:
            tape.watch(x)
            return function(x)
    if mode == "eager":
        return function(x)
    return tf.function(function, jit_compile=mode == "xla")(x)


@modes
@pytest.mark.parametrize(("values", "ids", "greatest"), SPECIAL)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_special_values(values, ids, greatest, mode, dtype):
    where = tf.constant(np.array(ids, np.int32))
    x = tf.constant(np.array(values, np.float64).astype(dtype))
    got = run(lambda x: backend.segment_max(x, where, 4, False), x, mode)
    np.testing.assert_array_equal(got, np.array(greatest, dtype))
    got = run(lambda x: backend.segment_min(x, where, 4, False), -x, mode)
    np.testing.assert_array_equal(got, -np.array(greatest, dtype))


def gradient(function, x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = function(x)
    return tape.gradient(y, x)


@pytest.mark.parametrize("mode", ["eager", "function"])
def test_an_infinite_winner_has_its_derivatives(mode):
    ids = tf.constant([0, 0, 0, 1, 1])
    x = tf.constant([INF, 1.0, 3.0, -INF, 2.0])
    tied = tf.constant([INF, 1.0, INF, -INF, 2.0])
    tangent = tf.constant([3.0, 5.0, 9.0, 7.0, 11.0])

    def greatest(x):
        return backend.segment_max(x, ids, 3, False)

    def forward(x):
        with tf.autodiff.ForwardAccumulator(x, tangent) as accumulator:
            y = greatest(x)
        return y, accumulator.jvp(y)

    np.testing.assert_array_equal(run(lambda x: gradient(greatest, x), tied, mode), [0.5, 0, 0.5, 0, 1])
    value, change = run(forward, x, mode)
    np.testing.assert_array_equal(value, [INF, 2, -INF])
    np.testing.assert_array_equal(change, [3, 11, 0])


@modes
def test_a_gather_of_the_result_sends_slices_back(mode):
    ids = tf.constant([0, 0, 2])

    def picked(x):
        return gradient(lambda x: tf.gather(backend.segment_max(x, ids, 3, False), [0, 0, 2]), x)

    np.testing.assert_array_equal(run(picked, tf.constant([4.0, 4.0, 1.0]), mode), [1, 1, 1])


def test_an_upstream_gradient_of_an_empty_segment_stays_finite():
    # TensorFlow's own gradient divides by a count of 0 there, which only a derivative of it shows.
    ids, weights = tf.constant([0, 2]), tf.constant([1.0, 1.0, 1.0])
    x = tf.constant([5.0, 6.0])
    with tf.GradientTape() as outer:
        outer.watch(weights)
        with tf.GradientTape() as inner:
            inner.watch(x)
            greatest = backend.segment_max(x, ids, 3, False)
            total = tf.reduce_sum(tf.where(tf.math.is_inf(greatest), 0.0, greatest) * weights)
        slopes = tf.reduce_sum(inner.gradient(total, x))
    np.testing.assert_array_equal(outer.gradient(slopes, weights), [1, 0, 1])


@pytest.mark.parametrize("zeros", [0, 1, 2, 3])
@pytest.mark.parametrize("mode", ["eager", "function"])
def test_the_hessian_of_a_product_beside_zeros(mode, zeros):
    values = np.array([2.0, 3.0, 5.0, 7.0])
    values[:zeros] = 0
    ids = tf.constant([0, 0, 0, 0])

    def hessian(x):
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            slopes = gradient(lambda x: backend.segment_prod(x, ids, 1, False), x)
        return tape.jacobian(slopes, x, experimental_use_pfor=False)

    expected = np.zeros((4, 4))
    for i in range(4):
        for j in range(4):
            expected[i, j] = 0 if i == j else np.prod([v for k, v in enumerate(values) if k not in (i, j)])
    np.testing.assert_allclose(run(hessian, tf.constant(values), mode), expected)
