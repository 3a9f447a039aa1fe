"""Field cases about vmap, forward mode and error texts, which are no plain call on every variant."""

import numpy as np
import pytest
from derivatives import for_each_transform, forward, vectorized

import anytensor as at
from anytensor.testing import prepare, variants

# Dynamo makes exceptions its own, and where lengths are None nobody can tell that they differ.
HELD = tuple(v for v in variants() if "compile" not in v.mode and v.mode != "function-none")


@for_each_transform()
def test_vmap_of_max_equals_a_loop(transform):
    """pytorch/pytorch/issues/152141: warnings are errors here, the one of a slow fallback too."""
    x = np.random.default_rng(0).normal(size=(3, 4)).astype(np.float32)
    ids = np.array([[0, 1, 1, 0], [1, 1, 1, 1], [0, 0, 1, 2]], dtype=np.int32)
    got = vectorized(transform, lambda x, ids: at.segment_max(x, ids, 2), x, ids, ("x", "ids"))
    loop = [at.segment_max(*row, 2) for row in zip(x, ids, strict=True)]
    np.testing.assert_array_equal(got, np.stack(loop))


@for_each_transform()
def test_vmap_drops_within_each_batch_row(transform):
    """tillahoffmann/jax-mps/issues/240."""
    ids = np.array([[0, 1, 9], [0, 1, 1]], dtype=np.int32)
    x = np.ones((2, 3), np.float32)
    got = vectorized(transform, lambda x, ids: at.segment_sum(x, ids, 2), x, ids, ("x", "ids"))
    assert got.tolist() == [[1, 1], [1, 2]]


@for_each_transform()
def test_forward_mode_of_mean_with_a_gap(transform):
    """tensorflow/tensorflow/issues/127233."""
    ids = np.array([0, 0, 2, 2, 2], dtype=np.int32)
    x, tangent = np.arange(5, dtype=np.float32), np.ones(5, np.float32)
    got = forward(transform, lambda x: at.segment_mean(x, ids, 3), x, tangent)
    np.testing.assert_allclose(got, [1, 0, 1], rtol=1e-6)


def messages_of(function, *args):
    found = {}
    for variant in HELD:
        error = prepare(function, variant)(*args).error
        text = str(error)
        found[variant.name] = type(error), text[text.index("segment_sum:") :].strip()
    return found


@pytest.mark.parametrize(
    ("ids", "words"),
    [
        (np.array([0, 0, 1], np.int32), "got x of shape (4,) and segment_ids of shape (3,)"),
        (np.array([[0], [0], [1], [1]], np.int32), "got x of shape (4,) and segment_ids of shape (4, 1)"),
    ],
    ids=["too-short", "2-d"],
)
def test_one_error_text_on_all_backends(ids, words):
    """pytorch/pytorch/pull/188843, keras-team/keras/pull/19963."""
    found = messages_of(lambda x, ids: at.segment_sum(x, ids, 2), np.ones(4, np.float32), ids)
    assert set(found.values()) == {(ValueError, found["numpy"][1])}
    assert words in found["numpy"][1]
