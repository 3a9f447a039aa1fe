"""Cases of element-wise functions, in every dtype, with NaN, infinities, signed zeros and extremes."""

import numpy as np
from fuzz_cases import Case
from fuzz_values import arrays, broadcastable, dtypes, kind_of, spread
from hypothesis import strategies as st
from test_elementwise import BINARY, UNARY

import anytensor as at

# NumPy's complex functions lose digits near their branch points, and so does each framework, elsewhere.
REAL_ONLY = ("acos", "acosh", "asin", "asinh", "atan", "atanh", "log1p", "expm1", "tan", "log2", "log10")
# Far from 0 float32 has no digits left for a sine's angle.
BOUNDED = ("cos", "sin", "tan", "cosh", "sinh")
MORE_UNARY = {
    "is_nan": (np.isnan, None, "biufc", "bool"),
    "is_finite": (np.isfinite, None, "biufc", "bool"),
    "is_inf": (np.isinf, None, "biufc", "bool"),
    "fill_nan": (lambda x: np.where(np.isnan(x), np.zeros((), x.dtype), x), None, "biufc", "own"),
    "relu": (lambda x: np.where(x < 0, np.zeros((), x.dtype), x), None, "iuf", "own"),
    "stop_gradient": (lambda x: x, None, "biufc", "own"),
}
MORE_BINARY = {
    "equal_nan": (lambda x, y: (x == y) | (np.isnan(x) & np.isnan(y)), None, "biufc", "bool"),
    "nextafter": (np.nextafter, None, "f", "own"),
}
# Each framework's own, as the page of differences says: division of integers by 0, and shifts by no bits of
# the dtype. A negative power of an integer is none. A sign of 0 in floor_divide and remainder is left open.
LEFT_OPEN = ("floor_divide", "remainder", "pow", "bitwise_left_shift", "bitwise_right_shift")
SIGNED = ("negative", "positive", "abs", "copysign", "fill_nan", "stop_gradient")


def computed(reference, rule):
    """Return a reference that computes in a dtype wide enough: NumPy has small floats, not bfloat16."""

    def run(*args):
        work = []
        for x in args:
            if kind_of(x.dtype.name) == "f" and x.dtype.itemsize == 2:
                x = x.astype(np.float32)
            if rule == "floating" and x.dtype.kind in "biu":
                x = x.astype(np.float64)
            work.append(x)
        return reference(*work)

    return run


@st.composite
def unary(draw, backend):
    """Draw a function of one array."""
    table = {**UNARY, **MORE_UNARY}
    name = draw(spread(sorted(table)))
    reference, _, kinds, rule = table[name]
    if name in REAL_ONLY:
        kinds = kinds.replace("c", "")
    dtype = draw(dtypes(kinds, backend))
    x = draw(arrays(dtype, extreme=name not in BOUNDED and kind_of(dtype) != "c"))
    if kind_of(dtype) == "c" and name in ("log", "rsqrt", "reciprocal", "sqrt", "sign"):
        x = np.where(x == 0, np.ones((), x.dtype), x)  # NumPy's NaN and infinity of a complex 0 are no model
    if kind_of(dtype) == "i" and name in ("rsqrt", "sqrt", "log", "log2", "log10", "log1p", "acosh"):
        x = np.where(x < 0, np.zeros((), x.dtype), x)
    if kind_of(dtype) in "iu" and name in ("sin", "cos", "tan", "cosh", "sinh"):
        x = np.clip(x, -5 if kind_of(dtype) == "i" else 0, 9)
    scale = 20 if kind_of(dtype) == "c" else 3
    return Case(name, getattr(at, name), (x,), computed(reference, rule), rule, scale, name in SIGNED)


@st.composite
def binary(draw, backend):
    """Draw a function of two arrays of one dtype that broadcast."""
    table = {**BINARY, **MORE_BINARY}
    name = draw(spread(sorted(table)))
    reference, _, kinds, rule = table[name]
    if name == "pow":
        kinds = "iuf"
    dtype = draw(dtypes(kinds, backend))
    shapes = draw(broadcastable())
    if name == "nextafter" and dtype in ("float16", "bfloat16"):
        dtype = "float32"
    extreme = name not in LEFT_OPEN and kind_of(dtype) != "c" and name != "nextafter"
    x = draw(arrays(dtype, shapes[0], extreme=extreme))
    y = draw(arrays(dtype, shapes[1], extreme=extreme, special=name not in LEFT_OPEN))
    if name in LEFT_OPEN:
        small = np.array(1, y.dtype)
        y = np.where(y == 0, small, y) if kind_of(dtype) == "f" else np.where(y <= 0, small, y)
        if name == "pow" and kind_of(dtype) in "iu":
            y = np.minimum(y, np.array(3, y.dtype))
        if "shift" in name:
            x, y = np.where(x < 0, small, x), np.minimum(y, np.array(6, y.dtype))
    if name == "floor_divide" and kind_of(dtype) == "f":
        x = np.where(np.isinf(x), small, x)  # the standard leaves NaN or infinity open
    if name == "pow" and y.shape != x.shape:
        y = np.broadcast_to(
            y, np.broadcast_shapes(x.shape, y.shape)
        ).copy()  # NumPy's own 0.5 is a square root
    if name == "divide" and kind_of(dtype) == "c":
        y = np.where(y == 0, np.ones((), y.dtype), y)
    scale = 20 if kind_of(dtype) == "c" else 3
    return Case(name, getattr(at, name), (x, y), computed(reference, rule), rule, scale, name in SIGNED)


@st.composite
def chosen(draw, backend):
    """Draw a function whose bounds or branches are arrays or Python numbers."""
    what = draw(spread(["clip", "where", "nan_to_num", "leaky_relu", "softmax", "cast", "weak"]))
    if what == "clip":
        dtype = draw(dtypes("iuf", backend))
        shapes = draw(broadcastable(3))
        whole = np.broadcast_shapes(*shapes)
        x = draw(arrays(dtype, whole))
        low, high = (draw(arrays(dtype, shape)) for shape in shapes[1:])
        return Case("clip", at.clip, (x, low, high), computed(np.clip, "own"))
    if what == "where":
        dtype = draw(dtypes("biufc", backend))
        shapes = draw(broadcastable(3))
        mask = draw(arrays("bool", shapes[0]))
        x, y = (draw(arrays(dtype, shape)) for shape in shapes[1:])
        return Case(
            "where", lambda x, y, m: at.where(m, x, y), (x, y, mask), lambda x, y, m: np.where(m, x, y)
        )
    if what == "nan_to_num":
        dtype = draw(dtypes("fiu", backend))
        options = draw(spread([{}, {"nan": 1.5}, {"posinf": 3.0, "neginf": -2.0}]))
        x = draw(arrays(dtype))
        info = None if kind_of(dtype) != "f" else at.finfo(x)
        return Case(
            f"nan_to_num {options}",
            lambda x: at.nan_to_num(x, **options),
            (x,),
            lambda x: _numbers(x, options) if info else x,
        )
    if what == "leaky_relu":
        dtype, slope = draw(dtypes("f", backend)), draw(spread([0.01, 0.5, 2, 0.0]))
        x = draw(arrays(dtype, extreme=False))
        x = np.where(np.isinf(x) & (slope == 0.0), np.ones((), x.dtype), x)
        return Case(
            f"leaky_relu {slope}",
            lambda x: at.leaky_relu(x, slope),
            (x,),
            computed(lambda x: np.where(x < 0, x * x.dtype.type(slope), x), "own"),
        )
    if what == "softmax":
        dtype = draw(dtypes("f", backend))
        shape = draw(st.lists(spread([3, 1, 2]), min_size=1, max_size=3).map(tuple))
        x = draw(arrays(dtype, shape, special=False, extreme=False))
        axis = draw(st.integers(-len(shape), len(shape) - 1))
        return Case(
            f"softmax {axis}", lambda x: at.softmax(x, axis), (x,), lambda x: _softmax(x, axis), "own", 3
        )
    if what == "cast":
        source, target = draw(dtypes("biuf", backend)), draw(dtypes("biufc", backend))
        x = draw(arrays(source, special=False, extreme=False))
        if kind_of(target) == "u" and kind_of(source) in "if":
            x = np.where(x < 0, np.ones((), x.dtype), x)  # of a negative number C itself says nothing
        return Case(
            f"astype {target}",
            lambda x: at.astype(x, target),
            (x,),
            lambda x: x.astype(bool) if target == "bool" else x,
            target,
        )
    return draw(weak(backend))


@st.composite
def weak(draw, backend):
    """Draw arithmetic of an array and a Python number of a lower kind, which takes the array's dtype."""
    name = draw(spread(["add", "multiply", "subtract", "maximum", "minimum", "equal", "less"]))
    dtype = draw(dtypes("iuf", backend))
    scalar = draw(st.integers(0, 5) if kind_of(dtype) in "iu" else st.one_of(QUARTER, st.integers(-4, 4)))
    x = draw(arrays(dtype))
    swapped = draw(st.booleans())
    reference, _, _, rule = BINARY[name]

    def function(x):
        return getattr(at, name)(scalar, x) if swapped else getattr(at, name)(x, scalar)

    def plain(x):
        other = np.asarray(scalar).astype(x.dtype)
        return reference(other, x) if swapped else reference(x, other)

    return Case(f"{name} of {scalar}, swapped {swapped}", function, (x,), computed(plain, rule), rule, 3)


QUARTER = st.integers(-16, 16).map(lambda i: i / 4)


def _numbers(x, options):
    limits = np.finfo(np.float32) if x.dtype.name == "float32" else at.finfo(x)
    high, low = float(limits.max), float(limits.min)
    work = x.astype(np.float64)
    return np.nan_to_num(
        work,
        nan=options.get("nan", 0.0),
        posinf=options.get("posinf", high),
        neginf=options.get("neginf", low),
    )


def _softmax(x, axis):
    work = x.astype(np.float64)
    weights = np.exp(work - work.max(axis=axis, keepdims=True))
    return weights / weights.sum(axis=axis, keepdims=True)
