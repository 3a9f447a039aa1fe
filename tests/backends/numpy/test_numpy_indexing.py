"""Indexing on NumPy: what is past the end, and lengths."""

import numpy as np
import pytest

from anytensor.backends.numpy import indexing


@pytest.mark.parametrize("index", [3, -4, 2**64 - 1])
def test_take_checks(index):
    with pytest.raises(IndexError):
        indexing.take(np.arange(3), np.array([index], np.uint64 if index > 3 else np.int64), 0)


def test_take_of_one_index_is_an_array():
    got = indexing.take(np.arange(3), np.array(1), 0)
    assert type(got) is np.ndarray
    assert got.shape == ()


@pytest.mark.parametrize(
    ("repeats", "total", "expected"),
    [
        (2, 3, [1, 1, 2]),
        (2, 8, [1, 1, 2, 2, 3, 3, 3, 3]),
        ([0, 2, 0], 5, [2, 2, 3, 3, 3]),
        ([9, 0, 0], 2, [1, 1]),
        ([1, 1, 1], 0, []),
        ([1, 0, 2], None, [1, 3, 3]),
    ],
)
def test_repeat(repeats, total, expected):
    repeats = np.asarray(repeats, np.uint8) if isinstance(repeats, list) else repeats
    assert indexing.repeat(np.array([1, 2, 3]), repeats, 0, total).tolist() == expected


def test_repeat_along_another_axis():
    assert indexing.repeat(np.array([[1, 2]]), np.array([1, 2]), 1, 4).tolist() == [[1, 2, 2, 2]]


def test_nothing_cannot_fill_a_length():
    with pytest.raises(ValueError, match="total_repeat_length"):
        indexing.repeat(np.zeros((2, 0)), 1, 1, 3)


def test_nothing_fills_a_length_of_0():
    assert indexing.repeat(np.zeros((2, 0)), 1, 1, 0).shape == (2, 0)
