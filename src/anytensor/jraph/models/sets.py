"""Networks on sets: graphs whose edges play no part."""

from __future__ import annotations

from collections.abc import Callable

from anytensor.jraph.graph import GraphsTuple
from anytensor.jraph.models.message_passing import Layer, Plan, apply
from anytensor.jraph.segment import segment_sum
from anytensor.jraph.types import AggregateNodesToGlobalsFn, Globals, NodeFeatures
from anytensor.ops.plain import functions

__all__ = ["DeepSets"]


def DeepSets(  # noqa: N802 - jraph's name
    update_node_fn: Callable[[NodeFeatures, Globals], NodeFeatures],
    update_global_fn: Callable[[NodeFeatures], Globals],
    aggregate_nodes_for_globals_fn: AggregateNodesToGlobalsFn = segment_sum,
) -> Layer:
    """Make a layer that updates the nodes of a set one by one, and the globals from all of them.

    Args:
        update_node_fn: (nodes, globals) -> nodes, all with one row for each node.
        update_global_fn: (aggregate of the nodes) -> globals, with one row for each graph.
        aggregate_nodes_for_globals_fn: (rows, segment ids, number of segments) -> a row for each segment.

    Returns:
        A function from ``GraphsTuple`` to ``GraphsTuple``; edges stay. See ``GraphNetwork``.

    Notes:
        As ``GraphNetwork``.

    Example:
        >>> import numpy as np
        >>> from anytensor import jraph
        >>> graph = jraph.get_fully_connected_graph(2, 1, np.array([[1.0], [2.0]]), np.array([[10.0]]))
        >>> net = jraph.DeepSets(lambda nodes, globals_: nodes + globals_, lambda nodes: nodes)
        >>> net(graph).globals.tolist()
        [[23.0]]

    References:
        Zaheer et al., "Deep sets", 2017, arXiv:1703.06114.
    """
    functions(
        "DeepSets",
        optional=False,
        update_node_fn=update_node_fn,
        update_global_fn=update_global_fn,
        aggregate_nodes_for_globals_fn=aggregate_nodes_for_globals_fn,
    )
    plan = Plan(
        "DeepSets",
        update_node=lambda nodes, sent, received, globals_: update_node_fn(nodes, globals_),
        update_global=lambda nodes, edges, globals_: update_global_fn(nodes),
        nodes_to_globals=aggregate_nodes_for_globals_fn,
    )

    def deep_sets(graph: GraphsTuple) -> GraphsTuple:
        return apply(plan, graph)

    return deep_sets
