"""A Keras 3 model around portable layers: trained, exported from TensorFlow, served; and on JAX and torch."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from onnx_running import ROADS, assert_same, run, session
from recipe_graphs import batch_of
from test_recipe_flax import portable

from anytensor import export

os.environ.setdefault("KERAS_BACKEND", "tensorflow")
HERE = Path(__file__).parent


# Keras 3.15 itself passes what NumPy 2.4 deprecates.
@pytest.mark.filterwarnings("ignore::DeprecationWarning:keras.*")
def test_trained_exported_and_served():
    import keras
    from keras_model import train

    assert keras.backend.backend() == "tensorflow"
    model, losses = train()
    assert losses[-1] < losses[0]

    weights = {variable.path: variable for variable in model.weights}

    def apply(params, nodes, senders, receivers, n_node):
        inputs = {"nodes": nodes, "senders": senders, "receivers": receivers, "n_node": n_node}
        trained = [params[variable.path] for variable in model.trainable_variables]
        found, _ = model.stateless_call(trained, [], inputs)
        return found

    inputs, _ = batch_of(3, 100)
    graph = export.to_onnx_tensorflow(export.as_tensorflow_fn(apply, weights), tuple(inputs.values()))
    export.assert_symbolic_lengths(graph)
    export.assert_embedded_weights(graph, weights)
    assert "first__kernel" in {tensor.name for tensor in graph.graph.initializer}
    loaded = session(graph)
    for graphs in (1, 7):
        inputs, _ = batch_of(graphs, 200)
        assert_same(run(loaded, inputs), {"output": np.asarray(model(inputs))}, graphs)


@pytest.mark.parametrize(("backend", "road"), [("jax", "tensorflow"), ("torch", "torch")])
def test_the_same_layer_trains_under_keras_other_backends(backend, road, tmp_path):
    path = tmp_path / "trained.npz"
    environment = {**os.environ, "KERAS_BACKEND": backend, "PYTHONPATH": str(HERE)}
    command = [sys.executable, str(HERE / "keras_model.py"), str(path)]
    result = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
    assert result.returncode == 0, result.stderr[-2000:]
    with np.load(path) as saved:
        found = saved["found"]
        weights = {
            name: {part: saved[f"{name}__{part}"] for part in ("kernel", "bias")}
            for name in ("first", "second", "readout")
        }
    inputs, _ = batch_of(4, 7)
    graph = ROADS[road](portable, inputs, params=weights)
    export.assert_embedded_weights(graph, weights)
    inputs, _ = batch_of(3, 100)
    assert_same(run(session(graph), inputs), {"output": found}, backend)
