"""Clause S2: an empty segment holds the identity of its reduction."""

import numpy as np
import pytest
from harness import ALL, REDUCTIONS, check, for_each_operation, for_each_variant, rows_of_data, run, together

import anytensor as at

IDENTITY = {
    "segment_sum": 0,
    "segment_prod": 1,
    "segment_min": np.inf,
    "segment_max": -np.inf,
    "segment_count": 0,
    "segment_mean": 0,
    "segment_variance": 0,
    "segment_std": 0,
    "segment_logsumexp": -np.inf,
    "segment_min_or_constant": -2.5,
    "segment_max_or_constant": -2.5,
    "segment_attention": 0,
}
GAPS = np.array([1, 1, 3, 3, 3, 1, 3, 3], dtype=np.int32)  # first, middle and last of five are empty


@for_each_operation(ALL)
def test_gaps_hold_the_identity(variant, names):
    outcome = check(variant, names, rows_of_data(), GAPS, 5)
    for name in REDUCTIONS:
        if name in names:
            np.testing.assert_array_equal(outcome.outputs[name][[0, 2, 4]], IDENTITY[name])


def extremes(xs, ids, n):
    return {name: together({"segment_min": x, "segment_max": x}, ids, n, False) for name, x in xs.items()}


@for_each_variant()
def test_gaps_of_other_dtypes_hold_the_ends_of_the_dtype(variant):
    dtypes = ["bool", "uint8", "int8", "int16", "int32", "float16"]
    xs = {dtype: np.array([1, 0, 1]).astype(dtype) for dtype in dtypes}
    got = run(extremes, variant, xs, np.array([1, 1, 1], dtype=np.int32), 2).outputs
    ends = {dtype: np.iinfo(dtype) for dtype in ["uint8", "int8", "int16", "int32"]}
    highest = {"bool": True, "float16": np.inf, **{dtype: end.max for dtype, end in ends.items()}}
    lowest = {"bool": False, "float16": -np.inf, **{dtype: end.min for dtype, end in ends.items()}}
    assert {dtype: got[dtype]["segment_min"][0].item() for dtype in dtypes} == highest
    assert {dtype: got[dtype]["segment_max"][0].item() for dtype in dtypes} == lowest
    assert {dtype: got[dtype]["segment_max"].dtype.name for dtype in dtypes} == {d: d for d in dtypes}


def with_constants(x, ids):
    return {
        "low int": at.segment_max_or_constant(x, ids, 3),
        "high int": at.segment_min_or_constant(x, ids, 3, constant=7),
    }


@for_each_variant()
@pytest.mark.parametrize("dtype", ["float32", "int32"])
def test_the_constant_takes_the_dtype_of_the_data(variant, dtype):
    x = np.array([-3, -4], dtype=dtype)
    got = run(with_constants, variant, x, np.array([0, 2], dtype=np.int32)).outputs
    np.testing.assert_array_equal(got["low int"], np.array([-3, 0, -4], dtype=dtype), strict=True)
    np.testing.assert_array_equal(got["high int"], np.array([-3, 7, -4], dtype=dtype), strict=True)
