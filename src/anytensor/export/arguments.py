"""The example arguments of an export: every array with the name that it keeps in the file."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from anytensor import errors
from anytensor.export.weights import path_name
from anytensor.tree import keystr
from anytensor.tree.levels import child_keys, level

__all__ = ["Leaf", "argument_names", "check_names", "named_arguments", "spec_of_leaves"]


class Leaf:
    """One entry of the arguments: its name in the file, where it stands, and what is there."""

    def __init__(self, name: str, place: str, value: Any) -> None:
        self.name = name
        self.place = place
        self.value = value


def argument_names(fn: Callable[..., Any], count: int, skip: int) -> list[str]:
    """Return a name for each positional argument, from the signature where it has one.

    Args:
        fn: The function that is exported.
        count: Number of arguments.
        skip: How many leading parameters are not among them (the weights).
    """
    try:
        parameters = list(inspect.signature(fn).parameters.values())[skip:]
    except (TypeError, ValueError):
        parameters = []
    names: list[str] = []
    for parameter in parameters:
        if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD):
            names.append(parameter.name)
        elif parameter.kind is parameter.VAR_POSITIONAL:
            names += [f"{parameter.name}_{i}" for i in range(count - len(names))]
            break
    names += [f"arg_{i}" for i in range(len(names), count)]
    return names[:count]


def named_arguments(names: Sequence[str], args: Sequence[Any]) -> list[Leaf]:
    """Return the leaves of all arguments in the order of ``tree.leaves(args)``, each with its name."""
    found: list[Leaf] = []
    for name, value in zip(names, args, strict=True):
        _walk(value, (), name, found)
    return found


def _walk(node: Any, path: tuple[Any, ...], argument: str, found: list[Leaf]) -> None:
    taken = level(node)
    if taken is None:
        inner = path_name(path)
        found.append(Leaf(f"{argument}__{inner}" if inner else argument, argument + keystr(path), node))
        return
    for key, child in zip(child_keys(node, taken.names), taken.children, strict=True):
        _walk(child, (*path, key), argument, found)


def spec_of_leaves(spec: Any, names: Sequence[str], args: Sequence[Any], function: str) -> list[Any]:
    """Return for each leaf of the arguments what a nest of the same shape says about it.

    Args:
        spec: A sequence with an entry for each argument, or a dict by argument name (absent: None). Each
            entry mirrors its argument: dicts by key, named tuples by field or position; None stands for a
            whole part.
        names: The names of the arguments.
        args: The arguments.
        function: Name of the public function, for errors.

    Returns:
        A list as long as the leaves; None where nothing is said.

    Raises:
        TypeError: If the nest does not mirror the arguments.
    """
    if isinstance(spec, dict):
        unknown = [key for key in spec if key not in names]
        if unknown:
            raise TypeError(
                f"{function}: `dynamic_shapes` names {unknown[0]!r}; the arguments are {', '.join(names)}"
            )
        parts = [spec.get(name) for name in names]
    elif isinstance(spec, (tuple, list)) and len(spec) == len(args):
        parts = list(spec)
    else:
        raise TypeError(
            f"{function}: `dynamic_shapes` must be a sequence with an entry for each of the {len(args)} "
            f"arguments or a dict by their names ({', '.join(names)}), got {errors.describe(spec)}"
            + (f" of length {len(spec)}" if isinstance(spec, (tuple, list)) else "")
        )
    found: list[Any] = []
    for name, part, value in zip(names, parts, args, strict=True):
        _mirror(part, value, name, function, found)
    return found


def _mirror(spec: Any, node: Any, place: str, function: str, found: list[Any]) -> None:
    taken = level(node)
    if taken is None:
        found.append(spec)
        return
    keys = child_keys(node, taken.names)
    fields = [getattr(key, "name", name) for key, name in zip(keys, taken.names, strict=True)]
    if spec is None:
        parts = [None] * len(fields)
    elif isinstance(spec, dict) and all(key in fields for key in spec):
        parts = [spec.get(field) for field in fields]
    elif isinstance(spec, (tuple, list)) and len(spec) == len(fields):
        parts = list(spec)
    else:
        raise TypeError(
            f"{function}: `dynamic_shapes` must mirror {place}, which has the entries {fields}, got {spec!r}"
        )
    for key, part, child in zip(keys, parts, taken.children, strict=True):
        _mirror(part, child, place + keystr((key,)), function, found)


def check_names(names: Any, count: int, function: str, argument: str) -> list[str]:
    """Return given names as a list.

    Raises:
        TypeError: If they are not strings, or not as many as wanted.
        ValueError: If one is empty or comes twice.
    """
    if isinstance(names, str) or not all(isinstance(name, str) for name in names) or len(names) != count:
        raise TypeError(
            f"{function}: `{argument}` must be {count} strings, one for each array, got {names!r}"
        )
    if "" in names or len(set(names)) != count:
        raise ValueError(f"{function}: `{argument}` must be different and not empty, got {names!r}")
    return list(names)
