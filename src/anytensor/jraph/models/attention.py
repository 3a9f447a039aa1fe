"""Networks that weigh messages by attention."""

from __future__ import annotations

from typing import Any

from anytensor.backends import TYPES
from anytensor.jraph.graph import GraphsTuple, check_graph
from anytensor.jraph.models.graph_network import GraphNetwork
from anytensor.jraph.models.message_passing import Layer, incidence
from anytensor.jraph.segment import segment_sum
from anytensor.jraph.segment_weights import segment_softmax
from anytensor.jraph.types import (
    AggregateEdgesToGlobalsFn,
    AggregateEdgesToNodesFn,
    AggregateNodesToGlobalsFn,
    AttentionLogitFn,
    AttentionReduceFn,
    GATAttentionLogitFn,
    GATAttentionQueryFn,
    GATNodeUpdateFn,
    GNUpdateEdgeFn,
    GNUpdateGlobalFn,
    GNUpdateNodeFn,
)
from anytensor.ops.elementwise import multiply
from anytensor.ops.indexing import take
from anytensor.ops.manipulation import reshape, shape
from anytensor.ops.plain import functions
from anytensor.ops.transforms import leaky_relu
from anytensor.segment import segment_attention

__all__ = ["GAT", "GraphNetGAT"]


def GraphNetGAT(  # noqa: N802 - jraph's name
    update_edge_fn: GNUpdateEdgeFn | None,
    update_node_fn: GNUpdateNodeFn | None,
    attention_logit_fn: AttentionLogitFn,
    attention_reduce_fn: AttentionReduceFn,
    update_global_fn: GNUpdateGlobalFn | None = None,
    aggregate_edges_for_nodes_fn: AggregateEdgesToNodesFn = segment_sum,
    aggregate_nodes_for_globals_fn: AggregateNodesToGlobalsFn = segment_sum,
    aggregate_edges_for_globals_fn: AggregateEdgesToGlobalsFn = segment_sum,
) -> Layer:
    """Make a graph network with softmax attention over the edges that reach a node.

    Args:
        update_edge_fn: As in ``GraphNetwork``.
        update_node_fn: As in ``GraphNetwork``.
        attention_logit_fn: (edges, sender nodes, receiver nodes, globals) -> logits of the edges.
        attention_reduce_fn: (edges, weights) -> edges.
        update_global_fn: As in ``GraphNetwork``.
        aggregate_edges_for_nodes_fn: As in ``GraphNetwork``; gets the weighted edges.
        aggregate_nodes_for_globals_fn: As in ``GraphNetwork``.
        aggregate_edges_for_globals_fn: As in ``GraphNetwork``; gets the weighted edges.

    Returns:
        A function from ``GraphsTuple`` to ``GraphsTuple``. See ``GraphNetwork``.

    Raises:
        ValueError: If ``attention_logit_fn`` or ``attention_reduce_fn`` is None.

    Notes:
        As ``GraphNetwork``.

    Example:
        >>> import numpy as np
        >>> from anytensor import jraph
        >>> graph = jraph.get_fully_connected_graph(2, 1, np.array([[1.0], [3.0]]))
        >>> net = jraph.GraphNetGAT(
        ...     update_edge_fn=lambda edges, sent, received, globals_: sent,
        ...     update_node_fn=lambda nodes, sent, received, globals_: received,
        ...     attention_logit_fn=lambda edges, sent, received, globals_: sent * 0,
        ...     attention_reduce_fn=lambda edges, weights: edges * weights,
        ... )
        >>> net(graph).nodes.tolist()
        [[2.0], [2.0]]

    References:
        Battaglia et al., "Relational inductive biases, deep learning, and graph networks", 2018,
        arXiv:1806.01261; Velickovic et al., "Graph attention networks", 2018, arXiv:1710.10903.
    """
    if attention_logit_fn is None or attention_reduce_fn is None:
        raise ValueError(
            "`None` value not supported for `attention_logit_fn` or `attention_reduce_fn` in a Graph "
            "Attention network."
        )
    functions(
        "GraphNetGAT",
        optional=True,
        update_edge_fn=update_edge_fn,
        update_node_fn=update_node_fn,
        update_global_fn=update_global_fn,
        attention_logit_fn=attention_logit_fn,
        attention_reduce_fn=attention_reduce_fn,
        aggregate_edges_for_nodes_fn=aggregate_edges_for_nodes_fn,
        aggregate_nodes_for_globals_fn=aggregate_nodes_for_globals_fn,
        aggregate_edges_for_globals_fn=aggregate_edges_for_globals_fn,
    )
    return GraphNetwork(
        update_edge_fn,
        update_node_fn,
        update_global_fn,
        aggregate_edges_for_nodes_fn,
        aggregate_nodes_for_globals_fn,
        aggregate_edges_for_globals_fn,
        attention_logit_fn,
        segment_softmax,
        attention_reduce_fn,
    )


def GAT(  # noqa: N802 - jraph's name
    attention_query_fn: GATAttentionQueryFn,
    attention_logit_fn: GATAttentionLogitFn,
    node_update_fn: GATNodeUpdateFn | None = None,
) -> Layer:
    """Make a graph attention layer.

    Args:
        attention_query_fn: nodes -> queries, (n_node, ...); with several heads (n_node, heads, features).
        attention_logit_fn: (sender queries, receiver queries, edges) -> logits, which broadcast against the
            queries of the edges, as (n_edge, heads, 1) does.
        node_update_fn: aggregated messages -> nodes. By default leaky ReLU of slope 0.01, the heads side by
            side.

    Returns:
        A function from ``GraphsTuple`` to ``GraphsTuple``, for one array of node features; edges and globals
        stay. ``senders`` and ``receivers`` may be None, for no edges: then every node gets the update of 0s.
        zeros.

    Raises:
        IndexError: By the layer, for a graph without node features.

    Notes:
        The paper has every node among its own neighbours: add self edges for that. Otherwise as
        ``GraphNetwork``.

    Example:
        >>> import numpy as np
        >>> from anytensor import jraph
        >>> graph = jraph.get_fully_connected_graph(2, 1, np.array([[1.0], [3.0]]))
        >>> jraph.GAT(lambda nodes: nodes, lambda sent, received, edges: sent * 0)(graph).nodes.tolist()
        [[2.0], [2.0]]

    References:
        Velickovic et al., "Graph attention networks", 2018, arXiv:1710.10903.
    """
    functions(
        "GAT",
        optional=False,
        attention_query_fn=attention_query_fn,
        attention_logit_fn=attention_logit_fn,
    )
    functions("GAT", optional=True, node_update_fn=node_update_fn)
    update = _side_by_side if node_update_fn is None else node_update_fn

    def graph_attention(graph: GraphsTuple) -> GraphsTuple:
        check_graph("GAT", graph)
        nodes, edges, receivers, senders, globals_, n_node, n_edge = graph
        if nodes is None or not hasattr(nodes, "shape") or len(shape(nodes)) == 0:
            raise IndexError("GAT requires node features, one array with a row for each node")
        number = shape(nodes)[0]
        come_from, go_to = incidence("GAT", graph, nodes)
        queries = attention_query_fn(nodes)
        sent = take(queries, come_from)
        # The receivers' queries are held by nobody here, so their memory serves the weighted messages.
        logits = attention_logit_fn(sent, take(queries, go_to), edges)
        if _weighs_entries(sent, logits):
            gathered = segment_attention(sent, logits, go_to, number)
        else:
            weights = segment_softmax(logits, go_to, number)
            gathered = segment_sum(multiply(sent, weights), go_to, number)
        return GraphsTuple(update(gathered), edges, receivers, senders, globals_, n_node, n_edge)

    return graph_attention


def _weighs_entries(messages: Any, logits: Any) -> bool:
    """Return whether logits broadcast to the messages' shape, so that one fused operation does it all."""
    if TYPES.get(type(messages)) is not TYPES.get(type(logits)):
        return False
    a, b = shape(messages), shape(logits)
    return len(a) == len(b) and all(
        isinstance(n, int) and (n == 1 or (isinstance(m, int) and m == n))
        for m, n in zip(a[1:], b[1:], strict=True)
    )


def _side_by_side(x: Any) -> Any:
    rows, *tail = shape(x)
    width = 1
    for size in tail:
        width = width * size
    return reshape(leaky_relu(x), (rows, width))
