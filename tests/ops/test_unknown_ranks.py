"""TensorFlow's tensors of unknown rank: what can be computed is, and what cannot says so."""

import einops
import numpy as np
import pytest
import tensorflow as tf

import anytensor as at
from anytensor import errors
from anytensor.backends import backend_named

A = np.array([[2.0, 1.0], [1.0, 3.0]], np.float32)
B = np.array([[1.0, 0.0], [2.0, 1.0]], np.float32)
V = np.array([1.0, 2.0, 3.0], np.float32)
W = np.array([3.0, 1.0, 2.0], np.float32)
IDS = np.array([0, 1], np.int32)
VALUES = {
    "vecdot": (at.vecdot, V, W),
    "add": (at.add, A, B),
    "where": (lambda x, y: at.where(x > y, x, y), A, B),
    "sum": (lambda x: at.sum(x, axis=0), A),
    "segment_attention": (lambda x, y: at.segment_attention(x, y[:, 0], IDS, 2), A, B),
    "segment_sum": (lambda x: at.segment_sum(x, IDS, 2), A),
    "repeat": (lambda x: at.repeat(x, 2, axis=0, total_repeat_length=4), A),
    "inv": (at.linalg.inv, A),
}
NEEDS_A_RANK = {
    "matmul": (at.matmul, A, B),
    "tensordot": (lambda x, y: at.tensordot(x, y, axes=1), A, B),
    "cross": (at.linalg.cross, V, W),
    "outer": (at.linalg.outer, V, W),
    "moveaxis": (lambda x: at.moveaxis(x, 0, 1), A),
    "permute_dims": (lambda x: at.permute_dims(x, (1, 0)), A),
    "expand_dims": (lambda x: at.expand_dims(x, axis=0), A),
    "cumulative_sum": (lambda x: at.cumulative_sum(x, axis=0), A),
    "concat": (lambda x, y: at.concat([x, y], axis=0), A, B),
    "solve": (at.linalg.solve, A, B),
    "transpose": (at.transpose, A),
    "fftshift": (at.fft.fftshift, V),
    "fftn": (lambda x: at.fft.fftn(at.astype(x, "complex64")), A),
    "unstack": (at.unstack, A),
}
UNKNOWN = tf.TensorSpec(None, tf.float32)


def traced(function, *arrays):
    run = tf.function(function, input_signature=[UNKNOWN] * len(arrays), autograph=False)
    return run(*map(tf.constant, arrays))


@pytest.mark.parametrize("name", VALUES)
def test_values_are_those_of_a_known_rank(name):
    function, *arrays = VALUES[name]
    with at.promote_options(copy=True):
        got = traced(function, *arrays)
        want = function(*map(tf.constant, arrays))
    np.testing.assert_allclose(got, want, rtol=1e-5)


@pytest.mark.parametrize("name", NEEDS_A_RANK)
def test_what_needs_a_rank_says_so(name):
    function, *arrays = NEEDS_A_RANK[name]
    with pytest.raises(ValueError, match="unknown"):
        traced(function, *arrays)


def test_transpose_names_its_argument():
    with pytest.raises(ValueError, match="unknown number of axes; name them with `axes`"):
        traced(at.transpose, A)


def test_a_description_without_a_tuple():
    seen = []
    traced(lambda x: seen.append(errors.describe(x)) or x, A)
    assert "of shape <unknown> and dtype <dtype: 'float32'>" in seen[0]


def test_an_error_where_no_shape_is_known_stays_as_it_is(monkeypatch):
    def refuse(*args):
        raise ValueError("something else")

    monkeypatch.setattr(backend_named("tensorflow").ops, "add", refuse)
    with pytest.raises(ValueError, match="something else"):
        traced(at.add, A, B)


def test_einsum_of_an_unknown_rank_leaves_the_error_to_einops(monkeypatch):
    def refuse(*args):
        raise MemoryError("something else")

    monkeypatch.setattr(einops, "einsum", refuse)
    with pytest.raises(MemoryError, match="something else"):
        traced(lambda x, y: at.einsum(x, y, "a b, b c -> a c"), A, B)
    with pytest.raises(MemoryError, match="something else"):
        at.einsum(A, B, "a b, b c -> a c")
    with pytest.raises(MemoryError, match="something else"):
        at.einsum(A, B, "... b, b c -> ... c")
