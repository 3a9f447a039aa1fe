"""Elementwise room: values against NumPy in every mode, dtypes, promotion, gradients."""

import ml_dtypes
import numpy as np
import pytest
import tensorflow as tf
from namespace_modes import MODES, close, run

from anytensor.backends.tensorflow import namespace as xp

NUMPY_NAMES = {
    "acos": "arccos",
    "acosh": "arccosh",
    "asin": "arcsin",
    "asinh": "arcsinh",
    "atan": "arctan",
    "atanh": "arctanh",
    "atan2": "arctan2",
    "bitwise_left_shift": "left_shift",
    "bitwise_right_shift": "right_shift",
    "bitwise_invert": "invert",
    "pow": "power",
}
UNARY_FLOAT = (
    *("abs", "acos", "acosh", "asin", "asinh", "atan", "atanh", "ceil", "cos", "cosh", "exp"),
    *("expm1", "floor", "isfinite", "isinf", "isnan", "log", "log10", "log1p", "log2"),
    *("negative", "positive", "reciprocal", "round", "sign", "signbit", "sin", "sinh", "sqrt"),
    *("square", "tan", "tanh", "trunc"),
)
BINARY_FLOAT = (
    *("add", "atan2", "copysign", "divide", "equal", "floor_divide", "greater", "greater_equal"),
    *("hypot", "less", "less_equal", "logaddexp", "maximum", "minimum", "multiply", "nextafter"),
    *("not_equal", "remainder", "subtract"),
)
INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
UNARY_INT = ("abs", "bitwise_invert", "ceil", "floor", "negative", "positive", "round", "sign")
BINARY_INT = (
    *("add", "bitwise_and", "bitwise_left_shift", "bitwise_or", "bitwise_right_shift"),
    *("bitwise_xor", "equal", "floor_divide", "greater", "less", "maximum", "minimum", "multiply"),
    *("not_equal", "pow", "remainder", "subtract"),
)


def numpy_function(name):
    return getattr(np, NUMPY_NAMES.get(name, name))


@pytest.fixture(autouse=True)
def quiet_numpy():
    with np.errstate(all="ignore"):
        yield


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", UNARY_FLOAT)
def test_unary_float(name, dtype):
    x = np.array([-2.5, -0.5, -0.0, 0.0, 0.5, 1.5, 3.0, np.inf, -np.inf, np.nan], dtype)
    got = getattr(xp, name)(tf.constant(x))
    want = numpy_function(name)(x)
    assert got.dtype == want.dtype
    close(got, want)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", BINARY_FLOAT)
def test_binary_float(name, dtype):
    x = np.array([[-2.5], [-0.5], [0.5], [3.0], [np.inf], [np.nan]], dtype)
    y = np.array([-1.5, 0.25, 2.0, np.nan], dtype)
    got = getattr(xp, name)(tf.constant(x), tf.constant(y))
    want = numpy_function(name)(x, y)
    if name == "floor_divide":  # TensorFlow keeps inf // y infinite where NumPy says NaN
        got, want = got[:4], want[:4]
    assert got.dtype == want.dtype
    close(got, want)


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("name", UNARY_INT)
def test_unary_integer(name, dtype):
    info = np.iinfo(dtype)
    x = np.array([info.min, 0, 1, 5, info.max], dtype)
    got = getattr(xp, name)(tf.constant(x))
    want = x if name == "round" else numpy_function(name)(x)
    assert got.dtype == x.dtype
    np.testing.assert_array_equal(got.numpy(), want.astype(dtype))


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("name", BINARY_INT)
def test_binary_integer(name, dtype):
    info = np.iinfo(dtype)
    x = np.array([[info.max], [info.max // 3], [7]], dtype)
    y = np.array([1, 2, 5, min(info.max, 70)], dtype)
    got = getattr(xp, name)(tf.constant(x), tf.constant(y))
    np.testing.assert_array_equal(got.numpy(), numpy_function(name)(x, y))


@pytest.mark.parametrize(
    ("base", "exponent"), [(3, 40), (2**63 + 1, 2**64 - 1), (2, 64), (6, 2**63 + 5), (7, 2**62)]
)
def test_uint64_power_is_exact_modulo_its_width(base, exponent):
    got = xp.pow(tf.constant([base], tf.uint64), tf.constant([exponent], tf.uint64))
    assert int(got[0]) == pow(base, exponent, 2**64)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize("name", [*UNARY_FLOAT, *BINARY_FLOAT])
def test_half_floats_stay_half(name, dtype):
    x = tf.constant([0.25, 0.5], dtype)
    function = getattr(xp, name)
    got = function(x) if name in UNARY_FLOAT else function(x, x)
    assert got.dtype in (x.dtype, tf.bool)


@pytest.mark.parametrize("name", ["maximum", "minimum"])
@pytest.mark.parametrize("mode", MODES)
def test_extremes_propagate_nan(name, mode):
    x = np.array([np.nan, 1.0, 2.0], np.float32)
    y = np.array([0.0, np.nan, 1.0], np.float32)
    close(run(getattr(xp, name), mode, x, y), getattr(np, name)(x, y))


@pytest.mark.parametrize("mode", ["graph", "xla"])
def test_a_chain_of_families_is_right_when_compiled(mode):
    def chain(x, y):
        z = xp.where(xp.greater(x, 0.0), xp.log1p(xp.abs(x)), xp.trunc(xp.multiply(x, 2)))
        z = xp.copysign(xp.hypot(z, y), xp.sin(y))
        return xp.clip(xp.logaddexp(z, xp.nextafter(y, 0.0)), -1.5, 2)

    x = np.linspace(-3, 3, 12, dtype=np.float32).reshape(3, 4)
    y = np.linspace(1, -1, 4, dtype=np.float32)
    close(run(chain, mode, x, y), chain(tf.constant(x), tf.constant(y)))


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("int8", "uint8", "int16"),
        ("int16", "uint32", "int64"),
        ("int64", "uint64", "float64"),
        ("bool", "int8", "int8"),
        ("int64", "float32", "float32"),
        ("int32", "bfloat16", "float32"),
        ("int8", "bfloat16", "bfloat16"),
        ("float16", "bfloat16", "float32"),
        ("float32", "float64", "float64"),
        ("float64", "complex64", "complex128"),
    ],
)
def test_mixed_dtypes_are_promoted(first, second, expected):
    x, y = tf.cast([1], first), tf.cast([1], second)
    assert xp.add(x, y).dtype == expected
    assert xp.add(y, x).dtype == expected
    assert xp.result_type(x, y) == expected


@pytest.mark.parametrize(
    ("dtype", "scalar", "expected"),
    [
        ("float32", 0.5, "float32"),
        ("bfloat16", 10, "bfloat16"),
        ("float16", True, "float16"),
        ("int8", 3, "int8"),
        ("int8", 0.5, "float32"),
        ("bool", 2, "int64"),
        ("float64", 1j, "complex128"),
        ("float32", 1j, "complex64"),
    ],
)
def test_python_scalars_are_weak(dtype, scalar, expected):
    x = tf.cast([1], dtype)
    assert xp.add(x, scalar).dtype == expected
    assert xp.add(scalar, x).dtype == expected


def test_a_numpy_scalar_is_strong():
    assert xp.add(tf.constant([1.0]), np.float64(0.5)).dtype == tf.float64


def test_a_scalar_out_of_range_is_an_overflow_error():
    with pytest.raises(OverflowError, match="300 is out of bounds for int8"):
        xp.add(tf.constant([1], tf.int8), 300)


def test_a_variable_is_an_operand():
    v = tf.Variable([1.0, -2.0])
    close(xp.abs(v), [1.0, 2.0])
    close(xp.add(v, v), [2.0, -4.0])


@pytest.mark.parametrize("dtype", ["float16", ml_dtypes.bfloat16])
@pytest.mark.parametrize("towards", [9.0, -9.0])
def test_nextafter_of_half_floats(dtype, towards):
    x = np.array([0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, 9.0, -9.0, np.nan]).astype(dtype)
    target = np.array(towards).astype(dtype)
    got = xp.nextafter(tf.constant(x), tf.constant(target)).numpy()
    np.testing.assert_array_equal(got.astype("f4"), np.nextafter(x, target).astype("f4"))


@pytest.mark.parametrize(
    ("name", "x", "y", "expected"),
    [
        ("hypot", 0.0, 0.0, (0.0, 0.0)),
        ("hypot", 3.0, -4.0, (0.6, -0.8)),
        ("hypot", 2.0, 2.0, (0.5**0.5, 0.5**0.5)),
        ("logaddexp", 1.0, 1.0, (0.5, 0.5)),
        ("logaddexp", float("-inf"), float("-inf"), (1.0, 0.0)),
        ("logaddexp", 0.0, float("-inf"), (1.0, 0.0)),
        ("copysign", 2.0, -1.0, (-1.0, None)),
    ],
)
def test_gradients_have_no_nan(name, x, y, expected):
    x, y = tf.constant(x), tf.constant(y)
    with tf.GradientTape() as tape:
        tape.watch([x, y])
        out = getattr(xp, name)(x, y)
    for got, want in zip(tape.gradient(out, [x, y]), expected, strict=True):
        assert (got is None) == (want is None)
        if want is not None:
            close(got, np.float32(want))


@pytest.mark.parametrize("name", ["real", "imag", "conj", "abs", "isfinite", "isnan", "round"])
def test_complex_parts(name):
    x = np.array([1.5 - 2.5j, complex(0, np.inf), complex(np.nan, 1)], np.complex64)
    got, want = getattr(xp, name)(tf.constant(x)), getattr(np, name)(x)
    assert got.dtype == want.dtype
    close(got, want)


@pytest.mark.parametrize("name", ["logical_and", "logical_or", "logical_xor"])
def test_logic_counts_nonzero_as_true(name):
    x, y = np.array([0.0, 2.0, np.nan]), np.array([True, False, True])
    close(getattr(xp, name)(tf.constant(x), tf.constant(y)), getattr(np, name)(x, y))
    assert xp.logical_not(tf.constant(2j)).numpy() == np.False_


@pytest.mark.parametrize("name", ["expm1", "log1p", "exp", "log", "sqrt", "tanh", "square"])
def test_complex_functions(name):
    x = np.array([1e-9 + 1e-9j, 0.3 - 0.2j, -2 + 5j, 3 - 0.1j, 1e-3 + 2j])
    got = getattr(xp, name)(tf.constant(x)).numpy()
    np.testing.assert_allclose(got, getattr(np, name)(x), rtol=1e-7)  # NumPy loses digits of log1p


@pytest.mark.parametrize(
    ("name", "z", "expected"),
    [
        ("expm1", complex(np.inf, 0), complex(np.inf, 0)),
        ("expm1", complex(-np.inf, np.nan), complex(-1, 0)),
        ("expm1", complex(np.inf, np.inf), complex(np.inf, np.nan)),
        ("log", complex(1e300, 1e300), complex(691.12210149, np.pi / 4)),
        ("log", complex(0, 1e-200), complex(-460.51701860, np.pi / 2)),
        ("log", complex(-np.inf, np.nan), complex(np.inf, np.nan)),
        ("log", complex(-0.0, 0.0), complex(-np.inf, np.pi)),
        ("log1p", complex(-1, 0), complex(-np.inf, 0)),
        ("log1p", complex(-np.inf, np.inf), complex(np.inf, 0.75 * np.pi)),
        ("log1p", complex(np.nan, np.inf), complex(np.inf, np.nan)),
    ],
)
def test_complex_limits(name, z, expected):
    got = getattr(xp, name)(tf.constant([z] * 5)).numpy()[0]
    np.testing.assert_allclose([got.real, got.imag], [expected.real, expected.imag])


@pytest.mark.parametrize("name", ["expm1", "log1p"])
def test_complex_gradients_are_finite(name):
    z = tf.constant([0j, 1 + 2j, 0.1 - 0.1j])
    with tf.GradientTape() as tape:
        tape.watch(z)
        y = tf.reduce_sum(tf.math.real(getattr(xp, name)(z)))
    want = np.conj(np.exp(z.numpy()) if name == "expm1" else 1 / (1 + z.numpy()))
    close(tape.gradient(y, z), want)
