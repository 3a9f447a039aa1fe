"""Messages along several relations at once, and what a node makes of several mailboxes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from anytensor import errors
from anytensor.hetero.graph import HeteroGraphsTuple, checked
from anytensor.hetero.message import RelationSpec, check_spec, mailbox
from anytensor.hetero.schema import EdgeType, resolve_etype
from anytensor.hetero.views import SendRecvTuple, incidence, number_of_rows
from anytensor.jraph.joining import arrays_of
from anytensor.ops.creation import arange, full
from anytensor.ops.elementwise import add, divide, greater
from anytensor.ops.manipulation import concat, shape, stack
from anytensor.ops.plain import option
from anytensor.ops.searching import where
from anytensor.segment import segment_count, segment_max_or_constant, segment_min_or_constant
from anytensor.tree import map as map_tree

__all__ = [
    "CROSS_REDUCERS",
    "Mail",
    "by_destination",
    "collect",
    "multi_update_all",
    "relation_of",
    "summed",
]

CROSS_REDUCERS = ("sum", "mean", "max", "min", "stack")


class Mail(NamedTuple):
    """What one relation brought to the nodes of its destination type.

    Attributes:
        etype: The edge type.
        relation: The relation.
        mailbox: A nest with one row for each node.
    """

    etype: EdgeType
    relation: SendRecvTuple
    mailbox: Any


def multi_update_all(
    graph: HeteroGraphsTuple, etype_dict: Mapping[EdgeType | str, RelationSpec], cross_reducer: str
) -> HeteroGraphsTuple:
    """Pass messages along several relations, and reduce what each node got from all of them.

    Args:
        graph: The graph, any backend.
        etype_dict: Edge type (or its relation alone, where that names one type) -> how messages pass along
            it. Relations that are not named are left out.
        cross_reducer: How a node's mailboxes become its features: ``"sum"``, ``"mean"`` (over all named
            relations into its type, whether or not they brought it a message), ``"max"``, ``"min"`` or
            ``"stack"``.

    Returns:
        The graph with new features for every node type that a named relation runs into: shape (nodes of the
        type, ...), or (nodes of the type, relations, ...) under ``"stack"``, in the order of ``etype_dict``,
        with an axis of 1 for one relation. Types that receive nothing keep their features. Under ``"max"``
        and ``"min"`` a relation that brought a node no message takes no part for it. A node that got no
        message at all has 0.

    Raises:
        TypeError: If an argument is of the wrong type.
        ValueError: If an edge type or a reducer is unknown, node features are missing, or the mailboxes of
            one node type do not fit together.

    Notes:
        A Python loop over relations, never over edges. Differentiable, and traced whole by every compiler.
        Winners that tie under ``"max"`` and ``"min"`` share the gradient evenly.

    Example:
        >>> import numpy as np
        >>> from anytensor import hetero
        >>> plays, sells = ("user", "plays", "game"), ("shop", "sells", "game")
        >>> graph = hetero.HeteroGraphsTuple(
        ...     nodes={"user": np.ones((3, 1)), "shop": np.ones((1, 1)), "game": np.zeros((2, 1))}, edges={},
        ...     senders={plays: np.array([0, 1, 2]), sells: np.array([0])},
        ...     receivers={plays: np.array([0, 1, 1]), sells: np.array([0])},
        ...     n_node={"user": np.array([3]), "shop": np.array([1]), "game": np.array([2])},
        ...     n_edge={plays: np.array([3]), sells: np.array([1])},
        ... )
        >>> spec = hetero.RelationSpec()
        >>> hetero.multi_update_all(graph, {"plays": spec, "sells": spec}, "mean").nodes["game"]
        array([[1.],
               [1.]])

    References:
        Wang et al., "Deep Graph Library: a graph-centric, highly-performant package for graph neural
        networks", 2019, arXiv:1909.01315.
    """
    name = "multi_update_all"
    graph = checked(name, graph)
    if not isinstance(etype_dict, Mapping):
        raise TypeError(
            f"{name}: `etype_dict` must be a mapping of edge types to RelationSpec, got "
            f"{errors.describe(etype_dict)}"
        )
    option(name, cross_reducer, "cross_reducer", CROSS_REDUCERS)
    specs = {}
    for key, spec in etype_dict.items():
        etype = resolve_etype(name, "graph", key, graph.canonical_etypes)
        if etype in specs:
            raise ValueError(f"{name}: `etype_dict` names {etype!r} twice, once as {key!r}")
        specs[etype] = check_spec(name, f"etype_dict[{key!r}]", spec)
    if cross_reducer in ("sum", "mean"):
        nodes = summed(name, graph, specs)
        if cross_reducer == "mean":
            into = [etype[2] for etype in specs]
            nodes = {ntype: _over(into.count(ntype), total) for ntype, total in nodes.items()}
        return graph.update(nodes=nodes)
    mail = collect(name, graph, specs)
    return graph.update(nodes={t: _crossed(name, t, parts, cross_reducer) for t, parts in mail.items()})


def relation_of(function: str, graph: HeteroGraphsTuple, etype: EdgeType) -> SendRecvTuple:
    """Return a relation whose nodes have features.

    Raises:
        ValueError: If the nodes of a type have none; names it, and the types that have.
    """
    relation = graph.relation_view(etype)
    for ntype, features in ((etype[0], relation.src_nodes), (etype[2], relation.dst_nodes)):
        if not arrays_of(features):
            known = [t for t, x in graph.iter_nodes() if arrays_of(x)]
            raise ValueError(
                f"{function}: nodes of type {ntype!r}, of relation {etype!r}, have no features; there are "
                f"features of {', '.join(map(repr, known)) or 'none'}"
            )
    return relation


def by_destination(graph: HeteroGraphsTuple) -> dict[str, list[EdgeType]]:
    """Return the edge types that run into each node type; types that receive nothing are not there."""
    found: dict[str, list[EdgeType]] = {}
    for etype in graph.canonical_etypes:
        found.setdefault(etype[2], []).append(etype)
    return found


def collect(
    function: str, graph: HeteroGraphsTuple, specs: Mapping[EdgeType, RelationSpec]
) -> dict[str, list[Mail]]:
    """Return the mail for each node type that a relation runs into, in the order of the relations."""
    found: dict[str, list[Mail]] = {}
    for etype, spec in specs.items():
        relation = relation_of(function, graph, etype)
        content = mailbox(function, f"relation {etype!r}", relation, spec)
        found.setdefault(etype[2], []).append(Mail(etype, relation, content))
    return found


def summed(function: str, graph: HeteroGraphsTuple, specs: Mapping[EdgeType, RelationSpec]) -> dict[str, Any]:
    """Return the sum of the mailboxes for each node type; no two of them are held at once."""
    totals: dict[str, Any] = {}
    first: dict[str, EdgeType] = {}
    for etype, spec in specs.items():
        box = mailbox(function, f"relation {etype!r}", relation_of(function, graph, etype), spec)
        ntype = etype[2]
        if ntype in totals:
            _check_fit(function, ntype, (first[ntype], etype), (totals[ntype], box))
            totals[ntype] = map_tree(add, totals[ntype], box)
        else:
            first[ntype], totals[ntype] = etype, box
    return totals


def _check_fit(function: str, ntype: str, etypes: tuple[EdgeType, EdgeType], boxes: tuple[Any, Any]) -> None:
    """Raise ValueError if two mailboxes of a node type differ in shape; one would be broadcast."""
    flat = [arrays_of(box) for box in boxes]
    if len(flat[0]) != len(flat[1]):
        return  # another structure, which map_tree refuses
    for one, other in zip(*flat, strict=True):
        # Rows are those of the node type. A length that is a tensor in a trace is left to the framework.
        ours, theirs = shape(one)[1:], shape(other)[1:]
        alike = len(ours) == len(theirs)
        for a, b in zip(ours, theirs, strict=False):
            if isinstance(a, int) and isinstance(b, int) and a != b:
                alike = False
        if not alike:
            raise ValueError(
                f"{function}: mailboxes of node type {ntype!r} must have one shape, got "
                f"{errors.describe(one)} of relation {etypes[0]!r} and {errors.describe(other)} of relation "
                f"{etypes[1]!r}"
            )


def _over(number: int, total: Any) -> Any:
    return map_tree(lambda x: divide(x, number), total)


def _crossed(function: str, ntype: str, parts: list[Mail], cross_reducer: str) -> Any:
    boxes = [part.mailbox for part in parts]
    for part in parts[1:]:
        _check_fit(function, ntype, (parts[0].etype, part.etype), (boxes[0], part.mailbox))
    if cross_reducer == "stack":
        return map_tree(lambda *row: stack(list(row), axis=1), *boxes)
    if len(parts) == 1:
        return boxes[0]
    return _extreme(function, ntype, parts, cross_reducer)


def _extreme(function: str, ntype: str, parts: list[Mail], cross_reducer: str) -> Any:
    """Reduce mailboxes over the relations that brought a node something.

    As one segment reduction of all mailboxes, node by node: a row that stands for "no message" has an id
    outside of the nodes, so it is dropped, and ties and NaN follow the rules of segments.
    """
    total = number_of_rows(function, f"node type {ntype!r}", parts[0].relation.dst_nodes)
    ids = []
    for part in parts:
        _, receivers = incidence(function, f"relation {part.etype!r}", part.relation)
        # Of the default integer dtype: that of the receivers may be too short for the nodes, or hold no -1.
        own = arange(total, dtype=int, like=receivers)
        nowhere = full((), -1, dtype=own.dtype, like=receivers)
        ids.append(where(greater(segment_count(receivers, total), 0), own, nowhere))
    joined = concat(ids)
    reduce = segment_max_or_constant if cross_reducer == "max" else segment_min_or_constant
    return map_tree(lambda *row: reduce(concat(list(row)), joined, total), *[part.mailbox for part in parts])
