"""TensorFlow's arrays and indexing: what other backends have no like of."""

import ml_dtypes
import numpy as np
import pytest
import tensorflow as tf

import anytensor.backends.tensorflow as backend

LIKE = tf.zeros(())


def host(dtype="float32", offset=0, shape=(3, 4)):
    """Return an array whose memory lies ``offset`` bytes behind a multiple of 64."""
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    memory = np.zeros(size + 128, np.uint8)
    start = -memory.ctypes.data % 64 + offset
    return memory[start : start + size].view(dtype).reshape(shape)


@pytest.mark.parametrize(
    "dtype", ["bool", "int8", "uint16", "int32", "uint64", "float16", "float64", "complex64"]
)
def test_aligned_memory_is_shared(dtype):
    array = host(dtype)
    tensor, reason = backend.from_host(array, LIKE, False)
    array[1, 2] = 1
    assert reason == ""
    assert tensor.dtype == dtype
    assert tensor.numpy()[1, 2] == 1


def test_a_copy_that_was_asked_for_needs_no_reason():
    array = host()
    tensor, reason = backend.from_host(array, LIKE, True)
    array[1, 2] = 1
    assert reason == ""
    assert not tensor.numpy().any()


def read_only():
    array = host()
    array.flags.writeable = False
    return array


@pytest.mark.parametrize(
    ("array", "reason"),
    [
        (host(offset=16), "aligned to 64 bytes"),
        (host().T, "C-contiguous"),
        (read_only(), "read-only"),
        (host(ml_dtypes.bfloat16), "bfloat16"),
        (host(">f4"), "other order"),
    ],
)
def test_why_memory_is_not_shared(array, reason):
    tensor, why = backend.from_host(array, LIKE, False)
    assert reason in why
    np.testing.assert_array_equal(tensor, array)


@pytest.mark.parametrize(
    "array", [host(shape=(0, 4)), np.float32(3), np.array(3.0)], ids=["empty", "scalar", "0-d"]
)
def test_what_is_too_small_to_share_is_copied_in_silence(array):
    tensor, why = backend.from_host(array, LIKE, False)
    assert why == ""
    np.testing.assert_array_equal(tensor, array)


def test_a_host_array_in_a_trace_is_a_constant():
    seen = []

    @tf.function
    def add(x):
        constant, why = backend.from_host(host(offset=16), x, False)
        seen.append((type(constant) is type(x), why))
        return x + constant

    add(tf.zeros((3, 4)))
    assert seen == [(True, "")]


@pytest.mark.parametrize(
    ("given", "known"),
    [
        (np.dtype("int8"), tf.int8),
        (np.float64, tf.float64),
        ("bfloat16", tf.bfloat16),
        (int, tf.int64),
        (float, tf.float32),
        (bool, tf.bool),
        (complex, tf.complex64),
        (tf.uint16, tf.uint16),
        (np.dtype(ml_dtypes.bfloat16), tf.bfloat16),
    ],
)
def test_dtypes(given, known):
    assert backend.as_dtype(given) is known
    assert backend.as_dtype(backend.numpy_dtype(known)) is known


@pytest.mark.parametrize("dtype", ["string", "float31", object, tf.string])
def test_what_is_no_dtype_here(dtype):
    with pytest.raises(TypeError, match="no numeric dtype"):
        backend.as_dtype(dtype)


@pytest.mark.parametrize(
    ("value", "dtype"), [(True, tf.float32), (True, tf.int8), (2, tf.complex64), (2.5, tf.bfloat16)]
)
def test_scalars(value, dtype):
    tensor = backend.from_scalar(value, dtype, LIKE)
    assert tensor.dtype is dtype
    assert tensor.shape == ()
    assert complex(tensor.numpy()) == value


@pytest.mark.parametrize(
    ("x", "size"),
    [
        (tf.constant(3), 3),
        (tf.constant(3, tf.uint8), 3),
        (tf.constant(3.0), None),
        (tf.constant([3]), None),
        (3, None),
    ],
)
def test_sizes(x, size):
    assert backend.as_size(x) == size


def test_a_variable_is_a_size_and_is_traced_in_a_trace_alone():
    variable, seen = tf.Variable(4), []
    assert backend.as_size(variable) == 4
    assert not backend.is_traced(variable)
    tf.function(lambda: seen.append((backend.is_traced(variable), backend.as_size(variable).shape)))()
    assert seen == [(True, ())]


@pytest.mark.parametrize(
    ("x", "ids", "match"),
    [
        ([None, 2], [None], True),
        ([3, 2], [None], True),
        ([None, 2], [3], True),
        ([3, 2], [3], True),
        ([3, 2], [4], False),
        ([], [3], False),
        ([3], [3, 1], False),
        ([3], [], False),
        (None, [3], True),
        ([3], None, True),
        ([], None, False),
        (None, [3, 3], False),
    ],
)
def test_rows_match_as_far_as_a_trace_knows(x, ids, match):
    seen = []
    signature = [tf.TensorSpec(x), tf.TensorSpec(ids, tf.int32)]
    tf.function(lambda x, ids: seen.append(backend.rows_match(x, ids)), signature).get_concrete_function()
    assert seen == [match]


def test_the_shape_of_a_tensor_of_unknown_rank():
    traced = tf.function(lambda x: backend.shape(x), [tf.TensorSpec(None)])
    with pytest.raises(ValueError, match="unknown rank"):
        traced.get_concrete_function()


def test_casts():
    x = tf.constant([0.0, 0.5, np.nan])
    assert backend.cast(x, tf.float32) is x
    np.testing.assert_array_equal(backend.cast(x, tf.bool), [False, True, True])
    np.testing.assert_array_equal(backend.cast(tf.constant([2 + 3j]), tf.float32), [2])


X = np.arange(12.0).reshape(3, 4)
modes = pytest.mark.parametrize("jit", [None, False, True], ids=["eager", "function", "xla"])


def run(function, jit, *args):
    tensors = [tf.constant(a) for a in args]
    return function(*tensors) if jit is None else tf.function(function, jit_compile=jit)(*tensors)


@modes
@pytest.mark.parametrize("axis", [0, 1, -1])
@pytest.mark.parametrize(
    "indices", [[0, -1, 2], [[1, -3], [0, 0]], 2, np.zeros((0, 2), int), np.array([2, 1], np.uint8)], ids=str
)
def test_take_as_numpy(indices, axis, jit):
    indices = np.asarray(indices)
    got = run(lambda x, i: backend.take(x, i, axis), jit, X, indices)
    np.testing.assert_array_equal(got, np.take(X, indices, axis))


@pytest.mark.parametrize("index", [3, -4, 2**62])
def test_take_out_of_range_eager(index):
    with pytest.raises(IndexError, match=r"`indices` must lie in \[-3, 3\)"):
        backend.take(tf.constant(X), tf.constant([index]), 0)


@pytest.mark.parametrize("index", [np.uint64(2**64 - 1), np.uint64(2**63 + 1)])
def test_take_of_a_huge_unsigned_index_does_not_wrap(index):
    with pytest.raises(IndexError):
        backend.take(tf.constant(X), tf.constant(np.array([index])), 0)


@pytest.mark.parametrize("jit", [False, True])
@pytest.mark.parametrize(("dtype", "fill"), [("float32", np.nan), ("int32", 0), ("bool", False)])
def test_take_out_of_range_compiled_fills(dtype, fill, jit):
    x = np.ones(3, dtype)
    got = run(lambda x, i: backend.take(x, i, 0), jit, x, [2, 3, -4, -3])
    np.testing.assert_array_equal(got, np.array([1, fill, fill, 1], dtype))


def test_take_from_nothing():
    with pytest.raises(IndexError):
        backend.take(tf.zeros((0, 2)), tf.constant([0]), 0)
    filled = tf.function(lambda i: backend.take(tf.zeros((0, 2)), i, 0))(tf.constant([0, 1, 5]))
    np.testing.assert_array_equal(filled, np.full((3, 2), np.nan))


@modes
@pytest.mark.parametrize("total", [0, 2, 4, 7])
@pytest.mark.parametrize("repeats", [[2, 0, 2], [1, 3, 0], [2]], ids=str)
def test_repeat_to_a_total(repeats, total, jit):
    got = run(lambda x: backend.repeat(x, tf.constant(repeats), 0, total), jit, X)
    whole = np.repeat(X, repeats, 0)
    padded = np.concatenate([whole, np.repeat(X[-1:], max(total - len(whole), 0), 0)])
    np.testing.assert_array_equal(got, padded[:total])


@pytest.mark.parametrize("repeats", [0, 2, [1, 0, 2, 1]], ids=str)
def test_repeat_as_numpy(repeats):
    given = repeats if isinstance(repeats, int) else tf.constant(repeats)
    np.testing.assert_array_equal(backend.repeat(tf.constant(X), given, 1, None), np.repeat(X, repeats, 1))
