"""Cases of shapes: joining, splitting, order of axes, gathering, patterns, creation."""

import numpy as np
from fuzz_axes import wide
from fuzz_cases import Case
from fuzz_values import INTEGERS, SEEDS, arrays, axes_of, broadcastable, dtypes, kind_of, spread
from hypothesis import strategies as st

import anytensor as at

KINDS = "biufc"


def _at_least_one_axis(x):
    return x.reshape(1) if x.ndim == 0 else x


@st.composite
def moved(draw, backend):
    """Draw a function that moves entries and computes nothing."""
    x = draw(arrays(draw(dtypes(KINDS, backend))))
    x = _at_least_one_axis(x)
    axis = draw(axes_of(x.ndim))
    other = draw(axes_of(x.ndim))
    shift, count = draw(spread([1, -2, 0, 5])), draw(spread([2, 0, 1, 3]))
    several = draw(axes_of(x.ndim, several=True))
    turned = tuple(np.random.default_rng(draw(SEEDS)).permutation(x.ndim).tolist())
    table = {
        f"flip {several}": (lambda x: at.flip(x, axis=several), lambda x: np.flip(x, several)),
        f"roll {shift} {axis}": (lambda x: at.roll(x, shift, axis=axis), lambda x: np.roll(x, shift, axis)),
        f"roll {shift}": (lambda x: at.roll(x, shift), lambda x: np.roll(x, shift)),
        f"moveaxis {axis} {other}": (
            lambda x: at.moveaxis(x, axis, other),
            lambda x: np.moveaxis(x, axis, other),
        ),
        f"permute_dims {turned}": (lambda x: at.permute_dims(x, turned), lambda x: np.transpose(x, turned)),
        "transpose": (at.transpose, np.transpose),
        f"expand_dims {axis}": (lambda x: at.expand_dims(x, axis=axis), lambda x: np.expand_dims(x, axis)),
        f"repeat {count} {axis}": (
            lambda x: at.repeat(x, count, axis=axis),
            lambda x: np.repeat(x, count, axis),
        ),
        f"repeat {count}": (lambda x: at.repeat(x, count), lambda x: np.repeat(x, count)),
        f"tile {count}": (lambda x: at.tile(x, (count, 2)), lambda x: np.tile(x, (count, 2))),
        "reshape": (lambda x: at.reshape(x, (-1,)), lambda x: x.reshape(-1)),
        f"unstack {axis}": (
            lambda x: list(at.unstack(x, axis=axis)),
            lambda x: [np.take(x, i, axis) for i in range(x.shape[axis])],
        ),
        f"concat {axis}": (lambda x: at.concat([x, x], axis=axis), lambda x: np.concatenate([x, x], axis)),
        "concat None": (lambda x: at.concat([x, x], axis=None), lambda x: np.concatenate([x, x], None)),
        f"stack {axis}": (lambda x: at.stack([x, x], axis=axis), lambda x: np.stack([x, x], axis)),
        "squeeze": (
            lambda x: at.squeeze(at.expand_dims(x, axis=0), axis=0),
            lambda x: x,
        ),
        "broadcast_to": (
            lambda x: at.broadcast_to(x, (2, *at.shape(x))),
            lambda x: np.broadcast_to(x, (2, *x.shape)),
        ),
        "broadcast_arrays": (
            lambda x: at.broadcast_arrays(x, at.expand_dims(x, axis=0)),
            lambda x: list(np.broadcast_arrays(x, x[None])),
        ),
    }
    if draw(spread([False] * 7 + [True])):
        x = x.ravel()[:1].reshape(()) if x.size else x
        table = {name: table[name] for name in WITHOUT_AXES if name in table} if x.ndim == 0 else table
    name = draw(spread(list(table)))
    return Case(name, table[name][0], (x,), table[name][1], "own", 0, True)


# What a 0-d array may be given.
WITHOUT_AXES = (
    *(
        "roll 1",
        "roll -2",
        "roll 0",
        "roll 5",
        "transpose",
        "reshape",
        "concat None",
        "squeeze",
        "broadcast_to",
    ),
    *(
        "broadcast_arrays",
        "repeat 0",
        "repeat 1",
        "repeat 2",
        "repeat 3",
        "tile 0",
        "tile 1",
        "tile 2",
        "tile 3",
    ),
    *("flip None", "expand_dims 0", "expand_dims -1", "stack 0", "stack -1"),
)


@st.composite
def gathered(draw, backend):
    """Draw a gather by indices of any integer dtype, from either end, or counts to repeat by."""
    what = draw(spread(["take", "take_along_axis", "repeat counts"]))
    x = _at_least_one_axis(draw(arrays(draw(dtypes(KINDS, backend)))))
    axis = draw(axes_of(x.ndim))
    length = x.shape[axis]
    dtype = draw(spread(INTEGERS))
    rng = np.random.default_rng(draw(SEEDS))
    least = -length if np.dtype(dtype).kind == "i" else 0
    if what == "take":
        shape = draw(spread([(2,), (), (0,), (2, 2), (5,)])) if length else (0,)
        indices = rng.integers(least, max(length, 1), shape).astype(dtype)

        def plain(x, i):
            return np.take(x, i.astype(np.int64), axis)

        return Case(
            f"take {axis}", lambda x, i: at.take(x, i, axis=axis), (x, indices), plain, "own", 0, True
        )
    if what == "take_along_axis":
        shape = list(x.shape)
        shape[axis] = draw(spread([2, 1, 0, 4])) if length else 0
        indices = rng.integers(least, max(length, 1), shape).astype(dtype)
        return Case(
            f"take_along_axis {axis}",
            lambda x, i: at.take_along_axis(x, i, axis=axis),
            (x, indices),
            lambda x, i: np.take_along_axis(x, i.astype(np.int64), axis),
            "own",
            0,
            True,
        )
    counts = rng.integers(0, 3, length).astype(dtype)
    total = draw(spread([None, 4, 0, 7]))
    if length == 0:
        total = 0  # no last entry to pad with

    def spreaded(x, n):
        out = np.repeat(x, n.astype(np.int64), axis)
        if total is None:
            return out
        # As jax.numpy: cut, or filled up with the last entry.
        if out.shape[axis] < total:
            last = np.take(x, [-1] * (total - out.shape[axis]), axis)
            return np.concatenate([out, last], axis)
        return np.take(out, np.arange(total), axis)

    return Case(
        f"repeat counts {axis} {total}" if total is None else f"repeat to {total} {axis}",
        lambda x, n: at.repeat(x, n, axis=axis, total_repeat_length=total),
        (x, counts),
        spreaded,
        "own",
        0,
        True,
    )


@st.composite
def joined(draw, backend):
    """Draw a joining of arrays of several lengths, or a choice by a mask of any dtype."""
    what = draw(spread(["concat", "where"]))
    dtype = draw(dtypes(KINDS, backend))
    if what == "where":
        shapes = draw(broadcastable(3))
        mask = draw(arrays(draw(dtypes("biuf", backend)), shapes[0]))
        x, y = (draw(arrays(dtype, shape)) for shape in shapes[1:])
        return Case(
            "where of any mask",
            lambda x, y, m: at.where(m, x, y),
            (x, y, mask),
            lambda x, y, m: np.where(m != 0, x, y),
            "own",
            0,
            True,
        )
    rest = draw(spread([(), (2,), (0,), (1, 3)]))
    parts = tuple(draw(arrays(dtype, (draw(spread([2, 1, 0, 3])), *rest))) for _ in range(3))
    return Case(
        "concat of three", lambda *p: at.concat(p), parts, lambda *p: np.concatenate(p), "own", 0, True
    )


PATTERNS = (
    ("a b -> b a", {}, lambda x: x.T),
    ("a b -> (a b)", {}, lambda x: x.reshape(-1)),
    ("a b -> (b a) 1", {}, lambda x: x.T.reshape(-1, 1)),
    ("(k a) b -> a k b", {"k": 2}, lambda x: np.moveaxis(x.reshape(2, len(x) // 2, x.shape[1]), 0, 1)),
    ("... b -> b ...", {}, lambda x: x.T),
)


@st.composite
def patterns(draw, backend):
    """Draw an einops pattern over matrices, empty ones too."""
    what = draw(spread(["rearrange", "reduce", "einops_repeat", "einsum", "pack"]))
    dtype = draw(dtypes(KINDS if what in ("einsum", "reduce") else "iuf", backend))
    shape = draw(spread([(2, 3), (4, 1), (2, 0), (2, 2)]))
    x = draw(arrays(dtype, shape, special=what != "einsum", extreme=False))
    if what == "rearrange":
        pattern, sizes, plain = draw(spread(PATTERNS))
        return Case(
            f"rearrange {pattern}", lambda x: at.rearrange(x, pattern, **sizes), (x,), plain, "own", 0
        )
    if what == "reduce":
        how = draw(spread(["sum", "max", "min", "any", "all", "prod", "mean"]))
        how = "sum" if x.size == 0 or (how in ("max", "min") and dtype.startswith("complex")) else how
        how = "sum" if how == "mean" and kind_of(dtype) in "biu" else how  # einops takes floating ones only
        rule = {"sum": "widened", "prod": "widened", "any": "bool", "all": "bool"}.get(how, "own")

        def reduced(x):
            return getattr(np, how)(x if rule in ("own", "bool") and how != "mean" else wide(x), axis=1)

        return Case(f"reduce {how}", lambda x: at.reduce(x, "a b -> a", how), (x,), reduced, rule, 4)
    if what == "einops_repeat":
        return Case(
            "einops_repeat",
            lambda x: at.einops_repeat(x, "a b -> b k a", k=2),
            (x,),
            lambda x: np.repeat(x.T[:, None], 2, 1),
            "own",
            0,
            True,
        )
    if what == "einsum":
        y = draw(arrays(dtype, (shape[1], 2), special=False, extreme=False))
        return Case(
            "einsum",
            lambda x, y: at.einsum(x, y, "a b, b c -> c a"),
            (x, y),
            lambda x, y: (wide(x) @ wide(y)).T,
            "own",
            4,
        )

    def packed(x):
        whole, shapes = at.pack([x, at.flip(x, axis=1)], "a *")
        return [whole, *at.unpack(whole, shapes, "a *")]

    return Case(
        "pack", packed, (x,), lambda x: [np.concatenate([x, x[:, ::-1]], 1), x, x[:, ::-1]], "own", 0, True
    )
