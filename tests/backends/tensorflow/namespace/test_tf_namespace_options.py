"""What ``at.*`` does not ask of the namespace: devices, copies, messages of its own, odd inputs."""

import array

import numpy as np
import pytest
import tensorflow as tf

from anytensor.backends.tensorflow import namespace as xp
from anytensor.backends.tensorflow.namespace import promotion, shapes
from anytensor.backends.tensorflow.namespace.linalg import solving

X = np.array([[1.0, 5.0], [2.0, -1.0]], np.float32)
CPU = "/CPU:0"
ON_DEVICE = {
    "asarray": lambda: xp.asarray([1, 2], device=CPU),
    "from_dlpack": lambda: xp.from_dlpack(np.array([1, 2]), device=CPU),
    "full": lambda: xp.full((2,), 1, device=CPU),
    "zeros": lambda: xp.zeros((2,), device=CPU),
    "astype": lambda: xp.astype(tf.constant([1.0, 2.0]), tf.int64, device=CPU),
    "arange": lambda: xp.arange(2, device=CPU),
    "fftfreq": lambda: xp.fft.fftfreq(2, device=CPU),
}


@pytest.mark.parametrize("name", ON_DEVICE)
def test_a_device_is_where_the_result_lies(name):
    got = ON_DEVICE[name]()
    assert got.device.endswith("CPU:0")
    wanted = {"full": [1, 1], "zeros": [0, 0], "arange": [0, 1], "fftfreq": [0, -0.5]}.get(name, [1, 2])
    np.testing.assert_array_equal(got, wanted)


# Conversion


def aligned(dtype):
    buffer = np.empty(4096 + 64, np.uint8)
    start = -buffer.ctypes.data % 64
    x = buffer[start : start + 4096].view(dtype)
    x[...] = np.arange(x.size)
    return x


class Exporter:
    """Another library's array: nothing but the protocol."""

    def __init__(self, x):
        self.x = x

    def __dlpack__(self, **options):
        return self.x.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.x.__dlpack_device__()


def test_an_object_with_the_protocol_is_shared_and_cast():
    x = aligned(np.float32)
    shared = xp.asarray(Exporter(x))
    x[0] = 7
    assert shared[0] == 7
    cast = xp.asarray(Exporter(x), dtype=tf.int32)
    assert (cast.dtype, int(cast[0])) == (tf.int32, 7)
    copied = xp.from_dlpack(Exporter(x), copy=True)
    x[0] = 8
    assert copied[0] == 7


def test_memory_that_is_not_aligned_is_copied_or_refused():
    x = aligned(np.float32)[1:]
    copied = xp.from_dlpack(Exporter(x))
    x[0] = 7
    assert copied[0] == 1
    with pytest.raises(ValueError, match="share only memory aligned to 64 bytes"):
        xp.from_dlpack(Exporter(x), copy=False)


def test_an_object_with_the_buffer_protocol_becomes_a_tensor():
    got = xp.asarray(array.array("d", [1.5, 2.5]))
    assert (got.dtype, got.numpy().tolist()) == (tf.float64, [1.5, 2.5])


@pytest.mark.parametrize(
    ("obj", "dtype", "words"),
    [
        (1.5, None, "a Python scalar or sequence can only be copied"),
        ([1, 2], None, "a Python scalar or sequence can only be copied"),
        (tf.constant([1.5]), tf.int32, "the cast from float32 to int32 copies"),
        (X, tf.int32, "the cast from float32 to int32 copies"),
        (X[:, ::2], None, "share only contiguous, writable memory"),
    ],
    ids=["scalar", "list", "tensor", "array", "strided"],
)
def test_a_copy_that_is_needed_and_forbidden(obj, dtype, words):
    with pytest.raises(ValueError, match=f"^copy=False: .*{words}"):
        xp.asarray(obj, dtype=dtype, copy=False)


def test_what_needs_no_copy():
    x = tf.constant([1.5])
    assert xp.asarray(x, copy=False) is x
    assert xp.asarray(x, dtype=tf.float32) is x
    assert xp.asarray(x, copy=True) is not x
    cast = xp.asarray(X, dtype=tf.int32)
    np.testing.assert_array_equal(cast, X.astype(np.int32))
    assert xp.asarray([], dtype=None).dtype == tf.float32
    assert xp.asarray(2.7, dtype=tf.int32) == 2
    joined = xp.asarray([np.float64(1.5), [tf.constant(2, tf.int64)]][:1])
    assert joined.numpy().tolist() == [1.5]
    nested = xp.asarray([tf.constant(1, tf.int8), 2], dtype=tf.float64)
    assert (nested.dtype, nested.numpy().tolist()) == (tf.float64, [1, 2])


def test_a_dtype_without_a_code_in_dlpack_is_copied(monkeypatch):
    def refuse(capsule):
        raise TypeError("no code")

    x = aligned(np.float32)
    monkeypatch.setattr(tf.experimental.dlpack, "from_dlpack", refuse)
    got = xp.asarray(x)
    assert got[1] == 1
    with pytest.raises(ValueError, match="can share only"):
        xp.asarray(x, copy=False)


# Messages


WRONG = {
    "arange": (lambda: xp.arange(0, 3, 0), "`step` must not be 0"),
    "meshgrid": (lambda: xp.meshgrid(tf.ones(2), indexing="ji"), "indexing must be 'xy' or 'ij', got 'ji'"),
    "isdtype": (lambda: xp.isdtype(tf.int32, "whole"), "kind 'whole' is unknown"),
    "result_type": (lambda: xp.result_type(), "needs at least one argument"),
    "fft": (lambda: xp.fft.fft(tf.ones(2), norm="both"), "norm must be one of .*, got 'both'"),
    "fftn": (lambda: xp.fft.fftn(tf.ones((2, 2)), s=(2,), axes=(0, 1)), "s has 1 sizes for 2 axes"),
    "take": (lambda: xp.take(tf.ones((2, 2)), tf.constant([0])), "axis is needed for x of 2 dimensions"),
    "dtypes": (lambda: xp.__array_namespace_info__().dtypes(kind="whole"), "kind 'whole' is unknown"),
    "qr": (lambda: xp.linalg.qr(tf.ones((2, 2)), mode="full"), "mode must be 'reduced' or 'complete'"),
    "matrix_norm": (lambda: xp.linalg.matrix_norm(tf.ones((2, 2)), ord=3), "ord must be .*, got 3"),
    "cross": (lambda: xp.linalg.cross(tf.ones(2), tf.ones(2)), "axis -1 of .* has size 2, it must be 3"),
    "matmul": (lambda: xp.matmul(tf.constant(1.0), tf.ones(2)), "operands of one dimension or more"),
    "matrix_transpose": (lambda: xp.matrix_transpose(tf.ones(2)), "a tensor of two dimensions or more"),
    "vecdot": (lambda: xp.vecdot(tf.ones(2), tf.ones(3)), "size 2 in x1 and 3 in x2"),
    "concat": (lambda: xp.concat([]), "must hold at least one tensor"),
    "moveaxis": (lambda: xp.moveaxis(tf.ones((2, 2)), (0, 1), (0,)), "differ in length"),
    "permute_dims": (lambda: xp.permute_dims(tf.ones((2, 2)), (0,)), "do not permute 2 dimensions"),
    "nonzero": (lambda: xp.nonzero(tf.constant(1.0)), "one dimension or more"),
    "searchsorted": (
        lambda: xp.searchsorted(tf.ones(2), tf.ones(2), side="middle"),
        "side must be 'left' or 'right', got 'middle'",
    ),
    "cumulative_sum": (lambda: xp.cumulative_sum(tf.ones((2, 2))), "axis is needed for x of 2 dimensions"),
    "flip": (lambda: xp.flip(tf.ones(2), axis=1), "axis 1 is out of bounds"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_values_are_named(case):
    call, words = WRONG[case]
    with pytest.raises(ValueError, match=words):
        call()


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: xp.finfo(tf.int32), "must be a floating-point dtype or array, got int32"),
        (lambda: xp.iinfo(tf.ones(2)), "must be an integer dtype or array, got float32"),
        (lambda: promotion.join(tf.string, tf.int32), "no common dtype for string and int32"),
    ],
    ids=["finfo", "iinfo", "join"],
)
def test_wrong_dtypes_are_named(call, words):
    with pytest.raises(TypeError, match=words):
        call()


def test_unknown_ranks_and_sizes_are_named_in_a_trace():
    @tf.function(input_signature=[tf.TensorSpec(None), tf.TensorSpec([None, 2])])
    def traced(anything, rows):
        with pytest.raises(ValueError, match="unknown number of dimensions"):
            xp.flip(anything)
        with pytest.raises(ValueError, match="unstack needs a static size, but axis 0 of x has none"):
            xp.unstack(rows)
        return rows

    traced(tf.ones(1), tf.ones((1, 2)))


# Values


def test_dtypes_and_what_they_promote_to():
    assert xp.can_cast(tf.int8, tf.int32)
    assert not xp.can_cast(tf.int32, tf.int8)
    assert not xp.can_cast(tf.string, tf.float32)  # no common dtype
    assert xp.isdtype(tf.int32, tf.int32)
    assert not xp.isdtype(tf.int32, (tf.int8, "bool"))
    assert promotion.pair(1, 2.5)[0].dtype == tf.float32
    info = xp.__array_namespace_info__()
    assert info.capabilities() == {
        "boolean indexing": False, "data-dependent shapes": True, "max dimensions": 8
    }  # fmt: skip
    assert list(info.dtypes(kind="bool")) == ["bool"]


def test_devices_of_other_kinds_are_left_out(monkeypatch):
    known = tf.config.list_logical_devices()
    strange = tf.config.LogicalDevice("/device:STRANGE:0", "STRANGE")
    monkeypatch.setattr(tf.config, "list_logical_devices", lambda: [*known, strange])
    devices = xp.__array_namespace_info__().devices()
    assert len(devices) == len(known)
    assert all("CPU" in device for device in devices)


def test_special_values_of_kinds_that_have_none():
    whole, z = tf.constant([1, 2]), tf.constant([1 + 1j, complex(0, np.inf), complex(np.nan, 0)])
    assert xp.isinf(whole).numpy().tolist() == [False, False]
    assert xp.isfinite(whole).numpy().tolist() == [True, True]
    assert xp.isinf(z).numpy().tolist() == [False, True, False]
    assert xp.isfinite(z).numpy().tolist() == [True, False, False]


def test_ranges_of_unsigned_and_half_numbers():
    top = 2**64 - 1
    assert xp.arange(top - 2, top, dtype=tf.uint64).numpy().tolist() == [top - 2, top - 1]
    halves = xp.arange(tf.constant(0, tf.float16), tf.constant(3, tf.float16))
    assert (halves.dtype, halves.numpy().tolist()) == (tf.float16, [0, 1, 2])
    assert xp.empty_like(tf.ones(2)).shape == (2,)


def test_indices_of_every_integer_dtype():
    x = tf.constant([1, 2, 4])
    for dtype in (tf.int8, tf.uint8, tf.uint64, tf.int64):
        assert xp.take(x, tf.constant([2, 0], dtype)).numpy().tolist() == [4, 1]
    assert xp.take(x, tf.constant([-1], tf.int16)).numpy().tolist() == [4]


def test_scalars_sort_and_scan():
    one = tf.constant(3.0)
    assert xp.sort(one) == 3
    assert xp.argsort(one) == 0
    assert xp.cumulative_sum(one).numpy().tolist() == [3]
    assert xp.tile(one, ()) == 3


def test_repeats_of_one_count():
    assert xp.repeat(tf.constant([1, 2]), tf.constant([2])).numpy().tolist() == [1, 1, 2, 2]


def test_searching_through_a_sorter():
    x = tf.constant([3.0, 1.0, 2.0])
    got = xp.searchsorted(x, tf.constant([1.5, 9.0]), sorter=tf.constant([1, 2, 0]))
    assert got.numpy().tolist() == [1, 3]


def test_shapes_given_as_tensors_and_axes_of_one():
    assert xp.zeros(tf.constant(2)).shape == (2,)
    assert xp.zeros(tf.constant([2, 1])).shape == (2, 1)
    assert shapes.broadcast_sizes((1, 3), (1, 1)) == (1, 3)
    with pytest.raises(IndexError):
        shapes.normalize(2, 2)


@pytest.mark.parametrize("rtol", [0.5, tf.constant(0.5)], ids=["number", "tensor"])
def test_the_cutoff_of_singular_values(rtol):
    x = tf.constant([[2.0, 0.0], [0.0, 0.5]])
    assert solving.cutoff(x, tf.constant([2.0, 0.5]), rtol).numpy().tolist() == [1.0]
    assert xp.linalg.matrix_rank(x, rtol=rtol) == 1
