"""Clause S9: ``sorted=True`` with ids out of range at both ends, and a promise that is broken."""

import numpy as np
import pytest
from harness import ALL, ROW_WISE, check, for_each_operation, rows_of_data, run, together

N = 5


@for_each_operation(ALL)
@pytest.mark.parametrize(
    "ids",
    [
        [0, 0, 1, 1, 1, 3, 3, 4],
        [-9, -1, 0, 0, 2, 2, 5, 100],
        [-3, -2, -1, -1, -1, -1, -1, -1],
        [5, 5, 5, 6, 7, 8, 9, 10],
        [0, 0, 0, 0, 0, 0, 0, 0],
        [4, 4, 4, 4, 4, 4, 4, 4],
    ],
    ids=["gap", "both-ends", "all-below", "all-above", "first-only", "last-only"],
)
def test_sorted_ids_give_the_same(variant, names, ids):
    x = rows_of_data()
    ids = np.array(ids, dtype=np.int32)
    x[(ids < 0) | (ids >= N)] = np.nan
    check(variant, names, x, ids, N, sorted=True)


@for_each_operation(ALL)
@pytest.mark.parametrize("seed", range(3))
def test_a_broken_promise_stays_in_bounds(variant, names, seed):
    rng = np.random.default_rng(seed)
    ids = rng.integers(-4, N + 4, 8).astype(np.int32)
    outcome = run(together, variant, dict.fromkeys(names, rows_of_data()), ids, N, True, gradients=True)
    for name in names:
        rows = 8 if name in ROW_WISE else N
        assert outcome.outputs[name].shape[0] == rows
    assert all(gradient.shape == (8, 3) for gradient in outcome.gradients.values())
