"""Features embedded where they stand."""

from __future__ import annotations

from anytensor.jraph.graph import GraphsTuple, check_graph
from anytensor.jraph.models.message_passing import Layer
from anytensor.jraph.types import EmbedEdgeFn, EmbedGlobalFn, EmbedNodeFn
from anytensor.ops.plain import functions

__all__ = ["GraphMapFeatures"]


def GraphMapFeatures(  # noqa: N802 - jraph's name
    embed_edge_fn: EmbedEdgeFn | None = None,
    embed_node_fn: EmbedNodeFn | None = None,
    embed_global_fn: EmbedGlobalFn | None = None,
) -> Layer:
    """Make a layer that embeds edges, nodes and globals, each by itself.

    Args:
        embed_edge_fn: edges -> edges; None leaves them.
        embed_node_fn: nodes -> nodes; None leaves them.
        embed_global_fn: globals -> globals; None leaves them.

    Returns:
        A function from ``GraphsTuple`` to ``GraphsTuple``. A function is called for None, too, so that it can
        make features; but not for the edges of a graph whose ``senders`` are None.

    Example:
        >>> import numpy as np
        >>> from anytensor import jraph
        >>> graph = jraph.get_fully_connected_graph(2, 1, np.array([[1.0], [2.0]]))
        >>> jraph.GraphMapFeatures(embed_node_fn=lambda nodes: 2 * nodes)(graph).nodes.tolist()
        [[2.0], [4.0]]
    """
    functions(
        "GraphMapFeatures",
        optional=True,
        embed_edge_fn=embed_edge_fn,
        embed_node_fn=embed_node_fn,
        embed_global_fn=embed_global_fn,
    )

    def map_features(graph: GraphsTuple) -> GraphsTuple:
        check_graph("GraphMapFeatures", graph)
        nodes, edges, receivers, senders, globals_, n_node, n_edge = graph
        if embed_node_fn is not None:
            nodes = embed_node_fn(nodes)
        if embed_edge_fn is not None and not (edges is None and senders is None):
            edges = embed_edge_fn(edges)
        if embed_global_fn is not None:
            globals_ = embed_global_fn(globals_)
        return GraphsTuple(nodes, edges, receivers, senders, globals_, n_node, n_edge)

    return map_features
