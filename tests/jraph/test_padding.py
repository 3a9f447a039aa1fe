"""Padding, its masks, and batches of fixed size."""

import jraph as official
import numpy as np
import pytest
from graph_samples import ARRANGEMENTS, assert_same, convert, frozen, graphs_of

from anytensor import jraph
from anytensor.testing import assert_portable

COUNTS = [name for name in jraph.__all__ if name.startswith("get_number_of_padding")]
MASKS = [name for name in jraph.__all__ if name.endswith("_padding_mask")]


def batch_of(arrangement, nested=False):
    return jraph.batch(graphs_of(arrangement, nested))


@pytest.mark.parametrize("nested", [False, True], ids=["plain", "nested"])
@pytest.mark.parametrize("arrangement", ARRANGEMENTS)
def test_padding_has_official_values(arrangement, nested):
    graph = frozen(batch_of(arrangement, nested))
    padded = jraph.pad_with_graphs(graph, 9, 11, 5)
    assert_same(padded, official.pad_with_graphs(official.GraphsTuple(*graph), 9, 11, 5))
    assert padded.senders.dtype == graph.senders.dtype
    assert_same(jraph.unpad_with_graphs(frozen(padded)), graph, dtypes=True)


@pytest.mark.parametrize("arrangement", ["edgeless first", "empty last"])
@pytest.mark.parametrize("name", COUNTS + MASKS)
def test_counts_and_masks_have_official_values(name, arrangement):
    jnp = pytest.importorskip("jax.numpy")
    padded = convert(jnp.asarray, jraph.pad_with_graphs(batch_of(arrangement), 9, 11, 5))
    expected = getattr(official, name)(official.GraphsTuple(*padded))
    got = getattr(jraph, name)(padded)
    np.testing.assert_array_equal(got, expected)
    assert got.shape == expected.shape
    assert (got.dtype == bool) == (expected.dtype == bool)


def test_padding_keeps_the_backend_and_the_least_sizes_fit():
    jnp, torch = pytest.importorskip("jax.numpy"), pytest.importorskip("torch")
    graph = batch_of("edgeless last")
    for array, kind in ((jnp.asarray, type(jnp.ones(1))), (torch.tensor, torch.Tensor)):
        padded = jraph.pad_with_graphs(convert(array, graph), 7, 5, 4)
        assert {type(field) for field in padded} == {kind}
        assert_same(padded, jraph.pad_with_graphs(graph, 7, 5, 4))


def test_padding_of_a_graph_that_says_none_for_no_edges():
    graph = batch_of("edgeless all")._replace(edges=None, senders=None, receivers=None)
    padded = jraph.pad_with_graphs(graph, 5, 2, 3)
    assert padded.senders.tolist() == [3, 3]
    assert padded.n_edge.tolist() == [0, 0, 2]
    assert jraph.pad_with_graphs(graph, 5, 0, 3).senders is None
    mask = jraph.get_edge_padding_mask(jraph.pad_with_graphs(graph, 5, 0, 3))
    assert (mask.shape, mask.dtype) == ((0,), bool)


@pytest.mark.parametrize(
    ("sizes", "error", "text"),
    [
        ((9, 11, 1), ValueError, "minimum value of 2"),
        ((6, 11, 5), RuntimeError, "n_node 0"),
        ((9, 4, 5), RuntimeError, "n_edge -1"),
        ((9, 11, 3), RuntimeError, "n_graph 0"),
        ((9.5, 11, 5), TypeError, "`n_node`"),
    ],
)
def test_errors_of_padding(sizes, error, text):
    with pytest.raises(error, match=text):
        jraph.pad_with_graphs(batch_of("edgeless last"), *sizes)


def test_more_errors():
    graph = batch_of("edgeless last")
    with pytest.raises(ValueError, match="n_node"):
        jraph.pad_with_graphs(graph._replace(n_node=np.array([3, 1, 1])), 9, 11, 5)
    with pytest.raises(ValueError, match="at least one array of node features"):
        jraph.get_node_padding_mask(graph._replace(nodes=None))
    jax = pytest.importorskip("jax")
    with pytest.raises(TypeError, match=r"n_node.*not known"):
        jax.jit(jraph.unpad_with_graphs)(graph)
    with pytest.raises(TypeError, match="callable"):
        jraph.with_zero_out_padding_outputs(None)


def test_padding_traces_by_the_shapes():
    jax = pytest.importorskip("jax")
    graph = convert(jax.numpy.asarray, batch_of("edgeless last"))
    pad = jax.jit(lambda g: jraph.pad_with_graphs(g, 9, 11, 5))
    assert_same(pad(graph), jraph.pad_with_graphs(graph, 9, 11, 5))


@pytest.mark.parametrize("nested", [False, True], ids=["plain", "nested"])
def test_whatever_padding_holds_comes_back_as_zeros(nested):
    graph = batch_of("edgeless first", nested)
    padded = jraph.pad_with_graphs(graph, 9, 11, 5)
    real = {"nodes": 6, "edges": 5, "globals": 3}

    def spoil(field):
        def put(x):
            x = x.copy()
            if x.dtype.kind == "f":
                x[real[field] :] = np.nan
                x[real[field] : real[field] + 1] = np.inf
            else:
                x[real[field] :] = 9
            return x

        return convert(put, padded)

    spoiled = padded._replace(**{field: getattr(spoil(field), field) for field in real})
    assert_same(jraph.zero_out_padding(frozen(spoiled)), padded, dtypes=True)
    assert_same(jraph.with_zero_out_padding_outputs(lambda g: g)(spoiled), padded, dtypes=True)


def test_padding_of_absent_features_is_left_alone():
    padded = jraph.pad_with_graphs(batch_of("edgeless first")._replace(edges=None, globals=None), 9, 11, 5)
    assert_same(jraph.zero_out_padding(padded), padded)


def test_zeros_and_masks_are_portable():
    padded = jraph.pad_with_graphs(batch_of("edgeless first"), 9, 11, 5)
    padded = padded._replace(nodes=padded.nodes + 1.5, edges=padded.edges + 1.5, globals=padded.globals + 1.5)

    def masks(*fields):
        graph = jraph.GraphsTuple(*fields)
        zeroed = jraph.zero_out_padding(graph)
        found = {name: getattr(jraph, name)(graph) for name in COUNTS + MASKS}
        return zeroed.nodes, zeroed.edges, zeroed.globals, found

    assert_portable(masks, *padded)


def stream(sizes):
    rng = np.random.default_rng(0)
    from graph_samples import one_graph

    return [one_graph(nodes, edges, rng) for nodes, edges in sizes]


@pytest.mark.parametrize("room", [(9, 9, 4), (30, 6, 9), (6, 30, 3)])
def test_a_stream_is_batched_as_official_jraph_does(room):
    graphs = stream([(3, 4), (2, 0), (5, 6), (1, 1), (4, 2), (2, 2), (2, 1)])
    got = list(jraph.dynamically_batch(iter(graphs), *room))
    expected = list(official.dynamically_batch(iter([official.GraphsTuple(*g) for g in graphs]), *room))
    assert_same(got, expected)


def test_errors_of_a_stream():
    small, large = stream([(2, 1), (9, 1)])
    batches = jraph.dynamically_batch(iter([small, large]), 5, 5, 3)
    assert next(batches).n_node.tolist() == [2, 3, 0]
    with pytest.raises(RuntimeError, match="bigger than batch size"):
        next(batches)
    with pytest.raises(ValueError, match="number of graphs"):
        next(jraph.dynamically_batch(iter([small]), 5, 5, 1))
    with pytest.raises(RuntimeError, match="must be GraphsTuples"):
        next(jraph.dynamically_batch(iter([3]), 5, 5, 3))
