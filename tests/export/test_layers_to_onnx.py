"""Every layer of jraph, by both roads, in ONNX Runtime on batches that were not traced."""

import pytest
from graph_cases import BATCHES, CASES, GROUPS, graph_of, segments_of_jraph
from layer_samples import LAYERS
from onnx_running import ROADS, assert_same, expected, run, session
from segment_cases import SIZES, floats_of

import anytensor as at
from anytensor import export, jraph


@pytest.mark.parametrize("road", ROADS)
@pytest.mark.parametrize("group", CASES)
def test_onnx_runtime_gives_what_numpy_gives(group, road):
    case = CASES[group]
    model = ROADS[road](case.function, case.make(BATCHES[0]))
    export.assert_symbolic_lengths(model)
    loaded = session(model)
    for sizes in BATCHES:
        inputs = case.make(sizes)
        assert_same(run(loaded, inputs), expected(case.function, inputs), sizes)


@pytest.mark.parametrize("road", ROADS)
def test_jraphs_own_segment_functions(road):
    model = ROADS[road](segments_of_jraph, floats_of(*SIZES[0]))
    loaded = session(model)
    for size in SIZES:
        inputs = floats_of(*size)
        assert_same(run(loaded, inputs), expected(segments_of_jraph, inputs), size)


def test_every_layer_is_in_a_group():
    assert {name for names in GROUPS.values() for name in names} == set(LAYERS)


@pytest.mark.parametrize("road", ROADS)
def test_a_graph_goes_in_and_out_as_it_is(road):
    net = LAYERS["graph_network"](jraph)

    def update(graph):
        return net(graph)._replace(edges=None)

    model = ROADS[road](update, {"graph": graph_of(BATCHES[0])})
    fields = graph_of(BATCHES[0])._fields
    assert [value.name for value in model.graph.input] == [f"graph__{field}" for field in fields]
    assert [value.name for value in model.graph.output] == [field for field in fields if field != "edges"]
    graph = graph_of(BATCHES[2])
    feeds = {f"graph__{field}": value for field, value in graph._asdict().items()}
    assert_same(run(session(model), feeds), expected(update, {"graph": graph}), "another batch")


def three_layers(name, graph):
    net = LAYERS[name](jraph)
    for _ in range(3):
        graph = net(graph)
    return graph


def count(model, op):
    return sum(node.op_type == op for node in model.graph.node)


@pytest.mark.parametrize("road", ROADS)
def test_a_cached_stack_expands_each_partition_once(road):
    def stack(graph):
        return three_layers("graph_network", graph)._replace(senders=None, receivers=None)

    def cached(graph):
        with at.cache():
            return stack(graph)

    inputs = {"graph": graph_of(BATCHES[0])}
    # An expansion is two running sums: the ends of the lengths, and the marks at them.
    model = ROADS[road](cached, inputs)
    assert count(model, "CumSum") == 2 * len(("n_node", "n_edge"))
    graph = graph_of(BATCHES[2])
    feeds = {f"graph__{field}": value for field, value in graph._asdict().items()}
    assert_same(run(session(model), feeds), expected(stack, {"graph": graph}), "another batch")


@pytest.mark.parametrize("road", ROADS)
def test_a_decorated_stack_of_convolutions_counts_degrees_once(road):
    def nodes(graph):
        return three_layers("convolution_with_self_edges", graph).nodes

    inputs = {"graph": graph_of(BATCHES[0])}
    try:
        model = ROADS[road](at.cache(nodes), inputs)
    finally:
        at.cache.disable()
    # In and out degrees, and the messages of each layer.
    scatters = count(model, "ScatterND") + count(model, "ScatterElements")
    assert scatters == 2 + 3
