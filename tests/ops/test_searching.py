"""Places of extremes and nonzero elements, search in a vector, choice; on every backend and mode."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from running import assert_same, default_int, on_backend, run, wide
from samples import EAGER, numpy_dtype
from test_elementwise import PAIRS, kind_of
from test_reduction import X, rows

import anytensor as at
from anytensor.testing import assert_portable

ORDERED = [(b, d) for b, d in PAIRS if kind_of(d) != "c"]


@pytest.mark.parametrize(("backend", "dtype"), ORDERED)
@pytest.mark.parametrize("name", ["argmax", "argmin"])
@pytest.mark.parametrize(
    "options", [{}, {"axis": 1}, {"axis": 0, "keepdims": True}, {"keepdims": True}], ids=str
)
def test_places(name, backend, dtype, options):
    x = rows(dtype)
    got = run(getattr(at, name), backend, x, **options)
    assert_same(got, getattr(np, name)(wide(x), **options), default_int(backend))


@pytest.mark.parametrize("backend", EAGER)
@pytest.mark.parametrize("name", ["argmax", "argmin"])
def test_the_first_of_equals_and_of_nans(name, backend):
    ties = np.array([2.0, 1.0, 2.0, 1.0], dtype=np.float32)
    nans = np.array([2.0, np.nan, 3.0, np.nan], dtype=np.float32)
    assert run(getattr(at, name), backend, ties) == {"argmax": 0, "argmin": 1}[name]
    assert run(getattr(at, name), backend, nans) == 1


@pytest.mark.parametrize("backend", EAGER)
@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda x: at.argmax(x[:, :0], axis=1), ValueError, r"argmax: `x` of shape \(2, 0\) has no entries"),
        (lambda x: at.argmin(x, axis=2), np.exceptions.AxisError, "argmin: `axis` 2 is out of range"),
        (lambda x: at.argmax(x, axis=(0, 1)), TypeError, "argmax: `axis` must be an integer"),
        (lambda x: at.argmax(at.multiply(x, 1j)), TypeError, "argmax: `x` must be real"),
        (lambda x: at.count_nonzero(x, axis=5), np.exceptions.AxisError, "count_nonzero: `axis` 5"),
        (lambda x: at.nonzero(x[0, 0]), ValueError, "nonzero: `x` must have at least one dimension"),
        (lambda x: at.searchsorted(x, x), ValueError, "searchsorted: `x1` must be 1-D"),
        (
            lambda x: at.searchsorted(x[0], x, side="middle"),
            ValueError,
            "`side` must be one of 'left', 'right'",
        ),
        (
            lambda x: at.searchsorted(x[0], x, sorter=x[0]),
            TypeError,
            "searchsorted: `sorter` must hold integers",
        ),
        (lambda x: at.where(x > 0, x, [1.0]), TypeError, "where: `x2` must be a NumPy array"),
        (lambda x: at.where([True], x, x), TypeError, "where: `condition` must be a NumPy array"),
    ],
)
def test_bad_arguments_are_named(backend, call, error, message):
    with pytest.raises(error, match=message):
        run(call, backend, rows("float32"))


@pytest.mark.parametrize(("backend", "dtype"), PAIRS)
@pytest.mark.parametrize(
    "options",
    [{}, {"axis": 1}, {"axis": ()}, {"axis": (0, 1), "keepdims": True}, {"axis": -1, "keepdims": True}],
    ids=str,
)
def test_count_nonzero(backend, dtype, options):
    x = rows(dtype)
    got = run(at.count_nonzero, backend, x, **options)
    assert_same(got, np.count_nonzero(x, **options), default_int(backend))


@pytest.mark.parametrize(("backend", "dtype"), PAIRS)
def test_nonzero(backend, dtype):
    x = rows(dtype)
    got = run(at.nonzero, backend, x)
    assert isinstance(got, tuple)
    np.testing.assert_array_equal(got, np.nonzero(x))


@pytest.mark.parametrize(("backend", "dtype"), ORDERED)
@pytest.mark.parametrize("side", ["left", "right"])
def test_searchsorted(backend, dtype, side):
    x1 = np.sort(rows(dtype).astype(np.float64).ravel()).astype(numpy_dtype(dtype))
    got = run(lambda x1, x2: at.searchsorted(x1, x2, side=side), backend, x1, rows(dtype))
    assert_same(got, np.searchsorted(wide(x1), wide(rows(dtype)), side=side), default_int(backend))


@pytest.mark.parametrize("backend", EAGER)
@given(
    entries=st.lists(st.sampled_from([-1.0, 0.0, 0.5, 2.0, np.inf, -np.inf, np.nan]), max_size=5),
    side=st.sampled_from(["left", "right"]),
)
@settings(max_examples=25, deadline=None)
def test_searchsorted_has_nan_last(backend, entries, side):
    x1 = np.sort(np.resize(np.array(entries, dtype=np.float32), 5 if entries else 0))
    x2 = np.array([[0.0, 1.0, np.inf], [np.nan, -np.inf, 3.0]], dtype=np.float32)
    got = run(lambda x1, x2: at.searchsorted(x1, x2, side=side), backend, x1, x2)
    np.testing.assert_array_equal(got, np.searchsorted(x1, x2, side=side))


@pytest.mark.parametrize("backend", EAGER)
def test_searchsorted_by_a_sorter(backend):
    x1, sorter = np.array([3.0, 1.0, 2.0], dtype=np.float32), np.array([1, 2, 0], dtype=np.int32)
    got = run(lambda x1, s: at.searchsorted(x1, 2.5, sorter=s), backend, x1, sorter)
    assert got == 2


@pytest.mark.parametrize(("backend", "dtype"), PAIRS)
def test_where(backend, dtype):
    x = rows(dtype)
    mask = np.array([True, False, True])
    got = run(lambda m, x: at.where(m, x, at.flip(x, axis=0)), backend, mask, x)
    assert_same(got, np.where(mask, wide(x), wide(x)[::-1]), on_backend(dtype, backend))


@pytest.mark.parametrize("backend", EAGER)
@pytest.mark.parametrize(
    ("condition", "x1", "x2", "want"),
    [
        (np.array([1, 0, 2]), np.float32(1.5), np.array([1.0, 2.0, 3.0], dtype=np.float32), [1.5, 2.0, 1.5]),
        (np.array([0.0, np.nan]), np.array([[1.0], [2.0]], dtype=np.float32), 0.0, [[0, 1], [0, 2]]),
        (np.array(True), np.array([1, 2], dtype=np.int32), 0.5, [1.0, 2.0]),
        (np.zeros(0, dtype=bool), np.ones(1, dtype=np.float32), 0.0, []),
    ],
)
def test_where_casts_broadcasts_and_promotes(backend, condition, x1, x2, want):
    got = (
        run(lambda c, x1: at.where(c, x1, x2), backend, condition, x1)
        if not hasattr(x2, "shape")
        else run(at.where, backend, condition, x1, x2)
    )
    np.testing.assert_array_equal(got, np.array(want))
    assert got.dtype.kind == "f"


def test_where_of_scalars_takes_the_mask_s_backend():
    import torch

    got = at.where(torch.tensor([True, False]), 1.0, 0)
    assert isinstance(got, torch.Tensor)
    assert got.tolist() == [1.0, 0.0]


def choice(x):
    return [
        [getattr(at, name)(x, axis=1) for name in ("argmax", "argmin", "count_nonzero")],
        [getattr(at, name)(x, keepdims=True) for name in ("argmax", "argmin", "count_nonzero")],
        at.where(x > 0.2, x, 0.0),
        at.where(x > 0.2, 1.0, x),
        at.where(x > 0.2, x, at.multiply(x, 2.0)),
        at.searchsorted(at.sort(x[0]), x),
        at.searchsorted(x[0], x, side="right", sorter=at.argsort(x[0])),
    ]


def test_every_mode_agrees():
    assert_portable(choice, X)
