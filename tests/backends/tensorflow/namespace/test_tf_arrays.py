"""Creation, conversion, manipulation, indexing, searching, sorting, sets and data types."""

import ml_dtypes
import numpy as np
import pytest
import tensorflow as tf
from namespace_modes import close, run, static_shape

from anytensor.backends.tensorflow import namespace as xp

X = np.random.default_rng(1).normal(size=(3, 4)).astype(np.float32)
DTYPES = ("bool", "int8", "int64", "uint8", "uint16", "uint64", "float16", "float32", "complex64")


@pytest.mark.parametrize(
    ("made", "dtype", "shape"),
    [
        (lambda: xp.asarray(1), "int64", ()),
        (lambda: xp.asarray([1, 2.5]), "float32", (2,)),
        (lambda: xp.asarray([[True], [False]]), "bool", (2, 1)),
        (lambda: xp.asarray(2j), "complex64", ()),
        (lambda: xp.asarray(np.zeros(3)), "float64", (3,)),
        (lambda: xp.asarray(np.zeros(3, ml_dtypes.bfloat16)), "bfloat16", (3,)),
        (lambda: xp.asarray([tf.constant([1, 2]), tf.constant([0.5, 1])]), "float32", (2, 2)),
        (lambda: xp.asarray(1, dtype="uint8"), "uint8", ()),
        (lambda: xp.asarray([2**63], dtype=xp.uint64), "uint64", (1,)),
        (lambda: xp.zeros((2, 0)), "float32", (2, 0)),
        (lambda: xp.ones(3, dtype=np.int8), "int8", (3,)),
        (lambda: xp.full((2,), True), "bool", (2,)),
        (lambda: xp.full((2,), 1.5, dtype="bfloat16"), "bfloat16", (2,)),
        (lambda: xp.full_like(tf.constant([1, 2]), 7), "int32", (2,)),
        (lambda: xp.arange(3), "int64", (3,)),
        (lambda: xp.arange(0.0, 1, 0.25), "float32", (4,)),
        (lambda: xp.arange(2, 8, 3, dtype="uint8"), "uint8", (2,)),
        (lambda: xp.linspace(0, 1, 5), "float32", (5,)),
        (lambda: xp.linspace(0, 1j, 0), "complex64", (0,)),
    ],
)
def test_defaults_of_new_tensors(made, dtype, shape):
    out = made()
    assert out.dtype == dtype
    assert tuple(out.shape) == shape


@pytest.mark.parametrize(
    ("start", "stop", "step"),
    [(0, 5, 1), (5, 0, -2), (3, 3, 1), (0, 10, 3), (-1.5, 2, 0.5), (2**62, 2**62 + 3, 1), (1, 0, 1)],
)
def test_arange(start, stop, step):
    close(xp.arange(start, stop, step, dtype=xp.float64), np.arange(start, stop, step, "f8"))


@pytest.mark.parametrize("endpoint", [False, True])
@pytest.mark.parametrize(("start", "stop", "num"), [(1, 2, 7), (0.5, -3, 1), (1, 2j, 4), (1, 2, 0)])
def test_linspace(start, stop, num, endpoint):
    close(
        xp.linspace(start, stop, num, endpoint=endpoint),
        np.linspace(start, stop, num, endpoint=endpoint),
    )


def test_symbolic_sizes_make_tensors():
    def make(x):
        n = tf.shape(x)[0]
        parts = [xp.zeros((n,)), xp.arange(n), xp.linspace(0.0, 1.0, n), xp.full((n,), 2)]
        return xp.stack(parts), xp.eye(n)

    rows, identity = run(make, "graph", np.zeros(3, np.float32))
    close(rows, [[0, 0, 0], [0, 1, 2], [0, 0.5, 1], [2, 2, 2]])
    close(identity, np.eye(3, dtype=np.float32))


@pytest.mark.parametrize("k", [-9, -1, 0, 2, 9, 2**99])
def test_triangles(k):
    x = tf.constant(X)
    k_numpy = min(k, 99)
    close(xp.tril(x, k=k), np.tril(X, k_numpy))
    close(xp.triu(x, k=k), np.triu(X, k_numpy))
    close(xp.eye(3, 4, k=k), np.eye(3, 4, k_numpy, dtype=np.float32))


@pytest.mark.parametrize("indexing", ["xy", "ij"])
def test_meshgrid(indexing):
    got = xp.meshgrid(tf.constant(X[0]), tf.constant(X[:, 0]), indexing=indexing)
    for g, w in zip(got, np.meshgrid(X[0], X[:, 0], indexing=indexing), strict=True):
        close(g, w)


def test_a_positive_zero_stays_positive_beside_a_negative_one():
    # TensorFlow's own eager constants fail this.
    assert np.signbit(xp.asarray(-0.0).numpy())
    assert not np.signbit(xp.asarray(0.0).numpy())
    assert not np.signbit(xp.add(tf.constant([0.0]), 0.0).numpy()[0])


def aligned(count, offset=0):
    buffer = np.zeros(8 * count + 128, np.uint8)
    start = -buffer.ctypes.data % 64 + offset
    return buffer[start : start + 8 * count].view(np.float64)


def test_aligned_numpy_memory_is_shared():
    x = aligned(1 << 14)
    t = xp.asarray(x)
    x[0] = 7
    assert float(t[0]) == 7
    assert float(xp.asarray(x, copy=True)[0]) == 7
    copied = xp.asarray(x, copy=True)
    x[0] = 8
    assert float(copied[0]) == 7


@pytest.mark.parametrize("convert", [xp.asarray, xp.from_dlpack])
def test_memory_that_tensorflow_cannot_use_is_copied(convert):
    x = aligned(1 << 14, offset=8)
    x[:] = 1
    assert float(tf.reduce_sum(convert(x))) == 1 << 14
    with pytest.raises(ValueError, match="copy=False"):
        convert(x, copy=False)


def test_from_dlpack_of_torch():
    torch = pytest.importorskip("torch")
    base = torch.arange(40, dtype=torch.float32)
    close(xp.from_dlpack(base), np.arange(40, dtype=np.float32))
    close(xp.from_dlpack(base[1:]), np.arange(1, 40, dtype=np.float32))
    close(xp.from_dlpack(base.reshape(8, 5).T), np.arange(40, dtype=np.float32).reshape(8, 5).T)


MANIPULATIONS = {
    "concat": (lambda x: xp.concat([x, x], axis=1), lambda x: np.concatenate([x, x], 1)),
    "concat flat": (lambda x: xp.concat([x, x], axis=None), lambda x: np.concatenate([x, x], None)),
    "expand_dims": (lambda x: xp.expand_dims(x, -2), lambda x: np.expand_dims(x, -2)),
    "flip": (lambda x: xp.flip(x, axis=1), lambda x: np.flip(x, 1)),
    "moveaxis": (lambda x: xp.moveaxis(x, 0, -1), lambda x: np.moveaxis(x, 0, -1)),
    "repeat": (lambda x: xp.repeat(x, 2, axis=1), lambda x: np.repeat(x, 2, 1)),
    "repeat flat": (lambda x: xp.repeat(x, 3), lambda x: np.repeat(x, 3)),
    "reshape": (lambda x: xp.reshape(x, (2, -1)), lambda x: np.reshape(x, (2, -1))),
    "roll": (lambda x: xp.roll(x, (1, -2), axis=(0, 1)), lambda x: np.roll(x, (1, -2), (0, 1))),
    "roll flat": (lambda x: xp.roll(x, 5), lambda x: np.roll(x, 5)),
    "stack": (lambda x: xp.stack([x, x], axis=-1), lambda x: np.stack([x, x], -1)),
    "tile": (lambda x: xp.tile(x, (2, 1, 2)), lambda x: np.tile(x, (2, 1, 2))),
    "tile short": (lambda x: xp.tile(x, (2,)), lambda x: np.tile(x, (2,))),
    "take": (lambda x: xp.take(x, tf.constant([-1, 0]), axis=1), lambda x: x[:, [-1, 0]]),
    "broadcast": (lambda x: xp.broadcast_to(x, (2, 3, 4)), lambda x: np.broadcast_to(x, (2, 3, 4))),
    "unstack": (lambda x: xp.unstack(x, axis=1)[2], lambda x: x[:, 2]),
    "tril": (xp.tril, np.tril),
}


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", sorted(MANIPULATIONS))
def test_manipulation(name, dtype):
    x = (X * 3).astype(dtype) if dtype not in ("uint8", "uint16", "uint64") else abs(X).astype(dtype)
    ours, numpys = MANIPULATIONS[name]
    got = ours(tf.constant(x))
    assert got.dtype == x.dtype
    np.testing.assert_array_equal(got.numpy(), numpys(x))


@pytest.mark.parametrize("name", sorted(set(MANIPULATIONS) - {"unstack"}))
def test_manipulation_with_unknown_sizes(name):
    ours, numpys = MANIPULATIONS[name]
    close(run(ours, "graph", X), numpys(X))


def test_manipulation_under_xla():
    names = sorted(set(MANIPULATIONS) - {"concat flat"})
    outs = run(lambda x: [MANIPULATIONS[n][0](x) for n in names], "xla", X)
    for name, out in zip(names, outs, strict=True):
        close(out, MANIPULATIONS[name][1](X))


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (lambda x: xp.repeat(x, 2, axis=1), (None, 8)),
        (lambda x: xp.tile(x, (2, 3)), (None, 12)),
        (lambda x: xp.sort(x, axis=0), (None, 4)),
        (lambda x: xp.take_along_axis(x, tf.zeros((1, 2), tf.int32), axis=1), (None, 2)),
        (lambda x: xp.roll(x, 1, axis=0), (None, 4)),
        (lambda x: xp.triu(x, k=1), (None, 4)),
        (lambda x: xp.eye(xp.permute_dims(x, (1, 0)).shape[0]), (4, 4)),
        (lambda x: xp.broadcast_arrays(x, tf.zeros((4,)))[1], (None, 4)),
        (lambda x: xp.argmax(x, axis=0), (4,)),
        (lambda x: xp.linalg.matmul(x, tf.zeros((4, 5))), (None, 5)),
        (lambda x: xp.fft.rfft(x, n=6), (None, 4)),
    ],
)
def test_static_sizes_stay_static(function, expected):
    assert static_shape(function, ((None, 4), tf.float32)) == expected


def test_repeat_by_counts():
    counts = tf.constant([2, 0, 3], tf.uint8)
    close(xp.repeat(tf.constant(X), counts, axis=0), np.repeat(X, [2, 0, 3], axis=0))
    close(run(lambda x: xp.repeat(x, counts, axis=0), "graph", X), np.repeat(X, [2, 0, 3], axis=0))


def test_squeeze_names_the_size():
    with pytest.raises(ValueError, match="axis 1 of x has size 4"):
        xp.squeeze(tf.constant(X), 1)


SPECIAL = np.array([[3, np.nan, -1, 3, -np.inf], [0.0, -0.0, np.nan, np.inf, -2]])


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("mode", ["eager", "graph", "xla"])
def test_sorting_floats(dtype, axis, mode):
    x = SPECIAL.astype(tf.as_dtype(dtype).as_numpy_dtype)
    order, descending, ordered = run(
        lambda x: (
            xp.argsort(x, axis=axis),
            xp.argsort(x, axis=axis, descending=True),
            xp.sort(x, axis=axis),
        ),
        mode,
        x,
    )
    wide = x.astype("f8")
    np.testing.assert_array_equal(order, np.argsort(wide, axis=axis, stable=True))
    reverse = np.argsort(np.where(np.isnan(wide), -np.inf, -wide), axis=axis, stable=True)
    # NaN is the largest, so it leads a descending order, also before infinity.
    first_nan = np.argsort(~np.isnan(np.take_along_axis(wide, reverse, axis)), axis, stable=True)
    np.testing.assert_array_equal(descending, np.take_along_axis(reverse, first_nan, axis))
    assert ordered.dtype == dtype
    np.testing.assert_array_equal(np.asarray(ordered).astype("f8"), np.sort(wide, axis=axis))


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("dtype", ["bool", "int8", "int64", "uint8", "uint16", "uint32", "uint64"])
def test_sorting_integers(dtype, descending):
    x = np.array([3, 0, 1, 3, 2, 255]).astype(dtype)
    x[:1] = np.iinfo(dtype).max if dtype != "bool" else True
    got = xp.sort(tf.constant(x), descending=descending)
    np.testing.assert_array_equal(got, np.sort(x)[::-1] if descending else np.sort(x))


@pytest.mark.parametrize("name", ["argmax", "argmin"])
@pytest.mark.parametrize("mode", ["eager", "xla"])
def test_extremum_finds_the_first_nan(name, mode):
    x = np.array([[np.inf, np.nan, 1], [-np.inf, 2, np.nan], [1, 1, 0]], np.float32)
    np.testing.assert_array_equal(
        run(lambda x: getattr(xp, name)(x, axis=1), mode, x), getattr(np, name)(x, axis=1)
    )


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("mode", ["eager", "graph"])
def test_searchsorted(side, mode):
    ordered = np.array([-1.0, 0.0, 0.0, 2.0, np.nan])
    values = np.array([[-2.0, -0.0], [2.0, np.nan]])
    got = run(lambda a, v: xp.searchsorted(a, v, side=side), mode, ordered, values)
    np.testing.assert_array_equal(got, np.searchsorted(ordered, values, side=side))


@pytest.mark.parametrize("mode", ["eager", "graph"])
@pytest.mark.parametrize("dtype", ["bool", "int8", "uint64", "bfloat16", "float32", "complex64"])
def test_unique(dtype, mode):
    x = tf.cast(tf.constant([[2, 0, 1], [1, 2, 1]]), dtype).numpy()
    values, indices, inverse, counts = run(xp.unique_all, mode, x)
    want = np.unique(x, return_index=True, return_inverse=True, return_counts=True)
    assert values.dtype == dtype
    for got, expected in zip((values, indices, inverse, counts), want, strict=True):
        np.testing.assert_array_equal(got, expected)


def test_unique_keeps_every_nan():
    x = tf.constant([np.nan, 0.0, -0.0, np.nan])
    values, counts = xp.unique_counts(x)
    close(values, np.array([0.0, np.nan, np.nan], np.float32))
    np.testing.assert_array_equal(counts, [2, 1, 1])
    close(xp.unique_values(x), np.array([0.0, np.nan, np.nan], np.float32))


def test_nonzero_and_counts():
    x = np.array([[0, 1], [2, 0]], np.float16)
    for got, want in zip(xp.nonzero(tf.constant(x)), np.nonzero(x), strict=True):
        np.testing.assert_array_equal(got, want)
    np.testing.assert_array_equal(xp.count_nonzero(tf.constant(x), axis=0), [1, 1])


def test_where_takes_scalars():
    out = xp.where(tf.constant([True, False]), tf.constant([1, 2], tf.int8), 0)
    assert out.dtype == tf.int8
    close(out, [1, 0])


@pytest.mark.parametrize("name", ["sort", "repeat", "roll", "take"])
def test_gradients_flow(name):
    x = tf.constant([3.0, 1.0, 2.0])
    call = {
        "sort": lambda x: xp.sort(x)[0],
        "repeat": lambda x: xp.repeat(x, 2)[2],
        "roll": lambda x: xp.roll(x, 1)[2],
        "take": lambda x: xp.take(x, tf.constant([-2]))[0],
    }[name]
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = call(x)
    close(tf.convert_to_tensor(tape.gradient(y, x)), np.float32([0, 1, 0]))


def test_data_types():
    assert xp.isdtype(xp.bfloat16, "real floating")
    assert xp.isdtype(xp.uint8, ("bool", "integral"))
    assert not xp.isdtype(xp.bool, "numeric")
    assert xp.can_cast(xp.int8, xp.int16)
    assert not xp.can_cast(xp.float64, xp.float32)
    assert xp.finfo(xp.complex128).bits == 64
    assert xp.finfo(xp.bfloat16).eps == 2**-7
    assert xp.iinfo(tf.constant(1, tf.uint64)).max == 2**64 - 1
    with pytest.raises(ValueError, match="kind 'float' is unknown"):
        xp.isdtype(xp.float32, "float")


def test_astype_to_bool_sees_imaginary_numbers():
    np.testing.assert_array_equal(xp.astype(tf.constant([1j, 0]), xp.bool), [True, False])


def test_info():
    info = xp.__array_namespace_info__()
    assert info.default_device() in info.devices()
    assert info.default_dtypes()["integral"] is xp.asarray(0).dtype
    assert info.default_dtypes()["real floating"] is xp.asarray(0.0).dtype
    assert set(info.dtypes(kind="complex floating")) == {"complex64", "complex128"}
