"""Take nests apart into leaves and a structure, put them together again, and map over them."""

from __future__ import annotations

import builtins
import functools
from collections.abc import Callable, Iterable
from typing import Any

import optree

from anytensor.ops.plain import functions
from anytensor.tree.mismatch import first_difference, flatten_up_to, leaf_paths, structure_mismatch
from anytensor.tree.nodes import NAMESPACE, SURE_LEAVES, adopt, adopt_records
from anytensor.tree.tracing import TracedStructure, flatten_traced, is_traced

__all__ = ["all", "flatten", "leaves", "map", "reduce", "structure", "transpose", "unflatten"]

IsLeaf = Callable[[Any], bool] | None


def flatten(tree: Any, is_leaf: IsLeaf = None) -> tuple[list[Any], Any]:
    """Take a nest apart into its leaves and its structure.

    Args:
        tree: Any nest of lists, tuples, named tuples, dicts (also OrderedDict, defaultdict), deques, None,
            and classes registered with this library, JAX, torch or optree, or with
            ``__tree_flatten__`` and ``__tree_unflatten__``. Everything else is a leaf.
        is_leaf: Called with every node; where it returns true, the node is a leaf.

    Returns:
        The leaves, depth first, the values of a dict by sorted key; and the structure, an
        ``optree.PyTreeSpec``. None is an empty subtree: it has no leaf.

    Notes:
        Dict keys that cannot be compared (``1`` and ``"a"``) are sorted by their types' names first; if
        that is not enough, they keep the order of insertion. Under ``torch.compile`` the structure must not
        leave or enter the compiled function: it is TorchDynamo's stand-in there.

    Example:
        >>> from anytensor import tree
        >>> leaves, structure = tree.flatten({"b": [1, None], "a": (2, 3)})
        >>> leaves
        [2, 3, 1]
        >>> tree.unflatten(structure, [20, 30, 10])
        {'b': [10, None], 'a': (20, 30)}
    """
    if is_leaf is not None:
        functions("tree", optional=True, is_leaf=is_leaf)
    if is_traced():
        return flatten_traced(tree, is_leaf)
    adopt_records()
    flat, spec = optree.tree_flatten(tree, is_leaf, namespace=NAMESPACE)
    unknown = {type(leaf) for leaf in flat} - SURE_LEAVES
    if unknown and any(adopt(kind) for kind in unknown):
        return flatten(tree, is_leaf)
    return flat, spec


def unflatten(structure: Any, leaves: Iterable[Any]) -> Any:
    """Put a nest together from its structure and new leaves.

    Args:
        structure: What ``structure`` or ``flatten`` returned.
        leaves: As many objects as the structure has leaves.

    Returns:
        The nest. A dict has its keys in the order of the one that the structure was taken from.

    Raises:
        TypeError: If ``structure`` is not a structure.
        ValueError: If the number of leaves is wrong.

    Example:
        >>> from anytensor import tree
        >>> tree.unflatten(tree.structure((0, [0])), ["a", "b"])
        ('a', ['b'])
    """
    leaves = list(leaves)
    count = _structured("unflatten", "structure", structure)
    if is_traced() and not isinstance(structure, TracedStructure):
        raise TypeError(
            "tree.unflatten: `structure` was made outside of torch.compile, which cannot look into it; "
            "take it inside, by tree.structure of a tree of the same form"
        )
    if len(leaves) != count:
        raise ValueError(
            f"tree.unflatten: `leaves` has {len(leaves)} items, the structure has {count} leaves: {structure}"
        )
    return structure.unflatten(leaves)


def leaves(tree: Any, is_leaf: IsLeaf = None) -> list[Any]:
    """Return the leaves of a nest, as ``flatten`` does.

    Args:
        tree: Any nest.
        is_leaf: Called with every node; where it returns true, the node is a leaf.

    Returns:
        The leaves; an empty list for None and for empty containers.

    Example:
        >>> from anytensor import tree
        >>> tree.leaves({"x": 1, "y": [2, None, (3,)]})
        [1, 2, 3]
    """
    return flatten(tree, is_leaf)[0]


def structure(tree: Any, is_leaf: IsLeaf = None) -> Any:
    """Return the structure of a nest: what it is without its leaves.

    Args:
        tree: Any nest.
        is_leaf: Called with every node; where it returns true, the node is a leaf.

    Returns:
        An ``optree.PyTreeSpec``, comparable and hashable; the order in which a dict's keys were put in is no
        part of it.

    Example:
        >>> from anytensor import tree
        >>> tree.structure({"a": 1, "b": 2}) == tree.structure({"b": 0, "a": 0})
        True
    """
    return flatten(tree, is_leaf)[1]


def map(f: Callable[..., Any], tree: Any, *rest: Any, is_leaf: IsLeaf = None) -> Any:
    """Apply a function to the leaves of one nest, or to those of several in step.

    Args:
        f: Called with one leaf, or with one of each nest.
        tree: Any nest; the result has its structure.
        *rest: Further nests. Each must have the structure of ``tree``, or have subtrees where ``tree`` has
            leaves; then ``f`` gets the subtree.
        is_leaf: Called with every node of ``tree``; where it returns true, the node is a leaf.

    Returns:
        A nest like ``tree`` that holds what ``f`` returned; None for None.

    Raises:
        ValueError: If the structures do not match; names the path and both structures.

    Notes:
        Two nodes match when their types are the same and, for dicts, the sets of keys; a deque's ``maxlen``
        and a defaultdict's factory come from ``tree``.

    Example:
        >>> from anytensor import tree
        >>> tree.map(lambda x, y: x + y, {"a": 1, "b": [2]}, {"b": [20], "a": 10})
        {'a': 11, 'b': [22]}
    """
    if not callable(f):
        functions("tree.map", optional=False, f=f)
    flat, spec = flatten(tree, is_leaf)
    if not rest:
        return spec.unflatten([f(leaf) for leaf in flat])
    columns = [flat]
    for number, other in enumerate(rest):
        columns.append(matching(f"tree.map: tree number {number + 2}", spec, other, is_leaf))
    return spec.unflatten([f(*row) for row in zip(*columns, strict=True)])


def matching(what: str, spec: Any, other: Any, is_leaf: IsLeaf = None) -> list[Any]:
    """Return the subtrees of a tree at the leaves of a structure, or raise the error that names ``what``."""
    flat, other_spec = flatten(other, is_leaf)
    if other_spec == spec:
        return flat
    return flatten_up_to(what, spec, other)


class _Missing:
    """The type of the value that says: no initializer was given."""

    def __repr__(self) -> str:
        return "<no initializer>"


_MISSING = _Missing()


def reduce(
    function: Callable[[Any, Any], Any], tree: Any, initializer: Any = _MISSING, is_leaf: IsLeaf = None
) -> Any:
    """Fold the leaves of a nest with a function of two arguments.

    Args:
        function: Called with the value so far and the next leaf.
        tree: Any nest.
        initializer: The value to start from. Without it, the first leaf.
        is_leaf: Called with every node; where it returns true, the node is a leaf.

    Returns:
        The last value; ``initializer`` for a nest without leaves.

    Raises:
        TypeError: If there are no leaves and no initializer.

    Example:
        >>> from anytensor import tree
        >>> tree.reduce(lambda total, x: total + x, {"a": 1, "b": (2, 3)}, 10)
        16
    """
    functions("tree.reduce", optional=False, function=function)
    flat = flatten(tree, is_leaf)[0]
    if initializer is not _MISSING:
        return functools.reduce(function, flat, initializer)
    if not flat:
        raise TypeError("tree.reduce: `tree` has no leaves and there is no `initializer`")
    return functools.reduce(function, flat)


def all(tree: Any, *, is_leaf: IsLeaf = None) -> bool:
    """Return whether every leaf of a nest is true.

    Args:
        tree: Any nest of leaves that have a truth value.
        is_leaf: Called with every node; where it returns true, the node is a leaf.

    Returns:
        A bool; True for a nest without leaves.

    Example:
        >>> from anytensor import tree
        >>> tree.all([True, {"a": 1}]), tree.all([True, {"a": 0}])
        (True, False)
    """
    return builtins.all(flatten(tree, is_leaf)[0])


def transpose(outer: Any, inner: Any, tree: Any) -> Any:
    """Turn a nest of nests inside out.

    Args:
        outer: The structure of ``tree`` down to where the inner nests begin.
        inner: The structure of each inner nest; None to take it from the first one.
        tree: The nest of nests.

    Returns:
        A nest of structure ``inner`` that holds nests of structure ``outer``.

    Raises:
        ValueError: If ``tree`` is not ``outer`` filled with ``inner``; names the path and both structures.

    Example:
        >>> from anytensor import tree
        >>> points = [{"x": 1, "y": 2}, {"x": 3, "y": 4}]
        >>> tree.transpose(tree.structure([0, 0]), tree.structure({"x": 0, "y": 0}), points)
        {'x': [1, 3], 'y': [2, 4]}
    """
    _structured("transpose", "outer", outer)
    if inner is not None:
        _structured("transpose", "inner", inner)
    subtrees = flatten_up_to("tree.transpose: `tree`", outer, tree)
    if inner is None:
        if not subtrees:
            raise ValueError("tree.transpose: `inner` is required when `outer` has no leaves")
        inner = structure(subtrees[0])
    rows: list[list[Any]] = []
    for subtree in subtrees:
        row, spec = flatten(subtree)
        if spec != inner:
            difference = first_difference(inner, subtree, [], leaf_paths(outer, tree)[len(rows)], exact=True)
            if difference is not None:
                raise structure_mismatch("tree.transpose: `tree`", inner, subtree, difference)
        rows.append(row)
    columns = [[row[i] for row in rows] for i in range(inner.num_leaves)]
    return inner.unflatten([outer.unflatten(column) for column in columns])


def _structured(function: str, argument: str, structure: Any) -> Any:
    """Return the number of leaves of a structure.

    Raises:
        TypeError: If it is no structure of ours, Dynamo's stand-in included.
    """
    count = getattr(structure, "num_leaves", None)
    if count is None or not hasattr(structure, "entries"):
        raise TypeError(
            f"tree.{function}: `{argument}` must be a structure of this library, got {type(structure)}"
        )
    return count
