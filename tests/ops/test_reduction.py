"""Reductions along axes, against NumPy in wide dtypes on every backend, eager and compiled."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from running import assert_same, default_float, on_backend, run, wide, widened
from samples import EAGER, numpy_dtype
from test_elementwise import PAIRS, kind_of

import anytensor as at
from anytensor.testing import assert_portable

ROWS = {"c": [[1 + 1j, 2, -1j], [2, 0, 3]], "b": [[1, 0, 1], [1, 1, 1]], "u": [[3, 1, 2], [5, 0, 7]]}
NUMBERS = [[3, -1, 2], [-5, 0, 7]]

# Name: NumPy's own, the kinds that it takes, and the dtype of the result.
REDUCTIONS = {
    "sum": (np.sum, "biufc", "widened"),
    "prod": (np.prod, "biufc", "widened"),
    "max": (np.max, "biuf", "own"),
    "min": (np.min, "biuf", "own"),
    "mean": (np.mean, "biufc", "floating"),
    "var": (np.var, "biuf", "floating"),
    "std": (np.std, "biuf", "floating"),
    "all": (np.all, "biufc", "bool"),
    "any": (np.any, "biufc", "bool"),
}
OPTIONS = [
    {},
    {"axis": 1},
    {"axis": (0, -1)},
    {"axis": -2, "keepdims": True},
    {"keepdims": True},
    {"axis": ()},
]


def rows(dtype):
    return np.array(ROWS.get(kind_of(dtype), NUMBERS)).astype(numpy_dtype(dtype))


def result_dtype(rule, dtype, backend):
    if rule == "bool":
        return "bool"
    if rule == "widened":
        return widened(backend, dtype)
    if rule == "floating" and kind_of(dtype) in "biu":
        return default_float(backend)
    return on_backend(dtype, backend)


@pytest.mark.parametrize(("backend", "dtype"), PAIRS)
@pytest.mark.parametrize("name", REDUCTIONS)
def test_every_dtype(name, backend, dtype):
    reference, kinds, rule = REDUCTIONS[name]
    x = rows(dtype)
    if kind_of(dtype) not in kinds:
        with pytest.raises(TypeError, match=f"{name}: `x` must be real"):
            run(getattr(at, name), backend, x)
        return
    got = run(getattr(at, name), backend, x, axis=1)
    assert_same(got, reference(wide(x), axis=1), result_dtype(rule, dtype, backend))


@pytest.mark.parametrize("backend", EAGER)
@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("name", REDUCTIONS)
def test_axes_and_keepdims(name, backend, options):
    """keras-team/keras/issues/19064."""
    reference, _, rule = REDUCTIONS[name]
    x = rows("float32")
    got = run(getattr(at, name), backend, x, **options)
    assert_same(got, reference(wide(x), **options), result_dtype(rule, "float32", backend))


@pytest.mark.parametrize("backend", EAGER)
@pytest.mark.parametrize("name", ["sum", "max", "var", "all"])
@given(shape=st.lists(st.integers(1, 3), max_size=3).map(tuple), data=st.data())
@settings(max_examples=10, deadline=None)
def test_any_shape_and_axis(name, backend, shape, data):
    reference, _, rule = REDUCTIONS[name]
    x = (np.arange(np.prod(shape, dtype=int)) % 5 - 2).reshape(shape).astype(np.float32)
    axes = st.lists(st.sampled_from(range(len(shape))), unique=True) if shape else st.just([])
    axis = data.draw(st.one_of(st.none(), axes.map(tuple)))
    keepdims = data.draw(st.booleans())
    got = run(getattr(at, name), backend, x, axis=axis, keepdims=keepdims)
    want = reference(wide(x), axis=axis, keepdims=keepdims)
    assert_same(got, want, result_dtype(rule, "float32", backend))


@pytest.mark.parametrize("backend", EAGER)
@pytest.mark.parametrize(
    ("name", "want"),
    [("sum", 0.0), ("prod", 1.0), ("all", True), ("any", False), ("mean", np.nan), ("var", np.nan)],
)
@pytest.mark.filterwarnings("ignore:Mean of empty slice", "ignore:Degrees of freedom", "ignore:invalid value")
@pytest.mark.filterwarnings(r"ignore:(std|var)\(\). degrees of freedom")
def test_no_elements(name, want, backend):
    got = run(getattr(at, name), backend, np.zeros((2, 0), dtype=np.float32), axis=1)
    np.testing.assert_array_equal(got, np.array([want, want]))


@pytest.mark.parametrize("backend", EAGER)
@pytest.mark.parametrize("name", ["max", "min"])
@pytest.mark.parametrize("axis", [None, 1, (0, 1)])
def test_no_greatest_of_none(name, backend, axis):
    with pytest.raises(ValueError, match=rf"{name}: `x` of shape \(2, 0\) has no entries along axis"):
        run(getattr(at, name), backend, np.zeros((2, 0), dtype=np.float32), axis=axis)


@pytest.mark.parametrize("backend", EAGER)
@pytest.mark.parametrize("place", [0, 1, 2])
@pytest.mark.parametrize("name", ["max", "min", "sum", "prod", "mean", "var", "std"])
def test_nan_spreads(name, backend, place):
    x = np.array([1.0, 2.0, 3.0], dtype=np.float32)
    x[place] = np.nan
    assert np.isnan(run(getattr(at, name), backend, x))


@pytest.mark.parametrize("backend", EAGER)
@pytest.mark.filterwarnings("ignore:invalid value")  # NumPy's
def test_a_variance_over_no_axis_is_that_of_one_entry(backend):
    x = np.array([1.0, np.inf, -np.inf, np.nan], dtype=np.float32)
    got = run(lambda x: [f(x, axis=()) for f in (at.var, at.std)], backend, x)
    np.testing.assert_array_equal(got, [[0.0, np.nan, np.nan, np.nan]] * 2)


@pytest.mark.parametrize("backend", EAGER)
@pytest.mark.filterwarnings("ignore:Degrees of freedom", "ignore:invalid value")  # NumPy's
def test_a_sample_of_one_entry_has_no_variance(backend):
    got = run(lambda x: at.var(x, axis=(), correction=1), backend, np.ones(2, np.float32))
    assert np.isnan(got).all()


@pytest.mark.parametrize("backend", EAGER)
def test_nan_is_true(backend):
    x = np.array([np.nan, 0.0], dtype=np.float32)
    assert run(at.any, backend, x)
    assert run(at.all, backend, x[:1])


@pytest.mark.parametrize("backend", EAGER)
@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize("name", ["sum", "mean", "var"])
def test_half_precision_accumulates_in_single(name, backend, dtype):
    x = np.ones(2048).astype(numpy_dtype(dtype))
    got = run(getattr(at, name), backend, x)
    assert got.dtype.name == dtype
    assert float(got) == {"sum": 2048.0, "mean": 1.0, "var": 0.0}[name]


@pytest.mark.parametrize("backend", EAGER)
def test_half_precision_does_not_overflow_on_the_way(backend):
    x = np.array([6e4, 6e4, -6e4], dtype=np.float16)
    assert float(run(at.sum, backend, x)) == pytest.approx(6e4)
    assert float(run(at.mean, backend, x[:2])) == pytest.approx(6e4)


@pytest.mark.parametrize("backend", EAGER)
@pytest.mark.parametrize("dtype", [np.float32, "float32", np.dtype("float32"), "int32"], ids=str)
@pytest.mark.parametrize("name", ["sum", "prod"])
def test_dtype_by_any_name(name, backend, dtype):
    x = np.array([3, 2], dtype=np.int8)
    got = run(lambda x: getattr(at, name)(x, dtype=dtype), backend, x)
    assert got.dtype == np.dtype(dtype)
    assert got == {"sum": 5, "prod": 6}[name]


def test_dtype_of_a_framework_on_another():
    import torch

    assert at.sum(np.ones(2, dtype=np.int8), dtype=torch.float32).dtype == np.float32


@pytest.mark.parametrize("backend", EAGER)
@pytest.mark.parametrize("correction", [0, 1, 0.5])
def test_correction(backend, correction):
    x = np.array([[1.0, 2.0, 4.0]], dtype=np.float32)
    got = run(
        lambda x: [at.var(x, axis=1, correction=correction), at.std(x, correction=correction)], backend, x
    )
    want = ((wide(x) - wide(x).mean()) ** 2).sum() / (3 - correction)
    assert_same(got[0], np.array([want]), "float32")
    assert_same(got[1], np.sqrt(want), "float32")


@pytest.mark.parametrize("backend", EAGER)
@pytest.mark.parametrize("name", REDUCTIONS)
@pytest.mark.parametrize(
    ("axis", "error", "message"),
    [
        (2, np.exceptions.AxisError, "`axis` 2 is out of range"),
        ((0, -3), np.exceptions.AxisError, "`axis` -3 is out of range"),
        ((1, -1), ValueError, "names an axis twice"),
        (1.0, TypeError, "`axis` must be an integer"),
        (True, TypeError, "`axis` must be an integer"),
    ],
)
def test_bad_axes_are_named(name, backend, axis, error, message):
    with pytest.raises(error, match=f"{name}: {message}" if message[0] == "`" else message):
        run(getattr(at, name), backend, rows("float32"), axis=axis)


def test_a_full_reduction_is_an_array():
    """tensorly/tensorly/issues/40."""
    got = at.sum(np.ones(3))
    assert type(got) is np.ndarray
    assert got.shape == ()


X = np.array([[0.3, -0.7, 1.2], [0.9, 0.1, -0.4]], dtype=np.float32)


def moments(x):
    names = ("sum", "prod", "mean", "var", "std", "max", "min")
    return [
        [getattr(at, name)(x) for name in names],
        [getattr(at, name)(x, axis=0, keepdims=True) for name in names],
        [getattr(at, name)(x, axis=(0, 1)) for name in names],
        [getattr(at, name)(x > 0, axis=-1) for name in ("all", "any", "sum", "mean")],
    ]


def test_every_mode_agrees():
    assert_portable(moments, X, rtol=3e-4, atol=3e-5)


def test_gradients_by_differences():
    assert_portable(moments, X.astype(np.float64), modes="eager", finite_differences=True, rtol=5e-3)


def test_std_has_a_gradient_at_no_variance():
    report = assert_portable(lambda x: at.std(x, axis=1), np.full((2, 2), 2.0, dtype=np.float32))
    np.testing.assert_array_equal(report["torch"].gradients["x"], np.zeros((2, 2)))


def test_ties_share_the_gradient():
    report = assert_portable(lambda x: at.max(x), np.array([1.0, 3.0, 3.0, 2.0], dtype=np.float32))
    gradient = report["torch"].gradients["x"]  # of the kit's weighted sum
    assert gradient[1] == gradient[2] > 0
    np.testing.assert_array_equal(gradient[[0, 3]], [0.0, 0.0])


def test_xla_keeps_nan():
    x = np.array([[7.0, np.nan, 2.0], [9.0, 4.0, 6.0]], dtype=np.float32)
    assert_portable(lambda x: [at.max(x, axis=1), at.min(x, axis=1)], x, gradients=False)
