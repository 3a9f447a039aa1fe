"""A GraphsTuple goes into the compilers as it is, and its lengths stay open where a compiler can do so."""

import jax
import numpy as np
import pytest
import tensorflow as tf
import torch
from graph_cases import BATCHES, graph_of
from graph_samples import assert_same, convert
from layer_samples import LAYERS

from anytensor import export, jraph

LAYER = "graph_network"


def update(graph):
    return LAYERS[LAYER](jraph)(graph)


def close(got, wanted):
    for name, a, b in zip(wanted._fields, got, wanted, strict=True):
        np.testing.assert_allclose(np.asarray(a), np.asarray(b), rtol=1e-4, atol=1e-5, err_msg=name)


@pytest.mark.parametrize("strict", [False, True])
def test_torch_export_leaves_dims_symbolic(strict):
    """pyg-team/pytorch_geometric/issues/9879, dmlc/dgl/issues/3850."""
    nodes, edges, graphs = (torch.export.Dim(name) for name in ("nodes", "edges", "graphs"))
    lengths = jraph.GraphsTuple(
        nodes={0: nodes},
        edges={0: edges},
        receivers={0: edges},
        senders={0: edges},
        globals={0: graphs},
        n_node={0: graphs},
        n_edge={0: graphs},
    )
    graph = convert(torch.tensor, graph_of(BATCHES[0]))
    module = export.as_torch_module(update)
    program = torch.export.export(module, (graph,), dynamic_shapes={"args": (lengths,)}, strict=strict)
    placeholders = [node for node in program.graph.nodes if node.op == "placeholder"]
    assert all(isinstance(node.meta["val"].shape[0], torch.SymInt) for node in placeholders)
    for sizes in BATCHES:
        other = graph_of(sizes)
        close(program.module()(convert(torch.tensor, other)), update(other))


def test_jax_jit_takes_a_graph():
    compiled = jax.jit(update)
    for sizes in BATCHES:
        graph = graph_of(sizes)
        assert_same(compiled(graph), update(graph))


def test_tf_function_takes_a_graph():
    graph = graph_of(BATCHES[0])
    signature = jraph.GraphsTuple(*[tf.TensorSpec([None, *x.shape[1:]], x.dtype) for x in graph])
    traced = []

    def run(graph):
        traced.append(1)
        return update(graph)

    compiled = tf.function(run, input_signature=[signature])
    for sizes in BATCHES:
        other = graph_of(sizes)
        found = compiled(convert(tf.constant, other))
        assert type(found) is jraph.GraphsTuple
        close(found, update(other))
    assert len(traced) == 1
