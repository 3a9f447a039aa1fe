"""Clause S1: a row whose id lies outside [0, num_segments) takes no part, in values and in gradients."""

import numpy as np
import pytest
from harness import ALL, ROW_WISE, check, for_each_operation, rows_of_data

N = 5
IDS = np.array([0, -1, 2, 5, 2, 100, -7, 0], dtype=np.int32)
DROPPED = [1, 3, 5, 6]


@for_each_operation(ALL)
def test_dropped_rows_take_no_part(variant, names):
    check(variant, names, rows_of_data(), IDS, N)


@for_each_operation(ALL)
@pytest.mark.parametrize("special", [np.nan, np.inf, -np.inf], ids=["nan", "inf", "minus-inf"])
def test_dropped_rows_do_not_poison(variant, names, special):
    x = rows_of_data()
    x[DROPPED] = special
    outcome = check(variant, names, x, IDS, N)
    for gradient in outcome.gradients.values():
        np.testing.assert_array_equal(gradient[DROPPED], 0)  # zero itself, no small number
    for name in ROW_WISE:
        if name in names:
            np.testing.assert_array_equal(outcome.outputs[name][DROPPED], 0)


@for_each_operation(ALL)
@pytest.mark.parametrize("outside", [-1, N, 2**31 - 1, -(2**31)])
def test_all_rows_dropped(variant, names, outside):
    check(variant, names, rows_of_data(), np.full(8, outside, dtype=np.int32), N)
