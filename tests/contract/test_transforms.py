"""Clause S7: forward mode, second derivatives and vmap, in each framework's own words."""

import importlib.util

import numpy as np
import pytest
from derivatives import for_each_transform, forward, second, vectorized
from harness import ALL, FLOATING, ROW_WISE, call, rows_of_data

from references import SEGMENT

IDS = np.array([3, 0, 0, 0, 2, 2, 2, 9], dtype=np.int32)  # gaps, one row alone, one dropped
N = 5


def pushed_forward(name, x, tangent):
    """Return the reference's tangent, one output entry at a time through its pullback."""
    value, pullback = SEGMENT[name]
    shape = value(x, IDS, N).shape
    out = np.zeros(shape)
    for index in np.ndindex(shape):
        weights = np.zeros(shape)
        weights[index] = 1
        out[index] = (pullback(weights, x, IDS, N) * tangent).sum()
    return out


@for_each_transform()
@pytest.mark.parametrize("name", FLOATING)
def test_forward_mode(transform, name):
    x, tangent = rows_of_data(), np.random.default_rng(1).normal(size=(8, 3)).astype(np.float32)
    got = forward(transform, lambda x: call(name, x, IDS, N), x, tangent)
    np.testing.assert_allclose(got, pushed_forward(name, x, tangent), rtol=2e-4, atol=2e-5)


@for_each_transform()
@pytest.mark.parametrize("name", ["segment_std", "segment_variance", "segment_max", "segment_softmax"])
def test_forward_mode_of_flat_segments(transform, name):
    x, tangent = (
        np.full((8, 3), 2, np.float32),
        np.random.default_rng(1).normal(size=(8, 3)).astype(np.float32),
    )
    got = forward(transform, lambda x: call(name, x, IDS, N), x, tangent)
    np.testing.assert_allclose(got, pushed_forward(name, x, tangent), rtol=2e-4, atol=2e-5)


@for_each_transform()
@pytest.mark.parametrize("name", ["segment_min", "segment_max", "segment_sum", "segment_softmax"])
def test_forward_mode_of_no_segments(transform, name):
    x = rows_of_data()
    got = forward(transform, lambda x: call(name, x, IDS, 0), x, np.ones_like(x))
    np.testing.assert_array_equal(got, np.zeros(SEGMENT[name][0](x, IDS, 0).shape))


@for_each_transform()
@pytest.mark.parametrize("name", FLOATING)
def test_second_derivatives(transform, name):
    value, pullback = SEGMENT[name]
    rng = np.random.default_rng(2)
    x, direction = rows_of_data(), rng.normal(size=(8, 3)).astype(np.float32)
    weights = rng.normal(size=value(x, IDS, N).shape).astype(np.float32)
    # Of a reduction segments 2 and 3: an empty one may hold an infinity, which times a weight of 0 is NaN.
    kept = slice(None) if name in ROW_WISE else slice(2, 4)
    got = second(transform, lambda x: call(name, x, IDS, N)[kept], x, weights[kept], direction)
    if name not in ROW_WISE:
        weights[:2], weights[4:] = 0, 0
    step = 1e-5
    ends = [pullback(weights, x + sign * step * direction.astype(float), IDS, N) for sign in (1, -1)]
    np.testing.assert_allclose(got, (ends[0] - ends[1]) / (2 * step), rtol=1e-3, atol=2e-4)


@for_each_transform()
@pytest.mark.parametrize("name", ["segment_std", "segment_variance", "segment_softmax", "segment_logsumexp"])
def test_second_derivatives_of_flat_segments_are_finite(transform, name):
    x = np.full((8, 3), 2, np.float32)
    ids = np.array([0, 0, 0, 1, 1, 2, 2, 3], dtype=np.int32)  # no gap: logsumexp of one is -inf
    weights = np.ones(SEGMENT[name][0](x, ids, 4).shape, np.float32)
    got = second(transform, lambda x: call(name, x, ids, 4), x, weights, rows_of_data())
    assert np.isfinite(got).all()


BATCH = np.array([[0, 1, 9], [0, 1, 1], [2, -1, 2], [1, 1, 1]], dtype=np.int32)


@for_each_transform()
@pytest.mark.parametrize("over", [("x", "ids"), ("x",), ("ids",)], ids="-".join)
@pytest.mark.parametrize("name", ALL)
def test_vmap_equals_a_loop(transform, over, name):
    if name == "segment_count" and over == ("x",):
        over = ("ids",)
    x = np.random.default_rng(3).uniform(0.5, 2, (4, 3, 2)).astype(np.float32)
    x = x if "x" in over else x[0]
    ids = BATCH if "ids" in over else BATCH[0]
    got = vectorized(transform, lambda x, ids: call(name, x, ids, 3), x, ids, over)
    rows = [(x[i] if "x" in over else x, ids[i] if "ids" in over else ids) for i in range(4)]
    expected = np.stack([SEGMENT[name][0](*row, 3) for row in rows])
    np.testing.assert_allclose(got, expected, rtol=2e-5, atol=2e-6)


@for_each_transform("tensorflow", "tensorflow-function")
@pytest.mark.parametrize("name", FLOATING)
def test_vmap_of_gradients(transform, name):
    x = np.random.default_rng(3).uniform(0.5, 2, (4, 3, 2)).astype(np.float32)

    def gradient(x, ids):
        if transform == "torch":
            return importlib.import_module("torch").func.grad(lambda x: call(name, x, ids, 3)[1].sum())(x)
        return importlib.import_module("jax").grad(lambda x: call(name, x, ids, 3)[1].sum())(x)

    got = vectorized(transform, gradient, x, BATCH, ("x", "ids"))
    expected = []
    for one, ids in zip(x, BATCH, strict=True):
        value, pullback = SEGMENT[name]
        weights = np.zeros(value(one, ids, 3).shape)
        weights[1] = 1
        expected.append(pullback(weights, one, ids, 3))
    np.testing.assert_allclose(got, np.stack(expected), rtol=2e-4, atol=2e-5)
