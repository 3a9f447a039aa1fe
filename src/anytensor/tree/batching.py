"""Many trees as one, and one as many: along an axis that the leaves have, or along a new one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from numpy.exceptions import AxisError

from anytensor.errors import describe
from anytensor.ops.arguments import axis_in_range
from anytensor.ops.dispatch import operand
from anytensor.ops.manipulation import concat, expand_dims
from anytensor.ops.manipulation import stack as stack_arrays
from anytensor.ops.manipulation import unstack as unstack_array
from anytensor.tree.mismatch import leaf_paths, where
from anytensor.tree.walking import flatten, matching

__all__ = ["batch", "let_own", "stack", "unbatch", "unstack"]


class _Owner(NamedTuple):
    batch: Callable[[list[Any]], Any]
    unbatch: Callable[[Any], Iterable[Any]]


# Classes of other packages, which cannot have the methods.
_owners: dict[type, _Owner] = {}


def let_own(kind: type, batch: Callable[[list[Any]], Any], unbatch: Callable[[Any], Iterable[Any]]) -> None:
    """Have a class that is not ours own ``batch`` and ``unbatch``, as with the methods named there."""
    _owners[kind] = _Owner(batch, unbatch)


def batch(trees: Iterable[Any], axis: int = 0) -> Any:
    """Concatenate trees leaf by leaf.

    Args:
        trees: At least one tree, all of one structure. Corresponding leaves are arrays of one framework, any
            dtype, whose shapes agree but along ``axis``.
        axis: The axis to concatenate along; every leaf has it.

    Returns:
        A tree like each of them; a leaf is as long along ``axis`` as the leaves it was made of together.

    Raises:
        TypeError: If ``trees`` is no list, tuple or iterator, or a leaf is not an array.
        ValueError: If it is empty, or structures or shapes do not agree; names the path.

    Notes:
        A class takes the work over, for a whole tree or a part of one, with a class method
        ``__tree_batch__(cls, objects)``, which gets the list of objects and returns one of them, and a method
        ``__tree_unbatch__(self)``, which returns the list. ``axis`` has no meaning to such objects and must
        be 0.

    Example:
        >>> import numpy as np
        >>> from anytensor import tree
        >>> tree.batch([{"x": np.array([1, 2])}, {"x": np.array([3])}])
        {'x': array([1, 2, 3])}
    """
    listed = _listed("batch", trees)
    kind = type(listed[0])
    if _owns(listed[0]):
        for number, other in enumerate(listed[1:]):
            if type(other) is not kind:
                raise TypeError(
                    f"tree.batch: `trees` must hold objects of one type, got {kind.__name__} first and "
                    f"{type(other).__name__} as number {number + 2}"
                )
        _axis_is_zero("batch", axis, kind)
        return _owners[kind].batch(listed) if kind in _owners else kind.__tree_batch__(listed)
    if axis is None:
        raise TypeError("tree.batch: `axis` must be an integer, got None")
    return _join("batch", listed, axis, concat, _owns)


def unbatch(tree: Any, axis: int = 0) -> list[Any]:
    """Split a tree into its rows; ``batch`` puts them together again.

    Args:
        tree: A tree with at least one leaf. The leaves are arrays, any dtype, of one length along ``axis``.
        axis: The axis to split along.

    Returns:
        As many trees as the leaves are long; each leaf keeps the axis, with length 1. An empty list for a
        length of 0.

    Raises:
        TypeError: If a leaf is not an array.
        ValueError: If there is no leaf, the lengths differ, or a length is known only when a graph runs.

    Notes:
        A class takes the work over with ``__tree_unbatch__``, see ``batch``.

    Example:
        >>> import numpy as np
        >>> from anytensor import tree
        >>> tree.unbatch({"x": np.array([[1, 2], [3, 4]])})
        [{'x': array([[1, 2]])}, {'x': array([[3, 4]])}]
    """
    if _owns(tree):
        kind = type(tree)
        _axis_is_zero("unbatch", axis, kind)
        return list(_owners[kind].unbatch(tree) if kind in _owners else tree.__tree_unbatch__())

    return _part("unbatch", tree, axis, _rows, _owns)


def stack(trees: Iterable[Any], axis: int = 0) -> Any:
    """Stack trees leaf by leaf along a new axis.

    Args:
        trees: At least one tree, all of one structure. Corresponding leaves are arrays or scalars of one
            framework, any dtype, and of one shape.
        axis: Place of the new axis in every leaf of the result.

    Returns:
        A tree like each of them, its leaves with one axis more, as ``jax.vmap`` and ``torch.vmap`` map over.

    Raises:
        TypeError: If ``trees`` is no list, tuple or iterator, or a leaf is not an array.
        ValueError: If it is empty, or structures or shapes do not agree; names the path.

    Example:
        >>> import numpy as np
        >>> from anytensor import tree
        >>> tree.stack([(np.array([1, 2]), 0.5), (np.array([3, 4]), 1.5)])
        (array([[1, 2],
               [3, 4]]), array([0.5, 1.5]))
    """
    return _join("stack", _listed("stack", trees), axis, stack_arrays, None)


def unstack(tree: Any, axis: int = 0) -> list[Any]:
    """Split a tree along an axis and drop the axis; ``stack`` puts the parts together again.

    Args:
        tree: A tree with at least one leaf. The leaves are arrays, any dtype, of one length along ``axis``.
        axis: The axis to drop.

    Returns:
        As many trees as the leaves are long, their leaves with one axis less. An empty list for a length of
        0.

    Raises:
        TypeError: If a leaf is not an array.
        ValueError: If there is no leaf, the lengths differ, or a length is known only when a graph runs.

    Example:
        >>> import numpy as np
        >>> from anytensor import tree
        >>> tree.unstack({"x": np.array([[1, 2], [3, 4]])})
        [{'x': array([1, 2])}, {'x': array([3, 4])}]
    """
    return _part("unstack", tree, axis, unstack_array, None)


def _rows(leaf: Any, axis: int) -> Sequence[Any]:
    if _owns(leaf):
        return unbatch(leaf, axis)
    backend, leaf = operand("unbatch", "tree", leaf)
    axis = axis_in_range("unbatch", axis, backend.rank(leaf))
    # One new axis before the split, not one for each row after it.
    return unstack_array(expand_dims(leaf, axis + 1 if axis >= 0 else axis), axis if axis >= 0 else axis - 1)


def _owns(node: Any) -> bool:
    return hasattr(type(node), "__tree_batch__") or type(node) in _owners


def _axis_is_zero(function: str, axis: int, kind: type) -> None:
    if axis != 0:
        raise ValueError(
            f"tree.{function}: `axis` must be 0 for objects with `__tree_batch__`, got {axis!r} "
            f"for {kind.__name__}"
        )


def _listed(function: str, trees: Iterable[Any]) -> list[Any]:
    if isinstance(trees, (dict, str)) or hasattr(trees, "_fields") or not hasattr(type(trees), "__iter__"):
        raise TypeError(f"tree.{function}: `trees` must be a list of trees, got {describe(trees)}")
    try:
        listed = list(trees)
    except TypeError:  # an array of no axis
        raise TypeError(f"tree.{function}: `trees` must be a list of trees, got {describe(trees)}") from None
    if not listed:
        raise ValueError(f"tree.{function}: `trees` must hold at least one tree, got none")
    return listed


def _join(
    function: str,
    trees: list[Any],
    axis: int,
    join: Callable[..., Any],
    is_leaf: Callable[[Any], bool] | None,
) -> Any:
    flat, spec = flatten(trees[0], is_leaf)
    columns = [flat]
    if is_leaf is not None and not any(is_leaf(leaf) for leaf in flat):
        is_leaf = None  # a call for every node of every tree would take most of the time
    for number, other in enumerate(trees[1:]):
        columns.append(matching(f"tree.{function}: tree number {number + 2}", spec, other, is_leaf))
    joined: list[Any] = []
    for row in zip(*columns, strict=True):
        work = batch if is_leaf is not None and is_leaf(row[0]) else join
        joined.append(_named(function, "leaves", spec, trees[0], len(joined), work, list(row), axis))
    return spec.unflatten(joined)


def _part(
    function: str,
    tree: Any,
    axis: int,
    split: Callable[[Any, int], Sequence[Any]],
    is_leaf: Callable[[Any], bool] | None,
) -> list[Any]:
    flat, spec = flatten(tree, is_leaf)
    if not flat:
        raise ValueError(f"tree.{function}: `tree` has no leaves, so it has no number of rows: {spec}")
    columns: list[Sequence[Any]] = []
    for leaf in flat:
        columns.append(_named(function, "leaf", spec, tree, len(columns), split, leaf, axis))
        if len(columns[-1]) != len(columns[0]):
            paths = leaf_paths(spec, tree)
            raise ValueError(
                f"tree.{function}: the leaves differ in length: {len(columns[0])} at {where(paths[0])}, "
                f"{len(columns[-1])} at {where(paths[len(columns) - 1])}"
            )
    return [spec.unflatten(list(row)) for row in zip(*columns, strict=True)]


def _named(
    function: str, what: str, spec: Any, tree: Any, index: int, work: Callable[..., Any], *args: Any
) -> Any:
    try:
        return work(*args)
    except (TypeError, ValueError) as error:
        # A framework's own subclass may be made from something else than a message.
        if type(error) not in (TypeError, ValueError, AxisError):
            raise
        path = where(leaf_paths(spec, tree)[index])
        raise type(error)(f"tree.{function}: {what} at {path}: {error}") from error
