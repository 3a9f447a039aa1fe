"""What the shared contract cannot see of JAX: compilation, traces, symbolic sizes, products with zeros."""

import numpy as np
import pytest

import anytensor as at

jax = pytest.importorskip("jax", reason="JAX is optional")

from jax import export  # noqa: E402

from anytensor.backends import jax as backend  # noqa: E402

jnp = jax.numpy

NAMES = [
    f"segment_{name}"
    for name in ("sum", "prod", "min", "max", "mean", "variance", "std", "normalize", "softmax", "logsumexp")
]
X = jnp.array([2.0, 0.0, 3.0, 0.0, 0.0, 5.0, jnp.nan])
IDS = jnp.array([0, 0, 0, 1, 1, 2, -1])


@pytest.fixture
def x64():
    jax.config.update("jax_enable_x64", True)
    yield
    jax.config.update("jax_enable_x64", False)


def product(x):
    return backend.segment_prod(x, IDS, 4, False)


def test_values_that_differ_compile_nothing():
    compiled = backend.segment_sum
    at.segment_sum(X, IDS, 4)
    before = compiled._cache_size()
    at.segment_sum(X + 1, IDS * 0, 4)
    assert compiled._cache_size() == before
    at.segment_sum(X, IDS, 5)
    assert compiled._cache_size() == before + 1


@pytest.mark.parametrize("name", NAMES)
def test_inlined_in_an_outer_jit(name):
    text = str(jax.make_jaxpr(lambda x: getattr(at, name)(x, IDS, 4))(X))
    assert f"name={name}" not in text


@pytest.mark.parametrize("transform", [jax.jacrev, jax.jacfwd])
def test_first_derivative_of_a_product_with_zeros(transform):
    expected = np.zeros((4, 7))
    expected[0, 1], expected[2, 5] = 6, 1
    np.testing.assert_array_equal(transform(product)(X), expected)


@pytest.mark.parametrize("outer", [jax.jacrev, jax.jacfwd])
def test_second_derivative_of_a_product_with_zeros(outer):
    expected = np.zeros((7, 7))
    expected[0, 1] = expected[1, 0] = 3
    expected[1, 2] = expected[2, 1] = 2
    expected[3, 4] = expected[4, 3] = 1
    np.testing.assert_array_equal(outer(jax.grad(lambda x: product(x).sum()))(X), expected)


def test_second_derivative_of_a_product_with_three_zeros_is_zero():
    hessian = jax.hessian(lambda x: backend.segment_prod(x, jnp.zeros(3, int), 1, False)[0])(jnp.zeros(3))
    assert not hessian.any()


@pytest.mark.parametrize("name", NAMES)
def test_no_tracer_leaks(name):
    x, ids = jnp.array([1.0, 2.0, 4.0]), jnp.array([0, 0, 1])

    def loss(x):
        return getattr(at, name)(x, ids, 2).sum()

    with jax.checking_leaks():
        assert np.isfinite(jax.jit(jax.grad(loss))(x)).all()
        assert np.isfinite(jax.vmap(jax.grad(loss))(x[None] + jnp.zeros((2, 1)))).all()


@pytest.mark.parametrize("name", ["segment_softmax", "segment_logsumexp", "segment_max", "segment_std"])
def test_friendly_to_debug_nans(name):
    x, ids = jnp.array([1.0, 1.0, -jnp.inf, 3.0]), jnp.array([0, 0, 1, 2])
    x = x.at[2].set(0) if name == "segment_std" else x
    with jax.debug_nans(True):
        jax.grad(lambda x: jnp.where(jnp.isfinite(y := getattr(at, name)(x, ids, 4)), y, 0).sum())(x)


@pytest.mark.parametrize("gradient", [False, True], ids=["value", "gradient"])
@pytest.mark.parametrize("name", ["segment_softmax", "segment_prod", "segment_min"])
def test_symbolic_sizes(name, gradient):
    def function(x, ids, nodes):
        return getattr(at, name)(x, ids, at.shape(nodes)[0])

    chosen = jax.grad(lambda *args: (function(*args) ** 2).sum()) if gradient else function
    a, b = export.symbolic_shape("a, b")
    exported = export.export(jax.jit(chosen))(
        jax.ShapeDtypeStruct((a, 2), jnp.float32),
        jax.ShapeDtypeStruct((a,), jnp.int32),
        jax.ShapeDtypeStruct((b,), jnp.float32),
    )
    args = jnp.arange(10.0).reshape(5, 2), jnp.array([0, 1, 1, 2, -1]), jnp.zeros(3)
    np.testing.assert_allclose(exported.call(*args), chosen(*args), rtol=1e-6)


def test_partitions_of_symbolic_lengths():
    a, b = export.symbolic_shape("a, b")
    exported = export.export(jax.jit(lambda p, x: at.partition_ids(p, at.shape(x)[0])))(
        jax.ShapeDtypeStruct((a,), jnp.int32), jax.ShapeDtypeStruct((b,), jnp.float32)
    )
    assert exported.call(jnp.array([2, 0, 1]), jnp.zeros(5)).tolist() == [0, 0, 2, 3, 3]


@pytest.mark.parametrize("dtype", [jnp.uint8, jnp.uint16, jnp.uint32])
def test_partition_lengths_past_the_total(dtype):
    lengths = jnp.array([jnp.iinfo(dtype).max] * 3, dtype)
    assert backend.partition_ids(lengths, 3).tolist() == [0, 0, 0]
    assert backend.partition_ids(jnp.array([200, 200], dtype), 401)[jnp.array([199, 200, 400])].tolist() == [
        0,
        1,
        2,
    ]


@pytest.mark.parametrize("dtype", [jnp.int64, jnp.uint64])
def test_ids_of_eight_bytes(x64, dtype):
    ids = jnp.array([0, 1, jnp.iinfo(dtype).max, 2**32], dtype)
    total = at.segment_sum(jnp.ones(4), ids, 2)
    assert total.dtype == jnp.float64
    assert total.tolist() == [1, 1]


@pytest.mark.parametrize(("x64_is_on", "dtype"), [(False, "int32"), (True, "int64")])
def test_small_integers_widen_to_the_default(x64_is_on, dtype, request):
    if x64_is_on:
        request.getfixturevalue("x64")
    total = at.segment_sum(jnp.array([200, 100], jnp.uint8), jnp.array([0, 0], jnp.uint8), 300)
    assert (total.dtype, total[0], total.shape) == (np.dtype(dtype), 300, (300,))


def test_a_weak_operand_does_not_widen_halves():
    x = jnp.ones(3, jnp.bfloat16)
    assert at.segment_max_or_constant(x, jnp.zeros(3, int), 2, constant=0.5).dtype == jnp.bfloat16


def test_scan_over_time():
    def step(carry, x):
        return carry, at.segment_softmax(x, jnp.array([0, 0, -1]), 1)

    assert jax.lax.scan(step, 0, jnp.ones((2, 3)))[1].tolist() == [[0.5, 0.5, 0.0]] * 2
