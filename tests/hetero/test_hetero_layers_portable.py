"""Every layer on every backend, eager and compiled, with gradients, and with lengths that change."""

import numpy as np
import pytest
from hetero_samples import LAYERS, WEIGHTS, convert, one_graph

import anytensor as at
from anytensor import hetero
from anytensor.testing import assert_portable

# Compiling is what costs: several layers in one function, and of each backend's modes those that compile.
# (Eager modes: test_hetero_oracles. Lengths that change: below.)
MODES = ("readonly", "jit", "compile", "function-none", "xla")
GROUPS = {
    "convolutions": ("rgcn", "rgcn of maxima", "sage"),
    "attention": ("han", "hgt"),
    # The other compositions are these with another elementwise operation: test_comp_gcn has them.
    "compositions": ("comp_gcn corr per edge", "comp_gcn corr per relation", "comp_gcn mult per edge"),
}


@pytest.mark.parametrize("group", GROUPS)
def test_layers_are_portable(group):
    def layers(graph, weights):
        return {name: LAYERS[name](graph, weights).nodes for name in GROUPS[group]}

    assert_portable(layers, one_graph(), WEIGHTS, modes=MODES, rtol=1e-4, atol=1e-5)


def test_every_layer_is_in_a_group():
    tested = {name.split()[0] for names in GROUPS.values() for name in names}
    assert tested == {name.split()[0] for name in LAYERS}


def test_lengths_are_not_baked():
    torch, tf = pytest.importorskip("torch"), pytest.importorskip("tensorflow")
    names = ("rgcn", "sage", "han", "hgt", "comp_gcn corr per edge")
    # No two lengths equal in the first graph: TorchDynamo would take them for one.
    graphs = [
        one_graph(1, (7, 11, 13), (17, 19, 0)),
        one_graph(2, (5, 9, 14), (6, 21, 0)),
        one_graph(3, (30, 12, 2), (31, 3, 0)),
    ]
    traces, counted = [], []

    def run(graph, weights):
        traces.append(1)
        return {name: LAYERS[name](graph, weights).nodes["paper"] for name in names}

    def without_globals(graph):
        return graph._replace(globals=None)

    def signature(x):
        return tf.TensorSpec([None, *np.shape(x)[1:]], tf.as_dtype(x.dtype))

    spec = convert(signature, without_globals(graphs[0]))
    in_tf = tf.function(run).get_concrete_function(spec, convert(tf.constant, WEIGHTS))

    def backend(module, inputs):
        counted.append(1)
        return module

    def nodes(graph, weights):
        return {name: LAYERS[name](graph, weights).nodes["paper"] for name in names}

    in_torch = torch.compile(nodes, dynamic=True, fullgraph=True, backend=backend)
    for graph in map(without_globals, graphs):
        expected = nodes(graph, WEIGHTS)
        got = in_tf(convert(tf.constant, graph), convert(tf.constant, WEIGHTS))
        also = in_torch(convert(torch.tensor, graph), convert(torch.tensor, WEIGHTS))
        for name in names:
            np.testing.assert_allclose(got[name], expected[name], rtol=1e-4, atol=1e-5)
            np.testing.assert_allclose(also[name], expected[name], rtol=1e-4, atol=1e-5)
    assert len(traces) == 1
    assert len(counted) == 1


def test_a_graph_is_an_argument_and_a_result_of_compiled_functions():
    jax, tf = pytest.importorskip("jax"), pytest.importorskip("tensorflow")
    torch = pytest.importorskip("torch")
    graph = one_graph()
    expected = LAYERS["rgcn"](graph, WEIGHTS)

    class Module(torch.nn.Module):
        def forward(self, graph):
            return LAYERS["rgcn"](graph, convert(torch.tensor, WEIGHTS)).nodes["paper"]

    on_torch = convert(torch.tensor, graph)
    exported = torch.export.export(Module(), (on_torch,)).module()(on_torch)
    np.testing.assert_allclose(exported, expected.nodes["paper"], rtol=1e-4, atol=1e-5)
    for got in (
        jax.jit(LAYERS["rgcn"])(graph, WEIGHTS),
        tf.function(LAYERS["rgcn"])(convert(tf.constant, graph), convert(tf.constant, WEIGHTS)),
    ):
        assert type(got) is hetero.HeteroGraphsTuple
        assert got.ntypes == graph.ntypes
        np.testing.assert_allclose(got.nodes["paper"], expected.nodes["paper"], rtol=1e-4, atol=1e-5)


def test_our_own_functions_are_parts_under_dynamo():
    # Dynamo has substitutes for at.*, and cannot ask such a function for an attribute.
    def layer(x, ids):
        path = ("node", "to", "node")
        graph = hetero.HeteroGraphsTuple(
            nodes={"node": x},
            edges={},
            senders={path: ids},
            receivers={path: ids},
            n_node={"node": at.full((1,), at.shape(x)[0], dtype=np.int32, like=ids)},
            n_edge={path: at.full((1,), at.shape(ids)[0], dtype=np.int32, like=ids)},
        )
        logit = lambda s, d, e: at.sum(s * d, axis=-1)  # noqa: E731
        return hetero.han(graph, [path], at.tanh, logit, at.tanh, lambda h: h[:, 0]).nodes["node"]

    x, ids = np.ones((3, 2), np.float32), np.array([0, 1, 2, 0], np.int32)
    assert_portable(layer, x, ids, backends=("numpy", "torch"), gradients=False)
