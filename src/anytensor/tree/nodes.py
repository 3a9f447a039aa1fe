"""Which types are nodes: what was registered here, and what JAX, torch, optree or the class itself says."""

from __future__ import annotations

import contextlib
import sys
import warnings
from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterable, Sequence
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import optree
from optree import registry as _optree_registry

from anytensor.loaded import module_if_loaded
from anytensor.tree.keys import DictKey, FlattenedIndexKey, GetAttrKey, SequenceKey, own_key

__all__ = [
    "CONTAINERS",
    "NAMESPACE",
    "SURE_LEAVES",
    "Flatten",
    "Keys",
    "Node",
    "Unflatten",
    "adopt",
    "adopt_records",
    "enter_into_optree",
    "keys_from",
    "node_from_hooks",
    "node_of",
    "set_node",
]

NAMESPACE = "anytensor"

Flatten = Callable[[Any], tuple[Iterable[Any], Any]]
Unflatten = Callable[[Any, Any], Any]
Keys = Callable[[Any], Sequence[Any]]


class Node(NamedTuple):
    """How objects of one class are taken apart and rebuilt, and what their children are called."""

    flatten: Flatten
    unflatten: Unflatten
    keys: Keys | None


_OPTREE_TABLE: dict[Any, Any] = _optree_registry._NODETYPE_REGISTRY

# Nodes to everybody, and in the tables of JAX, torch and optree.
CONTAINERS = frozenset((dict, OrderedDict, defaultdict, list, tuple, deque, type(None)))

# Types that nobody registers as nodes: a look in four registries for each would only cost time.
SURE_LEAVES: set[type] = {bool, int, float, complex, str, bytes, np.ndarray, np.float32, np.float64, np.int64}


def _add_torch(torch: ModuleType) -> None:
    SURE_LEAVES.update((torch.Tensor, torch.nn.Parameter))


def _add_eager(module: str, name: str) -> None:
    # Neither framework names the class of its eager arrays in public.
    kind = getattr(sys.modules.get(module), name, None)
    if kind is not None:
        SURE_LEAVES.add(kind)


module_if_loaded("torch", _add_torch)
module_if_loaded("jax", lambda jax: _add_eager("jax._src.array", "ArrayImpl"))
module_if_loaded("tensorflow", lambda tf: _add_eager("tensorflow.python.framework.ops", "EagerTensor"))

_nodes: dict[type, Node] = {}
_adopted: set[type] = set()


def set_node(kind: type, node: Node) -> None:
    """Enter a class that its owner registers here; it replaces what was taken over from another library."""
    if kind in _adopted:
        _adopted.discard(kind)
        optree.unregister_pytree_node(kind, namespace=NAMESPACE)
    enter_into_optree(kind, node, NAMESPACE)
    _nodes[kind] = node


def enter_into_optree(kind: type, node: Node, namespace: Any) -> None:
    """Register a class with optree; raise ValueError if it is registered there."""
    with warnings.catch_warnings():
        # A named tuple is a node anyway, and optree warns of a registration that changes what it is.
        warnings.simplefilter("ignore", UserWarning)
        optree.register_pytree_node(kind, node.flatten, node.unflatten, namespace=namespace)


def adopt(kind: type) -> bool:
    """Take over a registration that another library, or the class itself, has for a type met as a leaf.

    Returns:
        True if optree takes objects of this type for leaves no longer, so that the tree must be walked again.
    """
    if kind in _nodes or kind in CONTAINERS:  # a leaf by `is_leaf`
        return False
    node = _find(kind)
    if node is None:
        return False
    with contextlib.suppress(ValueError):  # another thread was faster
        enter_into_optree(kind, node, NAMESPACE)
    _adopted.add(kind)
    _nodes[kind] = node
    return True


_seen = (0, 0)


def adopt_records() -> None:
    """Take over the registrations that JAX and torch have for named tuples.

    A named tuple is never met as a leaf, registered or not, so ``adopt`` does not come to see it.
    """
    global _seen
    tables = _jax_table(), _torch_table()
    sizes = len(tables[0]), len(tables[1])
    if sizes == _seen:
        return
    _seen = sizes
    for table in tables:
        for kind in list(table):
            if isinstance(kind, type) and issubclass(kind, tuple) and optree.is_namedtuple_class(kind):
                adopt(kind)


def node_of(kind: type) -> Node | None:
    """Return how a registered class is taken apart; None for leaves and Python's own containers."""
    if kind in CONTAINERS or kind in SURE_LEAVES:
        return None
    return _nodes.get(kind) or _find(kind)


def _find(kind: type) -> Node | None:
    if getattr(kind, "__tree_flatten__", None) is not None and hasattr(kind, "__tree_unflatten__"):
        return node_from_hooks(kind)
    return _find_in_jax(kind) or _find_in_torch(kind) or _find_in_optree(kind)


def node_from_hooks(kind: type[Any]) -> Node:
    """Return how a class with `__tree_flatten__` and `__tree_unflatten__` is taken apart and rebuilt."""

    def flatten(obj: Any) -> tuple[Iterable[Any], Any]:
        children, metadata, *_ = obj.__tree_flatten__()
        return children, metadata

    def unflatten(metadata: Any, children: Any) -> Any:
        return kind.__tree_unflatten__(metadata, children)

    def keys(obj: Any) -> list[Any]:
        children, _, *entries = obj.__tree_flatten__()
        if entries and entries[0] is not None:
            return [GetAttrKey(entry) if isinstance(entry, str) else own_key(entry) for entry in entries[0]]
        return [FlattenedIndexKey(i) for i, _ in enumerate(children)]

    return Node(flatten, unflatten, keys)


def keys_from(flatten_with_keys: Callable[[Any], tuple[Iterable[tuple[Any, Any]], Any]]) -> Keys:
    """Return the function that tells an object's keys, from one that tells them with the children."""
    return lambda obj: [own_key(key) for key, _ in flatten_with_keys(obj)[0]]


def _jax_table() -> dict[Any, Any]:
    # JAX's public functions ask about objects, not types; its table in Python (0.4 to 0.10) has the types.
    return getattr(sys.modules.get("jax._src.tree_util"), "_registry", None) or {}


def _torch_table() -> dict[Any, Any]:
    return getattr(sys.modules.get("torch.utils._pytree"), "SUPPORTED_NODES", None) or {}


def _find_in_jax(kind: type) -> Node | None:
    table = _jax_table()
    if kind not in table:
        return None

    def keys(obj: Any) -> list[Any]:
        jax = sys.modules["jax.tree_util"]
        pairs, _ = jax.tree_flatten_with_path(obj, is_leaf=lambda node: node is not obj)
        return [own_key(path[0]) for path, _ in pairs]

    return Node(table[kind].to_iter, table[kind].from_iter, keys)


def _find_in_torch(kind: type) -> Node | None:
    table = _torch_table()
    if kind not in table:
        return None
    node = table[kind]
    with_keys = getattr(node, "flatten_with_keys_fn", None)

    def unflatten(metadata: Any, children: Any) -> Any:
        return node.unflatten_fn(list(children), metadata)

    return Node(node.flatten_fn, unflatten, None if with_keys is None else keys_from(with_keys))


def _find_in_optree(kind: type) -> Node | None:
    handler = _OPTREE_TABLE.get(kind)  # the global namespace
    if handler is None:
        # optree has its users register in namespaces of their own, and cannot be asked for a type in any.
        keys_in_table = [key for key in list(_OPTREE_TABLE) if isinstance(key, tuple) and key[1] is kind]
        handlers = [_OPTREE_TABLE[key] for key in keys_in_table if key[0] != NAMESPACE]
        if not handlers:
            return None
        handler = handlers[0]

    def flatten(obj: Any) -> tuple[Iterable[Any], Any]:
        children, metadata, *_ = handler.flatten_func(obj)
        return children, metadata

    def keys(obj: Any) -> list[Any]:
        children, _, *entries = handler.flatten_func(obj)
        if not entries or entries[0] is None:
            entries = [range(len(list(children)))]
        entry_type, kind_number = handler.path_entry_type, handler.kind
        return [_key_from_entry(entry_type(entry, kind, kind_number)) for entry in entries[0]]

    return Node(flatten, handler.unflatten_func, keys)


def _key_from_entry(entry: Any) -> Any:
    if isinstance(entry, optree.MappingEntry):
        return DictKey(entry.entry)
    if isinstance(entry, optree.DataclassEntry):
        return GetAttrKey(entry.name)
    if isinstance(entry, optree.GetAttrEntry):
        return GetAttrKey(entry.entry)
    if isinstance(entry, optree.GetItemEntry):
        return SequenceKey(entry.entry)
    if isinstance(entry, optree.FlattenedEntry):
        return GetAttrKey(entry.entry) if isinstance(entry.entry, str) else FlattenedIndexKey(entry.entry)
    return entry
