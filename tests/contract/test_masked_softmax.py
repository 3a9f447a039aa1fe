"""Clause S4: softmax is shifted by the segment's maximum, and -inf masks an entry out, with gradient zero."""

import numpy as np
from harness import for_each_variant, run

import anytensor as at
from anytensor.testing import assert_trees_close
from references import logsumexp, softmax

MINUS = -np.inf
IDS = np.array([0, 0, 0, 1, 1, 2, 7], dtype=np.int32)


def weigh(x, y, messages, logits, ids):
    return {
        "softmax": at.segment_softmax(x, ids, 4),
        "logsumexp": at.segment_logsumexp(y, ids, 4),
        "attention": at.segment_attention(messages, logits, ids, 4),
    }


def run_all(variant, logits):
    x = np.array(logits, dtype=np.float32)
    messages = np.arange(1, 15, dtype=np.float32).reshape(7, 2)
    outcome = run(weigh, variant, x, x, messages, x, IDS, gradients=True)
    weights = softmax(x, IDS, 4)
    sums = np.stack([(weights[k == IDS, None] * messages[k == IDS]).sum(axis=0) for k in range(4)])
    expected = {"softmax": weights, "logsumexp": logsumexp(x, IDS, 4), "attention": sums}
    assert_trees_close(outcome.outputs, expected, rtol=2e-5, atol=2e-6)
    assert all(np.isfinite(gradient).all() for gradient in outcome.gradients.values())
    return outcome


@for_each_variant()
def test_masked_entries_have_weight_and_gradient_zero(variant):
    outcome = run_all(variant, [1.0, MINUS, 2.0, MINUS, 0.5, 3.0, 1.0])
    assert outcome.outputs["softmax"][[1, 3, 6]].tolist() == [0, 0, 0]
    for name in ("x", "y", "logits"):
        if variant.differentiable:
            assert outcome.gradients[name][[1, 3, 6]].tolist() == [0, 0, 0]
            assert outcome.gradients["messages"][[1, 3, 6]].tolist() == [[0, 0]] * 3


@for_each_variant()
def test_a_segment_of_minus_infinity_gives_zeros(variant):
    outcome = run_all(variant, [MINUS, MINUS, MINUS, 1.0, MINUS, MINUS, MINUS])
    assert outcome.outputs["softmax"].tolist() == [0, 0, 0, 1, 0, 0, 0]
    assert outcome.outputs["logsumexp"].tolist() == [MINUS, 1, MINUS, MINUS]
    for name in ("x", "y", "logits"):
        if variant.differentiable:
            assert outcome.gradients[name][[0, 1, 2, 5, 6]].tolist() == [0] * 5


@for_each_variant()
def test_large_logits_do_not_overflow(variant):
    outcome = run_all(variant, [1000.0, 1000.0, MINUS, -1000.0, -1000.0, 3e38, 3e38])
    assert outcome.outputs["softmax"].tolist() == [0.5, 0.5, 0, 0.5, 0.5, 1, 0]
