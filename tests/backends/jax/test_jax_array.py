"""JAX arrays: which types they are, and how host data reaches them."""

import ml_dtypes
import numpy as np
import pytest

jax = pytest.importorskip("jax", reason="JAX is optional")

from jax import export  # noqa: E402

from anytensor.backends.jax import array  # noqa: E402

jnp = jax.numpy


@pytest.fixture
def x64():
    jax.config.update("jax_enable_x64", True)
    yield
    jax.config.update("jax_enable_x64", False)


def aligned(count, dtype=np.float32, offset=0):
    """Return zeros in memory that starts ``offset`` bytes past a multiple of 64."""
    size = count * np.dtype(dtype).itemsize
    memory = np.zeros(size + 128, np.uint8)
    start = -memory.ctypes.data % 64 + offset
    return memory[start : start + size].view(dtype)


def test_types_of_every_trace_are_known():
    seen = []

    def note(x):
        seen.append(type(x))
        return x.sum()

    x = jnp.ones((2, 2))
    note(x)
    jax.jit(note)(x)
    jax.grad(note)(x)
    jax.vmap(note)(x)
    jax.jvp(note, (x,), (x,))
    assert set(seen) <= set(array.array_types())


@pytest.mark.parametrize("dtype", [np.float32, np.bool_, np.uint8, np.complex64, ml_dtypes.bfloat16])
def test_suitable_memory_is_shared(dtype):
    host = aligned(8, dtype)
    shared, reason = array.from_host(host, jnp.ones(1), copy=False)
    host[:] = 1
    assert reason == ""
    np.testing.assert_array_equal(np.asarray(shared), host)


def test_read_only_memory_is_shared():
    host = aligned(8)
    host.flags.writeable = False
    shared, reason = array.from_host(host, jnp.ones(1), copy=False)
    assert (shared.unsafe_buffer_pointer(), reason) == (host.ctypes.data, "")


@pytest.mark.parametrize(
    ("host", "words"),
    [
        (aligned(8, offset=4), "aligned"),
        (aligned(16)[::2], "contiguous"),
        (aligned(9).reshape(3, 3).T, "contiguous"),
    ],
    ids=["offset", "strided", "transposed"],
)
def test_other_memory_is_copied_with_a_reason(host, words):
    host[...] = 2
    copied, reason = array.from_host(host, jnp.ones(1), copy=False)
    host[...] = 3
    assert words in reason
    assert (np.asarray(copied) == 2).all()


@pytest.mark.parametrize(
    "host",
    [aligned(8, np.float64), aligned(8, ">f4", offset=4), np.float32(1), np.zeros(()), np.zeros((0, 3))],
    ids=["float64", "big endian", "scalar", "0-d", "empty"],
)
def test_conversions_and_single_numbers_need_no_reason(host):
    converted, reason = array.from_host(host, jnp.ones(1), copy=False)
    assert (converted.shape, converted.dtype, reason) == (host.shape, np.float32, "")


def test_asked_for_copies_are_copies():
    host = aligned(8)
    copied, reason = array.from_host(host, jnp.ones(1), copy=True)
    host[:] = 1
    assert reason == ""
    assert not np.asarray(copied).any()


def test_under_x64_float64_keeps_its_dtype_and_its_memory(x64):
    host = aligned(8, np.float64)
    shared, reason = array.from_host(host, jnp.ones(1), copy=False)
    assert (shared.dtype, shared.unsafe_buffer_pointer(), reason) == (host.dtype, host.ctypes.data, "")


@pytest.mark.parametrize("outside", [True, False], ids=["concrete like", "traced like"])
def test_inside_a_trace_host_data_is_a_constant(outside):
    host, like, reasons = aligned(8, offset=4), jnp.ones(1), []

    def function(x):
        constant, reason = array.from_host(host, like if outside else x, copy=False)
        reasons.append(reason)
        return x + constant

    assert jax.jit(function)(like).shape == (8,)
    assert reasons == [""]


def test_new_arrays_stay_uncommitted():
    shared, _ = array.from_host(aligned(8), jnp.ones(1), copy=False)
    assert not shared._committed


@pytest.mark.parametrize(
    ("dtype", "name"),
    [
        ("float64", "float32"),
        (np.int64, "int32"),
        (int, "int32"),
        (np.dtype(np.uint8), "uint8"),
        ("bfloat16", "bfloat16"),
        (jnp.float16, "float16"),
        (complex, "complex64"),
    ],
)
def test_as_dtype_without_x64(dtype, name):
    assert array.as_dtype(dtype) == np.dtype(name)


def test_as_dtype_with_x64(x64):
    assert array.as_dtype(float) == np.dtype(np.float64)
    assert array.default_int() == np.dtype(np.int64)


def test_as_dtype_of_another_framework():
    class Foreign:
        def __str__(self):
            return "torch.float32"

    assert array.as_dtype(Foreign()) == np.dtype(np.float32)
    with pytest.raises(TypeError, match="no dtype 'float7'"):
        array.as_dtype("float7")


@pytest.mark.parametrize(
    ("dtype", "kind"),
    [
        ("bool", "b"),
        ("int4", "i"),
        ("int32", "i"),
        ("uint4", "u"),
        ("uint8", "u"),
        ("bfloat16", "f"),
        ("float8_e5m2", "f"),
    ],
)
def test_dtype_kind(dtype, kind):
    assert array.dtype_kind(jnp.dtype(dtype)) == kind
    assert array.is_integer(jax.ShapeDtypeStruct((1,), dtype)) == (kind in "iu")


def test_dtypes_that_hold_no_numbers():
    assert array.dtype_kind(jax.random.key(0).dtype) == "O"
    with pytest.raises(TypeError):
        array.dtype_kind("float7")


def test_keys_of_random_numbers_are_no_integers():
    assert not array.is_integer(jax.random.key(0))


def test_as_size():
    (symbol,) = export.symbolic_shape("a")
    assert array.as_size(jnp.array(3)) == 3
    assert type(array.as_size(jnp.array(3, jnp.uint8))) is int
    assert array.as_size(symbol) is symbol
    assert array.as_size(jnp.array([3])) is None
    assert array.as_size(jnp.array(3.0)) is None
    assert array.as_size("3") is None


def test_a_traced_size_comes_back_as_it_is():
    seen = []
    jax.jit(lambda n: seen.append(array.as_size(n) is n and array.is_traced(n)))(3)
    assert seen == [True]


def test_scalars_are_strong():
    scalar = array.from_scalar(1, np.dtype(np.float32), None)
    assert (scalar.shape, scalar.dtype, scalar.weak_type) == ((), np.float32, False)
