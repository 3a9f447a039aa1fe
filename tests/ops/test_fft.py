"""Fourier transforms, against NumPy on every backend, eager and compiled."""

import numpy as np
import pytest
from running import default_float, on_backend, run, wide
from samples import EAGER, numpy_dtype
from test_elementwise import PAIRS, kind_of

import anytensor as at
from anytensor.testing import assert_portable, assert_trees_close

F = at.fft
ONE = ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")
MANY = ("fftn", "ifftn", "rfftn", "irfftn")
REAL_ONLY = ("rfft", "ihfft", "rfftn")
SAMPLES = np.array([[1.0, 2.0, -1.0, 0.5], [0.0, 1.0, 3.0, -2.0], [2.0, 2.0, 1.0, 0.0]])


def assert_transform(got, want, backend, precision):
    """Assert the values, and the dtype by its precision in bits."""
    assert got.dtype.kind == want.dtype.kind
    assert got.dtype.itemsize * 8 == precision * (2 if got.dtype.kind == "c" else 1)
    assert_trees_close(got, want, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize(("backend", "dtype"), [(b, d) for b, d in PAIRS if d != "bool"])
@pytest.mark.parametrize("name", [*ONE, *MANY])
def test_every_dtype(name, backend, dtype):
    x = np.abs(SAMPLES).round().astype(numpy_dtype(dtype))
    if kind_of(dtype) == "c" and name in REAL_ONLY:
        with pytest.raises(TypeError, match=f"fft.{name}: `x` must be real"):
            run(getattr(F, name), backend, x)
        return
    want = getattr(np.fft, name)(x.astype(np.float64) if kind_of(dtype) in "iu" else wide(x))
    own = default_float(backend) if kind_of(dtype) in "iu" else on_backend(dtype, backend)
    precision = 64 if own in ("float64", "complex128") else 32
    assert_transform(run(getattr(F, name), backend, x), want, backend, precision)


@pytest.mark.parametrize("backend", EAGER)
@pytest.mark.parametrize(
    "options", [{"axis": 0}, {"n": 5}, {"n": 2}, {"norm": "ortho"}, {"norm": "forward", "n": 3}], ids=str
)
@pytest.mark.parametrize("name", ONE)
def test_options_along_one_axis(name, backend, options):
    x = SAMPLES.astype(np.float32)
    got = run(lambda x: getattr(F, name)(x, **options), backend, x)
    assert_transform(got, getattr(np.fft, name)(wide(x), **options), backend, 32)


@pytest.mark.parametrize("backend", EAGER)
@pytest.mark.parametrize(
    "options", [{"axes": (0, 1)}, {"s": (4, 5), "axes": (0, 1)}, {"axes": (0,)}, {"norm": "ortho"}], ids=str
)
@pytest.mark.parametrize("name", MANY)
def test_options_along_several_axes(name, backend, options):
    x = SAMPLES.astype(np.float32)
    got = run(lambda x: getattr(F, name)(x, **options), backend, x)
    assert_transform(got, getattr(np.fft, name)(wide(x), **options), backend, 32)


@pytest.mark.parametrize("backend", EAGER)
@pytest.mark.parametrize("axes", [None, 1, (0, 1), [-1], ()], ids=str)
@pytest.mark.parametrize("name", ["fftshift", "ifftshift"])
def test_shifts(name, backend, axes):
    x = np.arange(15, dtype=np.int32).reshape(3, 5)
    got = run(lambda x: getattr(F, name)(x, axes=axes), backend, x)
    np.testing.assert_array_equal(got, getattr(np.fft, name)(x, axes=axes))


@pytest.mark.parametrize("backend", EAGER)
@pytest.mark.parametrize("n", [1, 4, 5])
@pytest.mark.parametrize("name", ["fftfreq", "rfftfreq"])
def test_frequencies(name, backend, n):
    like = np.zeros(1, dtype=np.float32)
    got = run(lambda like: getattr(F, name)(n, d=0.5, like=like), backend, like)
    assert got.dtype == np.float32
    assert_trees_close(got, getattr(np.fft, name)(n, 0.5))


def test_frequencies_without_like_are_numpy():
    np.testing.assert_array_equal(F.fftfreq(4), np.fft.fftfreq(4))
    assert F.rfftfreq(4, dtype="float32").dtype == np.float32


@pytest.mark.parametrize("backend", EAGER)
@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda x: F.fft(x, axis=2), np.exceptions.AxisError, "fft.fft: `axis` 2 is out of range"),
        (lambda x: F.fft(x, n=0), ValueError, "fft.fft: `n` must be at least 1"),
        (lambda x: F.ifft(x, n=2.0), TypeError, "fft.ifft: `n` must be an int"),
        (lambda x: F.rfft(x, norm="half"), ValueError, "fft.rfft: `norm` must be one of"),
        (lambda x: F.fftn(x, s=(2, 2, 2)), ValueError, "fft.fftn: `s` has 3 entries"),
        (lambda x: F.fftn(x, s=(2,), axes=(0, 1)), ValueError, "fft.fftn: `s` and `axes` must be as long"),
        (lambda x: F.fftn(x, axes=(0, 0)), ValueError, "names an axis twice"),
        (lambda x: F.fftfreq(0, like=x), ValueError, "fft.fftfreq: `n` must be at least 1"),
        (lambda x: F.rfftfreq(4, dtype="int32", like=x), TypeError, "fft.rfftfreq: `dtype` must be floating"),
    ],
)
def test_bad_arguments_are_named(backend, call, error, message):
    with pytest.raises(error, match=message):
        run(call, backend, SAMPLES.astype(np.float32))


def transforms(x):
    c = F.fft(x)
    return [
        c,
        F.ifft(c),
        F.fftn(x, s=(3,), norm="forward"),
        F.ifftn(c),
        F.rfft(x, n=5, norm="ortho"),
        F.irfft(c, n=3),
        F.rfftn(x),
        F.irfftn(c, s=(3, 4)),
        F.hfft(c, n=3),
        F.ihfft(x),
        F.fftshift(x),
        F.ifftshift(x, axes=1),
        F.fftfreq(4, like=x),
        F.rfftfreq(4, like=x),
    ]


def test_every_mode_agrees():
    assert_portable(transforms, SAMPLES.astype(np.float32), rtol=3e-4, atol=3e-5)
