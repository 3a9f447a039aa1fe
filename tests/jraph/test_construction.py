"""Fully connected graphs, graphs from matrices, and joined arguments."""

import functools

import jraph as official
import numpy as np
import pytest
from graph_samples import assert_same, convert

import anytensor as at
from anytensor import jraph
from anytensor.testing import assert_portable


@pytest.mark.parametrize("self_edges", [True, False])
@pytest.mark.parametrize(("nodes", "graphs"), [(1, 1), (3, 2), (0, 2), (2, 1)])
def test_fully_connected_graphs_are_official(nodes, graphs, self_edges):
    got = jraph.get_fully_connected_graph(nodes, graphs, add_self_edges=self_edges)
    expected = official.get_fully_connected_graph(nodes, graphs, add_self_edges=self_edges)
    assert_same(got, expected)


def test_no_graphs_have_no_counts():
    graph = jraph.get_fully_connected_graph(3, 0)
    assert [len(field) for field in (graph.n_node, graph.n_edge, graph.senders)] == [0, 0, 0]


def test_features_bring_their_backend_and_are_counted():
    torch = pytest.importorskip("torch")
    graph = jraph.get_fully_connected_graph(2, 2, {"x": torch.ones(4, 1)}, torch.ones(2, 1))
    assert {type(f) for f in (graph.senders, graph.n_node, graph.n_edge)} == {torch.Tensor}
    with pytest.raises(ValueError, match="Number of nodes"):
        jraph.get_fully_connected_graph(2, 2, np.ones((3, 1)))
    with pytest.raises(ValueError, match="number of globals"):
        jraph.get_fully_connected_graph(2, 2, None, np.ones((3, 1)))


@pytest.mark.parametrize("self_edges", [True, False])
def test_sizes_may_be_symbolic(self_edges):
    def connect(x):
        graph = jraph.get_fully_connected_graph(at.shape(x)[0], 1, x, None, self_edges)
        return graph.senders, graph.receivers, graph.n_node, graph.n_edge

    assert_portable(connect, np.ones((3, 2), np.float32), gradients=False)


def test_a_matrix_is_a_graph_with_an_edge_for_each_unit():
    torch = pytest.importorskip("torch")
    matrix = [np.array(v) for v in ([0, 1, 1], [1, 0, 2], [2, 1, 0], [3])]
    for array in (np.asarray, torch.tensor):
        graph = jraph.sparse_matrix_to_graphs_tuple(*map(array, matrix))
        assert graph.senders.tolist() == [0, 0, 1]
        assert graph.receivers.tolist() == [1, 1, 0]
        assert graph.n_edge.tolist() == [3]
        assert type(graph.n_edge) is type(array(matrix[3]))
    none = jraph.sparse_matrix_to_graphs_tuple(*[np.zeros(0, int)] * 3, np.array([3]))
    assert (len(none.senders), none.n_edge.tolist()) == (0, [0])
    with pytest.raises(ValueError, match="`values`"):
        jraph.sparse_matrix_to_graphs_tuple(matrix[0], matrix[1], -matrix[2], matrix[3])
    with pytest.raises(ValueError, match="one length"):
        jraph.sparse_matrix_to_graphs_tuple(matrix[0][:2], matrix[1], matrix[2], matrix[3])


def test_arguments_are_joined():
    @jraph.concatenated_args
    def update(x):
        """Do nothing."""
        return x

    assert update.__name__ == "update"
    assert (
        update(np.ones((2, 1)), None, b={"y": np.ones((2, 2)), "x": np.zeros((2, 1))}).tolist()
        == [[1, 0, 1, 1]] * 2
    )
    assert jraph.concatenated_args(axis=0)(lambda x: x)(np.ones((2, 1)), np.ones((1, 1))).shape == (3, 1)
    with pytest.raises(TypeError, match="callable"):
        jraph.concatenated_args(3)


def test_a_partial_is_joined_inside_a_compiler():
    def scaled(factor, x):
        return factor * x

    def apply(x):
        return jraph.concatenated_args(functools.partial(scaled, 2.0))(x, x)

    assert_portable(apply, np.ones((3, 2), np.float32))


def test_converted_graphs_are_graphs():
    graph = convert(np.asarray, jraph.get_fully_connected_graph(2, 1))
    assert type(graph) is jraph.GraphsTuple
