"""Cases along axes: reductions, running sums, order, places, search, distinct entries."""

import numpy as np
from fuzz_cases import Case
from fuzz_elementwise import computed
from fuzz_values import arrays, axes_of, dtypes, kind_of, spread
from hypothesis import strategies as st
from test_reduction import REDUCTIONS
from test_sorting import stable_order

import anytensor as at

TOTALS = ("sum", "prod", "mean", "var", "std")


def wide(x):
    """Return x in the widest dtype of its kind; unsigned stays unsigned, so that it wraps alike."""
    if kind_of(x.dtype.name) == "f":
        return x.astype(np.float64)
    return x.astype({"b": np.int64, "i": np.int64, "u": np.uint64}.get(x.dtype.kind, np.complex128))


@st.composite
def reductions(draw, backend):
    """Draw a reduction over an axis, several, or all."""
    name = draw(spread(sorted(REDUCTIONS)))
    reference, kinds, rule = REDUCTIONS[name]
    dtype = draw(dtypes(kinds, backend))
    # A sum of extremes is what its order makes of it; products of quarters stay small.
    x = draw(arrays(dtype, extreme=name not in TOTALS))
    if name == "prod":
        x = np.where(np.abs(wide(x)) > 4, np.ones((), x.dtype), x).astype(x.dtype)
    options = {}
    if draw(st.booleans()):
        options["axis"] = draw(axes_of(x.ndim, several=True))
    if draw(st.booleans()):
        options["keepdims"] = True
    reduced = options.get("axis")
    axes = range(x.ndim) if reduced is None else (reduced,) if isinstance(reduced, int) else reduced
    count = int(np.prod([x.shape[axis] for axis in axes]))
    if count == 0 and name in ("max", "min"):
        x, name, reference, rule = np.zeros(x.shape, bool), "any", np.any, "bool"
    if name in ("var", "std") and draw(st.booleans()):
        # No more than the entries less one: past that NumPy warns and gives infinities, and others NaN.
        options["correction"] = draw(spread([0, 1, 0.5])) if count > 1 else 0

    def plain(x):
        given = {("ddof" if k == "correction" else k): v for k, v in options.items()}
        work = x if name in ("max", "min", "all", "any") else wide(x)
        return reference(work, **given)

    return Case(f"{name} {options}", lambda x: getattr(at, name)(x, **options), (x,), plain, rule, 4)


@st.composite
def running(draw, backend):
    """Draw a running sum or product, or differences."""
    name = draw(spread(["cumulative_sum", "cumulative_prod", "cumsum", "diff", "count_nonzero"]))
    dtype = draw(dtypes("iufc" if name == "diff" else "biufc", backend))
    x = draw(arrays(dtype, extreme=False))
    if x.ndim == 0:
        x = x.reshape(1)
    axis = draw(axes_of(x.ndim))
    if name == "count_nonzero":
        axis = draw(axes_of(x.ndim, several=True))
        return Case(
            f"count_nonzero {axis}",
            lambda x: at.count_nonzero(x, axis=axis),
            (x,),
            lambda x: np.count_nonzero(x, axis=axis),
            "index",
        )
    if name == "diff":
        times = draw(spread([1, 2, 0]))
        return Case(
            f"diff {axis} {times}", lambda x: at.diff(x, axis=axis, n=times), (x,), _diff(axis, times)
        )
    if name == "cumsum":
        flat = draw(st.booleans())
        chosen = None if flat else axis
        return Case(
            f"cumsum {chosen}",
            lambda x: at.cumsum(x, chosen),
            (x,),
            lambda x: np.cumsum(wide(x), chosen),
            "widened",
            4,
        )
    initial = draw(st.booleans())
    if name == "cumulative_prod":
        x = np.where(np.abs(wide(x)) > 2, np.ones((), x.dtype), x).astype(x.dtype)

    def plain(x):
        work = wide(x)
        out = (np.cumsum if name == "cumulative_sum" else np.cumprod)(work, axis=axis)
        if not initial:
            return out
        first = np.full_like(np.take(work, [], axis), 0)
        shape = list(x.shape)
        shape[axis] = 1
        first = np.full(shape, 0 if name == "cumulative_sum" else 1, out.dtype)
        return np.concatenate([first, out], axis)

    return Case(
        f"{name} {axis} {initial}",
        lambda x: getattr(at, name)(x, axis=axis, include_initial=initial),
        (x,),
        plain,
        "widened",
        4,
    )


def _diff(axis, times):
    return computed(lambda x: np.diff(x, n=times, axis=axis), "own")


@st.composite
def order(draw, backend):
    """Draw a sort, the place of an extreme, a search, or the distinct entries."""
    what = draw(spread(["sort", "argsort", "argmax", "argmin", "searchsorted", "unique", "nonzero"]))
    dtype = draw(dtypes("biuf", backend))
    x = draw(arrays(dtype))
    if what in ("sort", "argsort"):
        x = x.reshape(1) if x.ndim == 0 else x
        axis, descending = draw(axes_of(x.ndim)), draw(st.booleans())

        def plain(x):
            work = x.astype(np.float64) if kind_of(x.dtype.name) == "f" else x
            places = stable_order(work, axis, descending)
            return places if what == "argsort" else np.take_along_axis(work, places, axis)

        return Case(
            f"{what} {axis} {descending}",
            lambda x: getattr(at, what)(x, axis=axis, descending=descending),
            (x,),
            plain,
            "index" if what == "argsort" else "own",
            0,
        )
    if what in ("argmax", "argmin"):
        axis = None if draw(st.booleans()) else draw(axes_of(x.ndim))
        if x.size == 0:
            x = np.ones((2, 2), x.dtype)
            axis = None
        keep = draw(st.booleans())

        def place(x):
            work = x.astype(np.float64) if kind_of(x.dtype.name) == "f" else x
            return getattr(np, what)(work, axis=axis, keepdims=keep)

        return Case(
            f"{what} {axis} {keep}",
            lambda x: getattr(at, what)(x, axis=axis, keepdims=keep),
            (x,),
            place,
            "index",
        )
    if what == "searchsorted":
        sorted_ = draw(arrays(dtype, spread([(3,), (0,), (1,), (17,)])))
        work = sorted_.astype(np.float64) if kind_of(dtype) == "f" else sorted_
        sorted_ = sorted_[np.argsort(work, kind="stable")]
        side = draw(spread(["left", "right"]))

        def search(x1, x2):
            if kind_of(x1.dtype.name) == "f":
                x1, x2 = x1.astype(np.float64), x2.astype(np.float64)
            return np.searchsorted(x1, x2, side=side)

        return Case(
            f"searchsorted {side}",
            lambda x1, x2: at.searchsorted(x1, x2, side=side),
            (sorted_, x),
            search,
            "index",
        )
    if what == "unique":
        return Case("unique_all", lambda x: list(at.unique_all(x)), (x,), _unique, None, 0)
    x = x.reshape(1) if x.ndim == 0 else x
    return Case("nonzero", lambda x: list(at.nonzero(x)), (x,), lambda x: list(np.nonzero(x)), "index")


def _unique(x):
    work = x.astype(np.float64) if kind_of(x.dtype.name) == "f" else x
    values, indices, inverse, counts = np.unique(
        work.ravel(), return_index=True, return_inverse=True, return_counts=True, equal_nan=False
    )
    return [values, indices, inverse.reshape(x.shape), counts]
