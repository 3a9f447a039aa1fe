"""Distinct elements, on every backend."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from running import assert_same, default_int, on_backend, run, wide
from samples import EAGER
from test_elementwise import PAIRS
from test_reduction import rows

import anytensor as at


def expected(x):
    return np.unique(x.ravel(), return_index=True, return_inverse=True, return_counts=True, equal_nan=False)


@pytest.mark.parametrize(("backend", "dtype"), PAIRS)
def test_every_dtype(backend, dtype):
    x = np.stack([rows(dtype), rows(dtype)])
    values, indices, inverse, counts = run(at.unique_all, backend, x)
    want = expected(wide(x))
    assert_same(values, want[0], on_backend(dtype, backend))
    assert_same(indices, want[1], default_int(backend))
    assert_same(inverse, want[2].reshape(x.shape), default_int(backend))
    assert_same(counts, want[3], default_int(backend))


@pytest.mark.parametrize("backend", EAGER)
@given(values=st.lists(st.sampled_from([3.0, 1.0, -2.0, np.nan, np.inf, 0.0]), max_size=6))
@settings(max_examples=15, deadline=None)
def test_the_four_agree_and_nans_are_distinct(backend, values):
    x = np.array(values, dtype=np.float32)
    functions = (at.unique_all, at.unique_counts, at.unique_inverse, at.unique_values)
    everything, counts, inverse, alone = run(lambda x: [f(x) for f in functions], backend, x)
    want = expected(x)
    np.testing.assert_array_equal(everything.values, want[0])
    np.testing.assert_array_equal(everything.indices, want[1])
    np.testing.assert_array_equal(everything.counts, want[3])
    np.testing.assert_array_equal(counts, [everything.values, everything.counts])
    np.testing.assert_array_equal(inverse.values, everything.values)
    np.testing.assert_array_equal(inverse.inverse_indices, everything.inverse_indices)
    np.testing.assert_array_equal(alone, everything.values)
    np.testing.assert_array_equal(alone[inverse.inverse_indices], x)


@pytest.mark.parametrize("backend", EAGER)
def test_a_0_d_array(backend):
    got = run(at.unique_all, backend, np.array(5, dtype=np.int32))
    assert [part.shape for part in got] == [(1,), (1,), (), (1,)]


@pytest.mark.parametrize("backend", EAGER)
def test_many_small_integers_come_in_order(backend):
    x = np.array([7, 300, 2, 90, 41, 2, 1000, 3], dtype=np.int32)
    np.testing.assert_array_equal(run(at.unique_values, backend, x), np.sort(np.unique(x)))


@pytest.mark.parametrize("name", ["unique_all", "unique_counts", "unique_inverse", "unique_values"])
def test_an_unknown_type_is_named(name):
    with pytest.raises(TypeError, match=f"{name}: `x` must be a NumPy array"):
        getattr(at, name)([1, 2])
