"""What the shared contract cannot see of NumPy: silence about infinities, exact types, memory."""

import tracemalloc

import numpy as np
import pytest

import anytensor as at

ROWS = 300  # past the paths for a few rows
SPECIAL = np.tile(np.array([[np.inf, 3e38], [-np.inf, 3e38], [np.nan, 0.0]], np.float32), (ROWS, 8))
NAMES = [
    f"segment_{name}"
    for name in ("sum", "prod", "min", "max", "mean", "variance", "std", "normalize", "softmax", "logsumexp")
]
IDS = np.arange(SPECIAL.shape[0]) // 3


@pytest.mark.parametrize("rows", [3, SPECIAL.shape[0]], ids=["few", "many"])
@pytest.mark.parametrize("name", NAMES)
def test_infinities_and_overflow_raise_no_warning(name, rows):
    result = getattr(at, name)(SPECIAL[:rows], IDS[:rows], ROWS)
    assert type(result) is np.ndarray


@pytest.mark.parametrize("ids", [[0, 0], [0, -1]], ids=["inside", "outside"])
@pytest.mark.parametrize("name", ["segment_sum", "segment_max", "segment_mean", "segment_softmax"])
def test_vectors_give_arrays(name, ids):
    result = getattr(at, name)(np.array([1.0, 2.0]), np.array(ids), 1)
    assert type(result) is np.ndarray
    assert result.ndim == 1


def test_a_wide_sum_makes_no_temporary_of_the_size_of_the_data():
    x, ids = np.ones((20_000, 32), np.float32), np.arange(20_000) % 500
    at.segment_max(x, ids, 500)
    tracemalloc.start()
    at.segment_sum(x, ids, 500)
    at.segment_max(x, ids, 500)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < x.nbytes / 2


def test_partition_ids_of_lengths_far_past_the_total():
    lengths = np.array([2**40, 2**40])
    assert at.partition_ids(lengths, 3).tolist() == [0, 0, 0]
