"""Indexing on JAX: what lies past the end, by value in any dtype, and lengths."""

import numpy as np
import pytest

jax = pytest.importorskip("jax", reason="JAX is optional")

from anytensor.backends.jax import indexing  # noqa: E402

jnp = jax.numpy


@pytest.mark.parametrize(
    ("x", "fill"),
    [(jnp.arange(3), 0), (jnp.ones(3, bool), False), (jnp.ones(3, jnp.uint8), 0), (jnp.ones(3), np.nan)],
    ids=["int", "bool", "uint8", "float"],
)
def test_take_fills(x, fill):
    got = indexing.take(x, jnp.array([-1, 3, -4]), 0)
    np.testing.assert_array_equal(got, np.array([x[2], fill, fill], x.dtype))


@pytest.mark.parametrize("dtype", [jnp.uint8, jnp.int8, jnp.uint16, jnp.uint32])
def test_take_by_value_of_any_dtype(dtype):
    x = jnp.arange(300.0)
    assert indexing.take(x, jnp.array([100, 7], dtype), 0).tolist() == [100, 7]


def test_take_of_a_large_unsigned_index_does_not_count_from_the_end():
    assert np.isnan(indexing.take(jnp.ones(3), jnp.array([2**32 - 1], jnp.uint32), 0)).all()


@pytest.mark.parametrize(("axis", "shape"), [(0, (2, 4)), (-2, (2, 4))])
def test_take_from_nothing_fills(axis, shape):
    got = indexing.take(jnp.zeros((0, 4)), jnp.array([0, 1]), axis)
    assert got.shape == shape
    assert np.isnan(got).all()


def test_take_has_a_gradient_of_zero_past_the_end():
    gradient = jax.grad(lambda x: jnp.nansum(indexing.take(x, jnp.array([0, 5]), 0)))(jnp.ones(2))
    assert gradient.tolist() == [1, 0]


@pytest.mark.parametrize("compile", [False, True], ids=["eager", "jit"])
@pytest.mark.parametrize(
    ("repeats", "total", "expected"),
    [
        (2, 3, [1, 1, 2]),
        (2, 8, [1, 1, 2, 2, 3, 3, 3, 3]),
        ([0, 2, 0], 5, [2, 2, 3, 3, 3]),
        ([1, 1, 1], 0, []),
    ],
)
def test_repeat(repeats, total, expected, compile):
    repeats = jnp.asarray(repeats, jnp.uint8) if isinstance(repeats, list) else repeats

    def run(x):
        return indexing.repeat(x, repeats, 0, total)

    assert (jax.jit(run) if compile else run)(jnp.array([1, 2, 3])).tolist() == expected


def test_repeat_without_a_length():
    assert indexing.repeat(jnp.array([1, 2]), jnp.array([1, 2]), 0, None).tolist() == [1, 2, 2]


def test_nothing_cannot_fill_a_length():
    with pytest.raises(ValueError, match="total_repeat_length"):
        indexing.repeat(jnp.zeros((2, 0)), 1, 1, 3)
    assert indexing.repeat(jnp.zeros((2, 0)), 1, 1, 0).shape == (2, 0)
