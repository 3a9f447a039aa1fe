"""Padding of graphs to fixed sizes, so that a compiler sees few shapes, and the masks that tell it apart.

The padding is one graph that holds all padding nodes and edges, then graphs without nodes. It touches no real
node, edge or graph, so every layer computes on the real ones what it would without it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
from jaxtyping import Bool, Integer

from anytensor import errors
from anytensor.jraph.graph import GraphsTuple
from anytensor.jraph.host import counts, is_known, on_host, rows_of, zero_rows
from anytensor.jraph.joining import check_rows, first_leaf
from anytensor.ops.creation import arange, asarray, full, zeros, zeros_like
from anytensor.ops.elementwise import greater_equal, not_equal
from anytensor.ops.indexing import take
from anytensor.ops.manipulation import concat, flip, reshape, shape
from anytensor.ops.searching import argmax, where
from anytensor.tree import batch
from anytensor.tree import map as map_tree

__all__ = [
    "dynamically_batch",
    "get_edge_padding_mask",
    "get_graph_padding_mask",
    "get_node_padding_mask",
    "get_number_of_padding_with_graphs_edges",
    "get_number_of_padding_with_graphs_graphs",
    "get_number_of_padding_with_graphs_nodes",
    "pad_with_graphs",
    "unpad_with_graphs",
    "with_zero_out_padding_outputs",
    "zero_out_padding",
]

Net = Callable[[GraphsTuple], GraphsTuple]


def pad_with_graphs(graph: GraphsTuple, n_node: int, n_edge: int, n_graph: int = 2) -> GraphsTuple:
    """Pad a batch to fixed numbers of nodes, edges and graphs.

    Args:
        graph: The batch.
        n_node: Number of nodes of the result, at least one more than the batch has.
        n_edge: Number of edges of the result.
        n_graph: Number of graphs of the result, at least one more than the batch has, and at least 2.

    Returns:
        The batch with padding graphs behind it, on the backend and device of its arrays. Padding features are
        zeros; padding edges run from the first padding node to itself.

    Raises:
        ValueError: If ``n_graph`` is below 2, or the counts of the batch do not fit its arrays.
        RuntimeError: If the batch is too large for the sizes.
        TypeError: If a size is no integer.

    Notes:
        Under a compiler the sizes of the batch come from the shapes of its arrays, so it must have node
        features. Official jraph returns NumPy arrays; this keeps the caller's.

    Example:
        >>> import numpy as np
        >>> from anytensor import jraph
        >>> graph = jraph.get_fully_connected_graph(2, 1, node_features=np.ones((2, 1)))
        >>> padded = jraph.pad_with_graphs(graph, n_node=5, n_edge=6, n_graph=3)
        >>> padded.n_node, padded.n_edge
        (array([2, 3, 0]), array([4, 2, 0]))
    """
    n_node, n_edge, n_graph = (
        _size(size, name) for size, name in ((n_node, "n_node"), (n_edge, "n_edge"), (n_graph, "n_graph"))
    )
    if n_graph < 2:
        raise ValueError(f"pad_with_graphs: n_graph is {n_graph}, which is smaller than minimum value of 2")
    have_nodes, have_edges, have_graphs = _sizes_of(graph)
    nodes, edges, graphs = n_node - have_nodes, n_edge - have_edges, n_graph - have_graphs
    if _is_below(nodes, 1) or _is_below(edges, 0) or _is_below(graphs, 1):
        raise RuntimeError(
            f"pad_with_graphs: given graph is too large for the given padding; difference: n_node {nodes}, "
            f"n_edge {edges}, n_graph {graphs}"
        )
    no_edges = graph.senders is None
    if no_edges and edges:
        # Padding edges need indices, and so the real graphs need theirs, of length 0.
        like = first_leaf(graph.nodes)
        empty = zeros((0,), dtype="int32", like=graph.n_node if like is None else like)
        graph = graph._replace(senders=empty, receivers=empty)
        no_edges = False
    padding = GraphsTuple(
        nodes=map_tree(lambda x: zero_rows(nodes, x), graph.nodes),
        edges=map_tree(lambda x: zero_rows(edges, x), graph.edges),
        globals=map_tree(lambda x: zero_rows(graphs, x), graph.globals),
        senders=None if no_edges else _zero_indices(edges, graph.senders),
        receivers=None if no_edges else _zero_indices(edges, graph.receivers),
        n_node=_first_of(nodes, graphs, graph.n_node),
        n_edge=_first_of(edges, graphs, graph.n_edge),
    )
    return batch([graph, padding])  # type: ignore[no-any-return]


def unpad_with_graphs(padded_graph: GraphsTuple) -> GraphsTuple:
    """Remove the padding that ``pad_with_graphs`` added.

    Args:
        padded_graph: A padded batch.

    Returns:
        The batch without its padding graphs.

    Raises:
        TypeError: If ``n_node`` is not known because a compiler traces: the shapes of the result depend on it.

    Example:
        >>> import numpy as np
        >>> from anytensor import jraph
        >>> graph = jraph.get_fully_connected_graph(2, 1, node_features=np.ones((2, 1)))
        >>> jraph.unpad_with_graphs(jraph.pad_with_graphs(graph, 5, 6, 3)).n_node
        array([2])
    """
    n_node = counts("unpad_with_graphs", "n_node", padded_graph.n_node)
    n_edge = counts("unpad_with_graphs", "n_edge", padded_graph.n_edge)
    occupied = np.flatnonzero(n_node)
    graphs = int(occupied[-1]) if len(occupied) else max(len(n_node) - 1, 0)
    nodes, edges = int(n_node[:graphs].sum()), int(n_edge[:graphs].sum())

    def first(x: Any, length: int) -> Any:
        return asarray(np.asarray(x)[:length], like=x) if on_host(x) else x[:length]

    return GraphsTuple(
        nodes=map_tree(lambda x: first(x, nodes), padded_graph.nodes),
        edges=map_tree(lambda x: first(x, edges), padded_graph.edges),
        receivers=None if padded_graph.receivers is None else first(padded_graph.receivers, edges),
        senders=None if padded_graph.senders is None else first(padded_graph.senders, edges),
        globals=map_tree(lambda x: first(x, graphs), padded_graph.globals),
        n_node=first(padded_graph.n_node, graphs),
        n_edge=first(padded_graph.n_edge, graphs),
    )


def get_number_of_padding_with_graphs_graphs(padded_graph: GraphsTuple) -> Integer[Any, ""]:
    """Count the padding graphs of a padded batch.

    Args:
        padded_graph: A batch padded with ``pad_with_graphs``; for another the result has no meaning.

    Returns:
        0-d integer: 1 and the number of graphs without nodes at the end.

    Raises:
        TypeError: If ``n_node`` has an unknown type.
        ValueError: If the batch has no graph.

    Example:
        >>> import numpy as np
        >>> from anytensor import jraph
        >>> graph = jraph.get_fully_connected_graph(2, 1, node_features=np.ones((2, 1)))
        >>> int(jraph.get_number_of_padding_with_graphs_graphs(jraph.pad_with_graphs(graph, 5, 6, 3)))
        2
    """
    return _empty_at_the_end(padded_graph) + 1


def get_number_of_padding_with_graphs_nodes(padded_graph: GraphsTuple) -> Integer[Any, ""]:
    """Count the padding nodes of a padded batch.

    Args:
        padded_graph: A batch padded with ``pad_with_graphs``; for another the result has no meaning.

    Returns:
        0-d integer.

    Raises:
        TypeError: If ``n_node`` has an unknown type.
        ValueError: If the batch has no graph.

    Example:
        >>> import numpy as np
        >>> from anytensor import jraph
        >>> graph = jraph.get_fully_connected_graph(2, 1, node_features=np.ones((2, 1)))
        >>> int(jraph.get_number_of_padding_with_graphs_nodes(jraph.pad_with_graphs(graph, 5, 6, 3)))
        3
    """
    return take(flip(padded_graph.n_node), _empty_at_the_end(padded_graph))


def get_number_of_padding_with_graphs_edges(padded_graph: GraphsTuple) -> Integer[Any, ""]:
    """Count the padding edges of a padded batch.

    Args:
        padded_graph: A batch padded with ``pad_with_graphs``; for another the result has no meaning.

    Returns:
        0-d integer.

    Raises:
        TypeError: If ``n_node`` or ``n_edge`` has an unknown type.
        ValueError: If the batch has no graph.

    Example:
        >>> import numpy as np
        >>> from anytensor import jraph
        >>> graph = jraph.get_fully_connected_graph(2, 1, node_features=np.ones((2, 1)))
        >>> int(jraph.get_number_of_padding_with_graphs_edges(jraph.pad_with_graphs(graph, 5, 6, 3)))
        2
    """
    return take(flip(padded_graph.n_edge), _empty_at_the_end(padded_graph))


def get_node_padding_mask(padded_graph: GraphsTuple) -> Bool[Any, " nodes"]:
    """Tell real nodes from padding.

    Args:
        padded_graph: A batch padded with ``pad_with_graphs``, with at least one array of node features, whose
            length is the number of nodes.

    Returns:
        Shape (number of nodes,), bool: True for a real node.

    Raises:
        ValueError: If there are no node features, or no graph.

    Example:
        >>> import numpy as np
        >>> from anytensor import jraph
        >>> graph = jraph.get_fully_connected_graph(2, 1, node_features=np.ones((2, 1)))
        >>> jraph.get_node_padding_mask(jraph.pad_with_graphs(graph, 4, 6, 3))
        array([ True,  True, False, False])
    """
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
        ValueError: If the batch has no graph.

    Example:
        >>> import numpy as np
        >>> from anytensor import jraph
        >>> graph = jraph.get_fully_connected_graph(2, 1, node_features=np.ones((2, 1)))
        >>> jraph.get_edge_padding_mask(jraph.pad_with_graphs(graph, 4, 6, 3))
        array([ True,  True,  True,  True, False, False])
    """
    rows = 0 if padded_graph.senders is None else shape(padded_graph.senders)[0]
    return _mask(get_number_of_padding_with_graphs_edges(padded_graph), rows, padded_graph.n_node)


def get_graph_padding_mask(padded_graph: GraphsTuple) -> Bool[Any, " graphs"]:
    """Tell real graphs from padding.

    Args:
        padded_graph: A batch padded with ``pad_with_graphs``.

    Returns:
        Shape (number of graphs,), bool: True for a real graph.

    Raises:
        ValueError: If the batch has no graph.

    Example:
        >>> import numpy as np
        >>> from anytensor import jraph
        >>> graph = jraph.get_fully_connected_graph(2, 1, node_features=np.ones((2, 1)))
        >>> jraph.get_graph_padding_mask(jraph.pad_with_graphs(graph, 4, 6, 3))
        array([ True, False, False])
    """
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
        ValueError: If the batch has no graph.

    Notes:
        All padding edges meet in one node, whose features can grow out of range over many layers. The
        gradient of what is replaced is 0.

    Example:
        >>> import numpy as np
        >>> from anytensor import jraph
        >>> graph = jraph.get_fully_connected_graph(1, 1, node_features=np.ones((1, 1)))
        >>> padded = jraph.pad_with_graphs(graph, 3, 1, 2)
        >>> jraph.zero_out_padding(padded._replace(nodes=padded.nodes + np.array([[0], [7], [np.nan]]))).nodes.tolist()
        [[1.0], [0.0], [0.0]]
    """
    return graph._replace(
        nodes=_keep(get_node_padding_mask, graph, graph.nodes),
        edges=_keep(get_edge_padding_mask, graph, graph.edges),
        globals=_keep(get_graph_padding_mask, graph, graph.globals),
    )


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

    @functools.wraps(graph_net)
    def padded_with_zeros(graph: GraphsTuple) -> GraphsTuple:
        return zero_out_padding(graph_net(graph))

    return padded_with_zeros


def dynamically_batch(
    graphs_tuple_iterator: Iterable[GraphsTuple], n_node: int, n_edge: int, n_graph: int
) -> Iterator[GraphsTuple]:
    """Fill batches of fixed size with graphs from a stream, and pad them.

    Args:
        graphs_tuple_iterator: Graphs (or batches), in the order in which they are to come out.
        n_node: Number of nodes of each batch, at least those of the largest graph and one more.
        n_edge: Number of edges of each batch, at least those of the largest graph.
        n_graph: Number of graphs of each batch, padding included; at least 2.

    Yields:
        Padded batches, all of the same shapes: as many graphs in each as fit, on the graphs' own backend.

    Raises:
        ValueError: If ``n_graph`` is below 2.
        RuntimeError: If an element is no graph, or is larger than a batch; what was collected before it comes
            out first.

    Example:
        >>> import numpy as np
        >>> from anytensor import jraph
        >>> graph = jraph.get_fully_connected_graph(2, 1, node_features=np.ones((2, 1)))
        >>> batches = jraph.dynamically_batch([graph] * 3, n_node=5, n_edge=8, n_graph=3)
        >>> [b.n_node.tolist() for b in batches]
        [[2, 2, 1], [2, 3, 0]]
    """
    if n_graph < 2:
        raise ValueError(
            "The number of graphs in a batch size must be greater or equal to `2` for padding with graphs, got "
            f"{n_graph}."
        )
    room = (n_node - 1, n_edge, n_graph - 1)
    waiting: list[GraphsTuple] = []
    filled = (0, 0, 0)
    for element in graphs_tuple_iterator:
        if not hasattr(element, "n_node") or not hasattr(element, "senders"):
            raise RuntimeError(
                f"dynamically_batch: elements must be GraphsTuples, got {errors.describe(element)}"
            )
        size = _sizes_of(element)
        together = tuple(a + b for a, b in zip(filled, size, strict=True))
        if waiting and any(a > b for a, b in zip(together, room, strict=True)):
            yield pad_with_graphs(batch(waiting), n_node, n_edge, n_graph)
            waiting, together = [], size
        if any(a > b for a, b in zip(size, room, strict=True)):
            names = ("n_node", "n_edge", "n_graph")
            raise RuntimeError(
                f"Found graph bigger than batch size. Valid Batch Size: {dict(zip(names, room, strict=True))}, "
                f"Graph Size: {dict(zip(names, size, strict=True))}"
            )
        waiting.append(element)
        filled = together  # type: ignore[assignment]  # three sizes, as they were
    if waiting:
        yield pad_with_graphs(batch(waiting), n_node, n_edge, n_graph)


def _size(x: Any, name: str) -> int:
    try:
        return x.__index__()  # type: ignore[no-any-return]
    except (AttributeError, TypeError):
        raise TypeError(f"pad_with_graphs: `{name}` must be an integer, got {errors.describe(x)}") from None


def _is_below(size: Any, least: int) -> bool:
    return isinstance(size, int) and size < least


def _sizes_of(graph: GraphsTuple) -> tuple[Any, Any, Any]:
    """Return the numbers of nodes, edges and graphs: the counts' sums, or lengths where a compiler traces."""
    graphs = rows_of(graph.n_node)
    if is_known(graph.n_node) and is_known(graph.n_edge):
        nodes = int(counts("pad_with_graphs", "n_node", graph.n_node).sum())
        edges = int(counts("pad_with_graphs", "n_edge", graph.n_edge).sum())
        check_rows("pad_with_graphs", "nodes", graph.nodes, nodes, "n_node")
        check_rows("pad_with_graphs", "senders", graph.senders, edges, "n_edge")
        return nodes, edges, graphs
    leaf = first_leaf(graph.nodes)
    if leaf is None:
        raise TypeError(
            "pad_with_graphs: while a compiler traces, `graph` must have node features to count by"
        )
    return shape(leaf)[0], 0 if graph.senders is None else shape(graph.senders)[0], graphs


def _zero_indices(length: Any, like: Any) -> Any:
    if on_host(like) and isinstance(length, int):
        kind = like.dtype if like.dtype.kind in "iu" else np.dtype(np.int32)
        return np.zeros(length, kind)
    return zeros((length,), dtype=like.dtype, like=like)


def _first_of(count: Any, length: Any, like: Any) -> Any:
    """Return counts of which only the first is not zero."""
    if isinstance(count, int) and isinstance(length, int) and is_known(like):
        host = np.zeros(length, np.int32)
        host[0] = count
        return host if on_host(like) else asarray(host, dtype=like.dtype, like=like)
    first = full((1,), count, dtype=like.dtype, like=like)
    return concat([first, zeros((length - 1,), dtype=like.dtype, like=like)])


def _empty_at_the_end(graph: GraphsTuple) -> Any:
    # The first of several greatest entries: the last graph that has nodes.
    return argmax(not_equal(flip(graph.n_node), 0))


def _mask(padding: Any, length: Any, like: Any) -> Any:
    # Counted from the end, so that no size takes part in arithmetic.
    return greater_equal(flip(arange(length, dtype="int32", like=like)), padding)


def _keep(mask_of: Callable[[GraphsTuple], Any], graph: GraphsTuple, features: Any) -> Any:
    if first_leaf(features) is None:
        return features
    mask = mask_of(graph)

    def keep(x: Any) -> Any:
        tall = reshape(mask, (-1,) + (1,) * (len(shape(x)) - 1))
        return where(tall, x, zeros_like(x))

    return map_tree(keep, features)
