"""The arguments of one call, taken apart: arrays that go to a backend, and all else, which is static."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import optree

from anytensor import errors

__all__ = ["Operands", "flatten_with_paths", "is_floating"]


def is_floating(array: Any) -> bool:
    """Return whether a NumPy array holds real floating numbers, those of ml_dtypes included."""
    return array.dtype.kind == "f" or (array.dtype.kind == "V" and "float" in array.dtype.name)


def flatten_with_paths(tree: Any, root: str) -> list[tuple[str, Any]]:
    """Return the leaves of a nest, each with the expression that reaches it from ``root``; None is a leaf."""
    accessors, leaves, _ = optree.tree_flatten_with_accessor(tree, none_is_leaf=True)
    return [(accessor.codify(root), leaf) for accessor, leaf in zip(accessors, leaves, strict=True)]


class _Static:
    """Hides an argument that is marked static from the flattening."""

    def __init__(self, value: Any) -> None:
        self.value = value


class Operands:
    """Arguments of one call.

    Attributes:
        leaves: The arrays among the arguments, NumPy scalars as 0-d arrays, in the order of flattening.
        paths: Name of each array: its parameter's name, and the way into a nest.
        key: Equal for calls that differ in their arrays only; None if a static argument is not hashable.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        args: Sequence[Any],
        kwargs: Mapping[str, Any],
        static: int | str | Iterable[int | str],
        caller: str,
    ) -> None:
        names = _parameter_names(function, len(args))
        marked_args, marked_kwargs = _mark_static(args, kwargs, static, names, caller)
        everything: list[Any] = []
        paths: list[str] = []
        for name, value in zip(
            [*names, *marked_kwargs], [*marked_args, *marked_kwargs.values()], strict=True
        ):
            for path, leaf in flatten_with_paths(value, name):
                everything.append(leaf)
                paths.append(path)
        _, self._spec = optree.tree_flatten(
            (tuple(marked_args), list(marked_kwargs.values())), none_is_leaf=True
        )
        self._keywords = tuple(marked_kwargs)
        for path, leaf in zip(paths, everything, strict=True):
            if _is_frameworks(leaf):
                raise TypeError(
                    f"{caller}: `{path}` must be host data, NumPy arrays and scalars, which the kit brings "
                    f"to each backend, got {errors.describe(leaf)}; what goes as it is belongs in `static`"
                )
        self._places = [i for i, leaf in enumerate(everything) if _is_operand(leaf)]
        self._everything = [leaf.value if isinstance(leaf, _Static) else leaf for leaf in everything]
        self.leaves = [np.asarray(everything[i]) for i in self._places]
        self.paths = [paths[i] for i in self._places]
        self.key = self._make_key()

    def _make_key(self) -> Hashable | None:
        static = tuple(
            None if i in self._places else (type(leaf), leaf) for i, leaf in enumerate(self._everything)
        )
        key = (self._spec, self._keywords, static)
        try:
            hash(key)
        except TypeError:
            return None
        return key

    @property
    def floating(self) -> list[int]:
        """Positions in ``leaves`` of the arrays that gradients are taken for."""
        return [i for i, leaf in enumerate(self.leaves) if is_floating(leaf)]

    def rebuild(self, leaves: Sequence[Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Return positional and keyword arguments with other arrays in the places of ``leaves``."""
        everything = list(self._everything)
        for place, leaf in zip(self._places, leaves, strict=True):
            everything[place] = leaf
        args, values = optree.tree_unflatten(self._spec, everything)
        return args, dict(zip(self._keywords, values, strict=True))


def _is_operand(leaf: Any) -> bool:
    return isinstance(leaf, (np.ndarray, np.generic)) and (
        leaf.dtype.kind in "biufc" or "float" in leaf.dtype.name
    )


def _is_frameworks(leaf: Any) -> bool:
    """Return whether a leaf is a tensor of some framework."""
    host = isinstance(leaf, (np.ndarray, np.generic, np.dtype, type))
    return not host and hasattr(leaf, "shape") and hasattr(leaf, "dtype")


def _parameter_names(function: Callable[..., Any], count: int) -> list[str]:
    fallback = [f"args[{i}]" for i in range(count)]
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):  # a builtin without a signature
        return fallback
    positional = [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    return positional[:count] + fallback[len(positional) :]


def _mark_static(
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    static: int | str | Iterable[int | str],
    names: list[str],
    caller: str,
) -> tuple[list[Any], dict[str, Any]]:
    marked_args, marked_kwargs = list(args), dict(kwargs)
    for which in (static,) if isinstance(static, (int, str)) else static:
        if isinstance(which, bool) or not isinstance(which, (int, str)):
            raise TypeError(
                f"{caller}: `static` must hold positions (int) or names (str) of arguments, "
                f"got {errors.describe(which)}"
            )
        if isinstance(which, str) and which in marked_kwargs:
            marked_kwargs[which] = _Static(marked_kwargs[which])
            continue
        if isinstance(which, str) and which in names:
            which = names.index(which)
        if isinstance(which, str) or not 0 <= which < len(marked_args):
            raise ValueError(
                f"{caller}: `static` names {which!r}, which is no argument of this call; its arguments are "
                f"{', '.join([*names, *marked_kwargs]) or 'none'} (positions 0 to {len(marked_args) - 1})"
            )
        marked_args[which] = _Static(marked_args[which])
    return marked_args, marked_kwargs
