"""Walk a nest with the path of each leaf."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from anytensor.ops.plain import flag, functions
from anytensor.tree.keys import KeyPath
from anytensor.tree.levels import child_keys, level
from anytensor.tree.mismatch import leaf_paths
from anytensor.tree.walking import flatten, matching

__all__ = ["flatten_with_path", "leaves_with_path", "map_with_path"]

IsLeaf = Callable[..., bool] | None


def flatten_with_path(
    tree: Any, is_leaf: IsLeaf = None, is_leaf_takes_path: bool = False
) -> tuple[list[tuple[KeyPath, Any]], Any]:
    """Take a nest apart into pairs of path and leaf, and its structure.

    Args:
        tree: Any nest.
        is_leaf: Called with every node; where it returns true, the node is a leaf.
        is_leaf_takes_path: Whether to call ``is_leaf`` with the path and the node.

    Returns:
        The pairs, in the order of ``flatten``, and the structure. A path is a tuple of keys that ``keystr``
        prints; the path of a leaf without a nest is empty.

    Raises:
        TypeError: If ``is_leaf_takes_path`` is set without ``is_leaf``.

    Example:
        >>> from anytensor import tree
        >>> pairs, _ = tree.flatten_with_path({"b": [1, 2], "a": 3})
        >>> [(tree.keystr(path), leaf) for path, leaf in pairs]
        [("['a']", 3), ("['b'][0]", 1), ("['b'][1]", 2)]
    """
    flag("tree.flatten_with_path", is_leaf_takes_path, "is_leaf_takes_path")
    functions("tree", optional=True, is_leaf=is_leaf)
    if not is_leaf_takes_path:
        flat, spec = flatten(tree, is_leaf)
        return list(zip(leaf_paths(spec, tree), flat, strict=True)), spec
    if is_leaf is None:
        raise TypeError("tree.flatten_with_path: `is_leaf_takes_path` needs `is_leaf`")
    flatten(tree)  # so that every class in it is known
    pairs: list[tuple[KeyPath, Any]] = []
    marks: list[bool] = []
    _visit(tree, (), is_leaf, pairs, marks)
    # optree asks about the nodes in the same order, but does not tell where they are.
    replay = iter(marks)
    return pairs, flatten(tree, lambda _: next(replay))[1]


def leaves_with_path(
    tree: Any, is_leaf: IsLeaf = None, is_leaf_takes_path: bool = False
) -> list[tuple[KeyPath, Any]]:
    """Return the pairs of path and leaf of a nest, as ``flatten_with_path`` does.

    Args:
        tree: Any nest.
        is_leaf: Called with every node; where it returns true, the node is a leaf.
        is_leaf_takes_path: Whether to call ``is_leaf`` with the path and the node.

    Returns:
        The pairs; an empty list for a nest without leaves.

    Example:
        >>> from anytensor import tree
        >>> tree.leaves_with_path(("a", None, ["b"]))
        [((SequenceKey(idx=0),), 'a'), ((SequenceKey(idx=2), SequenceKey(idx=0)), 'b')]
    """
    return flatten_with_path(tree, is_leaf, is_leaf_takes_path)[0]


def map_with_path(
    f: Callable[..., Any],
    tree: Any,
    *rest: Any,
    is_leaf: IsLeaf = None,
    is_leaf_takes_path: bool = False,
) -> Any:
    """Apply a function to the path and the leaf of a nest, or of several in step.

    Args:
        f: Called with the path and one leaf of each nest.
        tree: Any nest; the result has its structure.
        *rest: Further nests that match ``tree``, as for ``map``.
        is_leaf: Called with every node of ``tree``; where it returns true, the node is a leaf.
        is_leaf_takes_path: Whether to call ``is_leaf`` with the path and the node.

    Returns:
        A nest like ``tree`` that holds what ``f`` returned.

    Raises:
        ValueError: If the structures do not match; names the path and both structures.

    Example:
        >>> from anytensor import tree
        >>> tree.map_with_path(lambda path, x: tree.keystr(path) + str(x), {"a": [1]})
        {'a': ["['a'][0]1"]}
    """
    functions("tree.map_with_path", optional=False, f=f)
    pairs, spec = flatten_with_path(tree, is_leaf, is_leaf_takes_path)
    columns = [[path for path, _ in pairs], [leaf for _, leaf in pairs]]
    for number, other in enumerate(rest):
        columns.append(matching(f"tree.map_with_path: tree number {number + 2}", spec, other))
    return spec.unflatten([f(*row) for row in zip(*columns, strict=True)])


def _visit(
    node: Any,
    path: KeyPath,
    stop: Callable[[KeyPath, Any], bool],
    pairs: list[tuple[KeyPath, Any]],
    marks: list[bool],
) -> None:
    stopped = bool(stop(path, node))
    marks.append(stopped)
    taken = None if stopped else level(node)
    if taken is None:
        pairs.append((path, node))
        return
    for child, key in zip(taken.children, child_keys(node, taken.names), strict=True):
        _visit(child, (*path, key), stop, pairs, marks)
