"""The general graph network."""

from __future__ import annotations

from anytensor.jraph.graph import GraphsTuple
from anytensor.jraph.models.message_passing import Layer, Plan, apply
from anytensor.jraph.segment import segment_sum
from anytensor.jraph.segment_weights import segment_softmax
from anytensor.jraph.types import (
    AggregateEdgesToGlobalsFn,
    AggregateEdgesToNodesFn,
    AggregateNodesToGlobalsFn,
    AttentionLogitFn,
    AttentionNormalizeFn,
    AttentionReduceFn,
    GNUpdateEdgeFn,
    GNUpdateGlobalFn,
    GNUpdateNodeFn,
)
from anytensor.ops.plain import functions

__all__ = ["GraphNetwork"]


def GraphNetwork(  # noqa: N802 - jraph's name
    update_edge_fn: GNUpdateEdgeFn | None,
    update_node_fn: GNUpdateNodeFn | None,
    update_global_fn: GNUpdateGlobalFn | None = None,
    aggregate_edges_for_nodes_fn: AggregateEdgesToNodesFn = segment_sum,
    aggregate_nodes_for_globals_fn: AggregateNodesToGlobalsFn = segment_sum,
    aggregate_edges_for_globals_fn: AggregateEdgesToGlobalsFn = segment_sum,
    attention_logit_fn: AttentionLogitFn | None = None,
    attention_normalize_fn: AttentionNormalizeFn | None = segment_softmax,
    attention_reduce_fn: AttentionReduceFn | None = None,
) -> Layer:
    """Make a layer that updates edges, nodes and globals, each from the others.

    Args:
        update_edge_fn: (edges, sender nodes, receiver nodes, globals) -> edges, all with one row for each
            edge; None leaves the edges.
        update_node_fn: (nodes, aggregate of the edges that leave, aggregate of the edges that reach, globals)
            -> nodes, all with one row for each node; None leaves the nodes.
        update_global_fn: (aggregate of the nodes, aggregate of the edges, globals) -> globals, all with one
            row for each graph; None leaves the globals.
        aggregate_edges_for_nodes_fn: (rows, segment ids, number of segments) -> a row for each segment.
        aggregate_nodes_for_globals_fn: Likewise.
        aggregate_edges_for_globals_fn: Likewise.
        attention_logit_fn: (edges, sender nodes, receiver nodes, globals) -> logits of the edges, an array or
            a nest; None for no attention.
        attention_normalize_fn: (logits, segment_ids=, num_segments=) -> weights, over the edges that reach a
            node; None takes the logits as weights.
        attention_reduce_fn: (edges, weights) -> edges; goes with ``attention_logit_fn``.

    Returns:
        A function from ``GraphsTuple`` to ``GraphsTuple``. It raises IndexError for a graph without node
        features, and ValueError if the arrays of a nest or the counts (eagerly) do not fit. ``senders`` and
        ``receivers`` may be None, for no edges.

    Raises:
        ValueError: If one of ``attention_logit_fn`` and ``attention_reduce_fn`` is given without the other.
        TypeError: If an argument is neither callable nor None.

    Notes:
        Sizes come from the shapes of the arrays, so nothing is baked under a compiler. Gradients flow to all
        features. The ids that ``n_node`` and ``n_edge`` stand for come from ``at.partition_ids``, which
        ``at.cache`` keeps. Edges are aggregated at both of their ends; the paper has the receivers only.

    Example:
        >>> import numpy as np
        >>> from anytensor import jraph
        >>> graph = jraph.get_fully_connected_graph(2, 1, np.array([[1.0], [2.0]]), np.array([[10.0]]))
        >>> net = jraph.GraphNetwork(
        ...     update_edge_fn=lambda edges, sent, received, globals_: sent,
        ...     update_node_fn=lambda nodes, sent, received, globals_: received + globals_,
        ...     update_global_fn=lambda nodes, edges, globals_: nodes,
        ... )
        >>> out = net(graph)
        >>> out.nodes.tolist(), out.globals.tolist()
        ([[13.0], [13.0]], [[26.0]])

    References:
        Battaglia et al., "Relational inductive biases, deep learning, and graph networks", 2018,
        arXiv:1806.01261, algorithm 1.
    """
    functions(
        "GraphNetwork",
        optional=True,
        update_edge_fn=update_edge_fn,
        update_node_fn=update_node_fn,
        update_global_fn=update_global_fn,
        aggregate_edges_for_nodes_fn=aggregate_edges_for_nodes_fn,
        aggregate_nodes_for_globals_fn=aggregate_nodes_for_globals_fn,
        aggregate_edges_for_globals_fn=aggregate_edges_for_globals_fn,
        attention_logit_fn=attention_logit_fn,
        attention_normalize_fn=attention_normalize_fn,
        attention_reduce_fn=attention_reduce_fn,
    )
    if (attention_logit_fn is None) is not (attention_reduce_fn is None):
        raise ValueError("attention_logit_fn and attention_reduce_fn must both be supplied.")
    plan = Plan(
        "GraphNetwork",
        update_edge=update_edge_fn,
        update_node=update_node_fn,
        update_global=update_global_fn,
        sent_to_nodes=aggregate_edges_for_nodes_fn,
        received_to_nodes=aggregate_edges_for_nodes_fn,
        nodes_to_globals=aggregate_nodes_for_globals_fn,
        edges_to_globals=aggregate_edges_for_globals_fn,
        attention_logit=attention_logit_fn,
        attention_normalize=attention_normalize_fn,
        attention_reduce=attention_reduce_fn,
    )

    def graph_network(graph: GraphsTuple) -> GraphsTuple:
        return apply(plan, graph)

    return graph_network
