"""One pass of messages over a graph: what GraphNetwork and its special cases have in common.

A plan names the parts that a layer uses; the others are neither gathered nor aggregated.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from anytensor.backends import TYPES, backend_of
from anytensor.jraph.graph import GraphsTuple, check_graph
from anytensor.jraph.host import counts, is_known
from anytensor.jraph.joining import arrays_of, check_rows, first_leaf, map_arrays
from anytensor.ops.creation import zeros
from anytensor.ops.indexing import take
from anytensor.ops.manipulation import broadcast_to, shape
from anytensor.partition import partition_ids

__all__ = ["Layer", "Plan", "apply", "incidence", "number_of_nodes"]

Layer = Callable[[GraphsTuple], GraphsTuple]
Function = Callable[..., Any] | None


class Plan(NamedTuple):
    """What a layer does in a pass.

    Attributes:
        name: The public layer, for errors.
        update_edge: (edges, sent, received, globals) -> edges, or None.
        update_node: (nodes, sent, received, globals) -> nodes, or None.
        update_global: (nodes, edges, globals) -> globals, or None.
        sent_to_nodes: Aggregates edges for the nodes that they leave; None where nobody asks for it.
        received_to_nodes: Aggregates edges for the nodes that they reach, likewise.
        nodes_to_globals: Aggregates nodes for their graphs, likewise.
        edges_to_globals: Aggregates edges for their graphs, likewise.
        globals_to_edges: Whether the edges see the globals.
        globals_to_nodes: Whether the nodes see the globals.
        attention_logit: (edges, sent, received, globals) -> logits, or None.
        attention_normalize: (logits, segment_ids=, num_segments=) -> weights.
        attention_reduce: (edges, weights) -> edges.
    """

    name: str
    update_edge: Function = None
    update_node: Function = None
    update_global: Function = None
    sent_to_nodes: Function = None
    received_to_nodes: Function = None
    nodes_to_globals: Function = None
    edges_to_globals: Function = None
    globals_to_edges: bool = True
    globals_to_nodes: bool = True
    attention_logit: Function = None
    attention_normalize: Function = None
    attention_reduce: Function = None


def number_of_nodes(function: str, nodes: Any) -> Any:
    """Return the number of nodes by the features' shape, symbolic under a compiler.

    Raises:
        IndexError: If there are no features.
        ValueError: If the arrays of a nest differ in length.
    """
    flat = arrays_of(nodes)
    if not flat:
        raise IndexError(f"{function} requires node features, at least one array, got {nodes!r}")
    total = shape(flat[0])[0]
    for other in flat[1:]:
        rows = shape(other)[0]
        if isinstance(rows, int) and isinstance(total, int) and rows != total:
            raise ValueError("All node arrays in nest must contain the same number of nodes.")
    return total


def incidence(function: str, graph: GraphsTuple, nodes: Any) -> tuple[Any, Any]:
    """Return senders and receivers; empty ones for a graph that has None.

    Raises:
        ValueError: If one is None and the other is not.
    """
    senders, receivers = graph.senders, graph.receivers
    if senders is None and receivers is None:
        none = zeros((0,), dtype="int32", like=first_leaf(nodes))
        return none, none
    if senders is None or receivers is None:
        raise ValueError(f"{function}: `senders` and `receivers` must both be arrays or both be None")
    return senders, receivers


def apply(plan: Plan, graph: GraphsTuple) -> GraphsTuple:
    """Pass messages once: edges, then nodes, then globals."""
    check_graph(plan.name, graph)
    nodes, edges, _, _, globals_, n_node, n_edge = graph
    total = number_of_nodes(plan.name, nodes)
    senders, receivers = incidence(plan.name, graph, nodes)
    total_edges = shape(senders)[0]
    _check_counts(plan.name, graph, total, total_edges)
    if plan.update_edge is not None or plan.attention_logit is not None:
        sent = map_arrays(lambda x: take(x, senders), nodes)
        received = map_arrays(lambda x: take(x, receivers), nodes)
        seen = _spread(globals_, n_edge, total_edges) if plan.globals_to_edges else None
        if plan.update_edge is not None:
            edges = plan.update_edge(edges, sent, received, seen)
        if plan.attention_logit is not None and plan.attention_reduce is not None:
            logits = plan.attention_logit(edges, sent, received, seen)
            weights = map_arrays(lambda x: _normalized(plan, x, receivers, total, total_edges), logits)
            edges = plan.attention_reduce(edges, weights)
    if plan.update_node is not None:
        sent = _gathered(plan.sent_to_nodes, edges, senders, total)
        received = _gathered(plan.received_to_nodes, edges, receivers, total)
        seen = _spread(globals_, n_node, total) if plan.globals_to_nodes else None
        nodes = plan.update_node(nodes, sent, received, seen)
    if plan.update_global is not None:
        graphs = shape(n_node)[0]
        of_nodes = of_edges = None
        if plan.nodes_to_globals is not None and first_leaf(nodes) is not None:
            of_nodes = _gathered(plan.nodes_to_globals, nodes, partition_ids(n_node, total), graphs)
        if plan.edges_to_globals is not None:
            of_edges = edges  # without features: the nest as it is, None or empty
            if first_leaf(edges) is not None:
                of_edges = _gathered(plan.edges_to_globals, edges, partition_ids(n_edge, total_edges), graphs)
        globals_ = plan.update_global(of_nodes, of_edges, globals_)
    return GraphsTuple(nodes, edges, graph.receivers, graph.senders, globals_, n_node, n_edge)


def _gathered(aggregate: Function, rows: Any, ids: Any, number: Any) -> Any:
    if aggregate is None:
        return None
    return map_arrays(lambda x: aggregate(x, ids, number), rows)


def _spread(globals_: Any, lengths: Any, total: Any) -> Any:
    """Return the globals once for each node or edge of their graph."""
    if first_leaf(globals_) is None:
        return globals_
    ids = partition_ids(lengths, total)
    return map_arrays(lambda x: take(x, ids), globals_)


def _normalized(plan: Plan, logits: Any, receivers: Any, total: Any, total_edges: Any) -> Any:
    if plan.attention_normalize is None:
        return logits
    backend = TYPES.get(type(logits)) or backend_of(logits, plan.name, "attention_logit_fn(...)")
    if backend.rank(logits) == 0:  # one logit for all edges
        logits = broadcast_to(logits, (total_edges,))
    return plan.attention_normalize(logits, segment_ids=receivers, num_segments=total)


def _check_counts(function: str, graph: GraphsTuple, total: Any, total_edges: Any) -> None:
    """Check eagerly that the counts add up to the rows: too small ones would lose nodes without a word."""
    if isinstance(total, int) and is_known(graph.n_node):
        check_rows(
            function, "nodes", first_leaf(graph.nodes), _sum(function, "n_node", graph.n_node), "n_node"
        )
    if isinstance(total_edges, int) and is_known(graph.n_edge):
        expected = _sum(function, "n_edge", graph.n_edge)
        if expected != total_edges:
            raise ValueError(
                f"{function}: there are {total_edges} senders, and the sum of `n_edge` is {expected}"
            )


def _sum(function: str, field: str, lengths: Any) -> int:
    return int(counts(function, field, lengths).sum())
