"""Splitting an array into its parts on JAX: one program, whatever the number of parts."""

import numpy as np
import pytest

jax = pytest.importorskip("jax")
jnp = pytest.importorskip("jax.numpy")

import anytensor as at  # noqa: E402
from anytensor.backends.jax import manipulation  # noqa: E402


def test_one_program_serves_all_parts():
    x = jnp.asarray(np.arange(37 * 3, dtype=np.float32).reshape(37, 3))
    before = manipulation._part._cache_size()
    parts = at.unstack(x)
    assert manipulation._part._cache_size() == before + 1
    assert len(parts) == 37
    np.testing.assert_array_equal(np.stack(parts), x)


@pytest.mark.parametrize("axis", [0, 1, -1])
@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "bool", "uint8", "complex64"])
def test_parts_are_those_of_jax(axis, dtype):
    x = jnp.asarray(np.arange(24).reshape(2, 3, 4) % 5).astype(dtype)
    parts, expected = at.unstack(x, axis=axis), jnp.unstack(x, axis=axis)
    assert len(parts) == len(expected)
    for part, other in zip(parts, expected, strict=True):
        assert part.dtype == other.dtype
        np.testing.assert_array_equal(part, other)


def test_it_is_traced_and_differentiated():
    x = jnp.arange(6.0).reshape(3, 2)

    def weighted(x):
        return sum((i + 1) * (row**2).sum() for i, row in enumerate(at.unstack(x)))

    expected = 2 * np.asarray(x) * np.array([[1], [2], [3]])
    np.testing.assert_allclose(jax.grad(weighted)(x), expected)
    np.testing.assert_allclose(jax.jit(jax.grad(weighted))(x), expected)
    np.testing.assert_allclose(jax.vmap(weighted)(x[None])[0], weighted(x))


def test_random_keys_are_split():
    keys = jax.random.split(jax.random.key(0), 3)
    assert [key.shape for key in at.unstack(keys)] == [()] * 3
