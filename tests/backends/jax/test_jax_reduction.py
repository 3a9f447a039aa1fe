"""The product scan that stands in where JAX (0.4.35, the floor) has no ``jnp.cumulative_prod``."""

import jax.numpy as jnp
import numpy as np
import pytest

import anytensor as at
from anytensor.backends.jax.reduction import _product_scan

assert at.__version__


@pytest.mark.parametrize("include_initial", [False, True])
@pytest.mark.parametrize("axis", [0, 1, 2, -1, -3])
def test_the_stand_in_multiplies_as_numpy_does(axis, include_initial):
    x = np.arange(1.0, 25.0, dtype=np.float32).reshape(2, 3, 4)
    expected = np.cumprod(x, axis=axis)
    if include_initial:
        expected = np.concatenate([np.ones_like(np.take(x, [0], axis)), expected], axis)
    out = _product_scan(jnp.asarray(x), axis=axis, dtype=jnp.float32, include_initial=include_initial)
    np.testing.assert_allclose(out, expected, rtol=1e-6)
