"""Random rows and ids, in range and out of it, against the references on the variants that run at once."""

import numpy as np
from harness import ALL, call, for_each_variant
from hypothesis import HealthCheck, given, settings

import anytensor as at
from anytensor.testing import assert_trees_close, prepare, variants
from references import PARTITION, SEGMENT, partition_ids
from strategies import partitions, segments

EAGER = variants(modes=("eager", "readonly"))
# JAX compiles each new shape, so it sees fewer.
EXAMPLES = {"numpy": 60, "torch": 60, "tensorflow": 25, "jax": 5}
# Infinite messages with weight 0, and products past float32's range, are no matter of the contract.
UNBOUNDED = ("segment_attention",)


def each(names):
    def function(x, ids, n, promised):
        return {name: call(name, x, ids, n, promised) for name in names}

    return function


def searching(variant):
    return settings(
        max_examples=EXAMPLES[variant.backend],
        deadline=None,  # the first call compiles
        derandomize=True,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )


@for_each_variant(EAGER)
def test_segment_operations(variant):
    names = tuple(name for name in ALL if name not in UNBOUNDED)
    prepared = prepare(each(names), variant)

    @searching(variant)
    @given(segments())
    def holds(drawn):
        x, ids, n, is_sorted = drawn
        outcome = prepared(x, ids, n, is_sorted)
        if outcome.error is not None:
            raise outcome.error
        expected = {name: SEGMENT[name][0](x, ids, n) for name in names}
        assert_trees_close(outcome.outputs, expected, rtol=5e-5, atol=5e-6)
        assert outcome.written == ()

    holds()


@for_each_variant(EAGER)
def test_segment_attention(variant):
    prepared = prepare(each(UNBOUNDED), variant)

    @searching(variant)
    @given(segments(specials=False))
    def holds(drawn):
        x, ids, n, is_sorted = drawn
        if x.ndim == 2 and x.shape[1] == 0:
            x = np.ones((len(ids), 1), np.float32)  # no feature to take for a logit
        outcome = prepared(x, ids, n, is_sorted)
        if outcome.error is not None:
            raise outcome.error
        expected = {"segment_attention": SEGMENT["segment_attention"][0](x, ids, n)}
        assert_trees_close(outcome.outputs, expected, rtol=5e-5, atol=5e-6)

    holds()


@for_each_variant(tuple(v for v in EAGER if v.differentiable))
def test_gradients_of_dropped_rows_are_zero(variant):
    names = tuple(name for name in ALL if name not in (*UNBOUNDED, "segment_count"))
    prepared = prepare(each(names), variant, gradients=True)

    @searching(variant)
    @given(segments())
    def holds(drawn):
        x, ids, n, is_sorted = drawn
        outcome = prepared(x, ids, n, is_sorted)
        if outcome.error is not None:
            raise outcome.error
        dropped = (ids.astype(int) < 0) | (ids.astype(int) >= n)
        np.testing.assert_array_equal(outcome.gradients["x"][dropped], 0)

    holds()


def every_partition(x, lengths, total):
    ids = {"partition_ids": at.partition_ids(lengths, total)}
    return {**ids, **{name: getattr(at, name)(x, lengths, total) for name in PARTITION}}


@for_each_variant(EAGER)
def test_partition_operations(variant):
    prepared = prepare(every_partition, variant)

    @searching(variant)
    @given(partitions())
    def holds(drawn):
        x, lengths, total = drawn
        outcome = prepared(x, lengths, total)
        if outcome.error is not None:
            raise outcome.error
        ids = partition_ids(lengths, total)
        expected = {name: value(x, ids, len(lengths)) for name, value in PARTITION.items()}
        assert_trees_close(outcome.outputs, {"partition_ids": ids, **expected}, rtol=5e-5, atol=5e-6)

    holds()
