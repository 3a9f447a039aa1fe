"""Split a nest in two by a mask or a predicate, and merge the parts again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from anytensor.errors import describe
from anytensor.tree.keys import KeyPath
from anytensor.tree.levels import child_keys, level, rebuild
from anytensor.tree.mismatch import first_difference, leaf_paths, structure_mismatch, where
from anytensor.tree.registration import register_pytree_node
from anytensor.tree.walking import flatten, leaves, matching, structure

__all__ = ["HOLE", "Split", "merge", "split"]


class _Hole:
    """The type of ``HOLE``: an empty node, so that functions over a part meet only the part's leaves."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "HOLE"

    def __reduce__(self) -> str:
        return "HOLE"


HOLE = _Hole()
register_pytree_node(_Hole, lambda _: ((), None), lambda _, children: HOLE)


class Split(NamedTuple):
    """The two parts of a nest; where a leaf is in one of them, the other has ``HOLE``.

    Attributes:
        selected: The nest with the leaves that the mask selects.
        rest: The nest with the other leaves.
    """

    selected: Any
    rest: Any


def split(tree: Any, mask: Any, is_leaf: Callable[[Any], bool] | None = None) -> Split:
    """Split a nest in two by a mask.

    Args:
        tree: Any nest.
        mask: A function of a leaf that returns a bool; or a nest of bools with the structure of ``tree`` or a
            prefix of it, in which one bool speaks for all leaves below it.
        is_leaf: Called with every node of ``tree``; where it returns true, the node is a leaf.

    Returns:
        The leaves where the mask is true, and the others, each in the nest's own form with ``HOLE`` in the
        place of the missing leaves. A hole is an empty subtree to this library, JAX, torch and optree, so
        ``jax.grad`` and an optimiser work on one part as it is. None stays in both.

    Raises:
        TypeError: If the mask holds anything but bools.
        ValueError: If the mask's structure is no prefix of the tree's; names the path.

    Example:
        >>> from anytensor import tree
        >>> trained, frozen = tree.split({"w": 1.0, "steps": 7}, lambda leaf: isinstance(leaf, float))
        >>> trained, frozen
        ({'w': 1.0, 'steps': HOLE}, {'w': HOLE, 'steps': 7})
        >>> tree.merge(trained, frozen)
        {'w': 1.0, 'steps': 7}
    """
    flat, spec = flatten(tree, is_leaf)
    flags = [bool(mask(leaf)) for leaf in flat] if callable(mask) else _spread(mask, tree, is_leaf)
    return Split(
        spec.unflatten([leaf if flag else HOLE for leaf, flag in zip(flat, flags, strict=True)]),
        spec.unflatten([HOLE if flag else leaf for leaf, flag in zip(flat, flags, strict=True)]),
    )


def merge(*trees: Any) -> Any:
    """Merge parts that ``split`` made: each leaf comes from the part that has it.

    Args:
        *trees: The parts, of one structure apart from their holes; or one ``Split``.

    Returns:
        The nest; ``merge(*split(tree, mask))`` equals ``tree``. A hole in every part stays one.

    Raises:
        TypeError: If there is no part.
        ValueError: If two parts fill one place, or their structures do not match; names the path.

    Example:
        >>> from anytensor import tree
        >>> tree.merge(tree.split([1, None, "a"], [True, None, False]))
        [1, None, 'a']
    """
    if len(trees) == 1 and type(trees[0]) is Split:
        trees = tuple(trees[0])
    if not trees:
        raise TypeError("tree.merge: at least one tree is required")
    merged = trees[0]
    for number, other in enumerate(trees[1:]):
        merged = _merge(f"tree.merge: tree number {number + 2}", merged, other, ())
    return merged


def _merge(what: str, one: Any, two: Any, path: KeyPath) -> Any:
    if two is HOLE:
        return one
    if one is HOLE:
        return two
    first, second = level(one), level(two)
    if first is None or second is None:
        raise ValueError(f"{what} has a leaf that another one has too, at {where(path)}: {describe(two)}")
    difference = first_difference(structure(one, lambda node: node is not one), two, [], path)
    if difference is not None:
        raise structure_mismatch(what, structure(one), two, difference)
    others = dict(zip(second.names, second.children, strict=True))
    children = [
        _merge(what, child, others[name], (*path, key))
        for child, name, key in zip(first.children, first.names, child_keys(one, first.names), strict=True)
    ]
    return rebuild(type(one), first.names, first.metadata, children)


def _spread(mask: Any, tree: Any, is_leaf: Callable[[Any], bool] | None) -> list[bool]:
    flags, spec = flatten(mask)
    for flag, path in zip(flags, leaf_paths(spec, mask), strict=True):
        if not isinstance(flag, (bool, np.bool_)):
            raise TypeError(f"tree.split: `mask` must hold bools, got {describe(flag)} at {where(path)}")
    subtrees = matching("tree.split: `tree`, by the structure of `mask`,", spec, tree, is_leaf)
    return [
        bool(flag) for flag, subtree in zip(flags, subtrees, strict=True) for _ in leaves(subtree, is_leaf)
    ]
