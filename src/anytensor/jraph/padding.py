"""Padding of graphs to fixed sizes, so that a compiler sees few shapes.

The padding is one graph that holds all padding nodes and edges, then graphs without nodes. It touches no real
node, edge or graph, so every layer computes on the real ones what it would without it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from anytensor import errors
from anytensor.jraph.graph import GraphsTuple, check_graph
from anytensor.jraph.host import counts, is_known, on_host, rows_of, to_host, zero_rows
from anytensor.jraph.joining import check_rows, first_leaf, map_arrays
from anytensor.ops.creation import asarray, full, zeros
from anytensor.ops.manipulation import concat, shape
from anytensor.tree import batch

__all__ = ["pad_with_graphs", "size_of", "sizes_of", "unpad_with_graphs"]


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
    check_graph("pad_with_graphs", graph)
    n_node, n_edge, n_graph = (
        size_of(size, name) for size, name in ((n_node, "n_node"), (n_edge, "n_edge"), (n_graph, "n_graph"))
    )
    if n_graph < 2:
        raise ValueError(f"pad_with_graphs: n_graph is {n_graph}, which is smaller than minimum value of 2")
    have_nodes, have_edges, have_graphs = sizes_of(graph)
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
    padding = type(graph)(  # official jraph's tuples stay such
        nodes=map_arrays(lambda x: zero_rows(nodes, x), graph.nodes),
        edges=map_arrays(lambda x: zero_rows(edges, x), graph.edges),
        globals=map_arrays(lambda x: zero_rows(graphs, x), graph.globals),
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
        TypeError: If ``n_node`` is not known because a compiler traces: the result's shapes depend on it.

    Example:
        >>> import numpy as np
        >>> from anytensor import jraph
        >>> graph = jraph.get_fully_connected_graph(2, 1, node_features=np.ones((2, 1)))
        >>> jraph.unpad_with_graphs(jraph.pad_with_graphs(graph, 5, 6, 3)).n_node
        array([2])
    """
    check_graph("unpad_with_graphs", padded_graph, "padded_graph")
    n_node = counts("unpad_with_graphs", "n_node", padded_graph.n_node)
    n_edge = counts("unpad_with_graphs", "n_edge", padded_graph.n_edge)
    occupied = np.flatnonzero(n_node)
    graphs = int(occupied[-1]) if len(occupied) else max(len(n_node) - 1, 0)
    nodes, edges = int(n_node[:graphs].sum()), int(n_edge[:graphs].sum())

    def first(x: Any, length: int) -> Any:
        return asarray(to_host(x)[:length], like=x) if on_host(x) else x[:length]

    return type(padded_graph)(
        nodes=map_arrays(lambda x: first(x, nodes), padded_graph.nodes),
        edges=map_arrays(lambda x: first(x, edges), padded_graph.edges),
        receivers=None if padded_graph.receivers is None else first(padded_graph.receivers, edges),
        senders=None if padded_graph.senders is None else first(padded_graph.senders, edges),
        globals=map_arrays(lambda x: first(x, graphs), padded_graph.globals),
        n_node=first(padded_graph.n_node, graphs),
        n_edge=first(padded_graph.n_edge, graphs),
    )


def sizes_of(graph: GraphsTuple) -> tuple[Any, Any, Any]:
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


def size_of(x: Any, name: str, function: str = "pad_with_graphs") -> int:
    """Return a size as an int, a symbolic one as it is.

    Raises:
        TypeError: If it is no integer.
    """
    try:
        return x.__index__()  # type: ignore[no-any-return]
    except (AttributeError, TypeError):
        raise TypeError(f"{function}: `{name}` must be an integer, got {errors.describe(x)}") from None


def _is_below(size: Any, least: int) -> bool:
    return isinstance(size, int) and size < least


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
