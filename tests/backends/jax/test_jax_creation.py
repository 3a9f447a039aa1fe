"""Creation on JAX: devices, sizes past any memory, symbolic sizes; ids too narrow for the last segment."""

from types import SimpleNamespace

import numpy as np
import pytest

import anytensor as at

jax = pytest.importorskip("jax", reason="JAX is optional")

from jax import export  # noqa: E402

from anytensor.backends.jax import array, creation  # noqa: E402

jnp = jax.numpy


def test_an_array_that_is_committed_takes_new_ones_to_its_device():
    device = jax.devices()[0]
    committed = jax.device_put(jnp.ones(2), device)
    assert creation.device_of(committed) == device
    assert creation.device_of(jnp.ones(2)) is None
    assert at.zeros((2,), like=committed).devices() == {device}
    spread = SimpleNamespace(_committed=True, devices=lambda: {"cpu:0", "cpu:1"})
    assert creation.device_of(spread) is None


def test_a_device_that_is_asked_for():
    device = jax.devices()[0]
    got = at.asarray(jnp.ones(2), device=device)
    assert got.devices() == {device}
    assert got._committed
    assert got.tolist() == [1, 1]


@pytest.mark.parametrize(
    ("device", "reason"),
    [
        (None, "the operand is spread over several devices"),
        (SimpleNamespace(platform="gpu"), "the operand is on namespace(platform='gpu')"),
    ],
    ids=["several", "gpu"],
)
def test_why_memory_of_the_host_is_not_shared(device, reason):
    assert array._why_not_shared(np.ones(3), device) == reason


def exported(function, *shapes):
    scope = export.symbolic_shape("n")
    arguments = [jax.ShapeDtypeStruct(scope, jnp.float32)]
    return export.export(jax.jit(function))(*arguments, *shapes)


@pytest.mark.parametrize("endpoint", [True, False])
@pytest.mark.parametrize(
    ("start", "stop", "dtype"),
    [(0.0, 3.0, "float32"), (0.0, 1 + 1j, "complex64"), (-1, 4, "int32")],
    ids=["float32", "complex64", "int32"],
)
def test_spaced_values_of_a_symbolic_number(start, stop, dtype, endpoint):
    def spaced(x):
        return at.linspace(start, stop, at.shape(x)[0], dtype=dtype, like=x, endpoint=endpoint)

    made = exported(spaced)
    for n in (1, 2, 5):
        got = made.call(jnp.zeros(n))
        wanted = np.linspace(start, stop, n, endpoint=endpoint)
        wanted = np.floor(wanted) if dtype == "int32" else wanted
        assert got.dtype == dtype
        np.testing.assert_allclose(got, wanted, rtol=1e-6, atol=1e-6)


def test_zeros_and_repeats_of_a_symbolic_number():
    made = exported(lambda x: (at.zeros((at.shape(x)[0], 2), like=x), at.repeat(x, x.astype(int) + 1,
        total_repeat_length=at.shape(x)[0])))  # fmt: skip
    zeros, repeated = made.call(jnp.array([0.0, 1.0, 5.0]))
    assert zeros.shape == (3, 2)
    assert repeated.tolist() == [0, 1, 1]


@pytest.mark.parametrize("name", ["zeros", "ones", "empty"])
def test_sizes_past_any_memory_are_refused_before_xla_ends_the_process(name):
    with pytest.raises(MemoryError, match=f"{name}: .* is past any memory"):
        getattr(creation, name)((2**40, 2**40))


@pytest.mark.parametrize("name", ["segment_std", "segment_softmax", "segment_normalize"])
def test_ids_too_narrow_to_reach_the_last_segment(name):
    x = jnp.array([1.0, 3.0, 2.0])
    ids = jnp.array([0, 0, 255], jnp.uint8)
    got = getattr(at, name)(x, ids, 300)
    wanted = getattr(at, name)(x, ids.astype(jnp.int32), 300)
    np.testing.assert_allclose(got, wanted, rtol=1e-6)
    assert float(abs(got).sum()) > 0
