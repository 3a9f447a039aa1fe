"""Networks of pairwise interactions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from anytensor.jraph.graph import GraphsTuple
from anytensor.jraph.models.message_passing import Layer, Plan, apply
from anytensor.jraph.segment import segment_sum
from anytensor.jraph.types import (
    AggregateEdgesToGlobalsFn,
    AggregateEdgesToNodesFn,
    EdgeFeatures,
    InteractionUpdateEdgeFn,
    InteractionUpdateNodeFn,
    InteractionUpdateNodeFnNoSentEdges,
    NodeFeatures,
    ReceiverFeatures,
    SenderFeatures,
)
from anytensor.ops.plain import flag, functions

__all__ = ["InteractionNetwork", "RelationNetwork"]


def InteractionNetwork(  # noqa: N802 - jraph's name
    update_edge_fn: InteractionUpdateEdgeFn,
    update_node_fn: InteractionUpdateNodeFn | InteractionUpdateNodeFnNoSentEdges,
    aggregate_edges_for_nodes_fn: AggregateEdgesToNodesFn = segment_sum,
    include_sent_messages_in_node_update: bool = False,
) -> Layer:
    """Make a layer that computes an effect for each edge and moves each node by the effects that reach it.

    Args:
        update_edge_fn: (edges, sender nodes, receiver nodes) -> edges, all with one row for each edge.
        update_node_fn: (nodes, aggregate of the edges that reach) -> nodes; or, with sent messages included,
            (nodes, aggregate of the edges that leave, aggregate of the edges that reach) -> nodes.
        aggregate_edges_for_nodes_fn: (rows, segment ids, number of segments) -> a row for each segment.
        include_sent_messages_in_node_update: Whether the node update sees the edges that leave the node,
            too; not in the paper.

    Returns:
        A function from ``GraphsTuple`` to ``GraphsTuple``; globals stay. See ``GraphNetwork``.

    Notes:
        As ``GraphNetwork``.

    Example:
        >>> import numpy as np
        >>> from anytensor import jraph
        >>> graph = jraph.get_fully_connected_graph(2, 1, np.array([[1.0], [2.0]]))
        >>> net = jraph.InteractionNetwork(lambda e, s, r: s - r, lambda nodes, received: nodes + received)
        >>> net(graph).nodes.tolist()
        [[2.0], [1.0]]

    References:
        Battaglia et al., "Interaction networks for learning about objects, relations and physics", 2016,
        arXiv:1612.00222.
    """
    functions(
        "InteractionNetwork",
        optional=False,
        update_edge_fn=update_edge_fn,
        update_node_fn=update_node_fn,
    )
    functions("InteractionNetwork", optional=True, aggregate_edges_for_nodes_fn=aggregate_edges_for_nodes_fn)
    flag("InteractionNetwork", include_sent_messages_in_node_update, "include_sent_messages_in_node_update")
    with_sent = include_sent_messages_in_node_update

    def update_node(nodes: Any, sent: Any, received: Any, _: Any) -> Any:
        update: Callable[..., Any] = update_node_fn
        return update(nodes, sent, received) if with_sent else update(nodes, received)

    plan = Plan(
        "InteractionNetwork",
        update_edge=lambda edges, sent, received, _: update_edge_fn(edges, sent, received),
        update_node=update_node,
        sent_to_nodes=aggregate_edges_for_nodes_fn if with_sent else None,
        received_to_nodes=aggregate_edges_for_nodes_fn,
        globals_to_edges=False,
        globals_to_nodes=False,
    )

    def interaction_network(graph: GraphsTuple) -> GraphsTuple:
        return apply(plan, graph)

    return interaction_network


def RelationNetwork(  # noqa: N802 - jraph's name
    update_edge_fn: Callable[[SenderFeatures, ReceiverFeatures], EdgeFeatures],
    update_global_fn: Callable[[EdgeFeatures], NodeFeatures],
    aggregate_edges_for_globals_fn: AggregateEdgesToGlobalsFn = segment_sum,
) -> Layer:
    """Make a layer that computes a relation for each pair of nodes and the globals from all relations.

    Args:
        update_edge_fn: (sender nodes, receiver nodes) -> edges, all with one row for each edge.
        update_global_fn: (aggregate of the edges) -> globals, with one row for each graph.
        aggregate_edges_for_globals_fn: (rows, segment ids, number of segments) -> a row for each segment. The
            paper has the sum.

    Returns:
        A function from ``GraphsTuple`` to ``GraphsTuple``; nodes stay. See ``GraphNetwork``.

    Notes:
        As ``GraphNetwork``.

    Example:
        >>> import numpy as np
        >>> from anytensor import jraph
        >>> graph = jraph.get_fully_connected_graph(2, 1, np.array([[1.0], [2.0]]))
        >>> jraph.RelationNetwork(lambda s, r: s * r, lambda edges: edges)(graph).globals.tolist()
        [[9.0]]

    References:
        Santoro et al., "A simple neural network module for relational reasoning", 2017, arXiv:1706.01427.
    """
    functions(
        "RelationNetwork",
        optional=False,
        update_edge_fn=update_edge_fn,
        update_global_fn=update_global_fn,
        aggregate_edges_for_globals_fn=aggregate_edges_for_globals_fn,
    )
    plan = Plan(
        "RelationNetwork",
        update_edge=lambda edges, sent, received, _: update_edge_fn(sent, received),
        update_global=lambda nodes, edges, _: update_global_fn(edges),
        edges_to_globals=aggregate_edges_for_globals_fn,
        globals_to_edges=False,
    )

    def relation_network(graph: GraphsTuple) -> GraphsTuple:
        return apply(plan, graph)

    return relation_network
