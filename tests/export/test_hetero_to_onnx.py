"""Every heterogeneous layer, by both roads, in ONNX Runtime on graphs that were not traced."""

import numpy as np
import pytest
from hetero_samples import LAYERS, WEIGHTS, one_graph
from onnx_running import ROADS, assert_same, expected, run, session

from anytensor import export, hetero, tree
from anytensor.export.weights import path_name

GROUPS = {
    "convolutions": ("rgcn", "rgcn of maxima", "sage"),
    "attention": ("han", "hgt"),
    "compositions": tuple(name for name in LAYERS if name.startswith("comp_gcn")),
}
# (nodes of each type), (edges of each relation): of the example, then others.
GRAPHS = (((7, 5, 3), (9, 6, 4)), ((5, 9, 14), (6, 21, 0)), ((2, 3, 1), (0, 0, 0)))


# Reducers within a relation and across them.
REDUCERS = (("sum", "mean"), ("mean", "sum"), ("max", "max"), ("min", "min"), ("sum", "stack"))


def reducers(weights, graph):
    found = {}
    for within, across in REDUCERS:
        specs = {
            etype: hetero.RelationSpec(src_apply=lambda h, e=etype: h @ weights[e[1]], reduce=within)
            for etype in graph.canonical_etypes
        }
        found[f"{within}_{across}"] = hetero.multi_update_all(graph, specs, across).nodes
    return found


def layers(group):
    if group == "reducers":
        return reducers

    def apply(weights, graph):
        return {name: LAYERS[name](graph, weights).nodes for name in GROUPS[group]}

    return apply


@pytest.mark.parametrize("road", ROADS)
@pytest.mark.parametrize("group", [*GROUPS, "reducers"])
def test_onnx_runtime_gives_what_numpy_gives(group, road):
    function = layers(group)
    model = ROADS[road](function, {"graph": one_graph(0, *GRAPHS[0])}, params=WEIGHTS)
    inputs = [value.name for value in model.graph.input]
    assert "graph__nodes__paper" in inputs
    assert "graph__senders__author_writes_paper" in inputs
    # What there is one of for the whole graph keeps its length.
    of_graph = ("graph__n_node", "graph__n_edge", "graph__globals")
    export.assert_symbolic_lengths(model, [name for name in inputs if not name.startswith(of_graph)])
    export.assert_embedded_weights(model, WEIGHTS)
    loaded = session(model)
    for seed, sizes in enumerate(GRAPHS):
        graph = one_graph(seed, *sizes)
        pairs = tree.leaves_with_path(graph)
        feeds = {f"graph__{path_name(path)}": np.asarray(leaf) for path, leaf in pairs}
        wanted = expected(lambda graph: function(WEIGHTS, graph), {"graph": graph})
        assert_same(run(loaded, feeds), wanted, sizes)


def test_every_layer_is_in_a_group():
    assert {name for names in GROUPS.values() for name in names} == set(LAYERS)
