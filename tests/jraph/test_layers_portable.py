"""Every layer on every backend, eager and compiled, with gradients."""

import numpy as np
import pytest
from graph_samples import graphs_of
from layer_samples import LAYERS, outputs

import anytensor as at
from anytensor import jraph
from anytensor.testing import assert_portable

# Compiling is what costs: all layers in a few functions.
GROUPS = {
    "graph networks": ("graph_network_of_means", "attention", "net_gat"),
    "special cases": ("interaction", "interaction_with_sent", "relation", "deep_sets", "map_features"),
    "convolution and attention": (
        "convolution",
        "convolution_with_self_edges",
        "convolution_without_normalization",
        "gat",
        "gat_with_update",
    ),
}


@pytest.mark.parametrize("group", GROUPS)
def test_layers_are_portable(group):
    graph = jraph.batch(graphs_of("edgeless in the middle"))

    def layers(nodes, edges, receivers, senders, globals_, n_node, n_edge):
        graph = jraph.GraphsTuple(nodes, edges, receivers, senders, globals_, n_node, n_edge)
        return {name: outputs(LAYERS[name](jraph)(graph)) for name in GROUPS[group]}

    assert_portable(layers, *graph, rtol=1e-4, atol=1e-5)


def test_every_layer_is_in_a_group():
    assert {name for names in GROUPS.values() for name in names} == set(LAYERS) - {
        "edges_only",
        "graph_network",
    }


def test_none_for_no_edges_and_the_cache_are_portable():
    graph = jraph.batch(graphs_of("edgeless all"))

    @at.cache
    def layers(nodes, globals_, n_node, n_edge):
        graph = jraph.GraphsTuple(nodes, None, None, None, globals_, n_node, n_edge)
        names = ("graph_network", "relation", "convolution_with_self_edges", "gat")
        return {name: (out := LAYERS[name](jraph)(graph)).nodes + 0 * at.sum(out.globals) for name in names}

    try:
        assert_portable(layers, graph.nodes, graph.globals, graph.n_node, graph.n_edge, rtol=1e-4, atol=1e-5)
    finally:
        at.cache.disable()


@pytest.mark.parametrize("name", ["graph_network", "convolution_with_self_edges", "gat"])
def test_lengths_are_not_baked(name):
    torch, tf = pytest.importorskip("torch"), pytest.importorskip("tensorflow")
    net = LAYERS[name](jraph)
    # From two on: TorchDynamo takes lengths that are equal in the first call for one, and a width is 3.
    graphs = [jraph.batch(graphs_of("edgeless last", seed=i) * i) for i in (2, 3, 5)]
    traces = []

    def run(*fields):
        traces.append(1)
        return net(jraph.GraphsTuple(*fields)).nodes

    signature = [tf.TensorSpec([None, *np.shape(f)[1:]], tf.as_dtype(f.dtype)) for f in graphs[0]]
    in_tf = tf.function(run, input_signature=signature)
    counted = []

    def backend(module, inputs):
        counted.append(1)
        return module

    def nodes(*fields):
        return net(jraph.GraphsTuple(*fields)).nodes

    in_torch = torch.compile(nodes, dynamic=True, fullgraph=True, backend=backend)
    for graph in graphs:
        expected = net(graph).nodes
        np.testing.assert_allclose(in_tf(*graph), expected, rtol=1e-4, atol=1e-5)
        np.testing.assert_allclose(in_torch(*map(torch.tensor, graph)), expected, rtol=1e-4, atol=1e-5)
    assert len(traces) == 1
    assert len(counted) == 1


def test_a_graph_goes_through_torch_export():
    # pyg-team/pytorch_geometric issue 9879
    torch = pytest.importorskip("torch")
    net = LAYERS["graph_network"](jraph)

    class Module(torch.nn.Module):
        def forward(self, graph):
            return net(graph).nodes

    graph = jraph.GraphsTuple(*map(torch.tensor, jraph.batch(graphs_of("edgeless last"))))
    exported = torch.export.export(Module(), (graph,))
    torch.testing.assert_close(exported.module()(graph), net(graph).nodes)
