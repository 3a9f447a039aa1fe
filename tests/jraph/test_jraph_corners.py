"""Graphs as notebooks show them, layers on unusual parts, and traces that see lengths only."""

from collections import namedtuple

import numpy as np
import pytest
import tensorflow as tf
import torch
from graph_samples import one_graph

import anytensor as at
from anytensor import jraph
from anytensor.jraph import host, joining, outlines, padding, segment
from anytensor.jraph.graph import check_graph

Pair = namedtuple("Pair", "first second")
GRAPH = one_graph(3, 4, np.random.default_rng(0))
X = np.array([[1.0], [2.0], [4.0]], np.float32)


# Outlines


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "None"),
        ({"a": X}, "{'a': float32[3,1]}"),
        (Pair(X, None), "Pair(first=float32[3,1], second=None)"),
        ([X, 1], "[float32[3,1], int]"),
        ((X,), "(float32[3,1],)"),
        ((X, torch.ones(2)), "(float32[3,1], float32[2])"),
        ("features", "str"),
    ],
    ids=["none", "dict", "record", "list", "one", "two", "no array"],
)
def test_outlines(value, text):
    assert outlines.outline(value) == text


def test_an_outline_of_an_unknown_rank():
    seen = []

    @tf.function(input_signature=[tf.TensorSpec(None), tf.TensorSpec([None, 2])], autograph=False)
    def traced(x, y):
        seen.extend([outlines.outline(x), outlines.outline(y)])
        return x

    traced(tf.ones(1), tf.ones((1, 2)))
    assert seen == ["float32[...]", "float32[?,2]"]


# Parts


def test_a_class_of_ones_own_with_the_fields_is_taken():
    own = namedtuple("Own", jraph.GraphsTuple._fields)
    padded = jraph.pad_with_graphs(own(*GRAPH), 8, 8)
    assert padded.n_node.tolist() == [3, 5]


def test_rows_and_counts_are_named():
    with pytest.raises(ValueError, match="the arrays of a graph have a row for each node, edge or graph"):
        host.rows_of(np.float32(1).reshape(()))
    with pytest.raises(ValueError, match="`n_node`"):
        host.counts("batch", "n_node", np.ones((1, 2), int))
    copy = host.lift(X, X)
    assert copy is not X
    np.testing.assert_array_equal(copy, X)


def test_rows_that_do_not_fit_are_named_with_what_they_should_be():
    bad = GRAPH._replace(globals=np.ones((2, 2), np.float32))
    with pytest.raises(ValueError, match=r"batch: `globals` of graphs\[1\] has 2 rows, and its number of"):
        jraph.batch([GRAPH, bad])
    bad = GRAPH._replace(edges={"a": np.ones((4, 1)), "b": np.ones((5, 1))})
    with pytest.raises(ValueError, match=r"batch: `edges` of graphs\[1\] has 5 rows, and its sum of"):
        jraph.batch([GRAPH._replace(edges={"a": np.ones((4, 1)), "b": np.ones((4, 1))}), bad])


def test_indices_that_are_no_integers_are_refused_when_they_are_cut():
    with pytest.raises(TypeError, match="unbatch: `senders`"):
        joining.split_indices(np.ones(2), np.zeros(2, int), [0, 2])
    (empty,) = joining.split_indices(np.ones(0), np.zeros(0, int), [0, 0])
    assert empty.shape == (0,)
    assert joining.split_indices(None, np.zeros(1, int), [0, 1, 2]) == [None, None]


def test_an_empty_list_of_streams_gives_nothing():
    assert list(jraph.dynamically_batch([], 8, 8, 3)) == []


def test_an_error_of_a_class_of_its_own_keeps_its_text():
    error = np.exceptions.AxisError(3, 2)
    assert segment.renamed(error, {"`x`": "`data`"}) is error
    renamed = segment.renamed(ValueError("`x` is wrong"), {"`x`": "`data`"})
    assert str(renamed) == "`data` is wrong"


def test_buckets_with_fewer_sizes_than_budget():
    found = jraph.fit_buckets([(4, 4, 1), (4, 4, 1), (9, 9, 1)], budget=5)
    assert [size[:2] for size in found.sizes] == [(5, 4), (10, 9)]
    check_graph("pad", GRAPH)


# Layers


def test_attention_whose_weights_have_fewer_axes_than_the_messages():
    graph = jraph.get_fully_connected_graph(3, 1, np.ones((3, 2, 2), np.float32) * X[:, :, None])
    flat = jraph.GAT(lambda nodes: nodes, lambda sent, received, edges: sent[:, :1] * 0)(graph)
    wide = jraph.GAT(lambda nodes: nodes, lambda sent, received, edges: np.zeros((9, 2, 2)))(graph)
    for got in (flat, wide):
        np.testing.assert_allclose(got.nodes.reshape(3, -1)[:, 0], [7 / 3] * 3, rtol=1e-6)


def test_attention_whose_weights_are_a_number_of_another_type():
    graph = jraph.get_fully_connected_graph(3, 1, torch.from_numpy(X))
    with at.promote_options(copy=True):
        got = jraph.GAT(lambda nodes: nodes, lambda sent, received, edges: np.zeros((9, 1), np.float32))(
            graph
        )
    np.testing.assert_allclose(got.nodes.reshape(3, -1)[:, 0], [7 / 3] * 3, rtol=1e-6)


def test_a_network_whose_attention_is_not_normalized():
    graph = jraph.get_fully_connected_graph(3, 1, X)
    run = jraph.GraphNetwork(
        update_edge_fn=None,
        update_node_fn=lambda nodes, sent, received, globals_: received,
        attention_logit_fn=lambda edges, sent, received, globals_: sent,
        attention_normalize_fn=None,
        attention_reduce_fn=lambda edges, weights: weights,
    )
    np.testing.assert_allclose(run(graph).nodes, [[7], [7], [7]])


@pytest.mark.parametrize(
    ("names", "wanted"),
    [
        ((), (1, 1, 1)),
        (("embed_edge_fn",), (1, 2, 1)),
        (("embed_global_fn",), (1, 1, 2)),
        (("embed_node_fn", "embed_edge_fn", "embed_global_fn"), (2, 2, 2)),
    ],
    ids=["none", "edges", "globals", "all"],
)
def test_map_features_leaves_what_has_no_function(names, wanted):
    graph = GRAPH._replace(nodes=X, edges=np.ones((4, 1)), globals=np.ones((1, 1)))
    got = jraph.GraphMapFeatures(**dict.fromkeys(names, lambda x: x * 2))(graph)
    assert (got.nodes[0, 0], got.edges[0, 0], got.globals[0, 0]) == wanted


# Traces


def test_graphs_that_have_no_features_cannot_be_padded_in_a_trace():
    @tf.function(autograph=False)
    def traced(n_node, n_edge):
        graph = GRAPH._replace(nodes=None, n_node=n_node, n_edge=n_edge)
        with pytest.raises(TypeError, match="`graph` must have node features to count by"):
            padding.sizes_of(graph)
        return n_node

    traced(tf.constant([3]), tf.constant([4]))


@pytest.mark.parametrize("self_edges", [True, False])
def test_a_fully_connected_graph_of_a_traced_size(self_edges):
    import jax
    from jax import export

    (n,) = export.symbolic_shape("n")

    def made(x):
        graph = jraph.get_fully_connected_graph(at.shape(x)[0], 1, x, add_self_edges=self_edges)
        return graph.senders, graph.receivers, graph.n_edge

    runs = [tf.function(made, input_signature=[tf.TensorSpec([None, 1])], autograph=False)]
    if self_edges:  # without them JAX cannot tell that n * n - n is no less than 0
        runs.append(export.export(jax.jit(made))(jax.ShapeDtypeStruct((n, 1), np.float32)).call)
    for traced in runs:
        for got, want in zip(traced(X), made(X), strict=True):
            np.testing.assert_array_equal(got, want)


def test_no_indices_to_join_in_a_trace():
    assert joining._join_traced_indices([GRAPH], []) == (None, None)
    vectors = [torch.zeros((0,)), torch.zeros((0,))]
    joined = joining.join_integers("senders", vectors)
    assert joined.shape == (0,)


def test_sparse_matrices_of_unknown_values_are_refused():
    import jax

    one = np.array([0])
    with pytest.raises(TypeError, match="sparse_matrix_to_graphs_tuple"):
        jax.jit(lambda v: jraph.sparse_matrix_to_graphs_tuple(one, one, v, one + 1))(one + 1)
    with pytest.raises(TypeError, match="`values`"):
        jraph.sparse_matrix_to_graphs_tuple(np.array([0]), np.array([0]), np.array([1.5]), np.array([1]))


def test_sizes_that_gain_nothing_apart_share_a_bucket():
    found = jraph.fit_buckets([(4, 4, 1), (4, 4, 2)], budget=2)
    assert found.sizes == ((5, 4, 3),)


def test_counts_of_different_lengths_cannot_be_unbatched():
    with pytest.raises(ValueError, match="unbatch: `n_node` and `n_edge` must have one entry for each graph"):
        jraph.unbatch(GRAPH._replace(n_edge=np.array([2, 2])))


def test_empty_vectors_without_a_dtype_are_integers_in_a_trace():
    @tf.function(autograph=False)
    def joined(one, two):
        return joining.join_integers("senders", [one, two])

    got = joined(tf.zeros((0,)), tf.zeros((0,)))
    assert (got.dtype, got.shape) == (tf.int32, (0,))


def test_an_official_package_of_other_fields_is_left_alone():
    from types import SimpleNamespace

    from anytensor.jraph.graph import _own_official
    from anytensor.tree import batching

    before = dict(batching._owners)
    _own_official(SimpleNamespace(GraphsTuple=Pair))
    _own_official(SimpleNamespace())
    assert batching._owners == before


@pytest.mark.parametrize("wrong", [np.array(3), np.array([[3]])], ids=["scalar", "matrix"])
@pytest.mark.parametrize("beside", ["alike", "a vector"])
@pytest.mark.parametrize(
    "make", [np.asarray, torch.tensor, tf.constant], ids=["numpy", "torch", "tensorflow"]
)
def test_counts_that_are_no_vectors_are_named(make, wrong, beside):
    good = GRAPH._replace(nodes=None, edges=None, globals=None)
    good = jraph.GraphsTuple(*(None if field is None else make(field) for field in good))
    bad = good._replace(n_node=make(wrong))
    with pytest.raises(ValueError, match=r"batch: `n_node` must be 1-D, got shape \((1, 1)?\)"):
        jraph.batch([bad if beside == "alike" else good, bad])


def test_counts_of_a_wrong_rank_are_named_in_a_trace():
    def join(n_node):
        return jraph.batch([GRAPH, GRAPH._replace(n_node=n_node)])

    with pytest.raises(Exception, match=r"batch: `n_node` must be 1-D"):
        torch.compile(join, backend="eager", fullgraph=True)(torch.tensor([[3]]))


@pytest.mark.parametrize(
    ("counts", "error", "text"),
    [
        (3, TypeError, "batch: `n_node` must hold integers"),
        ([3], TypeError, "batch: `n_node` must be"),
        (np.array([1.0]), TypeError, "batch: `n_node` must hold integers"),
        (np.array([4, -1]), ValueError, "batch: `n_node` must hold no negative number, got -1"),
    ],
    ids=["int", "list", "float", "negative"],
)
def test_counts_that_count_nothing_are_named(counts, error, text):
    bad = GRAPH._replace(n_node=counts, globals=None)
    for graphs in ([bad], [GRAPH._replace(globals=None), bad]):
        with pytest.raises(error, match=text):
            jraph.batch(graphs)
