"""Clause S3: a NaN makes its segment NaN wherever it stands; an occupied infinity stays."""

import numpy as np
import pytest
from harness import ALL, REDUCTIONS, check, for_each_operation, for_each_variant, rows_of_data, run

import anytensor as at

IDS = np.array([0, 0, 0, 1, 1, 2, 3, 3], dtype=np.int32)


@for_each_operation(ALL)
@pytest.mark.parametrize("place", [0, 1, 2], ids=["first", "middle", "last"])
def test_nan_stays_wherever_it_stands(variant, names, place):
    x = rows_of_data()
    x[place] = np.nan
    outcome = check(variant, names, x, IDS, 5, rows=slice(3, None))
    for name in set(names) & set(REDUCTIONS) - {"segment_count"}:
        assert np.isnan(outcome.outputs[name][0]).all(), name
        assert not np.isnan(outcome.outputs[name][1:]).any(), name


@for_each_operation(ALL)
@pytest.mark.parametrize("sign", [1, -1], ids=["inf", "minus-inf"])
def test_occupied_infinities_stay(variant, names, sign):
    x = rows_of_data()
    x[[1, 5]] = sign * np.inf  # among others, and alone in its segment
    # The weights of -inf messages are 0, and 0 * inf is NaN: a matter of the messages, not of the softmax.
    compared = set(ALL) - {"segment_attention"}
    check(variant, names, x, IDS, 5, rows=slice(6, None), compared=compared)


@for_each_operation(ALL)
def test_both_infinities_in_one_segment(variant, names):
    x = rows_of_data()
    x[0], x[2] = np.inf, -np.inf
    check(variant, names, x, IDS, 5, rows=slice(3, None))


def sums(x, ids, n):
    return [at.segment_sum(x, ids, n), at.segment_sum(x, ids, n, True)]


@for_each_variant()
def test_an_infinite_part_leaves_the_other_part_of_a_complex_sum(variant):
    x = np.array([complex(np.inf, -2), complex(1, np.inf), complex(1, 3), complex(5, 7)], np.complex64)
    outcome = run(sums, variant, x, np.array([0, 1, 1, 9]), 3)
    expected = np.array([complex(np.inf, -2), complex(2, np.inf), 0], np.complex64)
    for got in outcome.outputs:
        np.testing.assert_array_equal(got.real, expected.real)
        np.testing.assert_array_equal(got.imag, expected.imag)
