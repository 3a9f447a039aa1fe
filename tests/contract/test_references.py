"""The references themselves: each pullback against central differences of its value, in float64."""

import numpy as np
import pytest

from references import SEGMENT

IDS = np.array([0, 2, 0, 2, 2, -1, 9, 3])


@pytest.mark.parametrize("features", [(), (2,)], ids=["1-d", "2-d"])
@pytest.mark.parametrize("name", [name for name in SEGMENT if name != "segment_count"])
def test_pullback_equals_central_differences(name, features):
    value, pullback = SEGMENT[name]
    rng = np.random.default_rng(3)
    x = rng.uniform(0.5, 2.0, (8, *features))
    weights = rng.normal(size=value(x, IDS, 5).shape)
    step = 1e-6
    expected = np.zeros(x.shape)
    for index in np.ndindex(x.shape):
        move = np.zeros(x.shape)
        move[index] = step
        above, below = value(x + move, IDS, 5), value(x - move, IDS, 5)
        with np.errstate(invalid="ignore"):
            rise = np.where(above == below, 0, above - below)  # an empty segment's inf stays
        expected[index] = (weights * rise).sum() / (2 * step)
    np.testing.assert_allclose(pullback(weights, x, IDS, 5), expected, rtol=1e-6, atol=1e-8)
