"""Strategies of shapes, dtypes and entries: empty, single, special, extreme, repeated."""

import numpy as np
from hypothesis import strategies as st
from running import NARROW_ON_JAX, NOT_ON_TORCH
from samples import numpy_dtype

# Few, so that JAX and the compilers meet a shape again; Hypothesis alone draws mostly single entries.
SHAPE_LIST = (
    *((3,), (), (2, 3), (1,), (0,), (4,), (17,), (1, 3), (2, 1), (3, 2), (0, 3), (2, 0), (1, 1)),
    *((2, 3, 2), (3, 1, 2), (1, 0, 2), (2, 2, 2), (2, 1, 3, 2), (1, 2, 2, 3)),
)


def spread(options):
    """Draw one of some options, each as often as another; the first is the simplest.

    Of ``sampled_from`` Hypothesis draws the first ones far more often, and what was drawn before again.
    """
    options = tuple(options)
    return st.integers(0, 2**24).map(lambda i: options[(i * 2654435761 >> 11) % len(options)])


SHAPES = spread(SHAPE_LIST)
SEEDS = st.integers(0, 2**24)
DTYPES_BY_KIND = {
    "b": ("bool",),
    "i": ("int32", "int64", "int8", "int16"),
    "u": ("uint8", "uint32", "uint16", "uint64"),
    "f": ("float32", "float64", "float16", "bfloat16"),
    "c": ("complex64", "complex128"),
}
INTEGERS = ("int64", "int32", "uint8", "int8", "int16", "uint16", "uint32", "uint64")


def kind_of(dtype):
    """Return the letter of a dtype's kind; bfloat16 is floating."""
    return "f" if dtype == "bfloat16" else np.dtype(dtype).kind


def dtypes(kinds, backend):
    """Draw the name of a dtype of some kinds that a backend computes in."""
    names = [name for kind in kinds for name in DTYPES_BY_KIND[kind]]
    return spread([name for name in names if backend != "torch" or name not in NOT_ON_TORCH])


def narrow(x, backend):
    """Return an array as a backend has it: JAX has no 64 bits by default."""
    wanted = NARROW_ON_JAX.get(x.dtype.name) if backend == "jax" else None
    with np.errstate(over="ignore"):
        return x if wanted is None else x.astype(wanted)


SPECIAL = (0.0, -0.0, np.inf, -np.inf, np.nan)
STYLES = ("plain", "special", "extreme", "ties", "all")


def candidates(dtype, style, positive=False):
    """Return what entries of a dtype are chosen from.

    Subnormal numbers are not among them: XLA and TensorFlow flush them to 0.
    """
    kind = kind_of(dtype)
    if kind == "b":
        return [False, True]
    if kind in "iu":
        info = np.iinfo(dtype)
        found = list(range(1 if positive else max(info.min, -5), 10))
        return found + [info.min, info.max, info.max - 1] * 2 if style in ("extreme", "all") else found
    found = [i / 4 for i in range(1 if positive else -16, 17)]
    if style in ("special", "all"):
        found += [x for x in SPECIAL if not positive or x > 0] * 4
    if style in ("extreme", "all"):
        import ml_dtypes

        real = {"complex64": "float32", "complex128": "float64"}.get(dtype, dtype)
        info = ml_dtypes.finfo(numpy_dtype(real))
        bounds = [float(info.max), float(info.smallest_normal), 0.1, 100.0, 1e4]
        found += [*bounds, *([] if positive else [-x for x in bounds])] * 2
    return found


@st.composite
def arrays(draw, dtype, shape=SHAPES, special=True, extreme=True, positive=False):
    """Draw an array; at times of few entries that come again, for ties.

    special: NaN, infinities and signed zeros among the floating ones.
    extreme: the greatest and least numbers among them.
    """
    shape = draw(shape) if isinstance(shape, st.SearchStrategy) else shape
    style = draw(spread(STYLES))
    special = special and kind_of(dtype) != "c"  # C leaves open what a part beside an infinite one is
    if (style == "special" and not special) or (style == "extreme" and not extreme):
        style = "plain"
    elif style == "all" and not (special and extreme):
        style = "special" if special else "extreme" if extreme else "plain"
    # One draw for all entries: each for itself is slow, and most of them would be 0.
    rng = np.random.default_rng(draw(SEEDS))
    some = np.array(candidates(dtype, "special" if style == "ties" and special else style, positive), object)
    if style == "ties":
        some = rng.choice(some, 3)
    values = rng.choice(some, shape)
    if kind_of(dtype) == "c":
        values = values + 1j * rng.choice(candidates(dtype, "plain", positive), shape)
    with np.errstate(over="ignore"):
        x = np.asarray(values, object).astype(_host(dtype)).astype(numpy_dtype(dtype)).reshape(shape)
    # Transposed in memory, at times: PyTorch's kernels see the strides.
    return np.asfortranarray(x) if draw(spread([False, False, True])) else x


def _host(dtype):
    return np.float64 if dtype == "bfloat16" else np.dtype(dtype)


@st.composite
def axes_of(draw, rank, several=False):
    """Draw an axis of a rank from either end, or None, or several axes."""
    if rank == 0:
        return draw(spread([None, ()])) if several else None
    one = st.integers(-rank, rank - 1)
    if not several:
        return draw(one)
    some = st.lists(st.integers(0, rank - 1), unique=True, max_size=rank).map(tuple)
    return draw(st.one_of(st.none(), one, some))


@st.composite
def broadcastable(draw, count=2):
    """Draw shapes that broadcast together."""
    whole = draw(SHAPES)
    found = []
    for _ in range(count):
        kept = list(whole[draw(spread(range(len(whole) + 1))) :])
        for place in range(len(kept)):
            if draw(spread(range(4))) == 3:
                kept[place] = 1
        found.append(tuple(kept))
    return found


@st.composite
def segment_ids(draw, rows, n, backend):
    """Draw ids of any integer dtype, in range and out of it, in order or not: (ids, in order)."""
    dtype = draw(spread(INTEGERS))
    # Made a JAX array, an id past 32 bits is another one before the library sees it.
    info = np.iinfo(NARROW_ON_JAX.get(dtype, dtype) if backend == "jax" else dtype)
    inside = list(range(max(n, 1)))
    near = [*range(max(info.min, -2), 0), *inside, n, n + 1]
    far = [info.min, info.max, min(info.max, n)]
    some = {"inside": inside, "near": near, "far": near + far, "one": inside[-1:]}
    style = draw(spread(sorted(some)))
    rng = np.random.default_rng(draw(SEEDS))
    ids = rng.choice(np.array(some[style], object), rows).astype(dtype)
    in_order = draw(st.booleans())
    return (np.sort(ids) if in_order else ids), in_order
