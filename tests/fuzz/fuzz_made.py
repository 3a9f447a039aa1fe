"""Cases of creation and of Fourier transforms."""

import numpy as np
from fuzz_axes import wide
from fuzz_cases import Case
from fuzz_values import arrays, axes_of, dtypes, kind_of, spread
from hypothesis import strategies as st

import anytensor as at

F = at.fft
CREATED = ("bool", "int32", "int64", "float32", "float64", "uint8", "complex64", "int8", "float16")


@st.composite
def created(draw, backend):
    """Draw a creation beside an array, of its own dtype, another or the default one."""
    x = draw(arrays(draw(dtypes("biufc", backend))))
    dtype = draw(spread(CREATED))
    n, m = draw(spread([3, 0, 1, 2])), draw(spread([2, 1, 0, 4]))
    k = draw(spread([0, 1, -1, 5, -5]))
    start, stop, step = draw(spread([0, -2, 3, 7])), draw(spread([5, 0, -4, 3])), draw(spread([1, 2, -1, -3]))
    value = draw(spread([1, 0, 3]))
    chosen = dtype not in ("bool", "complex64")
    table = {
        f"zeros {n} {m}": (
            lambda x: at.zeros((n, m), dtype=dtype, like=x),
            lambda x: np.zeros((n, m)),
            dtype,
        ),
        f"ones {n}": (lambda x: at.ones((n,), dtype=dtype, like=x), lambda x: np.ones(n), dtype),
        f"full {n} {value}": (
            lambda x: at.full((n, m), value, dtype=dtype, like=x),
            lambda x: np.full((n, m), value),
            dtype,
        ),
        f"eye {n} {m} {k}": (
            lambda x: at.eye(n, m, k=k, dtype=dtype, like=x),
            lambda x: np.eye(n, m, k),
            dtype,
        ),
        "zeros_like": (at.zeros_like, np.zeros_like, "own"),
        "ones_like": (lambda x: at.ones_like(x, dtype=dtype), lambda x: np.ones(x.shape), dtype),
        f"full_like {value}": (lambda x: at.full_like(x, value), lambda x: np.full_like(x, value), "own"),
    }
    if chosen:
        floating = "float32" if kind_of(dtype) in "iu" else dtype
        if kind_of(dtype) == "u":
            start, stop, step = 0, 5, 2
        table |= {
            f"arange {start} {stop} {step}": (
                lambda x: at.arange(start, stop, step, dtype=dtype, like=x),
                lambda x: np.arange(start, stop, step),
                dtype,
            ),
            f"linspace {start} {stop} {n}": (
                lambda x: at.linspace(start, stop, n, dtype=floating, like=x),
                lambda x: np.linspace(start, stop, n),
                floating,
            ),
            f"linspace {start} {stop} {n} without its end": (
                lambda x: at.linspace(start, stop, n, dtype=floating, endpoint=False, like=x),
                lambda x: np.linspace(start, stop, n, endpoint=False),
                floating,
            ),
        }
    name = draw(spread(list(table)))
    function, plain, rule = table[name]
    return Case(name, function, (x,), plain, rule)


@st.composite
def triangles(draw, backend):
    """Draw a triangle of a stack of matrices, or a grid of vectors."""
    dtype, k = draw(dtypes("biufc", backend)), draw(spread([0, 1, -1, 5, -5]))
    name = draw(spread(["tril", "triu", "meshgrid"]))
    if name == "meshgrid":
        x, y = (draw(arrays(dtype, (draw(spread([2, 3, 0, 1])),))) for _ in range(2))
        indexing = draw(spread(["xy", "ij"]))
        return Case(
            f"meshgrid {indexing}",
            lambda x, y: list(at.meshgrid(x, y, indexing=indexing)),
            (x, y),
            lambda x, y: list(np.meshgrid(x, y, indexing=indexing)),
            "own",
            0,
        )
    x = draw(arrays(dtype, spread([(2, 3), (3, 3), (0, 2), (2, 0), (2, 3, 2), (1, 1), (2, 1, 3, 2)])))
    return Case(
        f"{name} {k}", lambda x: getattr(at, name)(x, k=k), (x,), lambda x: getattr(np, name)(x, k), "own", 0
    )


@st.composite
def transforms(draw, backend):
    """Draw a Fourier transform; of no entries NumPy has none."""
    name = draw(
        spread(["fft", "ifft", "rfft", "irfft", "hfft", "ihfft", "fftn", "rfftn", "fftshift", "ifftshift"])
    )
    kinds = "iuf" if name in ("rfft", "ihfft", "rfftn") else "iufc"
    dtype = draw(dtypes("biufc" if "shift" in name else kinds, backend))
    shapes = [(3,), (4,), (1,), (2, 3), (3, 1), (2, 3, 2), (17,)]
    x = draw(arrays(dtype, spread(shapes), special="shift" in name, extreme=False))
    if "shift" in name:
        axes = draw(axes_of(x.ndim, several=True))
        return Case(
            f"{name} {axes}",
            lambda x: getattr(F, name)(x, axes=axes),
            (x,),
            lambda x: getattr(np.fft, name)(x, axes=axes),
            "own",
            0,
        )
    options = {}
    if name in ("fftn", "rfftn"):
        options["axes"] = tuple(range(x.ndim)) if draw(st.booleans()) else (draw(axes_of(x.ndim)),)
    else:
        options["axis"] = draw(axes_of(x.ndim))
        if draw(st.booleans()):
            options["n"] = draw(spread([3, 1, 2, 5, 8]))
        elif name in ("irfft", "hfft") and x.shape[options["axis"]] < 2:
            options["n"] = 2  # of one entry there is nothing to give back
    options["norm"] = draw(spread(["backward", "ortho", "forward"]))
    return Case(
        f"{name} {options}",
        lambda x: getattr(F, name)(x, **options),
        (x,),
        lambda x: getattr(np.fft, name)(wide(x).astype(complex if x.dtype.kind == "c" else float), **options),
        None,
        30,
    )
