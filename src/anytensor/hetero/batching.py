"""Many heterogeneous graphs' fields as one graph's, and one as many.

Type by type this is the work of ``jraph.joining``, but for the indices: the senders of a relation count among
the nodes of its source type, the receivers among those of its destination type.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from anytensor.hetero.schema import EdgeType, unknown_key
from anytensor.jraph.host import counts, is_known, rows_of, slices, to_host
from anytensor.jraph.joining import (
    Fields,
    arrays_of,
    bounds_of,
    check_rows,
    join_features,
    join_integers,
    shifted,
    split_features,
    split_indices,
)
from anytensor.ops.creation import asarray
from anytensor.ops.cumulative import cumulative_sum
from anytensor.ops.elementwise import add, subtract
from anytensor.ops.manipulation import stack
from anytensor.ops.reduction import sum as sum_of

__all__ = ["Fields", "join", "split"]


def join(graphs: Sequence[Any]) -> Fields:
    """Return the fields of the graph that holds all graphs of a list, one after the other."""
    _check_schemas(graphs)
    ntypes, etypes = list(graphs[0].n_node), list(graphs[0].senders)
    n_node = {t: join_integers(f"n_node[{t!r}]", [g.n_node[t] for g in graphs]) for t in ntypes}
    n_edge = {e: join_integers(f"n_edge[{e!r}]", [g.n_edge[e] for g in graphs]) for e in etypes}
    known = all(is_known(x) for x in (*n_node.values(), *n_edge.values()))
    if known:
        _check_counts(graphs)
        starts = {t: _starts(n_node[t], [g.n_node[t] for g in graphs]) for t in ntypes}
    else:
        starts = {t: _traced_starts([g.n_node[t] for g in graphs]) for t in ntypes}
    nodes = {t: join_features(f"nodes[{t!r}]", [(g.nodes or {}).get(t) for g in graphs]) for t in ntypes}
    edges: dict[EdgeType, Any] = {}
    senders: dict[EdgeType, Any] = {}
    receivers: dict[EdgeType, Any] = {}
    for etype in etypes:
        source, _, destination = etype
        # A graph that says "no edges" with None beside others that have edges has no row to add.
        some = [i for i, g in enumerate(graphs) if g.senders[etype] is not None]
        features = [(graphs[i].edges or {}).get(etype) for i in (some or range(len(graphs)))]
        edges[etype] = join_features(f"edges[{etype!r}]", features)
        for joined, field, ntype in ((senders, "senders", source), (receivers, "receivers", destination)):
            vectors = [getattr(graphs[i], field)[etype] for i in some]
            work = _join_indices if known else _join_traced_indices
            joined[etype] = work(f"{field}[{etype!r}]", vectors, starts[ntype], some)
    globals_ = join_features("globals", [g.globals for g in graphs])
    return nodes, edges, senders, receivers, n_node, n_edge, globals_


def split(graph: Any) -> list[Fields]:
    """Return the fields of each graph of a batch."""
    if not graph.n_node:
        raise ValueError("unbatch: the graph has no node type, so it does not say how many graphs it holds")
    n_node = {t: counts("unbatch", f"n_node[{t!r}]", x) for t, x in graph.n_node.items()}
    n_edge = {e: counts("unbatch", f"n_edge[{e!r}]", graph.n_edge[e]) for e in graph.senders}
    number = len(next(iter(n_node.values())))
    for field, entries in (("n_node", n_node), ("n_edge", n_edge)):
        for key, lengths in entries.items():
            if len(lengths) != number:
                raise ValueError(
                    f"unbatch: `{field}[{key!r}]` must have one entry for each graph, got {len(lengths)} for "
                    f"{number} graphs"
                )
    bounds = {t: bounds_of(lengths) for t, lengths in n_node.items()}
    each = list(range(number + 1))
    nodes = {t: _cut("nodes", t, (graph.nodes or {}).get(t), bounds[t], "n_node") for t in n_node}
    edges: dict[EdgeType, Any] = {}
    senders: dict[EdgeType, Any] = {}
    receivers: dict[EdgeType, Any] = {}
    for etype, lengths in n_edge.items():
        source, _, destination = etype
        ends = bounds_of(lengths)
        edges[etype] = _cut("edges", etype, (graph.edges or {}).get(etype), ends, "n_edge")
        for parts, field, ntype in ((senders, "senders", source), (receivers, "receivers", destination)):
            indices = getattr(graph, field)[etype]
            check_rows("unbatch", f"{field}[{etype!r}]", indices, int(ends[-1]), f"n_edge[{etype!r}]")
            parts[etype] = split_indices(indices, np.repeat(bounds[ntype][:-1], lengths), ends.tolist())
    check_rows("unbatch", "globals", graph.globals, number, None)
    columns = (
        nodes,
        edges,
        senders,
        receivers,
        {t: slices(x, each) for t, x in graph.n_node.items()},
        {e: slices(graph.n_edge[e], each) for e in graph.senders},
    )
    globals_ = split_features(graph.globals, each)
    return [
        (*({key: parts[i] for key, parts in column.items()} for column in columns), globals_[i])
        for i in range(number)
    ]


def _cut(field: str, key: Any, features: Any, bounds: Any, counted_by: str) -> list[Any]:
    check_rows("unbatch", f"{field}[{key!r}]", features, int(bounds[-1]), f"{counted_by}[{key!r}]")
    return split_features(features, bounds.tolist())


def _check_schemas(graphs: Sequence[Any]) -> None:
    """Check that every graph has the node and edge types of the first one, and counts for each of them.

    Raises:
        ValueError: If one lacks a type or has another; names it.
    """
    first = graphs[0]
    for i, graph in enumerate(graphs):
        for ours, theirs, what in (
            (first.ntypes, graph.ntypes, "node type"),
            (first.canonical_etypes, graph.canonical_etypes, "edge type"),
        ):
            missing = [key for key in ours if key not in theirs]
            surplus = [key for key in theirs if key not in ours]
            if missing or surplus:
                key, lacking, other, known = (
                    (missing[0], i, 0, theirs) if missing else (surplus[0], 0, i, ours)
                )
                raise ValueError(
                    f"batch: graphs[{lacking}] has no {what} {key!r}, which graphs[{other}] has; there are "
                    f"{', '.join(map(repr, known)) or 'none'}"
                )
    for i, graph in enumerate(graphs):
        for etype in first.canonical_etypes:
            for field in ("receivers", "n_edge"):
                if etype not in getattr(graph, field):
                    known = sorted(getattr(graph, field))
                    raise unknown_key("batch", f"{field} of graphs[{i}]", etype, known)
            if (graph.senders[etype] is None) is not (graph.receivers[etype] is None):
                raise ValueError(
                    f"batch: senders and receivers of {etype!r} in graphs[{i}] must both be arrays or both "
                    "be None"
                )
            for ntype in (etype[0], etype[2]):
                if ntype not in graph.n_node:
                    raise unknown_key("batch", f"n_node of graphs[{i}]", ntype, graph.ntypes)


def _check_counts(graphs: Sequence[Any]) -> None:
    """Check that counts and rows agree in every graph, where a wrong one would shift all that follow."""
    for i, graph in enumerate(graphs):
        number = None
        for field, keys in (("n_node", graph.ntypes), ("n_edge", graph.canonical_etypes)):
            for key in keys:
                lengths = counts("batch", f"{field}[{key!r}]", getattr(graph, field)[key])
                number = len(lengths) if number is None else number
                if len(lengths) != number:
                    raise ValueError(
                        f"batch: `{field}[{key!r}]` of graphs[{i}] has {len(lengths)} entries, and there are "
                        f"{number} graphs"
                    )
                _check_entries(i, graph, field, key, int(lengths.sum()))
        for leaf in arrays_of(graph.globals):
            rows = rows_of(leaf)
            if isinstance(rows, int) and number is not None and rows != number:
                raise ValueError(
                    f"batch: `globals` of graphs[{i}] has {rows} rows, and there are {number} graphs"
                )


def _check_entries(i: int, graph: Any, counted_by: str, key: str | EdgeType, expected: int) -> None:
    fields = ("nodes",) if counted_by == "n_node" else ("edges", "senders", "receivers")
    for field in fields:
        for leaf in arrays_of((getattr(graph, field) or {}).get(key)):
            rows = rows_of(leaf)
            if isinstance(rows, int) and rows != expected:
                raise ValueError(
                    f"batch: `{field}[{key!r}]` of graphs[{i}] has {rows} rows, and the sum of its "
                    f"`{counted_by}` is {expected}"
                )


def _starts(joined: Any, vectors: list[Any]) -> Any:
    """Return how many nodes of a type lie before each graph of a list, and in all."""
    return bounds_of(to_host(joined))[bounds_of([rows_of(v) for v in vectors])]


def _traced_starts(vectors: list[Any]) -> Any:
    totals = stack([sum_of(v) for v in vectors])
    return subtract(cumulative_sum(totals), totals)


def _join_indices(field: str, vectors: list[Any], starts: Any, some: list[int]) -> Any:
    if not vectors:
        return None
    shift = np.repeat(starts[some], [rows_of(v) for v in vectors])
    return shifted(join_integers(field, vectors), shift, add, int(starts[-1]))


def _join_traced_indices(field: str, vectors: list[Any], starts: Any, some: list[int]) -> Any:
    if not vectors:
        return None
    parts = []
    for i, vector in zip(some, vectors, strict=True):
        parts.append(add(vector, asarray(starts[i], dtype=vector.dtype)))
    return join_integers(field, parts)
