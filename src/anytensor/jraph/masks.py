"""Which nodes, edges and graphs of a padded batch are padding, and zeros in their place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from anytensor import errors
from anytensor.compiling import named_after
from anytensor.jraph.graph import GraphsTuple, check_graph
from anytensor.jraph.joining import first_leaf, map_arrays
from anytensor.ops.creation import arange, zeros_like
from anytensor.ops.elementwise import greater_equal, not_equal
from anytensor.ops.indexing import take
from anytensor.ops.manipulation import flip, reshape, shape
from anytensor.ops.searching import argmax, where
from anytensor.typing import Bool, Integer

__all__ = [
    "get_edge_padding_mask",
    "get_graph_padding_mask",
    "get_node_padding_mask",
    "get_number_of_padding_with_graphs_edges",
    "get_number_of_padding_with_graphs_graphs",
    "get_number_of_padding_with_graphs_nodes",
    "with_zero_out_padding_outputs",
    "zero_out_padding",
]

Net = Callable[[GraphsTuple], GraphsTuple]


def get_number_of_padding_with_graphs_graphs(padded_graph: GraphsTuple) -> Integer[Any, ""]:
    """Count the padding graphs of a padded batch.

    Args:
        padded_graph: A batch padded with ``pad_with_graphs``; for another the result has no meaning.

    Returns:
        0-d integer: 1 and the number of graphs without nodes at the end.

    Raises:
        TypeError: If it is no graph or ``n_node`` has an unknown type.
        ValueError: If the batch has no graph.

    Example:
        >>> import numpy as np
        >>> from anytensor import jraph
        >>> graph = jraph.get_fully_connected_graph(2, 1, node_features=np.ones((2, 1)))
        >>> int(jraph.get_number_of_padding_with_graphs_graphs(jraph.pad_with_graphs(graph, 5, 6, 3)))
        2
    """
    check_graph("get_number_of_padding_with_graphs_graphs", padded_graph, "padded_graph")
    return _empty_at_the_end(padded_graph) + 1


def get_number_of_padding_with_graphs_nodes(padded_graph: GraphsTuple) -> Integer[Any, ""]:
    """Count the padding nodes of a padded batch.

    Args:
        padded_graph: A batch padded with ``pad_with_graphs``; for another the result has no meaning.

    Returns:
        0-d integer.

    Raises:
        TypeError: If it is no graph or ``n_node`` has an unknown type.
        ValueError: If the batch has no graph.

    Example:
        >>> import numpy as np
        >>> from anytensor import jraph
        >>> graph = jraph.get_fully_connected_graph(2, 1, node_features=np.ones((2, 1)))
        >>> int(jraph.get_number_of_padding_with_graphs_nodes(jraph.pad_with_graphs(graph, 5, 6, 3)))
        3
    """
    check_graph("get_number_of_padding_with_graphs_nodes", padded_graph, "padded_graph")
    return _of_first_padding(padded_graph.n_node, padded_graph)


def get_number_of_padding_with_graphs_edges(padded_graph: GraphsTuple) -> Integer[Any, ""]:
    """Count the padding edges of a padded batch.

    Args:
        padded_graph: A batch padded with ``pad_with_graphs``; for another the result has no meaning.

    Returns:
        0-d integer.

    Raises:
        TypeError: If it is no graph or ``n_node`` or ``n_edge`` has an unknown type.
        ValueError: If the batch has no graph.

    Example:
        >>> import numpy as np
        >>> from anytensor import jraph
        >>> graph = jraph.get_fully_connected_graph(2, 1, node_features=np.ones((2, 1)))
        >>> int(jraph.get_number_of_padding_with_graphs_edges(jraph.pad_with_graphs(graph, 5, 6, 3)))
        2
    """
    check_graph("get_number_of_padding_with_graphs_edges", padded_graph, "padded_graph")
    return _of_first_padding(padded_graph.n_edge, padded_graph)


def get_node_padding_mask(padded_graph: GraphsTuple) -> Bool[Any, " nodes"]:
    """Tell real nodes from padding.

    Args:
        padded_graph: A batch padded with ``pad_with_graphs``, with at least one array of node features, whose
            length is the number of nodes.

    Returns:
        Shape (number of nodes,), bool: True for a real node.

    Raises:
        TypeError: If ``padded_graph`` is no graph.
        ValueError: If there are no node features, or no graph.

    Example:
        >>> import numpy as np
        >>> from anytensor import jraph
        >>> graph = jraph.get_fully_connected_graph(2, 1, node_features=np.ones((2, 1)))
        >>> jraph.get_node_padding_mask(jraph.pad_with_graphs(graph, 4, 6, 3))
        array([ True,  True, False, False])
    """
    check_graph("get_node_padding_mask", padded_graph, "padded_graph")
    leaf = first_leaf(padded_graph.nodes)
    if leaf is None:
        raise ValueError(
            "get_node_padding_mask: `padded_graph` must have at least one array of node features"
        )
    return _mask(get_number_of_padding_with_graphs_nodes(padded_graph), shape(leaf)[0], padded_graph.n_node)


def get_edge_padding_mask(padded_graph: GraphsTuple) -> Bool[Any, " edges"]:
    """Tell real edges from padding.

    Args:
        padded_graph: A batch padded with ``pad_with_graphs``.

    Returns:
        Shape (number of edges,), bool: True for a real edge; empty where ``senders`` is None.

    Raises:
        TypeError: If ``padded_graph`` is no graph.
        ValueError: If the batch has no graph.

    Example:
        >>> import numpy as np
        >>> from anytensor import jraph
        >>> graph = jraph.get_fully_connected_graph(2, 1, node_features=np.ones((2, 1)))
        >>> jraph.get_edge_padding_mask(jraph.pad_with_graphs(graph, 4, 6, 3))
        array([ True,  True,  True,  True, False, False])
    """
    check_graph("get_edge_padding_mask", padded_graph, "padded_graph")
    rows = 0 if padded_graph.senders is None else shape(padded_graph.senders)[0]
    return _mask(get_number_of_padding_with_graphs_edges(padded_graph), rows, padded_graph.n_node)


def get_graph_padding_mask(padded_graph: GraphsTuple) -> Bool[Any, " graphs"]:
    """Tell real graphs from padding.

    Args:
        padded_graph: A batch padded with ``pad_with_graphs``.

    Returns:
        Shape (number of graphs,), bool: True for a real graph.

    Raises:
        TypeError: If ``padded_graph`` is no graph.
        ValueError: If the batch has no graph.

    Example:
        >>> import numpy as np
        >>> from anytensor import jraph
        >>> graph = jraph.get_fully_connected_graph(2, 1, node_features=np.ones((2, 1)))
        >>> jraph.get_graph_padding_mask(jraph.pad_with_graphs(graph, 4, 6, 3))
        array([ True, False, False])
    """
    check_graph("get_graph_padding_mask", padded_graph, "padded_graph")
    rows = shape(padded_graph.n_node)[0]
    return _mask(get_number_of_padding_with_graphs_graphs(padded_graph), rows, padded_graph.n_node)


def zero_out_padding(graph: GraphsTuple) -> GraphsTuple:
    """Replace the features of padding by zeros.

    Args:
        graph: A batch padded with ``pad_with_graphs``, after some layers.

    Returns:
        The batch; real features as they were, padding features 0 (False), whatever they were, NaN and
        infinities too.

    Raises:
        TypeError: If ``graph`` is no graph.
        ValueError: If the batch has no graph.

    Notes:
        All padding edges meet in one node, whose features can grow out of range over many layers. The
        gradient of what is replaced is 0.

    Example:
        >>> import numpy as np
        >>> from anytensor import jraph
        >>> graph = jraph.get_fully_connected_graph(1, 1, node_features=np.ones((1, 1)))
        >>> padded = jraph.pad_with_graphs(graph, 3, 1, 2)
        >>> spoiled = padded._replace(nodes=padded.nodes + np.array([[0], [7], [np.nan]]))
        >>> jraph.zero_out_padding(spoiled).nodes.tolist()
        [[1.0], [0.0], [0.0]]
    """
    check_graph("zero_out_padding", graph)
    real = {
        "nodes": get_node_padding_mask,
        "edges": get_edge_padding_mask,
        "globals": get_graph_padding_mask,
    }
    # Features that are None have no padding, and a mask that nobody needs is not made.
    present = {name: mask for name, mask in real.items() if getattr(graph, name) is not None}
    return graph._replace(
        **{name: _zeroed_where_not(mask(graph), getattr(graph, name)) for name, mask in present.items()}
    )


def _zeroed_where_not(real: Any, features: Any) -> Any:
    """Select: a product would keep NaN, and infinities would turn into it."""

    def select(leaf: Any) -> Any:
        rows = reshape(real, (shape(real)[0],) + (1,) * (len(shape(leaf)) - 1))
        return where(rows, leaf, zeros_like(leaf))

    return map_arrays(select, features)


def with_zero_out_padding_outputs(graph_net: Net) -> Net:
    """Wrap a graph network so that padding comes out as zeros.

    Args:
        graph_net: A function from graph to graph.

    Returns:
        The function, with ``zero_out_padding`` after it.

    Raises:
        TypeError: If ``graph_net`` is not callable.

    Example:
        >>> import numpy as np
        >>> from anytensor import jraph
        >>> graph = jraph.get_fully_connected_graph(1, 1, node_features=np.ones((1, 1)))
        >>> net = jraph.with_zero_out_padding_outputs(jraph.GraphMapFeatures(embed_node_fn=lambda x: x + 1))
        >>> net(jraph.pad_with_graphs(graph, 3, 1, 2)).nodes.tolist()
        [[2.0], [0.0], [0.0]]
    """
    if not callable(graph_net):
        raise TypeError(
            f"with_zero_out_padding_outputs: `graph_net` must be callable, got {errors.describe(graph_net)}"
        )

    @named_after(graph_net)
    def padded_with_zeros(graph: GraphsTuple) -> GraphsTuple:
        return zero_out_padding(graph_net(graph))

    return padded_with_zeros


def _empty_at_the_end(graph: GraphsTuple) -> Any:
    # The first of several greatest entries: the last graph that has nodes.
    return argmax(not_equal(flip(graph.n_node), 0))


def _of_first_padding(lengths: Any, graph: GraphsTuple) -> Any:
    place = reshape(_empty_at_the_end(graph), (1,))
    return reshape(take(flip(lengths), place), ())


def _mask(padding: Any, length: Any, like: Any) -> Any:
    # Counted from the end, so that no size takes part in arithmetic.
    return greater_equal(flip(arange(length, dtype="int32", like=like)), padding)
