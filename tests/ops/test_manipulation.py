"""Shapes, order, joining and splitting, against NumPy on every backend."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from samples import DTYPES, EAGER, arrays, axis_of, sample

import anytensor as at
from anytensor.testing import assert_portable, prepare

X = np.arange(24.0, dtype=np.float32).reshape(2, 3, 4)
M = np.arange(6, dtype=np.int32).reshape(2, 3)
V = np.array([1.5, 2.5, 3.5], dtype=np.float32)
COUNTS = np.array([2, 0, 1], dtype=np.int32)

CASES = {
    "broadcast_arrays": (
        lambda m, v: at.broadcast_arrays(m, v),
        lambda m, v: list(np.broadcast_arrays(m, v)),
        (M, V),
    ),
    "broadcast_to": (lambda v: at.broadcast_to(v, (2, 3)), lambda v: np.broadcast_to(v, (2, 3)), (V,)),
    "broadcast_to an empty shape": (
        lambda v: at.broadcast_to(v, (0, 3)),
        lambda v: np.broadcast_to(v, (0, 3)),
        (V,),
    ),
    "concat": (lambda a, b: at.concat([a, b]), lambda a, b: np.concatenate([a, b]), (M, M)),
    "concat axis": (
        lambda a, b: at.concat((a, b), axis=-1),
        lambda a, b: np.concatenate((a, b), axis=-1),
        (X, X[..., :1]),
    ),
    "concat none": (
        lambda a, b: at.concat([a, b], axis=None),
        lambda a, b: np.concatenate([a, b], axis=None),
        (M, M[:1]),
    ),
    "concat promotes": (lambda a, b: at.concat([a, b]), lambda a, b: np.concatenate([a, b]), (V, V > 2)),
    "expand_dims": (lambda m: at.expand_dims(m), lambda m: m[None], (M,)),
    "expand_dims several": (
        lambda m: at.expand_dims(m, axis=(0, -1)),
        lambda m: np.expand_dims(m, (0, -1)),
        (M,),
    ),
    "flip": (lambda x: at.flip(x), np.flip, (X,)),
    "flip axes": (lambda x: at.flip(x, axis=(0, -1)), lambda x: np.flip(x, (0, -1)), (X,)),
    "flip 0-d": (lambda x: at.flip(x), lambda x: x, (np.asarray(1.5, dtype=np.float32),)),
    "moveaxis": (lambda x: at.moveaxis(x, 0, -1), lambda x: np.moveaxis(x, 0, -1), (X,)),
    "moveaxis several": (
        lambda x: at.moveaxis(x, (0, 1), (-1, 0)),
        lambda x: np.moveaxis(x, (0, 1), (-1, 0)),
        (X,),
    ),
    "permute_dims": (
        lambda x: at.permute_dims(x, (1, -1, 0)),
        lambda x: np.transpose(x, (1, 2, 0)),
        (X,),
    ),
    "transpose": (lambda x: at.transpose(x), np.transpose, (X,)),
    "transpose axes": (lambda x: at.transpose(x, (0, 2, 1)), lambda x: np.transpose(x, (0, 2, 1)), (X,)),
    "repeat": (lambda m: at.repeat(m, 2), lambda m: np.repeat(m, 2), (M,)),
    "repeat nought": (lambda m: at.repeat(m, 0, axis=0), lambda m: np.repeat(m, 0, axis=0), (M,)),
    "repeat counts": (lambda v, n: at.repeat(v, n), lambda v, n: np.repeat(v, n), (V, COUNTS)),
    "repeat one count": (
        lambda m, n: at.repeat(m, n, axis=1),
        lambda m, n: np.repeat(m, n, axis=1),
        (M, COUNTS[:1]),
    ),
    "repeat cut": (
        lambda v, n: at.repeat(v, n, total_repeat_length=2),
        lambda v, n: np.array([1.5, 1.5], dtype=np.float32),
        (V, COUNTS),
    ),
    "repeat padded": (
        lambda v, n: at.repeat(v, n, axis=0, total_repeat_length=5),
        lambda v, n: np.array([1.5, 1.5, 3.5, 3.5, 3.5], dtype=np.float32),
        (V, COUNTS),
    ),
    "reshape": (lambda x: at.reshape(x, (-1, 6)), lambda x: np.reshape(x, (-1, 6)), (X,)),
    "reshape to a vector": (lambda x: at.reshape(x, -1), lambda x: np.reshape(x, -1), (X,)),
    "reshape empty": (lambda x: at.reshape(x, (3, 0, 2)), lambda x: np.reshape(x, (3, 0, 2)), (X[:0],)),
    "reshape to 0-d": (lambda x: at.reshape(x, ()), lambda x: np.reshape(x, ()), (X[:1, 0, 0],)),
    "reshape copy": (lambda x: at.reshape(x, (24,), copy=True), lambda x: np.reshape(x, (24,)), (X,)),
    "roll": (lambda m: at.roll(m, 2), lambda m: np.roll(m, 2), (M,)),
    "roll axis": (lambda m: at.roll(m, -1, axis=1), lambda m: np.roll(m, -1, axis=1), (M,)),
    "roll no axis": (lambda m: at.roll(m, (), axis=()), lambda m: m, (M,)),
    "roll along no axis": (lambda m: at.roll(m, 3, axis=()), lambda m: m, (M,)),
    "roll one shift": (
        lambda m: at.roll(m, 1, axis=(0, 1)),
        lambda m: np.roll(m, 1, axis=(0, 1)),
        (M,),
    ),
    "roll shifts": (
        lambda m: at.roll(m, (1, -2), axis=(0, 1)),
        lambda m: np.roll(m, (1, -2), axis=(0, 1)),
        (M,),
    ),
    "squeeze": (lambda x: at.squeeze(x, axis=1), lambda x: np.squeeze(x, 1), (X[:, :1],)),
    "squeeze several": (lambda x: at.squeeze(x, (0, -1)), lambda x: np.squeeze(x, (0, -1)), (X[:1, :, :1],)),
    "stack": (lambda a, b: at.stack([a, b]), lambda a, b: np.stack([a, b]), (M, M)),
    "stack axis": (lambda a, b: at.stack([a, b], axis=-1), lambda a, b: np.stack([a, b], -1), (X, X)),
    "stack scalars": (lambda v: at.stack([v[0], v[1]]), lambda v: v[:2], (V,)),
    "tile": (lambda m: at.tile(m, (2, 1)), lambda m: np.tile(m, (2, 1)), (M,)),
    "tile more axes": (lambda v: at.tile(v, (2, 1, 2)), lambda v: np.tile(v, (2, 1, 2)), (V,)),
    "tile fewer axes": (lambda x: at.tile(x, 2), lambda x: np.tile(x, 2), (X,)),
    "tile nought": (lambda v: at.tile(v, (0,)), lambda v: np.tile(v, 0), (V,)),
    "unstack": (
        lambda x: at.unstack(x, axis=1),
        lambda x: tuple(x[:, i] for i in range(3)),
        (X,),
    ),
    "unstack nothing": (lambda x: at.unstack(x), lambda x: (), (X[:0],)),
}


def run(function, backend, *args):
    outcome = prepare(function, backend)(*args)
    if outcome.error is not None:
        raise outcome.error
    assert not outcome.foreign
    assert not outcome.written
    return outcome.outputs


def same(actual, expected):
    assert type(actual) is type(expected)
    pairs = (
        zip(actual, expected, strict=True) if isinstance(expected, (list, tuple)) else [(actual, expected)]
    )
    for a, b in pairs:
        assert a.shape == b.shape
        assert a.dtype == b.dtype
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("backend", EAGER)
@pytest.mark.parametrize("case", CASES)
def test_is_numpys(case, backend):
    function, reference, args = CASES[case]
    same(run(function, backend, *args), reference(*args))


def everything(x):
    wide = at.concat([x, x], axis=1)
    return [
        wide,
        at.expand_dims(x, axis=1),
        at.flip(x, axis=0),
        at.moveaxis(x, 0, 1),
        at.repeat(x, 2, axis=1),
        at.reshape(x, (3, -1)),
        at.roll(x, 1, axis=1),
        at.stack([x, x]),
        at.tile(x, (1, 2)),
        *at.unstack(wide, axis=0),
        at.broadcast_to(x, (2, 2, 3)),
        at.squeeze(at.expand_dims(x, axis=0), axis=0),
        at.transpose(x),
    ]


@pytest.mark.parametrize("backend", EAGER)
@pytest.mark.parametrize("dtype", DTYPES)
def test_every_dtype_stays(dtype, backend):
    x = sample(dtype)
    expected = prepare(everything, "numpy")(x).outputs
    actual = run(everything, backend, x)
    for a, b in zip(actual, expected, strict=True):
        assert a.dtype == b.dtype or backend == "jax"  # without x64 it narrows from the start
        np.testing.assert_array_equal(a.astype(complex), b.astype(complex))


def traced(x, v, counts):
    rows = at.shape(x)[0]
    big = at.concat([x, at.flip(x, axis=0), at.roll(x, 1, axis=0)], axis=0)
    parts = at.broadcast_arrays(v, x)
    return {
        "big": big,
        "parts": parts,
        "tall": at.reshape(x, (rows * 3, 1)),
        "flat": at.reshape(x, (-1,)),
        "stack": at.stack([x, 2.0 * x], axis=1),
        "split": at.unstack(x, axis=1),
        "moved": at.moveaxis(at.expand_dims(x, axis=0), 0, -1),
        "squeezed": at.squeeze(at.transpose(at.expand_dims(x, axis=0)), axis=-1),
        "tiled": at.tile(x, (2, 1)),
        "spread": at.broadcast_to(v, (rows, 3)),
        "even": at.repeat(x, 2, axis=0),
        "uneven": at.repeat(v, counts, total_repeat_length=4),
        "rolled": at.roll(x, (1, -1), axis=(0, 1)),
    }


def test_traces_whole_with_gradients():
    x = np.arange(12.0, dtype=np.float32).reshape(4, 3)
    assert_portable(traced, x, V, COUNTS)


@given(st.data())
@settings(max_examples=15, deadline=None)
@pytest.mark.parametrize("backend", EAGER[1:])
def test_any_shape_is_numpys(backend, data):
    x = data.draw(arrays(min_axes=1))
    axis = data.draw(axis_of(x))
    shift = data.draw(st.integers(-4, 4))
    count = data.draw(st.integers(0, 2))

    def function(x):
        return [
            at.concat([x, x], axis=axis),
            at.stack([x, x], axis=axis),
            at.flip(x, axis=axis),
            at.roll(x, shift, axis=axis),
            at.roll(x, shift),
            at.moveaxis(x, axis, 0),
            at.repeat(x, count, axis=axis),
            at.tile(x, (count, 2)),
            at.reshape(x, (-1,)),
            at.transpose(x),
            at.expand_dims(x, axis=axis),
        ]

    expected = [
        np.concatenate([x, x], axis),
        np.stack([x, x], axis),
        np.flip(x, axis),
        np.roll(x, shift, axis),
        np.roll(x, shift),
        np.moveaxis(x, axis, 0),
        np.repeat(x, count, axis),
        np.tile(x, (count, 2)),
        x.reshape(-1),
        x.T,
        np.expand_dims(x, axis),
    ]
    same(run(function, backend, x), expected)


ERRORS = {
    "one array": (lambda x: at.concat(x), TypeError, r"concat: `arrays` must be a tuple or a list"),
    "no arrays": (lambda x: at.stack([]), ValueError, r"stack: `arrays` must hold at least one array"),
    "a string": (lambda x: at.concat([x, "x"]), TypeError, r"concat: `arrays\[1\]`"),
    "concat 0-d": (lambda x: at.concat([x[0, 0], x[0, 0]]), ValueError, r"at least one axis"),
    "concat shapes": (
        lambda x: at.concat([x, x[:, :2]]),
        ValueError,
        r"concat: shapes must agree but along axis 0, got \(2, 3\) for arrays\[0\] and \(2, 2\)",
    ),
    "concat axis": (lambda x: at.concat([x, x], axis=2), IndexError, r"concat: `axis` 2 is out of range"),
    "stack shapes": (lambda x: at.stack([x, x[:1]]), ValueError, r"stack: shapes must agree"),
    "stack axis": (lambda x: at.stack([x], axis=-4), ValueError, r"stack: `axis` -4 is out of range"),
    "axis of a float": (lambda x: at.flip(x, axis=1.0), TypeError, r"flip: `axis` must be an integer"),
    "axis of a bool": (lambda x: at.flip(x, axis=True), TypeError, r"flip: `axis` must be an integer"),
    "axis twice": (lambda x: at.flip(x, axis=(0, -2)), ValueError, r"names an axis twice"),
    "too few axes": (lambda x: at.permute_dims(x, (0,)), ValueError, r"each of the 2 axes once"),
    "unequal moves": (lambda x: at.moveaxis(x, 0, (0, 1)), ValueError, r"`source` and `destination`"),
    "reshape": (
        lambda x: at.reshape(x, (4, 2)),
        ValueError,
        r"reshape: x of shape \(2, 3\) has 6 entries and cannot take shape \(4, 2\)",
    ),
    "reshape twice -1": (lambda x: at.reshape(x, (-1, -1)), ValueError, r"may have one -1"),
    "reshape to -2": (lambda x: at.reshape(x, (-2, 3)), ValueError, r"`shape` must be at least 0"),
    "reshape to a float": (lambda x: at.reshape(x, (2.0, 3)), TypeError, r"reshape: `shape` must be"),
    "reshape to None": (lambda x: at.reshape(x, (None, 3)), TypeError, r"reshape: `shape` is required"),
    "reshape ambiguous": (lambda x: at.reshape(x[:0], (-1, 0)), ValueError, r"none beside a 0"),
    "roll": (lambda x: at.roll(x, (1, 2, 3), axis=(0, 1)), ValueError, r"3 shifts and 2 axes"),
    "roll by a float": (lambda x: at.roll(x, 0.5), TypeError, r"roll: `shift` must be an integer"),
    "squeeze": (lambda x: at.squeeze(x, axis=0), ValueError, r"squeeze: `axis` 0 must name axes of length 1"),
    "broadcast_to": (lambda x: at.broadcast_to(x, (2, 4)), ValueError, r"does not broadcast to \(2, 4\)"),
    "broadcast_to less": (lambda x: at.broadcast_to(x, (3,)), ValueError, r"does not broadcast to \(3,\)"),
    "broadcast_arrays": (
        lambda x: at.broadcast_arrays(x, x[:, :2]),
        ValueError,
        r"shapes \(2, 3\) and \(2, 2\) do not broadcast together",
    ),
    "no array": (lambda x: at.broadcast_arrays(), ValueError, r"at least one array"),
    "a list": (lambda x: at.reshape([1, 2], (2, 1)), TypeError, r"reshape: `x` must be"),
    "repeat negative": (lambda x: at.repeat(x, -1), ValueError, r"repeat: `repeats` must be"),
    "repeat by floats": (lambda x: at.repeat(x, x), TypeError, r"repeat: `repeats` must hold integers"),
    "repeat by half": (lambda x: at.repeat(x, 0.5), TypeError, r"repeat: `repeats` must hold integers"),
    "repeat lengths": (
        lambda x: at.repeat(x, at.asarray([1, 2, 3], dtype="int64", like=x), axis=0),
        ValueError,
        r"one count for each of the 2 entries along axis 0",
    ),
    "repeat by a matrix": (
        lambda x: at.repeat(x, at.ones((2, 3), dtype="int32", like=x)),
        ValueError,
        r"0-d or 1-D",
    ),
    "tile negative": (lambda x: at.tile(x, (-1,)), ValueError, r"tile: `repetitions` must be at least 0"),
    "unstack 0-d": (lambda x: at.unstack(x[0, 0]), IndexError, r"unstack: `axis` 0 is out of range"),
}


@pytest.mark.parametrize("backend", EAGER)
@pytest.mark.parametrize("case", ERRORS)
def test_bad_input_is_refused_alike(case, backend):
    function, kind, message = ERRORS[case]
    with pytest.raises(kind, match=message):
        run(function, backend, np.zeros((2, 3), dtype=np.float32))


def test_shape_of_a_scalar():
    assert at.shape(1.5) == ()


def test_mixed_operands_land_on_the_framework():
    torch = pytest.importorskip("torch")
    joined = at.concat([np.array([1, 2], dtype=np.int32), torch.ones(1)])
    assert joined.dtype == torch.float32
    parts = at.broadcast_arrays(np.array([1, 2], dtype=np.int32), torch.ones(1, dtype=torch.float64))
    assert [part.dtype for part in parts] == [torch.int32, torch.float64]


def test_reshape_without_a_copy():
    x = np.zeros((2, 3))
    assert np.shares_memory(at.reshape(x, (6,), copy=False), x)
    assert not np.shares_memory(at.reshape(x, (6,), copy=True), x)


@pytest.mark.parametrize("backend", EAGER)
@pytest.mark.parametrize("dtype", ["uint64", "uint32", "uint16", "uint8", "int8", "int64"])
@pytest.mark.parametrize("total", [None, 2, 5])
def test_counts_of_any_integer_dtype(backend, dtype, total):
    counts = np.array([2, 0, 1], dtype=dtype)
    got = run(lambda v, n: at.repeat(v, n, total_repeat_length=total), backend, V, counts)
    assert got.tolist() == [1.5, 1.5, 3.5, 3.5, 3.5][: total or 3]
