"""Segment operations under official jraph's names."""

import inspect

import jraph as official
import numpy as np
import pytest

from anytensor import jraph
from anytensor.testing import assert_portable

NAMES = [name for name in jraph.__all__ if name.startswith("segment_")]
IDS = np.array([0, 2, 0, 3, 2, 0])


def data(dtype=np.float32):
    return np.random.default_rng(0).normal(size=(6, 2)).astype(dtype)


@pytest.mark.parametrize("name", NAMES)
def test_values_are_official(name):
    jnp = pytest.importorskip("jax.numpy")
    x, ids = jnp.asarray(data()), jnp.asarray(IDS)
    np.testing.assert_allclose(
        getattr(jraph, name)(x, ids, 5), getattr(official, name)(x, ids, 5), rtol=2e-5, atol=1e-6
    )
    order = np.argsort(IDS, kind="stable")
    np.testing.assert_allclose(
        getattr(jraph, name)(x[order], ids[order], 5, indices_are_sorted=True),
        getattr(official, name)(x[order], ids[order], 5, indices_are_sorted=True),
        rtol=2e-5,
        atol=1e-6,
    )


@pytest.mark.parametrize("name", [*NAMES, "partition_softmax"])
def test_signatures_are_official(name):
    ours, theirs = (inspect.signature(getattr(m, name)).parameters for m in (jraph, official))
    assert list(ours) == list(theirs)
    assert [p.default for p in ours.values()] == [p.default for p in theirs.values()]


@pytest.mark.parametrize("name", NAMES)
def test_the_number_of_segments_is_required(name):
    with pytest.raises(TypeError, match="num_segments"):
        getattr(jraph, name)(data(), IDS)


def test_the_sum_of_partitions_is_required():
    with pytest.raises(TypeError, match="`sum_partitions` is required"):
        jraph.partition_softmax(data(), np.array([2, 4]))


@pytest.mark.parametrize("name", ["segment_sum", "segment_softmax", "segment_max"])
def test_one_value_for_all_rows(name):
    jnp = pytest.importorskip("jax.numpy")
    expected = getattr(official, name)(jnp.asarray(2.0), jnp.asarray(IDS), 4)
    occupied = np.array([0, 2, 3]) if expected.shape == (4,) else np.arange(6)
    got = getattr(jraph, name)(np.array(2.0, np.float32), IDS, 4)
    np.testing.assert_allclose(got[occupied], expected[occupied])


def test_rows_of_no_segment_normalize_to_zero():
    got = jraph.segment_normalize(np.array([1.0, 3.0, 9.0, 7.0]), np.array([0, 0, -1, 4]), 2)
    assert got.tolist() == [-1, 1, 0, 0]


def test_the_z_score_is_portable():
    def normalize(x, ids):
        return jraph.segment_normalize(x, ids, 4, eps=1e-3)

    assert_portable(normalize, data(np.float64), IDS)
