"""Running sums and products, and differences, on every backend, eager and compiled."""

import numpy as np
import pytest
from running import assert_same, run, wide, widened
from samples import EAGER, numpy_dtype
from test_elementwise import PAIRS
from test_reduction import X, rows

import anytensor as at
from anytensor.testing import assert_portable


@pytest.mark.parametrize(("backend", "dtype"), PAIRS)
@pytest.mark.parametrize("name", ["cumulative_sum", "cumulative_prod"])
def test_every_dtype(name, backend, dtype):
    x = rows(dtype)
    reference = {"cumulative_sum": np.cumsum, "cumulative_prod": np.cumprod}[name]
    values = wide(x) if x.dtype.kind != "b" else x.astype(np.int64)
    assert_same(
        run(getattr(at, name), backend, x, axis=1), reference(values, axis=1), widened(backend, dtype)
    )


@pytest.mark.parametrize("backend", EAGER)
@pytest.mark.parametrize(("name", "first"), [("cumulative_sum", 0.0), ("cumulative_prod", 1.0)])
@pytest.mark.parametrize("shape", [(3,), (2, 3), (0, 3), (2, 0)])
@pytest.mark.parametrize("axis", [0, -1])
def test_include_initial(name, first, backend, shape, axis):
    x = np.full(shape, 2.0, dtype=np.float32)
    got = run(getattr(at, name), backend, x, axis=axis, include_initial=True)
    plain = run(getattr(at, name), backend, x, axis=axis)
    assert got.shape[axis] == shape[axis] + 1
    np.testing.assert_array_equal(np.take(got, 0, axis), first)
    np.testing.assert_array_equal(np.delete(got, 0, axis), plain)


@pytest.mark.parametrize("backend", EAGER)
def test_a_vector_needs_no_axis(backend):
    x = np.array([1, 2, 3], dtype=np.int32)
    np.testing.assert_array_equal(run(at.cumulative_sum, backend, x), [1, 3, 6])


@pytest.mark.parametrize("backend", EAGER)
@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda x: at.cumulative_sum(x), ValueError, "cumulative_sum: `axis` is required"),
        (
            lambda x: at.cumulative_prod(x[0, 0], axis=0),
            ValueError,
            "cumulative_prod: `x` must have at least",
        ),
        (lambda x: at.cumulative_sum(x, axis=2), np.exceptions.AxisError, "`axis` 2 is out of range"),
        (lambda x: at.cumulative_sum(x, axis=(0,)), TypeError, "`axis` must be an integer"),
        (lambda x: at.diff(x, n=-1), ValueError, "diff: `n` must be at least 0"),
        (lambda x: at.diff(x, n=1.0), TypeError, "diff: `n` must be an int"),
        (lambda x: at.diff(x > 0), TypeError, "diff: `x` must be numeric"),
        (lambda x: at.diff(x[0, 0]), ValueError, "diff: `x` must have at least one dimension"),
    ],
)
def test_bad_arguments_are_named(backend, call, error, message):
    with pytest.raises(error, match=message):
        run(call, backend, rows("float32"))


@pytest.mark.parametrize("backend", EAGER)
def test_cumsum_flattens_without_an_axis(backend):
    x = rows("int8")
    got = run(lambda x: [at.cumsum(x), at.cumsum(x, 1), at.cumsum(x, axis=0, dtype="float32")], backend, x)
    assert_same(got[0], np.cumsum(x), widened(backend, "int8"))
    assert_same(got[1], np.cumsum(x, 1), widened(backend, "int8"))
    assert_same(got[2], np.cumsum(x, 0), "float32")


@pytest.mark.parametrize("backend", EAGER)
@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_half_precision_accumulates_in_single(backend, dtype):
    ones = np.ones(2048).astype(numpy_dtype(dtype))
    assert float(run(at.cumsum, backend, ones)[-1]) == 2048.0
    far = np.array([1e4, 1e4, 1e-4]).astype(numpy_dtype(dtype))
    with np.errstate(over="ignore"):
        assert float(run(at.cumulative_prod, backend, far)[-1]) == pytest.approx(1e4, rel=1e-2)


@pytest.mark.parametrize("backend", EAGER)
@pytest.mark.parametrize("n", [0, 1, 2, 5])
@pytest.mark.parametrize("axis", [0, -1])
def test_diff(backend, n, axis):
    x = np.array([[1, 4, 9], [16, 25, 0]], dtype=np.int32)
    np.testing.assert_array_equal(run(at.diff, backend, x, n=n, axis=axis), np.diff(x, n=n, axis=axis))


@pytest.mark.parametrize("backend", EAGER)
def test_diff_with_ends(backend):
    x = rows("float32")
    got = run(lambda x, end: at.diff(x, axis=0, prepend=end, append=x), backend, x, x[:1].astype(np.int32))
    np.testing.assert_array_equal(got, np.diff(x, axis=0, prepend=x[:1], append=x))


def running(x):
    return [
        at.cumulative_sum(x, axis=1),
        at.cumulative_sum(x, axis=0, include_initial=True),
        at.cumulative_prod(x, axis=-1),
        at.cumsum(x),
        at.diff(x, axis=1),
        at.diff(x, axis=0, prepend=x[:1], append=x),
    ]


def test_every_mode_agrees():
    assert_portable(running, X, rtol=3e-4, atol=3e-5)


def products(x):
    return [
        at.cumulative_prod(x, axis=1),
        at.cumulative_prod(x, axis=0, include_initial=True),
        at.take(at.cumulative_prod(x, axis=0), np.array([2, 0], np.int32)),
    ]


def test_the_gradient_of_a_product_with_zeros():
    # TensorFlow's own divides by the factor, and gives 0 where that is 0.
    x = np.array([[0.0, 1.5, -1.0], [2.0, 0.0, 0.0], [0.5, 3.0, 1.0]])
    assert_portable(products, x.astype(np.float32), rtol=1e-4, atol=1e-5)
    assert_portable(products, x, modes="eager", finite_differences=True, rtol=1e-5)


def test_a_product_that_is_0_does_not_overflow_on_the_way():
    x = np.array([[0.0, 3e38, 3e38]], dtype=np.float32)
    report = assert_portable(lambda x: at.cumulative_prod(x, axis=1), x, gradients=False)
    np.testing.assert_array_equal(report["tensorflow"].outputs, [[0.0, 0.0, 0.0]])


@pytest.mark.parametrize("shape", [(5, 3), (1, 1), (0, 2)])
def test_complex_numbers_in_every_mode(shape):
    x = (np.arange(np.prod(shape)).reshape(shape) % 4 - 1 + 0.5j).astype(np.complex64)

    def running(x):
        return [at.cumulative_sum(x, axis=0), at.cumulative_prod(x, axis=0), at.cumsum(x)]

    assert_portable(running, x, gradients=False)
