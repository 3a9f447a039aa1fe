"""The comparison of arrays and nests, with right answers and with wrong ones."""

import ml_dtypes
import numpy as np
import pytest

from anytensor.testing import assert_trees_close
from anytensor.testing.comparison import Rules, tolerance

NAN, INF = np.nan, np.inf


def array(values, dtype=np.float64):
    return np.array(values, dtype=dtype)


EQUAL = [
    (array([1, NAN, INF, -INF]), array([1, NAN, INF, -INF])),
    (array([1.0]), array([1.0 + 1e-12])),
    (array([1.0], np.float32), array([1.0 + 1e-6])),
    (array([1.0], ml_dtypes.bfloat16), array([1.01])),
    (array([1], np.int8), array([1], np.uint64)),
    (np.array([1 + 2j]), np.array([1 + 2j])),
    (array(3.0), 3.0),
    (array([0.0]), array([-0.0])),
    ({"a": [1, None, "x"]}, {"a": [1, None, "x"]}),
    (np.zeros((0, 3)), np.zeros((0, 3))),
]
DIFFERENT = [
    (array([1.0]), array([1.0 + 1e-6]), "1 of 1 entries differs"),
    (array([1.0, NAN]), array([1.0, 2.0]), r"first at \[1\]: got nan, expected 2.0"),
    (array([1.0, 2.0]), array([1.0, NAN]), r"first at \[1\]: got 2.0, expected nan"),
    (array([INF]), array([-INF]), "got inf, expected -inf"),
    (array([1e308]), array([INF]), "expected inf"),
    (array([INF]), array([1e308]), "got inf"),
    (
        array([2**53 + 1], np.int64),
        array([2**53], np.int64),
        "got 9007199254740993, expected 9007199254740992",
    ),
    (np.array([1 + 2j]), np.array([1 + 3j]), "1 of 1"),
    (np.array([True, False]), np.array([True, True]), r"first at \[1\]: got False, expected True"),
    (np.zeros((2, 1)), np.zeros((1, 2)), r"shape of got: got \(2, 1\), expected \(1, 2\)"),
    (np.zeros((0, 3)), np.zeros((0, 2)), "shape of got"),
    (array(3.0), array(4.0), r"first at \[\]: got 3.0, expected 4.0"),
    ({"a": 1}, {"a": 1, "b": 2}, r"structure of got: lacks got\['b'\]"),
    ([1, 2], [1], r"has in excess got\[1\]"),
    ({"a": "x"}, {"a": "y"}, r"value of got\['a'\]: got 'x', expected 'y'"),
    ({"a": None}, {"a": 1.0}, "got None, expected 1.0"),
    (
        array([[1, 2], [3, 9]]),
        array([[1, 2], [3, 4]]),
        r"first at \[1, 1\]: got 9.0, expected 4.0 \(largest difference 5",
    ),
]


@pytest.mark.parametrize(("got", "expected"), EQUAL)
def test_equal(got, expected):
    assert_trees_close(got, expected)


@pytest.mark.parametrize(("got", "expected", "words"), DIFFERENT)
def test_different(got, expected, words):
    with pytest.raises(AssertionError, match=words):
        assert_trees_close(got, expected)


def test_tolerances_can_be_set():
    assert_trees_close(array([1.0]), array([1.1]), rtol=0.2)
    assert_trees_close(array([0.0]), array([0.1]), atol=0.2)
    with pytest.raises(AssertionError, match=r"rtol 0\.01, atol 0\)"):
        assert_trees_close(array([1.0]), array([1.1]), rtol=0.01, atol=0)


def test_the_coarsest_dtype_decides():
    one = {name: np.ones(1, name) for name in ("float64", "float32", "float16", "int32")}
    assert tolerance(one["float64"], one["float32"]) == (1e-5, 1e-6)
    assert tolerance(one["float32"], one["float16"], one["int32"]) == (4e-3, 1e-3)
    assert tolerance(one["int32"]) == (0, 0)
    assert Rules(slack=2, floor=(1e-3, 0)).tolerances(one["float32"]) == (1e-3, 2e-6)
