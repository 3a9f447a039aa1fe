"""Element-wise functions, against NumPy in wide dtypes on every backend, eager and compiled."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from running import NOT_ON_TORCH, assert_same, default_float, on_backend, run, wide
from samples import DTYPES, EAGER, numpy_dtype

import anytensor as at
from anytensor.testing import assert_portable

ANY = {"real": [0.5, -0.75, 1.25, 2.0], "int": [-7, 2, 5, 3], "uint": [7, 2, 5, 3]}
POSITIVE = {"real": [0.5, 0.75, 1.25, 2.0], "int": [7, 2, 5, 3], "uint": [7, 2, 5, 3]}
UNIT = {"real": [0.5, -0.75, 0.25, 0.0], "int": [0, 0, 0, 0], "uint": [0, 0, 0, 0]}
ABOVE_ONE = {"real": [1.5, 1.75, 1.25, 2.0], "int": [7, 2, 5, 3], "uint": [7, 2, 5, 3]}
SECOND = {"real": [1.5, 0.5, -1.25, 3.0], "int": [3, 1, 2, 3], "uint": [3, 1, 2, 3]}


def rsqrt(x):
    return 1 / np.sqrt(x)


def reciprocal(x):
    return 1 / x


def sign(x):
    return x / np.abs(x) if np.iscomplexobj(x) else np.sign(x)


# Name: the reference, where x comes from, the kinds that it takes, and the dtype of the result:
# own, floating (own, or the default float for bool and integers), real (of the parts), or bool.
UNARY = {
    "abs": (np.abs, ANY, "iufc", "real"),
    "acos": (np.arccos, UNIT, "biufc", "floating"),
    "acosh": (np.arccosh, ABOVE_ONE, "iufc", "floating"),
    "asin": (np.arcsin, UNIT, "biufc", "floating"),
    "asinh": (np.arcsinh, ANY, "biufc", "floating"),
    "atan": (np.arctan, ANY, "biufc", "floating"),
    "atanh": (np.arctanh, UNIT, "iufc", "floating"),
    "bitwise_invert": (np.invert, ANY, "biu", "own"),
    "ceil": (np.ceil, ANY, "iuf", "own"),
    "conj": (np.conj, ANY, "iufc", "own"),
    "cos": (np.cos, ANY, "biufc", "floating"),
    "cosh": (np.cosh, ANY, "biufc", "floating"),
    "exp": (np.exp, UNIT, "biufc", "floating"),
    "expm1": (np.expm1, UNIT, "biufc", "floating"),
    "floor": (np.floor, ANY, "iuf", "own"),
    "imag": (np.imag, ANY, "iufc", "real"),
    "log": (np.log, POSITIVE, "iufc", "floating"),
    "log10": (np.log10, POSITIVE, "iufc", "floating"),
    "log1p": (np.log1p, POSITIVE, "biufc", "floating"),
    "log2": (np.log2, POSITIVE, "iufc", "floating"),
    "logical_not": (np.logical_not, ANY, "biufc", "bool"),
    "negative": (np.negative, ANY, "iufc", "own"),
    "positive": (np.positive, ANY, "iufc", "own"),
    "real": (np.real, ANY, "iufc", "real"),
    "reciprocal": (reciprocal, POSITIVE, "iufc", "floating"),
    "round": (np.round, ANY, "iufc", "own"),
    "rsqrt": (rsqrt, POSITIVE, "iufc", "floating"),
    "sign": (sign, ANY, "iufc", "own"),
    "signbit": (np.signbit, ANY, "iuf", "bool"),
    "sin": (np.sin, ANY, "biufc", "floating"),
    "sinh": (np.sinh, ANY, "biufc", "floating"),
    "sqrt": (np.sqrt, POSITIVE, "biufc", "floating"),
    "square": (np.square, ANY, "iufc", "own"),
    "tan": (np.tan, UNIT, "biufc", "floating"),
    "tanh": (np.tanh, ANY, "biufc", "floating"),
    "trunc": (np.trunc, ANY, "iuf", "own"),
}
BINARY = {
    "add": (np.add, ANY, "iufc", "own"),
    "atan2": (np.arctan2, ANY, "biuf", "floating"),
    "bitwise_and": (np.bitwise_and, ANY, "biu", "own"),
    "bitwise_left_shift": (np.left_shift, ANY, "iu", "own"),
    "bitwise_or": (np.bitwise_or, ANY, "biu", "own"),
    "bitwise_right_shift": (np.right_shift, ANY, "iu", "own"),
    "bitwise_xor": (np.bitwise_xor, ANY, "biu", "own"),
    "copysign": (np.copysign, ANY, "iuf", "floating"),
    "divide": (np.divide, ANY, "iufc", "floating"),
    "equal": (np.equal, ANY, "biufc", "bool"),
    "floor_divide": (np.floor_divide, ANY, "iuf", "own"),
    "greater": (np.greater, ANY, "iuf", "bool"),
    "greater_equal": (np.greater_equal, ANY, "iuf", "bool"),
    "hypot": (np.hypot, ANY, "biuf", "floating"),
    "less": (np.less, ANY, "iuf", "bool"),
    "less_equal": (np.less_equal, ANY, "iuf", "bool"),
    "logaddexp": (np.logaddexp, ANY, "biuf", "floating"),
    "logical_and": (np.logical_and, ANY, "biufc", "bool"),
    "logical_or": (np.logical_or, ANY, "biufc", "bool"),
    "logical_xor": (np.logical_xor, ANY, "biufc", "bool"),
    "maximum": (np.maximum, ANY, "iuf", "own"),
    "minimum": (np.minimum, ANY, "iuf", "own"),
    "multiply": (np.multiply, ANY, "iufc", "own"),
    "not_equal": (np.not_equal, ANY, "biufc", "bool"),
    "pow": (np.power, POSITIVE, "iufc", "own"),
    "remainder": (np.remainder, ANY, "iuf", "own"),
    "subtract": (np.subtract, ANY, "iufc", "own"),
}
JAX_DTYPES = ("bool", "int8", "uint8", "int32", "float16", "bfloat16", "float32", "complex64")


def kind_of(dtype):
    return "f" if dtype == "bfloat16" else np.dtype(dtype).kind


def operand(values, dtype):
    kind = kind_of(dtype)
    row = values["int" if kind == "i" else "uint" if kind in "bu" else "real"]
    x = np.array(row).astype(numpy_dtype(dtype))
    return x + np.array([0.25j, -0.5j, 0.125j, 1j]).astype(x.dtype) if kind == "c" else x


def result_dtype(rule, dtype, backend):
    own = on_backend(dtype, backend)
    if rule == "bool":
        return "bool"
    if rule == "floating" and kind_of(dtype) in "biu":
        return default_float(backend)
    if rule == "real":
        return {"complex64": "float32", "complex128": "float64"}.get(own, own)
    return own


def computable(dtype, backend):
    return not (
        (backend == "torch" and dtype in NOT_ON_TORCH) or (backend == "jax" and dtype not in JAX_DTYPES)
    )


PAIRS = [(b, d) for b in EAGER for d in DTYPES if computable(d, b)]


def check_table(table, backend, dtype, arguments):
    """Run every function of a table that takes the dtype in one go, and compare each result."""
    taken = {name: row for name, row in table.items() if kind_of(dtype) in row[2]}
    for name, (reference, values, _, rule) in taken.items():
        args = [operand(v, dtype) for v in arguments(values)]
        floating = rule == "floating" and kind_of(dtype) in "biu"
        want = reference(*(x.astype(np.float64) if floating else wide(x) for x in args))
        assert_same(run(getattr(at, name), backend, *args), want, result_dtype(rule, dtype, backend))


@pytest.mark.parametrize(("backend", "dtype"), PAIRS)
def test_one_operand_in_every_dtype(backend, dtype):
    """keras-team/keras/pull/18787: bfloat16 stays so."""
    check_table(UNARY, backend, dtype, lambda values: [values])


@pytest.mark.parametrize(("backend", "dtype"), PAIRS)
def test_two_operands_in_every_dtype(backend, dtype):
    check_table(BINARY, backend, dtype, lambda values: [values, SECOND])


SHAPES = st.sampled_from([(), (0,), (4,), (2, 4), (3, 1), (2, 0, 4)])


@pytest.mark.parametrize("backend", EAGER)
@pytest.mark.parametrize("name", ["add", "less", "maximum", "logaddexp", "remainder", "bitwise_and"])
@given(shapes=st.tuples(SHAPES, SHAPES), values=st.lists(st.integers(1, 9), min_size=16, max_size=16))
@settings(max_examples=12, deadline=None)
def test_operands_broadcast(name, backend, shapes, values):
    dtype = np.int32 if name == "bitwise_and" else np.float32
    x1, x2 = (np.resize(np.array(values), shape).astype(dtype) for shape in shapes)
    reference, _, _, rule = BINARY[name]
    try:
        want = reference(wide(x1), wide(x2))
    except ValueError:
        return  # shapes that do not broadcast
    got = run(getattr(at, name), backend, x1, x2)
    assert_same(got, want, result_dtype(rule, np.dtype(dtype).name, backend))


@pytest.mark.parametrize("backend", EAGER)
@pytest.mark.parametrize("name", ["exp", "abs", "sign", "floor", "logical_not"])
@given(shape=SHAPES, values=st.lists(st.integers(-9, 9), min_size=8, max_size=8))
@settings(max_examples=8, deadline=None)
def test_shape_stays(name, backend, shape, values):
    x = np.resize(np.array(values) / 4, shape).astype(np.float32)
    reference, _, _, rule = UNARY[name]
    assert_same(
        run(getattr(at, name), backend, x), reference(wide(x)), result_dtype(rule, "float32", backend)
    )


SPECIAL = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 1.5], dtype=np.float32)
OTHER = np.array([1.0, np.nan, np.inf, -0.0, 2.0, -np.inf], dtype=np.float32)


@pytest.mark.parametrize("backend", EAGER)
@pytest.mark.parametrize(
    "name",
    ["abs", "ceil", "exp", "expm1", "round", "sign", "signbit", "sqrt", "tanh", "atan", "trunc", "log1p"],
)
def test_special_values(name, backend):
    with np.errstate(all="ignore"):
        want = getattr(np, {"atan": "arctan"}.get(name, name))(SPECIAL)
        got = run(getattr(at, name), backend, SPECIAL)
    np.testing.assert_allclose(got, want, rtol=1e-6)


@pytest.mark.parametrize("backend", EAGER)
@pytest.mark.parametrize(
    "name",
    ["maximum", "minimum", "add", "multiply", "less", "equal", "not_equal", "copysign", "nextafter", "hypot"],
)
def test_special_pairs(name, backend):
    with np.errstate(all="ignore"):
        want = getattr(np, name)(SPECIAL, OTHER)
        got = run(getattr(at, name), backend, SPECIAL, OTHER)
    np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("backend", EAGER)
@pytest.mark.parametrize(
    ("bounds", "want"),
    [
        ((0, 1), [0.0, 0.5, 1.0, np.nan]),
        ((None, 1), [-1.0, 0.5, 1.0, np.nan]),
        ((0.25, None), [0.25, 0.5, 3.0, np.nan]),
        ((None, None), [-1.0, 0.5, 3.0, np.nan]),
        ((2, 1), [1.0, 1.0, 1.0, np.nan]),
        ((np.nan, 1.0), [np.nan] * 4),
        ((np.array([0.0, 1.0, 2.0, 3.0], dtype=np.float32), 2.5), [0.0, 1.0, 2.5, np.nan]),
        ((None, np.array(0.75, dtype=np.float32)), [-1.0, 0.5, 0.75, np.nan]),
    ],
)
def test_clip(backend, bounds, want):
    x = np.array([-1.0, 0.5, 3.0, np.nan], dtype=np.float32)
    with np.errstate(invalid="ignore"):
        assert_same(run(at.clip, backend, x, *bounds), np.array(want), "float32")


@pytest.mark.parametrize("backend", EAGER)
@pytest.mark.parametrize("dtype", ["int8", "uint8", "int32"])
def test_clip_of_integers(backend, dtype):
    x = np.array([0, 5, 100], dtype=dtype)
    assert_same(run(at.clip, backend, x, 2, 50), np.array([2, 5, 50]), dtype)
    assert_same(run(at.clip, backend, x, max=50), np.array([0, 5, 50]), dtype)


@pytest.mark.parametrize("backend", EAGER)
@pytest.mark.parametrize(
    ("dtype", "scalar", "want"),
    [
        ("float32", 0.5, "float32"),
        ("float32", 2, "float32"),
        ("float16", 2.5, "float16"),
        ("bfloat16", 10, "bfloat16"),
        ("int8", 3, "int8"),
        ("int32", 0.5, "floating"),
        ("float32", 1j, "complex64"),
    ],
)
@pytest.mark.parametrize("swapped", [False, True])
def test_a_python_scalar_is_weak(backend, dtype, scalar, want, swapped):
    x = np.array([1, 2]).astype(numpy_dtype(dtype))
    got = run(lambda x: at.multiply(scalar, x) if swapped else at.multiply(x, scalar), backend, x)
    assert_same(got, wide(x) * scalar, default_float(backend) if want == "floating" else want)


def test_scalars_alone_are_numpy():
    got = at.add(1, 2.5)
    assert type(got) is np.ndarray
    assert got.shape == ()
    assert got == 3.5


REFUSED = {
    "a list": (lambda x: at.exp([1.0]), "exp: `x` must be a NumPy array"),
    "a list beside an array": (lambda x: at.add(x, [1.0]), "add: `x2` must be"),
    "None": (lambda x: at.sqrt(None), "it is missing"),
    "bool in arithmetic": (lambda x: at.add(x > 0, x > 0), "add: `x1` and `x2` must be numeric"),
    "bool negated": (lambda x: at.negative(x > 0), "negative: `x` must be numeric"),
    "bool compared": (lambda x: at.less(x > 0, x > 0), "less: `x1` and `x2` must be integer or floating"),
    "bool rounded": (lambda x: at.floor(x > 0), "floor: `x` must be integer or floating"),
    "bool clipped": (lambda x: at.clip(x > 0, False, True), "clip: `x` must be integer or floating"),
    "complex ordered": (lambda x: at.maximum(x, 1j), "maximum: `x1` and `x2` must be integer or floating"),
    "complex rounded": (lambda x: at.floor(at.multiply(x, 1j)), "floor: `x` must be"),
    "complex angle": (lambda x: at.atan2(at.multiply(x, 1j), 1.0), "atan2: `x1` and `x2` must be real"),
    "floats in bits": (
        lambda x: at.bitwise_and(x, x),
        "bitwise_and: `x1` and `x2` must hold integers or bool",
    ),
    "floats inverted": (lambda x: at.bitwise_invert(x), "bitwise_invert: `x` must hold integers or bool"),
    "floats shifted": (lambda x: at.bitwise_left_shift(x, 1), "bitwise_left_shift: `x1` and `x2` must hold"),
}


@pytest.mark.parametrize("backend", EAGER)
@pytest.mark.parametrize("case", REFUSED)
def test_bad_operands_are_named(backend, case):
    function, message = REFUSED[case]
    with pytest.raises(TypeError, match=message):
        run(function, backend, np.ones(3, dtype=np.float32))


def test_two_frameworks_are_refused():
    import jax.numpy as jnp
    import torch

    with pytest.raises(TypeError, match=r"multiply: operands of two frameworks, torch\.Tensor .* and jax"):
        at.multiply(torch.ones(2), jnp.ones(2))


X = np.array([[0.3, -0.7, 1.2], [0.9, 0.1, -0.4]], dtype=np.float32)
Y = np.array([[1.5, 0.6, -0.8], [0.2, 2.0, 0.7]], dtype=np.float32)
I = np.array([[5, -3, 2], [1, 7, -6]], dtype=np.int32)  # noqa: E741
J = np.array([[2, 3, 1], [4, 2, 5]], dtype=np.int32)


def each(names, *args):
    return {name: getattr(at, name)(*args) for name in names.split()}


def smooth(x, y):
    p = at.add(at.abs(x), 0.1)
    return [
        each("negative positive expm1 exp sin cos tan atan sinh cosh tanh asinh square reciprocal", x),
        each("log log1p log2 log10 sqrt rsqrt", p),
        each("asin acos atanh", at.multiply(x, 0.5)),
        at.acosh(at.add(p, 1.5)),
        each("add subtract multiply divide logaddexp atan2 hypot copysign", x, y),
        each("add subtract multiply divide pow", p, 2),
        each("subtract divide", 0.5, x),
        at.pow(p, y),
    ]


def stepped(x, y):
    return [
        each("abs sign ceil floor round trunc signbit real conj logical_not", x),
        each("equal not_equal less less_equal greater greater_equal maximum minimum", x, y),
        each("floor_divide remainder logical_and logical_or logical_xor", x, y),
        each("maximum minimum less equal", x, 0.5),
        at.clip(x, -0.5, 0.5),
        at.clip(x, at.subtract(y, 2.0), y),
        at.clip(x, max=0.35),
    ]


def integral(i, j):
    return [
        each("add subtract multiply divide floor_divide remainder pow maximum less", i, j),
        each("bitwise_and bitwise_or bitwise_xor bitwise_left_shift bitwise_right_shift", i, j),
        each("bitwise_invert negative exp ceil round sign square", i),
        each("bitwise_and multiply", i, 3),
        at.multiply(i, 0.5),
    ]


@pytest.mark.parametrize(("function", "args"), [(smooth, (X, Y)), (stepped, (X, Y)), (integral, (I, J))])
def test_every_mode_agrees(function, args):
    assert_portable(function, *args, rtol=3e-4, atol=3e-5)


def test_gradients_by_differences():
    assert_portable(
        smooth, X.astype(np.float64), Y.astype(np.float64), modes="eager", finite_differences=True, rtol=5e-3
    )


def test_steps_have_no_slope_at_special_values_either():
    def steps(x):
        return [getattr(at, name)(x) for name in ("ceil", "floor", "round", "sign", "trunc")]

    x = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 0.5, 1e30], np.float32)
    with np.errstate(invalid="ignore"):
        assert_portable(steps, x, rtol=0, atol=0)

    import jax
    import torch

    there = torch.tensor(x, requires_grad=True)
    for step in steps(there):
        (gradient,) = torch.autograd.grad(step.sum(), there)
        assert (gradient + 0).tolist() == [0.0] * 7  # autograd makes some of them without storage
    assert not jax.grad(lambda x: sum(step.sum() for step in steps(x)))(jax.numpy.asarray(x)).any()


def test_one_compilation_serves_all_values():
    import torch
    from torch._dynamo.testing import CompileCounter

    counter = CompileCounter()
    compiled = torch.compile(
        lambda x, y: at.maximum(at.exp(x), at.add(y, 0.5)), backend=counter, fullgraph=True
    )
    for scale in (1.0, 2.0, 3.0):
        compiled(torch.tensor(X) * scale, torch.tensor(Y))
    assert counter.frame_count == 1


def test_torch_keeps_requires_grad():
    import torch

    x = torch.ones(3, requires_grad=True)
    assert at.exp(x).requires_grad
    assert at.where(x > 0, x, 0.0).requires_grad


@pytest.mark.parametrize("backend", EAGER)
@pytest.mark.parametrize(
    "name", ["add", "bitwise_xor", "clip", "hypot", "less", "logical_or", "pow", "where"]
)
def test_shapes_that_do_not_broadcast_are_named_alike(name, backend):
    def function(x, y):
        if name == "where":
            return at.where(x > 0, x, y)
        return getattr(at, name)(x, y)

    dtype = np.int32 if name == "bitwise_xor" else np.float32
    x, y = np.ones((2, 3), dtype), np.ones(4, dtype)
    with pytest.raises(ValueError, match=rf"{name}: shapes \(2, 3\) and .*\(4,\) do not broadcast together"):
        run(function, backend, x, y)
