"""Contract section 6: partitions, from lengths to ids to every partition operation."""

import jax.numpy as jnp
import numpy as np
import pytest
import tensorflow as tf
import torch
from harness import for_each_variant, run

import anytensor as at
from anytensor.testing import assert_trees_close, prepare, variants
from references import PARTITION, partition_ids

HELD = tuple(v for v in variants() if not v.name.startswith("torch-compile"))
LENGTHS = {
    "exact": ([2, 0, 3, 1], 6),
    "tail": ([2, 0, 2, 0], 6),
    "cut": ([3, 2, 4, 1], 6),
    "first empty": ([0, 0, 5, 1], 6),
    "none occupied": ([0, 0, 0, 0], 6),
}


def every_operation(xs, lengths, total):
    return {
        "ids": at.partition_ids(lengths, total),
        **{name: getattr(at, name)(x, lengths, total) for name, x in xs.items()},
    }


@for_each_variant()
@pytest.mark.parametrize("label", LENGTHS)
def test_values_and_gradients(variant, label):
    lengths, total = np.array(LENGTHS[label][0], dtype=np.int32), LENGTHS[label][1]
    x = np.random.default_rng(0).normal(size=(total, 2)).astype(np.float32)
    outcome = run(every_operation, variant, dict.fromkeys(PARTITION, x), lengths, total, gradients=True)
    ids = partition_ids(lengths, total)
    expected = {"ids": ids, **{name: value(x, ids, 4) for name, value in PARTITION.items()}}
    assert_trees_close(outcome.outputs, expected, rtol=2e-5, atol=2e-6)
    in_none = ids == 4
    for gradient in outcome.gradients.values():
        assert np.isfinite(gradient).all()
        np.testing.assert_array_equal(gradient[in_none], 0)


def expanded(lengths, total):
    return {dtype: at.partition_ids(one, total) for dtype, one in lengths.items()}


@for_each_variant()
def test_lengths_of_every_integer_dtype(variant):
    dtypes = ("uint8", "int8", "uint16", "int16", "int32", "int64")
    lengths = {dtype: np.array([100, 0, 100, 100], dtype=dtype) for dtype in dtypes}  # the sum is past uint8
    got = run(expanded, variant, lengths, 302).outputs
    expected = partition_ids(lengths["int64"], 302)
    assert_trees_close(got, dict.fromkeys(dtypes, expected))
    assert {value.dtype.kind for value in got.values()} == {"i"}


@for_each_variant()
@pytest.mark.parametrize(("lengths", "total"), [([], 0), ([], 2), ([0, 0], 0), ([2], 0)])
def test_nothing_to_expand(variant, lengths, total):
    got = run(expanded, variant, {"ids": np.array(lengths, dtype=np.int32)}, total).outputs["ids"]
    assert got.tolist() == partition_ids(np.array(lengths, dtype=np.int32), total).tolist()


X = np.ones((3, 2), dtype=np.float32)
SIZES = np.array([2, 1], dtype=np.int32)
WRONG = {
    "no total": (lambda x, p: at.partition_sum(x, p), TypeError, ["total_length"]),
    "total None": (lambda x, p: at.partition_sum(x, p, None), TypeError, ["total_length", "required"]),
    "total bool": (lambda x, p: at.partition_sum(x, p, True), TypeError, ["total_length", "bool True"]),
    "total float": (lambda x, p: at.partition_sum(x, p, 3.0), TypeError, ["total_length", "float 3.0"]),
    "total negative": (lambda x, p: at.partition_ids(p, -1), ValueError, ["total_length", "-1"]),
    "num_segments": (lambda x, p: at.partition_sum(x, p, 3, num_segments=2), TypeError, ["num_segments"]),
    "floating lengths": (lambda x, p: at.partition_sum(x, x[:, 0], 3), TypeError, ["partitions", "float32"]),
    "lengths 2-D": (
        lambda x, p: at.partition_ids(p[:, None], 3),
        ValueError,
        ["partitions", "1-D", "(2, 1)"],
    ),
    "other rows": (lambda x, p: at.partition_softmax(x, p, 4), ValueError, ["total_length", "4", "(3, 2)"]),
}


# Where lengths are None, rows that are too few show only when the graph runs, and messages cannot show them.
WITHOUT_LENGTHS = ("lengths 2-D", "other rows")


@pytest.mark.parametrize(
    ("variant", "label"),
    [
        pytest.param(variant, label, id=f"{variant}-{label}")
        for label in WRONG
        for variant in HELD
        if variant.mode != "function-none" or label not in WITHOUT_LENGTHS
    ],
)
def test_errors(variant, label):
    function, expected, words = WRONG[label]
    outcome = prepare(function, variant)(X, SIZES)
    assert type(outcome.error) is expected, outcome.error
    message = str(outcome.error)
    assert "partition_" in message
    assert [word for word in words if word not in message] == [], message


@pytest.mark.parametrize("variant", variants(modes=("eager", "readonly")), ids=str)
@pytest.mark.parametrize("name", [*PARTITION, "partition_ids"])
def test_negative_lengths(variant, name):
    def function(x, partitions):
        if name == "partition_ids":
            return at.partition_ids(partitions, 3)
        return getattr(at, name)(x, partitions, 3)

    outcome = prepare(function, variant)(X, np.array([4, -1], dtype=np.int32))
    assert type(outcome.error) is ValueError, outcome.error
    assert "partitions" in str(outcome.error)
    assert "-1" in str(outcome.error)


@for_each_variant()
def test_lengths_past_the_total_count_as_the_total(variant):
    # Their sums leave the range of every integer dtype in which a kernel may add them up.
    most = 2**31 - 1
    lengths = {
        "first": np.array([most, most, 3, 0], np.int32),  # in int32: -2, and then 1
        "later": np.array([1, most, most, 3], np.int32),
    }
    got = run(expanded, variant, lengths, 4).outputs
    assert_trees_close(got, {"first": np.array([0, 0, 0, 0]), "later": np.array([0, 1, 1, 1])})


@for_each_variant([v for v in variants() if v.backend != "jax"])  # without x64 JAX has no such integers
@pytest.mark.parametrize(
    "lengths",
    [
        np.array([2**62, 2**62, 5]),
        np.array([2**63 - 1, 5, 5]),
        np.array([2**63, 2, 2], np.uint64),
    ],
    ids=["half the range", "the range", "past int64"],
)
def test_the_greatest_lengths(variant, lengths):
    assert run(expanded, variant, {"ids": lengths}, 3).outputs["ids"].tolist() == [0, 0, 0]


def test_lengths_of_numpy_that_jax_has_no_integers_for():
    x = jnp.array([1.0, 2.0, 4.0])
    assert at.partition_sum(x, np.array([1, 2**62, 2**62]), 3).tolist() == [1.0, 6.0, 0.0]


def test_many_lengths_whose_sum_is_past_int32():
    lengths = np.full(1 << 16, 1 << 16, np.int32)
    for make in (np.asarray, torch.from_numpy, jnp.asarray, tf.constant):
        assert not np.asarray(at.partition_ids(make(lengths), 1 << 16)).any()


@pytest.mark.parametrize(
    "make", [np.array, torch.tensor, jnp.array, tf.constant], ids=["numpy", "torch", "jax", "tensorflow"]
)
def test_repeats_past_the_total(make):
    repeats = make(np.array([1, 2**31 - 1, 2**31 - 1, 3], np.int32))
    assert np.asarray(at.repeat(make([5, 6, 7, 8]), repeats, total_repeat_length=4)).tolist() == [5, 6, 6, 6]
