"""``GraphsTuple``: a batch of graphs as seven arrays or nests of arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from anytensor import errors
from anytensor.jraph.joining import join, split
from anytensor.jraph.outlines import html_table, outline
from anytensor.jraph.types import ArrayTree
from anytensor.loaded import module_if_loaded
from anytensor.tree.batching import let_own

__all__ = ["GraphsTuple", "check_graph"]


class GraphsTuple(NamedTuple):
    """Hold one or more graphs in sparse form.

    Attributes:
        nodes: Features of the nodes: an array of shape (sum(n_node), ...), a nest of such arrays, or None.
        edges: Features of the edges: an array of shape (sum(n_edge), ...), a nest, or None.
        receivers: Shape (sum(n_edge),), integer: the node that each edge points to, counted over all nodes of
            the batch; None for graphs without edges.
        senders: Shape (sum(n_edge),), integer: the node that each edge comes from; None with ``receivers``.
        globals: Features of the graphs: an array of shape (n_graph, ...), a nest, or None.
        n_node: Shape (n_graph,), integer: the number of nodes of each graph. Never inferred.
        n_edge: Shape (n_graph,), integer: the number of edges of each graph.

    Notes:
        A named tuple, so every tree library takes it for a node as it is, and ``jax.vmap``, ``torch.export``
        and ``tf.function`` accept it. ``repr`` shows shapes and dtypes, never data. ``anytensor.tree.batch``
        and ``unbatch`` join and cut graphs with their indices shifted.

    Example:
        >>> import numpy as np
        >>> from anytensor import jraph
        >>> jraph.GraphsTuple(
        ...     nodes={"mass": np.ones((3, 1))}, edges=None, globals=None,
        ...     senders=np.array([0, 1]), receivers=np.array([1, 2]),
        ...     n_node=np.array([3]), n_edge=np.array([2]),
        ... )
        GraphsTuple(nodes={'mass': float64[3,1]}, edges=None, receivers=int64[2], senders=int64[2],
            globals=None, n_node=int64[1], n_edge=int64[1])

    References:
        Battaglia et al., "Relational inductive biases, deep learning, and graph networks", 2018,
        arXiv:1806.01261.
    """

    nodes: ArrayTree | None
    edges: ArrayTree | None
    receivers: Any
    senders: Any
    globals: ArrayTree | None
    n_node: Any
    n_edge: Any

    def __repr__(self) -> str:
        fields = [f"{name}={outline(value)}" for name, value in zip(self._fields, self, strict=True)]
        return f"{type(self).__name__}({', '.join(fields)})"

    def _repr_html_(self) -> str:
        """Return a table of the fields, their dtypes and shapes, for notebooks."""
        return html_table(type(self).__name__, zip(self._fields, self, strict=True))

    @classmethod
    def __tree_batch__(cls, graphs: Sequence[GraphsTuple]) -> GraphsTuple:
        """Join graphs for ``anytensor.tree.batch``."""
        return cls(*join(graphs))

    def __tree_unbatch__(self) -> list[GraphsTuple]:
        """Return the graphs one by one for ``anytensor.tree.unbatch``."""
        return [type(self)(*fields) for fields in split(self)]


def _own_official(official: Any) -> None:
    kind = getattr(official, "GraphsTuple", None)
    if isinstance(kind, type) and getattr(kind, "_fields", None) == GraphsTuple._fields:
        let_own(
            kind,
            lambda graphs: kind(*join(graphs)),
            lambda graph: [kind(*fields) for fields in split(graph)],
        )


# Graphs of official jraph are graphs here too: joined leaf by leaf, their edges would point to wrong nodes.
module_if_loaded("jraph", _own_official)


def check_graph(function: str, graph: Any, argument: str = "graph") -> None:
    """Raise TypeError if an object has not the fields of a graph; official jraph's graphs have them."""
    if not hasattr(graph, "n_node") or not hasattr(graph, "receivers"):
        raise TypeError(f"{function}: `{argument}` must be a jraph.GraphsTuple, got {errors.describe(graph)}")
