"""One relation of a graph by itself: source nodes, destination nodes, and the edges between them."""

from __future__ import annotations

from typing import Any, NamedTuple

from anytensor import errors
from anytensor.jraph import GraphsTuple
from anytensor.jraph.host import rows_of
from anytensor.jraph.joining import arrays_of, first_leaf
from anytensor.jraph.outlines import html_table, outline
from anytensor.jraph.types import ArrayTree
from anytensor.ops.creation import zeros
from anytensor.ops.manipulation import shape

__all__ = ["SendRecvTuple", "graphs_tuple_as_send_recv", "incidence", "number_of_rows"]


class SendRecvTuple(NamedTuple):
    """Hold one relation: edges from the nodes of one set to those of another, or of the same.

    Attributes:
        src_nodes: Features of the nodes that send: an array of shape (n_src, ...), a nest of such arrays, or
            None.
        dst_nodes: Features of the nodes that receive: (n_dst, ...), a nest, or None.
        edges: Features of the edges: (n_edges, ...), a nest, or None.
        senders: Shape (n_edges,), integer: the row of ``src_nodes`` that each edge comes from; None for no
            edges.
        receivers: Shape (n_edges,), integer: the row of ``dst_nodes`` that each edge points to; None with
            ``senders``.
        n_src_node: Shape (n_graph,), integer: the number of sending nodes of each graph.
        n_dst_node: Shape (n_graph,), integer: the number of receiving nodes of each graph.
        n_edge: Shape (n_graph,), integer: the number of edges of each graph.
        globals: Features of the graphs: (n_graph, ...), a nest, or None.

    Notes:
        A named tuple, as ``jraph.GraphsTuple`` is. ``repr`` shows shapes and dtypes, never data.

    Example:
        >>> import numpy as np
        >>> from anytensor import hetero
        >>> hetero.SendRecvTuple(
        ...     src_nodes=np.ones((3, 2)), dst_nodes=np.ones((1, 4)), edges=None,
        ...     senders=np.array([0, 2]), receivers=np.array([0, 0]),
        ...     n_src_node=np.array([3]), n_dst_node=np.array([1]), n_edge=np.array([2]), globals=None,
        ... )
        SendRecvTuple(src_nodes=float64[3,2], dst_nodes=float64[1,4], edges=None, senders=int64[2],
            receivers=int64[2], n_src_node=int64[1], n_dst_node=int64[1], n_edge=int64[1], globals=None)
    """

    src_nodes: ArrayTree | None
    dst_nodes: ArrayTree | None
    edges: ArrayTree | None
    senders: Any
    receivers: Any
    n_src_node: Any
    n_dst_node: Any
    n_edge: Any
    globals: ArrayTree | None

    def __repr__(self) -> str:
        fields = [f"{name}={outline(value)}" for name, value in zip(self._fields, self, strict=True)]
        return f"{type(self).__name__}({', '.join(fields)})"

    def _repr_html_(self) -> str:
        """Return a table of the fields, their dtypes and shapes, for notebooks."""
        return html_table(type(self).__name__, zip(self._fields, self, strict=True))


def graphs_tuple_as_send_recv(graph: GraphsTuple) -> SendRecvTuple:
    """See a graph of one node type as a relation from its nodes to themselves.

    Args:
        graph: A ``jraph.GraphsTuple``, any backend.

    Returns:
        A ``SendRecvTuple`` that holds the same arrays: the nodes both as those that send and that receive.

    Raises:
        TypeError: If ``graph`` is not a ``jraph.GraphsTuple``.

    Example:
        >>> import numpy as np
        >>> from anytensor import hetero, jraph
        >>> graph = jraph.get_fully_connected_graph(2, 1, np.array([[1.0], [3.0]]), add_self_edges=False)
        >>> relation = hetero.graphs_tuple_as_send_recv(graph)
        >>> hetero.relation_mailbox(relation, hetero.RelationSpec()).tolist()
        [[3.0], [1.0]]
    """
    # Official jraph's GraphsTuple has the same fields.
    if type(graph).__name__ != GraphsTuple.__name__ or not hasattr(graph, "n_node"):
        raise TypeError(
            f"graphs_tuple_as_send_recv: `graph` must be a jraph.GraphsTuple, got {errors.describe(graph)}"
        )
    return SendRecvTuple(
        src_nodes=graph.nodes,
        dst_nodes=graph.nodes,
        edges=graph.edges,
        senders=graph.senders,
        receivers=graph.receivers,
        n_src_node=graph.n_node,
        n_dst_node=graph.n_node,
        n_edge=graph.n_edge,
        globals=graph.globals,
    )


def number_of_rows(function: str, what: str, features: Any) -> Any:
    """Return the number of nodes by their features' shape, symbolic under a compiler.

    Args:
        function: Name of the public function, for errors.
        what: Where the features are, for errors.
        features: An array or a nest of arrays.

    Raises:
        ValueError: If there is no array, or the arrays of the nest differ in length.
    """
    flat = arrays_of(features)
    if not flat:
        raise ValueError(
            f"{function}: {what} has no features, at least one array, and they say how many nodes there "
            f"are; got {features!r}"
        )
    if len(shape(flat[0])) == 0:
        raise ValueError(f"{function}: {what} must have a row for each node, got {errors.describe(flat[0])}")
    total = shape(flat[0])[0]
    for other in flat[1:]:
        rows = rows_of(other)
        if isinstance(rows, int) and isinstance(total, int) and rows != total:
            raise ValueError(
                f"{function}: {what} has arrays of {total} and of {rows} rows; one for each node"
            )
    return total


def incidence(function: str, what: str, relation: SendRecvTuple) -> tuple[Any, Any]:
    """Return senders and receivers; empty ones for a relation that has None.

    Raises:
        ValueError: If one is None and the other is not, or they differ in length.
    """
    senders, receivers = relation.senders, relation.receivers
    if senders is None and receivers is None:
        none = zeros((0,), dtype="int32", like=first_leaf(relation.src_nodes))
        return none, none
    if senders is None or receivers is None:
        raise ValueError(f"{function}: senders and receivers of {what} must both be arrays or both be None")
    sent, received = rows_of(senders), rows_of(receivers)
    if isinstance(sent, int) and isinstance(received, int) and sent != received:
        raise ValueError(
            f"{function}: senders and receivers of {what} must have one entry for each edge, got {sent} and "
            f"{received}"
        )
    return senders, receivers
