"""Which types are nodes: what was registered here, and what JAX, torch, optree or the class itself says."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import optree
from optree import registry as _optree_registry

from anytensor.tree.keys import DictKey, FlattenedIndexKey, GetAttrKey, SequenceKey, own_key

__all__ = ["NAMESPACE", "adopt", "child_keys", "hooks_of", "is_node", "keys_from", "set_node"]

NAMESPACE = "anytensor"

Flatten = Callable[[Any], tuple[Iterable[Any], Any]]
Unflatten = Callable[[Any, Any], Any]
Keys = Callable[[Any], Sequence[Any]]
Found = tuple[Flatten, Unflatten, "Keys | None"]

_OPTREE_TABLE: dict[Any, Any] = _optree_registry._NODETYPE_REGISTRY

# Types that no library can register as nodes; a look at them would only cost time.
_SURE_LEAVES = frozenset((bool, int, float, complex, str, bytes, np.ndarray))

_keys_of: dict[type, Keys] = {}
_adopted: set[type] = set()


def set_node(kind: type, flatten: Flatten, unflatten: Unflatten, keys: Keys | None) -> None:
    """Enter a type that its owner registers here; it replaces what was taken over from another library."""
    if kind in _adopted:
        _adopted.discard(kind)
        _keys_of.pop(kind, None)
        optree.unregister_pytree_node(kind, namespace=NAMESPACE)
    optree.register_pytree_node(kind, flatten, unflatten, namespace=NAMESPACE)
    if keys is not None:
        _keys_of[kind] = keys


def keys_from(flatten_with_keys: Callable[[Any], tuple[Iterable[tuple[Any, Any]], Any]]) -> Keys:
    return lambda obj: [own_key(key) for key, _ in flatten_with_keys(obj)[0]]


def is_node(kind: type) -> bool:
    """Return whether objects of exactly this type have children, by what the namespace knows now."""
    return optree.register_pytree_node.get(kind, namespace=NAMESPACE) is not None


def adopt(kind: type, traced: bool) -> bool:
    """Take over a registration that another library, or the class itself, has for a type met as a leaf.

    Args:
        kind: The type of a leaf.
        traced: Whether TorchDynamo is tracing the caller.

    Returns:
        True if the type was registered by this call, so that the tree must be walked again.
    """
    if kind in _SURE_LEAVES:
        return False
    found = _find(kind)
    if found is None or is_node(kind):
        return False
    flatten, unflatten, keys = found
    _adopted.add(kind)
    if keys is not None:
        _keys_of[kind] = keys
    with contextlib.suppress(ValueError):  # another thread was faster
        optree.register_pytree_node(kind, flatten, unflatten, namespace=NAMESPACE)
    if traced:
        # Dynamo (torch 2.13) has read optree's table as it was before the line above, and would not see the
        # class in this trace: start the trace again.
        raise sys.modules["torch._dynamo.exc"].RestartAnalysis(restart_reason=f"{kind} became a tree node")
    return True


# Dynamo calls the function while it traces instead of tracing into it: the registries of three libraries hold
# no tensors, and following them would guard on each of their entries. The mark is what
# torch.compiler.assume_constant_result sets; calling that would import TorchDynamo.
adopt._dynamo_marked_constant = True  # type: ignore[attr-defined]


def _find(kind: type) -> Found | None:
    if _has(kind, "__tree_flatten__", "__tree_unflatten__"):
        return hooks_of(kind)
    return _find_in_jax(kind) or _find_in_torch(kind) or _find_in_optree(kind)


def hooks_of(kind: type[Any]) -> Found:
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

    return flatten, unflatten, keys


def _find_in_jax(kind: type) -> Found | None:
    jax = sys.modules.get("jax.tree_util")
    # JAX's public functions ask about objects, not types; its Python-side table (0.4 to 0.10) is keyed by type.
    table = getattr(sys.modules.get("jax._src.tree_util"), "_registry", None)
    if jax is None or table is None or kind not in table:
        return None

    def keys(obj: Any) -> list[Any]:
        pairs, _ = jax.tree_util.tree_flatten_with_path(obj, is_leaf=lambda node: node is not obj)
        return [own_key(path[0]) for path, _ in pairs]

    return table[kind].to_iter, table[kind].from_iter, keys


def _find_in_torch(kind: type) -> Found | None:
    table = getattr(sys.modules.get("torch.utils._pytree"), "SUPPORTED_NODES", None)
    if table is None or kind not in table:
        return None
    node = table[kind]
    with_keys = getattr(node, "flatten_with_keys_fn", None)

    def unflatten(metadata: Any, children: Any) -> Any:
        return node.unflatten_fn(list(children), metadata)

    return node.flatten_fn, unflatten, None if with_keys is None else keys_from(with_keys)


_namespaces: tuple[int, tuple[str, ...]] = (0, ())


def _find_in_optree(kind: type) -> Found | None:
    # optree asks its users to register in a namespace of their own, and cannot be asked for a type in any.
    global _namespaces
    if _namespaces[0] != len(_OPTREE_TABLE):
        names = dict.fromkeys(key[0] for key in list(_OPTREE_TABLE) if isinstance(key, tuple))
        _namespaces = (len(_OPTREE_TABLE), tuple(name for name in names if name != NAMESPACE))
    for name in _namespaces[1]:
        handler = _OPTREE_TABLE.get((name, kind))
        if handler is not None:
            break
    else:
        return None

    def flatten(obj: Any) -> tuple[Iterable[Any], Any]:
        children, metadata, *_ = handler.flatten_func(obj)
        return children, metadata

    def keys(obj: Any) -> list[Any]:
        children, _, *entries = handler.flatten_func(obj)
        if not entries or entries[0] is None:
            entries = [range(len(list(children)))]
        return [
            _key_from_entry(handler.path_entry_type(entry, kind, handler.kind)) for entry in entries[0]
        ]

    return flatten, handler.unflatten_func, keys


def child_keys(node: Any, entries: Sequence[Any]) -> Sequence[Any]:
    """Return one key for each child of a node.

    Args:
        node: An object whose type is a node.
        entries: What optree calls its children, in order.
    """
    kind = type(node)
    if kind in _keys_of:
        return _keys_of[kind](node)
    handler = optree.register_pytree_node.get(kind, namespace=NAMESPACE)
    return [_key_from_entry(handler.path_entry_type(entry, kind, handler.kind)) for entry in entries]


def _key_from_entry(entry: Any) -> Any:
    if isinstance(entry, optree.SequenceEntry) and not isinstance(
        entry, (optree.NamedTupleEntry, optree.StructSequenceEntry)
    ):
        return SequenceKey(entry.entry)
    if isinstance(entry, optree.MappingEntry):
        return DictKey(entry.entry)
    if isinstance(entry, (optree.NamedTupleEntry, optree.StructSequenceEntry)):
        return GetAttrKey(entry.field)
    if isinstance(entry, optree.DataclassEntry):
        return GetAttrKey(entry.name)
    if isinstance(entry, optree.GetAttrEntry):
        return GetAttrKey(entry.entry)
    if isinstance(entry, optree.FlattenedEntry):
        return GetAttrKey(entry.entry) if isinstance(entry.entry, str) else FlattenedIndexKey(entry.entry)
    return entry
