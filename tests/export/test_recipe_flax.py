"""A Flax module around portable layers: trained on JAX, its parameters taken to PyTorch and to TensorFlow."""

import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest
from onnx_running import assert_same, run, session
from recipe_graphs import WIDTH, batch_of, predict

import anytensor as at
from anytensor import export


class GraphRegressor(nn.Module):
    @nn.compact
    def __call__(self, nodes, senders, receivers, n_node):
        widths = {"first": WIDTH, "second": WIDTH, "readout": 1}
        return predict(
            lambda name, x: nn.Dense(widths[name], name=name)(x), nodes, senders, receivers, n_node
        )


def portable(params, nodes, senders, receivers, n_node):
    """Say the same without Flax: what an ONNX file needs of the module is its parameters."""

    def dense(name, x):
        return at.matmul(x, params[name]["kernel"]) + params[name]["bias"]

    return predict(dense, nodes, senders, receivers, n_node)


@pytest.fixture(scope="module")
def trained():
    model = GraphRegressor()
    inputs, target = batch_of(8, 0)
    inputs = {name: jnp.asarray(array) for name, array in inputs.items()}
    params = model.init(jax.random.key(0), **inputs)["params"]
    optimizer = optax.adam(0.05)
    state = optimizer.init(params)

    @jax.jit
    def step(params, state):
        def loss(params):
            return jnp.mean((model.apply({"params": params}, **inputs) - target) ** 2)

        value, gradient = jax.value_and_grad(loss)(params)
        change, state = optimizer.update(gradient, state)
        return optax.apply_updates(params, change), state, value

    losses = []
    for _ in range(10):
        params, state, value = step(params, state)
        losses.append(float(value))
    assert losses[-1] < losses[0]
    return model, params


@pytest.mark.parametrize("road", ["torch", "tensorflow"])
def test_trained_exported_and_served(trained, road):
    model, params = trained
    weights = export.numpy_leaves(params)
    inputs, _ = batch_of(3, 100)
    if road == "torch":
        graph = export.to_onnx_torch(export.as_torch_module(portable, weights), tuple(inputs.values()))
    else:
        graph = export.to_onnx_tensorflow(portable, tuple(inputs.values()), params=weights)
    export.assert_symbolic_lengths(graph)
    export.assert_embedded_weights(graph, params)
    assert "first__kernel" in {tensor.name for tensor in graph.graph.initializer}
    loaded = session(graph)
    for graphs in (1, 7):
        inputs, _ = batch_of(graphs, 200)
        wanted = np.asarray(model.apply({"params": params}, **inputs))
        assert_same(run(loaded, inputs), {"output": wanted}, graphs)
