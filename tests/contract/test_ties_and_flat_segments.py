"""Clause S7, first derivatives: ties share the gradient, and flat segments have no NaN in it."""

import numpy as np
from harness import ALL, DIFFERENTIABLE, check, for_each_operation, rows_of_data

EXTREMES = ("segment_min", "segment_max", "segment_min_or_constant", "segment_max_or_constant")
IDS = np.array([0, 0, 0, 0, 2, 2, 3, 9], dtype=np.int32)


@for_each_operation(ALL, DIFFERENTIABLE)
def test_ordinary_gradients(variant, names):
    check(variant, names, rows_of_data(), IDS, 5)


@for_each_operation(ALL, DIFFERENTIABLE)
def test_ties_split_the_gradient_evenly(variant, names):
    x = rows_of_data()
    x[:, 0] = [1, 3, 3, 3, 2, 2, 5, 5]  # three winners of the maximum, one of the minimum
    x[:, 1] = [4, 1, 1, 4, 0, 0, 5, 5]  # two of both
    check(variant, names, x, IDS, 5)


@for_each_operation(ALL, DIFFERENTIABLE)
def test_winners_that_equal_the_identity_share_it_too(variant, names):
    x = np.full((8, 3), -np.inf, dtype=np.float32)
    x[:, 1] = np.inf
    check(variant, names, x, IDS, 5, compared=EXTREMES)


@for_each_operation(ALL, DIFFERENTIABLE)
def test_signed_zeros_tie(variant, names):
    x = np.zeros((8, 3), dtype=np.float32)
    x[::2] = -0.0
    check(variant, names, x, IDS, 5, compared=EXTREMES)


@for_each_operation(ALL, DIFFERENTIABLE)
def test_zero_variance_single_rows_and_gaps_have_no_nan(variant, names):
    outcome = check(variant, names, np.full((8, 3), 2.0, dtype=np.float32), IDS, 5)
    for path, gradient in outcome.gradients.items():
        assert np.isfinite(gradient).all(), path


@for_each_operation(ALL, DIFFERENTIABLE)
def test_zeros_among_factors_and_shares(variant, names):
    x = rows_of_data()
    x[1], x[4:6], x[6] = 0, 0, 0  # one zero factor, two of them, and sums that are 0
    check(variant, names, x, IDS, 5)
