"""The paths for a few rows: what they decline, and that their tables stay as they were."""

import numpy as np
import pytest

import anytensor as at
from anytensor.backends.numpy import few

X = np.arange(12, dtype=np.float32).reshape(4, 3)
IDS = np.array([0, 2, 2, 0])


@pytest.mark.parametrize(
    ("x", "ids"),
    [
        (X.astype(np.float16), IDS),
        (X.astype(np.int64), IDS),
        (X[:0], IDS[:0]),
        (np.where(X == 5, np.nan, X), IDS),
        (np.where(X == 5, np.inf, X), IDS),
        (np.where(X == 5, np.float32(1e30), X), IDS),
        (X, np.array([0, -1, 2, 0])),
        (X, np.array([0, 3, 2, 0])),
        (X, np.array([0, 2**64 - 1, 2, 0], np.uint64)),
        (np.zeros((few.SMALL + 1, 1), np.float32), np.zeros(few.SMALL + 1, np.intp)),
    ],
    ids=[
        "half",
        "integer",
        "empty",
        "nan",
        "inf",
        "huge",
        "negative id",
        "id past the end",
        "uint64",
        "many",
    ],
)
def test_declined(x, ids):
    assert few.few_sum(x, ids, 3) is None
    assert few.few_mean(x, ids, 3) is None
    assert few.few_softmax(x, ids, 3) is None


@pytest.mark.parametrize("ids", [[0, -1, 2, 0], [0, 3, 2, 0]])
def test_extreme_declined(ids):
    assert few.few_extreme(np.maximum, X, np.array(ids), 3, -np.inf) is None


@pytest.mark.parametrize("shape", [(4,), (4, 3), (4, 3, 1), (4, 2, 2, 2)])
def test_taken(shape):
    x = np.random.default_rng(0).normal(size=shape)
    total = np.stack([x[0] + x[3], np.zeros(shape[1:]), x[1] + x[2]])
    weight = np.exp(x)
    np.testing.assert_allclose(few.few_sum(x, IDS, 3), total)
    np.testing.assert_allclose(few.few_mean(x, IDS, 3), total / 2)
    share = np.stack([weight[0] + weight[3], weight[1] + weight[2]])[[0, 1, 1, 0]]
    np.testing.assert_allclose(few.few_softmax(x, IDS, 3), weight / share)
    top = few.few_extreme(np.maximum, x, IDS, 3, -np.inf)
    np.testing.assert_array_equal(top[[0, 2]], [np.maximum(x[0], x[3]), np.maximum(x[1], x[2])])


@pytest.mark.parametrize("name", ["segment_sum", "segment_max", "segment_mean", "segment_variance"])
def test_a_result_is_the_callers_to_write(name):
    first = getattr(at, name)(X, IDS, 3)
    kept = first.copy()
    first[:] = 99
    np.testing.assert_array_equal(getattr(at, name)(X, IDS, 3), kept)


@pytest.mark.parametrize("scale", [1.0, 1e30], ids=["few", "general"])
@pytest.mark.parametrize(
    "name", ["segment_variance", "segment_normalize", "segment_logsumexp", "segment_mean"]
)
def test_both_paths_agree(name, scale):
    x = (X + 1).astype(np.float64)
    # 1e30 is past what the short path takes, and each of these is known under scaling.
    got = getattr(at, name)(x * scale, IDS, 3)[[0, 2]]
    if name == "segment_logsumexp":
        expected = np.logaddexp(x[[0, 1]], x[[3, 2]]) if scale == 1 else x[[3, 2]] * scale
    elif name == "segment_normalize":
        expected = x[[0, 2]] / (x[[0, 2]] + x[[3, 1]])
    elif name == "segment_mean":
        expected = (x[[0, 1]] + x[[3, 2]]) / 2 * scale
    else:
        expected = ((x[[0, 1]] - x[[3, 2]]) / 2) ** 2 * scale**2
    np.testing.assert_allclose(got, expected)


def test_tables_stay_small():
    few._one_hot.cache_clear()
    for n in (few.KEPT, few.KEPT + 1, 4096):
        at.segment_sum(np.ones((1, 2)), np.zeros(1, np.intp), n)
        at.segment_softmax(np.ones((1, 2)), np.zeros(1, np.intp), n)
    assert few._one_hot.cache_info().currsize == 1  # the table of KEPT segments alone
    largest = few._one_hot(few.KEPT, np.dtype(np.float64)).nbytes * few._one_hot.cache_info().maxsize
    assert largest <= 2 << 20
    assert few.SMALL * np.dtype(np.intp).itemsize * few._positions.cache_info().maxsize <= 2 << 20
