"""Faults that people met in other libraries, and the right value here on every variant.

Each test is named for the symptom and cites the thread; rows of the table that are about a benchmark, a graph
container or a parameter that the contract lacks are not here.
"""

import numpy as np
import pytest
from harness import for_each_variant, run

import anytensor as at

INF = np.inf
NAN = np.nan


def floats(*values):
    return np.array(values, dtype=np.float32)


def ints(*values):
    return np.array(values, dtype=np.int32)


# Functions of one operation each; module-level, so that variants compile each once per shape.


def first_sum(x, ids):
    return at.segment_sum(x, ids, 2)[0]


def sums(x, ids, n, promised=False):
    return at.segment_sum(x, ids, n, promised)


def maxima(x, ids, n):
    return at.segment_max(x, ids, n)


def means(x, ids, n):
    return at.segment_mean(x, ids, n)


def deviations(x, ids, n):
    return at.segment_std(x, ids, n)


def shares(x, ids, n):
    return at.segment_softmax(x, ids, n)


def logs(x, ids, n):
    return at.segment_logsumexp(x, ids, n)


def value(function, variant, *args):
    return run(function, variant, *args).outputs.tolist()


def gradient(function, variant, *args):
    """Return the gradient of the plain sum of one output; the kit weighs it by cos(1)."""
    outcome = run(function, variant, *args, gradients=True)
    return outcome.gradients["x"] / np.cos(1.0) if variant.differentiable else None


@for_each_variant()
def test_nan_row_with_id_minus_one_does_not_poison_the_gradient(variant):
    """jax-ml/jax/issues/14179."""
    got = gradient(first_sum, variant, floats(1, 1, NAN), ints(0, 1, -1))
    if got is not None:
        np.testing.assert_allclose(got, [1, 0, 0], rtol=1e-6)
    assert value(first_sum, variant, floats(1, 1, NAN), ints(0, 1, -1)) == 1


@for_each_variant()
@pytest.mark.parametrize("ids", [(0, 1, -1), (0, 1, 5)], ids=["negative", "too-large"])
def test_out_of_range_ids_are_dropped(variant, ids):
    """jax-ml/jax/pull/5342."""
    assert value(sums, variant, floats(1, 2, 4), ints(*ids), 2) == [1, 2]


@for_each_variant()
@pytest.mark.parametrize(("x", "ids"), [((4, 1, 2), (-1, 0, 1)), ((1, 2, 4), (0, 1, 5))], ids=["low", "high"])
def test_out_of_range_ids_are_dropped_when_sorted(variant, x, ids):
    """jax-ml/jax/pull/5342."""
    assert value(sums, variant, floats(*x), ints(*ids), 2, True) == [1, 2]


@for_each_variant()
def test_ties_of_max_share_the_gradient_eager_and_compiled(variant):
    """pytorch/pytorch/issues/168358, /pull/169263; rusty1s/pytorch_scatter/issues/399."""
    got = gradient(maxima, variant, floats(1, 3, 3, 2), ints(0, 0, 0, 0), 1)
    if got is not None:
        np.testing.assert_allclose(got, [0, 0.5, 0.5, 0], rtol=1e-6)
    assert value(maxima, variant, floats(1, 3, 3, 2), ints(0, 0, 0, 0), 1) == [3]


@for_each_variant()
def test_nan_in_a_segment_is_kept_under_xla(variant):
    """tensorflow/tensorflow/issues/118375."""
    got = value(maxima, variant, floats(7, NAN, 2, 9, 4, 6), ints(0, 0, 0, 1, 1, 1), 2)
    np.testing.assert_array_equal(got, [NAN, 9])


@for_each_variant()
def test_an_empty_maximum_is_minus_infinity(variant):
    """tensorflow/tensorflow/issues/58123."""
    assert value(maxima, variant, floats(1, 2, 3, 4), ints(1, 2, 3, 4), 5) == [-INF, 1, 2, 3, 4]


@for_each_variant()
def test_bad_ids_are_dropped_in_every_mode(variant):
    """tensorflow/tensorflow/issues/120245."""
    assert value(means, variant, floats(1, 1, 2), ints(1, 1, 1), 1) == [0]


@for_each_variant()
def test_zero_segments(variant):
    """tensorflow/tensorflow/issues/52063."""
    got = run(sums, variant, np.ones((4, 80), np.float32), ints(0, 1, 2, 0), 0).outputs
    assert got.shape == (0, 80)


@for_each_variant()
@pytest.mark.parametrize("rows", [50, 51])
def test_softmax_equals_the_dense_one(variant, rows):
    """jax-ml/jax/issues/37511."""
    x = np.random.default_rng(0).normal(size=(100, 4)).astype(np.float32)
    ids = (np.arange(100) >= rows).astype(np.int32)
    dense = np.concatenate([np.exp(p) / np.exp(p).sum(axis=0) for p in (x[:rows], x[rows:])])
    np.testing.assert_allclose(run(shares, variant, x, ids, 2).outputs, dense, atol=1e-6)


@for_each_variant()
def test_gapped_ids_keep_their_gap(variant):
    """jax-ml/jax/pull/4034, keras-team/keras/pull/22804."""
    assert value(maxima, variant, floats(5, 1, 2), ints(0, 3, 3), 4) == [5, -INF, -INF, 2]


@for_each_variant()
@pytest.mark.parametrize("dtype", ["int32", "int64"])
def test_integers_do_not_pass_through_float32(variant, dtype):
    """keras-team/keras/pull/19963."""
    assert value(sums, variant, np.array([16777217], dtype=dtype), ints(0), 1) == [16777217]


@for_each_variant()
def test_logsumexp_of_untouched_slots(variant):
    """rusty1s/pytorch_scatter/issues/368, /444."""
    got = value(logs, variant, floats(-1, -50), ints(0, 0), 2)
    np.testing.assert_allclose(got, [-1, -INF], rtol=1e-6)


@for_each_variant()
@pytest.mark.parametrize(
    ("x", "ids", "n", "expected"),
    [
        ((-INF, -INF), (0, 0), 1, [-INF]),
        ((NAN,), (0,), 1, [NAN]),
        ((-INF, -INF, 0), (0, 1, 1), 2, [-INF, 0]),
        ((INF, 1), (0, 0), 1, [INF]),
    ],
    ids=["all-masked", "nan", "partly-masked", "inf"],
)
def test_logsumexp_of_specials(variant, x, ids, n, expected):
    """rusty1s/pytorch_scatter/issues/407, /pull/426, /pull/132."""
    outcome = run(logs, variant, floats(*x), ints(*ids), n, gradients=True)
    np.testing.assert_array_equal(outcome.outputs, expected)
    if variant.differentiable and np.isfinite(x).any() and INF not in x:
        assert np.isfinite(outcome.gradients["x"]).all()


@for_each_variant()
def test_logsumexp_of_masked_rows_has_finite_gradients(variant):
    """rusty1s/pytorch_scatter/issues/407."""
    outcome = run(logs, variant, floats(-INF, -INF), ints(0, 0), 1, gradients=True)
    assert [g.tolist() for g in outcome.gradients.values()] == [[0, 0]] * len(outcome.gradients)


@for_each_variant()
@pytest.mark.parametrize(
    ("x", "ids", "n"),
    [
        (floats(-0.1, -0.2, -0.3), (0, 1, 0), 2),
        (ints(np.iinfo(np.int32).min), (0,), 1),
        (floats(INF), (0,), 1),
        (floats(-INF), (0,), 1),
    ],
    ids=["negative", "least-integer", "inf", "minus-inf"],
)
def test_maximum_of_negatives_is_not_zero(variant, x, ids, n):
    """rusty1s/pytorch_scatter/issues/24, /472."""
    assert value(maxima, variant, x, ints(*ids), n) == x[:n].tolist()


def partition_means(x, lengths):
    return at.partition_mean(x, lengths, 3)


@for_each_variant()
def test_mean_with_equal_pointers(variant):
    """rusty1s/pytorch_scatter/issues/118, pytorch/pytorch/pull/91500."""
    outcome = run(partition_means, variant, floats(1, 3, 5), ints(2, 0, 1), gradients=True)
    assert outcome.outputs.tolist() == [2, 0, 5]
    for got in outcome.gradients.values():
        weights = np.cos(1 + 0.7 * np.array([0, 0, 2]))
        np.testing.assert_allclose(got / weights, [0.5, 0.5, 1], rtol=1e-5)


def partition_sums(x, lengths):
    return at.partition_sum(x, lengths, at.shape(x)[0])


@for_each_variant()
def test_zero_rows_of_data(variant):
    """pytorch/pytorch/pull/99733."""
    got = run(partition_sums, variant, np.zeros((0, 6), np.float32), ints(0, 0)).outputs
    np.testing.assert_array_equal(got, np.zeros((2, 6)), strict=False)
    assert got.shape == (2, 6)


@for_each_variant()
def test_the_last_empty_graph_stays(variant):
    """pyg-team/pytorch_geometric/issues/6737, /1824."""
    got = run(partition_sums, variant, np.ones((5, 1), np.float32), ints(2, 3, 0)).outputs
    assert got.tolist() == [[2], [3], [0]]


@for_each_variant()
@pytest.mark.parametrize(
    ("dtype", "x", "expected"),
    [("float32", (1000, 1000), [0.5, 0.5]), ("float16", (60000, -60000), [1, 0])],
    ids=["float32", "float16"],
)
def test_softmax_does_not_overflow(variant, dtype, x, expected):
    """pyg-team/pytorch_geometric/issues/53."""
    assert value(shares, variant, np.array(x, dtype=dtype), ints(0, 0), 1) == expected


@for_each_variant()
@pytest.mark.parametrize(("x", "expected"), [((0, -INF), [1, 0]), ((-INF, -INF), [0, 0])], ids=["one", "all"])
def test_a_masked_logit_does_not_poison_its_segment(variant, x, expected):
    """deepmodeling/deepmd-kit/pull/5717, /5715."""
    outcome = run(shares, variant, floats(*x), ints(0, 0), 1, gradients=True)
    assert outcome.outputs.tolist() == expected
    assert [g.tolist() for g in outcome.gradients.values()] == [[0, 0]] * len(outcome.gradients)


@for_each_variant()
def test_uint8_ids(variant):
    """pytorch/pytorch/issues/61819."""
    assert value(sums, variant, floats(1, 2, 3), np.array([0, 1, 0], np.uint8), 2) == [4, 2]


@for_each_variant()
def test_std_at_zero_variance(variant):
    """pytorch/pytorch/issues/4320."""
    outcome = run(deviations, variant, floats(2, 2), ints(0, 0), 1, gradients=True)
    assert outcome.outputs.tolist() == [0]
    assert [g.tolist() for g in outcome.gradients.values()] == [[0, 0]] * len(outcome.gradients)
    assert value(deviations, variant, floats(7), ints(0), 1) == [0]
