"""Clause S5: float16 and bfloat16 accumulate in float32."""

import ml_dtypes
import numpy as np
from harness import ALL, FEW, for_each_variant, run, together

from anytensor.testing import assert_trees_close
from references import SEGMENT

DTYPES = {"float16": np.float16, "bfloat16": ml_dtypes.bfloat16}
IDS = np.zeros(1000, dtype=np.int32)


def each_dtype(xs, ids, n):
    return {dtype: together(operands, ids, n, False) for dtype, operands in xs.items()}


def run_both(variant, x, names=ALL, gradients=False):
    xs = {name: dict.fromkeys(names, x.astype(dtype)) for name, dtype in DTYPES.items()}
    return run(each_dtype, variant, xs, IDS, 2, gradients=gradients)


def assert_right(outcome, x):
    expected = {}
    for name, dtype in DTYPES.items():
        exact = x.astype(dtype)
        with np.errstate(over="ignore"):
            # Rounded once, at the end.
            expected[name] = {
                op: np.asarray(SEGMENT[op][0](exact, IDS, 2), dtype=np.float64).astype(dtype) for op in ALL
            }
        found = {op: value.dtype for op, value in outcome.outputs[name].items() if op != "segment_count"}
        assert found == dict.fromkeys(found, np.dtype(dtype))
    got = outcome.outputs
    assert_trees_close(got["float16"], expected["float16"], rtol=2**-10, atol=1e-6)
    assert_trees_close(got["bfloat16"], expected["bfloat16"], rtol=2**-7, atol=1e-6)


@for_each_variant()
def test_a_thousand_ones(variant):
    outcome = run_both(variant, np.ones(1000))
    assert_right(outcome, np.ones(1000))
    assert float(outcome.outputs["bfloat16"]["segment_sum"][0]) == 1000


@for_each_variant()
def test_a_thousand_mixed_values(variant):
    # Products stay in range; sums pass the point where a half stops counting.
    x = np.where(np.arange(1000) % 2 == 0, 0.75, 1.3125)
    x[500:] = 1.0
    assert_right(run_both(variant, x), x)


@for_each_variant()
def test_gradients_are_accumulated_in_float32_too(variant):
    # The pullback of a mean over 1000 rows is 1/1000 each; that of a softmax subtracts a sum of 1000.
    outcome = run_both(variant, np.ones(1000), FEW, gradients=True)
    for path, gradient in outcome.gradients.items():
        assert np.isfinite(gradient.astype(np.float64)).all(), path
        assert gradient.dtype.name in path
