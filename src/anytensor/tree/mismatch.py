"""Where and how two structures differ, the error that says so, and the subtrees where they do not."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

from anytensor.errors import describe
from anytensor.tree.keys import KeyPath, keystr
from anytensor.tree.levels import DICTS, child_keys, is_node, level
from anytensor.tree.nodes import node_of
from anytensor.tree.tracing import TracedStructure

__all__ = ["first_difference", "flatten_up_to", "leaf_paths", "structure_mismatch", "where"]

Difference = tuple[KeyPath, str]


def is_leaf_spec(spec: Any) -> bool:
    """Return whether a structure is a single leaf (and not the empty subtree of a None)."""
    return bool(spec.num_nodes == 1 and spec.num_leaves == 1)


def where(path: KeyPath) -> str:
    """Name a path in a message; the empty one is the root."""
    return keystr(path) if path else "the root"


def flatten_up_to(what: str, spec: Any, node: Any) -> list[Any]:
    """Return the subtrees of a tree at the leaves of a structure.

    Args:
        what: The public function and its argument, for the message.
        spec: The structure, which must be a prefix of the tree's.
        node: The tree.

    Returns:
        One subtree for each leaf of ``spec``.

    Raises:
        ValueError: If the structure is no prefix of the tree's; names the path and both structures.
    """
    subtrees: list[Any] = []
    difference = first_difference(spec, node, subtrees)
    if difference is not None:
        raise structure_mismatch(what, spec, node, difference)
    return subtrees


def first_difference(
    spec: Any, node: Any, subtrees: list[Any], path: KeyPath = (), exact: bool = False
) -> Difference | None:
    """Return the first place where a tree does not have a structure, in depth-first order.

    Args:
        spec: The structure that is expected. Unlike optree's own comparison this one does not let dict,
            OrderedDict and defaultdict stand for one another, as JAX does not.
        node: The tree that came.
        subtrees: Takes the subtrees of ``node`` at the leaves of ``spec``.
        path: The path of ``node``.
        exact: Whether a subtree in the place of a leaf is a difference too.

    Returns:
        The path and what is wrong there, or None if there is no difference.
    """
    kind = type(node)
    if is_leaf_spec(spec):
        subtrees.append(node)
        return (path, _expected(spec, node)) if exact and is_node(kind) else None
    taken = level(node)
    if spec.type is not kind or taken is None:
        return path, _expected(spec, node)
    expected_names = spec.entries()
    if not _same_names(kind, expected_names, taken.names):
        return path, _expected(spec, node)
    children, names = taken.children, taken.names
    if kind in DICTS:
        # Keys that cannot be sorted stay in insertion order, which is no part of a dict's structure.
        names = expected_names
        children = [node[name] for name in names]
    for part, child, key in zip(spec.children(), children, child_keys(node, names), strict=True):
        difference = first_difference(part, child, subtrees, (*path, key), exact)
        if difference is not None:
            return difference
    if node_of(kind) is not None and not _same_metadata(spec, node, taken.metadata):
        return path, f"{kind.__name__} objects with different metadata"
    return None


def leaf_paths(spec: Any, tree: Any) -> list[KeyPath]:
    """Return the path of each leaf of a structure in a tree that has it."""
    found: list[KeyPath] = []
    _follow(spec, tree, (), found)
    return found


def _follow(spec: Any, node: Any, path: KeyPath, found: list[KeyPath]) -> None:
    if is_leaf_spec(spec):
        found.append(path)
        return
    taken = level(node)
    if taken is None:
        raise ValueError(f"a tree has the leaf {describe(node)} where its structure has {spec.type.__name__}")
    keys = child_keys(node, taken.names)
    for part, child, key in zip(spec.children(), taken.children, keys, strict=True):
        _follow(part, child, (*path, key), found)


def structure_mismatch(what: str, spec: Any, node: Any, difference: Difference) -> ValueError:
    """Build the error for a tree whose structure is not the expected one."""
    path, reason = difference
    return ValueError(
        f"{what} differs in structure at {where(path)}: {reason}.\n"
        f"  expected: {_outline_spec(spec)}\n"
        f"  got:      {_outline(node)}"
    )


def _same_names(kind: type, expected: list[Any], got: list[Any]) -> bool:
    if kind in DICTS and kind is not OrderedDict:
        return len(expected) == len(got) and set(expected) == set(got)
    return expected == got if kind is OrderedDict else len(expected) == len(got)


def _same_metadata(spec: Any, node: Any, metadata: Any) -> bool:
    if isinstance(spec, TracedStructure):
        return bool(spec.metadata == metadata)
    try:
        spec.flatten_up_to(node)  # optree does not show a structure's metadata, but compares it here
    except ValueError:
        return False
    return True


def _expected(spec: Any, node: Any) -> str:
    wanted = "a leaf" if is_leaf_spec(spec) else _describe(spec.type, spec.entries())
    taken = level(node)
    return f"expected {wanted}, got " + (
        f"the leaf {describe(node)}" if taken is None else _describe(type(node), taken.names)
    )


def _describe(kind: Any, names: Sequence[Any]) -> str:
    if kind is type(None):
        return "None"
    if kind in DICTS:
        return f"{kind.__name__} with keys {list(names)!r}"
    if kind in (list, tuple):
        return f"{kind.__name__} of length {len(names)}"
    if hasattr(kind, "_fields"):
        return f"{kind.__name__} with fields {list(kind._fields)!r}"
    return f"{kind.__name__} with {len(names)} children"


def _outline_spec(spec: Any) -> str:
    if is_leaf_spec(spec):
        return "*"
    return _outline_node(spec.type, spec.entries(), [_outline_spec(part) for part in spec.children()])


def _outline(node: Any) -> str:
    taken = level(node)
    if taken is None:
        return "*"
    return _outline_node(type(node), taken.names, [_outline(child) for child in taken.children])


def _outline_node(kind: Any, names: Sequence[Any], parts: list[str]) -> str:
    if kind is type(None):
        return "None"
    if kind in DICTS:
        inner = "{" + ", ".join([f"{name!r}: {part}" for name, part in zip(names, parts, strict=True)]) + "}"
        return inner if kind is dict else f"{kind.__name__}({inner})"
    if kind is list:
        return "[" + ", ".join(parts) + "]"
    if kind is tuple:
        return "(" + ", ".join(parts) + ("," if len(parts) == 1 else "") + ")"
    fields = getattr(kind, "_fields", None)
    if fields is not None:
        parts = [f"{field}={part}" for field, part in zip(fields, parts, strict=True)]
    return f"{kind.__name__}(" + ", ".join(parts) + ")"
