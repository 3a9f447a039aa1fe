"""Contract section 12 for segments: how often compilers compile, and what they make of sizes."""

import importlib

import numpy as np
import pytest
from harness import ALL, call, check, rows_of_data, together

import anytensor as at
from anytensor.testing import assert_trees_close, prepare, variants

IDS = np.array([0, 0, 0, 0, 2, 2, 3, 9], dtype=np.int32)
INSTALLED = {variant.backend for variant in variants()}


def needs(backend):
    return pytest.mark.skipif(backend not in INSTALLED, reason=f"{backend} is not installed")


def everything(x, ids):
    return {name: call(name, x, ids, 5) for name in ALL}


def edges(count, seed=0):
    rng = np.random.default_rng(seed)
    return rng.uniform(0.5, 2, (count, 3)).astype(np.float32), rng.integers(-2, 7, count).astype(np.int32)


# Dynamo 2.13 makes an instance of autograd.Function to trace a custom one, which torch deprecates.
quiet_dynamo = pytest.mark.filterwarnings(
    r"ignore:.*should not be instantiated:DeprecationWarning:torch\._dynamo.*"
)


def compiled_by_torch(function, dynamic):
    torch = importlib.import_module("torch")
    counter = importlib.import_module("torch._dynamo.testing").CompileCounterWithBackend("aot_eager")
    return torch.compile(function, fullgraph=True, dynamic=dynamic, backend=counter), counter, torch


@needs("torch")
@quiet_dynamo
def test_torch_compiles_at_most_twice_for_three_edge_counts():
    """rusty1s/pytorch_scatter/issues/440, /457; pytorch/pytorch/issues/94640;
    pyg-team/pytorch_geometric/issues/7004.
    """
    run, counter, torch = compiled_by_torch(everything, dynamic=True)
    for count in (7, 12, 31):
        x, ids = edges(count)
        got = {name: y.numpy() for name, y in run(torch.tensor(x), torch.tensor(ids)).items()}
        assert_trees_close(got, everything(x, ids), rtol=2e-5, atol=2e-6)
    assert counter.frame_count <= 2


@needs("torch")
@quiet_dynamo
@pytest.mark.parametrize("dynamic", [False, True])
def test_torch_does_not_recompile_when_only_values_change(dynamic):
    run, counter, torch = compiled_by_torch(together, dynamic)
    for seed in range(3):
        x, ids = edges(9, seed)
        xs = {name: torch.tensor(x, requires_grad=True) for name in ("segment_sum", "segment_softmax")}
        total = sum(y.sum() for y in run(xs, torch.tensor(ids), 5, False).values())
        total.backward()
    assert counter.frame_count == 1


@needs("torch")
def test_torch_inductor_runs_forward_and_backward():
    names = ("segment_sum", "segment_max", "segment_softmax", "segment_std", "segment_logsumexp")
    x = rows_of_data()
    x[:3, 0] = 3  # ties
    xs = dict.fromkeys(names, x)
    got = prepare(together, "torch-compile", gradients=True, torch_compiler="inductor")(xs, IDS, 5, False)
    eager = prepare(together, "torch", gradients=True)(xs, IDS, 5, False)
    assert got.error is None
    assert_trees_close(got.outputs, eager.outputs)
    assert_trees_close(got.gradients, eager.gradients, rtol=1e-4, atol=1e-5)


@needs("jax")
def test_jax_traces_once_when_only_values_change():
    jax = importlib.import_module("jax")
    traces = []

    @jax.jit
    def run(x, ids):
        traces.append(1)
        return everything(x, ids)

    for seed in range(3):
        x, ids = edges(9, seed)
        assert_trees_close(jax.tree.map(np.asarray, run(x, ids)), everything(x, ids), rtol=2e-5, atol=2e-6)
    assert len(traces) == 1


@needs("jax")
def test_jax_scan_over_segment_operations():
    jax = importlib.import_module("jax")
    x, ids = edges(9)

    def step(carry, one):
        return carry + at.segment_sum(x, one, 5), at.segment_max(x, one, 5)

    batches = jax.numpy.asarray(np.stack([ids, ids[::-1]]))
    carry, maxima = jax.lax.scan(step, jax.numpy.zeros((5, 3)), batches)
    loop = at.segment_sum(x, ids, 5) + at.segment_sum(x, ids[::-1], 5)
    np.testing.assert_allclose(carry, loop, rtol=2e-5)
    np.testing.assert_array_equal(maxima[1], at.segment_max(x, ids[::-1], 5))


@needs("jax")
@pytest.mark.parametrize("name", ALL)
def test_a_size_that_jax_traces_says_what_to_mark_static(name):
    """jax-ml/jax/issues/6350, patrick-kidger/equinox/issues/903."""
    jax = importlib.import_module("jax")
    x, ids = edges(4)
    with pytest.raises(
        TypeError, match=r"`num_segments` is a traced value.*static_argnames=\('num_segments',\)"
    ):
        jax.jit(lambda n: call(name, x, ids, n))(5)
    run = jax.jit(lambda x, num_segments: call(name, x, ids, num_segments), static_argnames=("num_segments",))
    assert run(x, num_segments=5).shape[1:] in ((3,), ())


@needs("tensorflow")
def test_tensorflow_traces_once_for_every_edge_count():
    tf = importlib.import_module("tensorflow")
    signature = [tf.TensorSpec([None, 3], tf.float32), tf.TensorSpec([None], tf.int32)]
    run = tf.function(everything, input_signature=signature)
    for count in (7, 12, 31, 0):
        x, ids = edges(count)
        got = {name: y.numpy() for name, y in run(x, ids).items()}
        assert_trees_close(got, everything(x, ids), rtol=2e-5, atol=2e-6)
    assert run.experimental_get_tracing_count() == 1


@needs("tensorflow")
@pytest.mark.parametrize("xla", [False, True], ids=["graph", "xla"])
def test_tensorflow_training_step_in_one_function(xla):
    tf = importlib.import_module("tensorflow")
    x, ids = (tf.constant(a) for a in edges(9))

    def step(x, ids):
        with tf.GradientTape() as tape:
            tape.watch(x)
            loss = tf.reduce_sum(at.segment_softmax(x, ids, 5) * at.segment_mean(x, ids, 5)[2])
            loss += tf.reduce_sum(at.segment_max_or_constant(x, ids, 5))
        return loss, tape.gradient(loss, x)

    compiled = tf.function(step, jit_compile=xla)(x, ids)
    for got, expected in zip(compiled, step(x, ids), strict=True):
        np.testing.assert_allclose(got, expected, rtol=2e-4, atol=2e-5)


def sized_by_nodes(nodes, x, ids):
    n = at.shape(nodes)[0]
    return {
        name: call(name, x, ids, n)
        for name in ("segment_sum", "segment_max", "segment_count", "segment_softmax")
    }


@pytest.mark.parametrize("variant", variants(), ids=str)
def test_a_size_from_the_shape_of_another_array(variant):
    x, ids = edges(9)
    prepared = prepare(sized_by_nodes, variant, gradients=True)
    for count in (5, 8):
        nodes = np.zeros((count, 1), np.float32)
        outcome = prepared(nodes, x, ids)
        assert outcome.error is None, outcome.error
        assert_trees_close(outcome.outputs, sized_by_nodes(nodes, x, ids), rtol=2e-5, atol=2e-6)


# Dynamo makes a tensor of every NumPy array, whose value nobody knows while it traces.
@pytest.mark.parametrize("variant", [v for v in variants() if "torch-compile" not in v.name], ids=str)
def test_a_size_that_is_a_0d_integer_array(variant):
    x, ids = edges(9)
    prepared = prepare(together, variant, static=(2,))
    outcome = prepared({"segment_sum": x, "segment_max": x}, ids, np.array(5), False)
    assert outcome.error is None, outcome.error
    expected = {name: call(name, x, ids, 5) for name in ("segment_sum", "segment_max")}
    assert_trees_close(outcome.outputs, expected, rtol=2e-5, atol=2e-6)


def test_check_can_fail():
    """The suite's own comparison notices a wrong id."""
    variant = variants("numpy")[0]
    with pytest.raises(AssertionError, match="segment_sum"):
        check(variant, ("segment_sum",), Shifted(rows_of_data()), IDS, 5)


class Shifted(np.ndarray):
    """An array whose reference differs from itself."""

    def __new__(cls, x):
        return x.view(cls)

    def astype(self, *args, **kwargs):
        return np.asarray(self).astype(*args, **kwargs) + 1
