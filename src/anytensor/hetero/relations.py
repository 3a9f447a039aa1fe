"""Relations added to a graph."""

from __future__ import annotations

from collections.abc import Iterable

from anytensor import errors
from anytensor.hetero.graph import HeteroGraphsTuple, checked
from anytensor.hetero.schema import EdgeType, resolve_etype, reverse_canonical_etype

__all__ = ["add_reverse_edges"]


def add_reverse_edges(
    graph: HeteroGraphsTuple, etypes: Iterable[EdgeType | str] | None = None
) -> HeteroGraphsTuple:
    """Give relations a counterpart that runs the other way.

    Args:
        graph: The graph, any backend.
        etypes: The edge types to reverse; None reverses all.

    Returns:
        The graph with a relation more for each edge type, named by ``reverse_canonical_etype``. It shares
        features, indices and counts with the relation it came from: nothing is copied.

    Raises:
        TypeError: If ``graph`` is not a ``HeteroGraphsTuple``, or ``etypes`` is one edge type and no list.
        ValueError: If an edge type is unknown, or the graph has its reverse already.

    Notes:
        A relation between nodes of one type is reversed like any other; where it is symmetric and holds both
        directions, leave it out.

    Example:
        >>> import numpy as np
        >>> from anytensor import hetero
        >>> buys = ("user", "buys", "item")
        >>> graph = hetero.HeteroGraphsTuple(
        ...     nodes={"user": np.ones((2, 3)), "item": np.ones((1, 4))}, edges={},
        ...     senders={buys: np.array([0, 1])}, receivers={buys: np.array([0, 0])},
        ...     n_node={"user": np.array([2]), "item": np.array([1])}, n_edge={buys: np.array([2])},
        ... )
        >>> both = hetero.add_reverse_edges(graph)
        >>> both.canonical_etypes
        (('item', 'rev_buys', 'user'), ('user', 'buys', 'item'))
        >>> both.receivers["item", "rev_buys", "user"]
        array([0, 1])
    """
    graph = checked("add_reverse_edges", graph)
    known = graph.canonical_etypes
    if isinstance(etypes, str) or (isinstance(etypes, tuple) and etypes in known):
        raise TypeError(
            f"add_reverse_edges: `etypes` must be a list of edge types, got the one {etypes!r}; give "
            f"[{etypes!r}]"
        )
    if etypes is not None and not isinstance(etypes, (list, tuple, set, frozenset)):
        raise TypeError(
            f"add_reverse_edges: `etypes` must be a list of edge types, got {errors.describe(etypes)}"
        )
    chosen = (
        known if etypes is None else [resolve_etype("add_reverse_edges", "graph", e, known) for e in etypes]
    )
    edges, senders, receivers, n_edge = (
        dict(field or {}) for field in (graph.edges, graph.senders, graph.receivers, graph.n_edge)
    )
    for etype in chosen:
        reverse = reverse_canonical_etype(etype)
        if reverse in senders:
            raise ValueError(f"add_reverse_edges: `graph` has {reverse!r}, the reverse of {etype!r}, already")
        senders[reverse], receivers[reverse] = graph.receivers[etype], graph.senders[etype]
        n_edge[reverse] = graph.n_edge[etype]
        if etype in edges:
            edges[reverse] = edges[etype]
    return graph._replace(edges=edges, senders=senders, receivers=receivers, n_edge=n_edge)
