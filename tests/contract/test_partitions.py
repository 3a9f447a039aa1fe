"""Contract section 6: partitions, from lengths to ids to every partition operation."""

import numpy as np
import pytest
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
