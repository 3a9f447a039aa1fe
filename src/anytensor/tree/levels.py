"""One level of a tree: a node's children, what they are called, and how to rebuild the node from new ones."""

from __future__ import annotations

from collections import OrderedDict, defaultdict, deque
from collections.abc import Sequence
from typing import Any, NamedTuple

import optree
from optree.utils import total_order_sorted

from anytensor.tree.keys import DictKey, FlattenedIndexKey, GetAttrKey, SequenceKey
from anytensor.tree.nodes import CONTAINERS, SURE_LEAVES, node_of

__all__ = ["DICTS", "Level", "child_keys", "is_node", "level", "rebuild"]

DICTS = (dict, OrderedDict, defaultdict)


class Level(NamedTuple):
    """A node, taken apart once.

    Attributes:
        children: The children, in the order of ``flatten``.
        names: What tells a child from its siblings: a dict's keys, else the positions.
        metadata: What ``rebuild`` needs besides the children. Part of the structure, but for the order in
            which a dict was filled.
    """

    children: list[Any]
    names: list[Any]
    metadata: Any


def is_node(kind: type) -> bool:
    """Return whether objects of exactly this type have children (or are the empty subtree, None)."""
    return kind in CONTAINERS or (kind not in SURE_LEAVES and (_is_record(kind) or node_of(kind) is not None))


def level(node: Any) -> Level | None:
    """Take a node apart into its children; None for a leaf."""
    kind = type(node)
    if kind in SURE_LEAVES:
        return None
    if kind is type(None):
        return Level([], [], None)
    if kind in DICTS:
        names = list(node) if kind is OrderedDict else total_order_sorted(node)
        factory = node.default_factory if kind is defaultdict else None
        return Level([node[name] for name in names], names, (factory, list(node)))
    custom = node_of(kind)
    if custom is not None:
        found, metadata = custom.flatten(node)
        children = list(found)
    elif kind in CONTAINERS or _is_record(kind):
        children = list(node)
        metadata = node.maxlen if kind is deque else None
    else:
        return None
    return Level(children, list(range(len(children))), metadata)


def rebuild(kind: Any, names: Sequence[Any], metadata: Any, children: list[Any]) -> Any:
    """Put a node together from what ``level`` said about it and new children."""
    if kind is type(None):
        return None
    if kind is list:
        return children
    if kind is tuple:
        return tuple(children)
    if kind is deque:
        return deque(children, maxlen=metadata)
    if kind in DICTS:
        factory, order = metadata
        values = dict(zip(names, children, strict=True))
        items = [(name, values[name]) for name in order]
        if kind is dict:
            return dict(items)
        return OrderedDict(items) if kind is OrderedDict else defaultdict(factory, items)
    custom = node_of(kind)
    if custom is not None:
        return custom.unflatten(metadata, children)
    return kind(*children) if optree.is_namedtuple_class(kind) else kind(children)


def child_keys(node: Any, names: Sequence[Any]) -> Sequence[Any]:
    """Return the key of each child of a node, for its path.

    Args:
        node: Any node.
        names: The names of its children, from ``level``.
    """
    kind = type(node)
    if kind in DICTS:
        return [DictKey(name) for name in names]
    custom = node_of(kind)
    if custom is not None:
        return [FlattenedIndexKey(i) for i in names] if custom.keys is None else custom.keys(node)
    if kind in CONTAINERS:
        return [SequenceKey(i) for i in names]
    fields = kind._fields if optree.is_namedtuple_class(kind) else optree.structseq_fields(kind)
    return [GetAttrKey(field) for field in fields]


def _is_record(kind: type) -> bool:
    return bool(
        issubclass(kind, tuple) and (optree.is_namedtuple_class(kind) or optree.is_structseq_class(kind))
    )
