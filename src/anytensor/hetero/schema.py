"""The types of a graph's nodes and edges by their keys, and what is given for each of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import FunctionType
from typing import Any, TypeAlias

from anytensor import errors

__all__ = [
    "EdgeType",
    "is_by_type",
    "part_of",
    "resolve_etype",
    "reverse_canonical_etype",
    "unknown_key",
    "value_of",
]

EdgeType: TypeAlias = tuple[str, str, str]
"""Source node type, relation, destination node type."""


def reverse_canonical_etype(etype: EdgeType) -> EdgeType:
    """Name the relation that runs the other way.

    Args:
        etype: (source node type, relation, destination node type).

    Returns:
        (destination node type, ``"rev_" + relation``, source node type).

    Raises:
        TypeError: If ``etype`` is not three strings.

    Example:
        >>> from anytensor import hetero
        >>> hetero.reverse_canonical_etype(("user", "buys", "item"))
        ('item', 'rev_buys', 'user')
    """
    if not is_canonical(etype):
        raise TypeError(
            "reverse_canonical_etype: `etype` must be (source type, relation, destination type), three "
            f"strings, got {etype!r}"
        )
    source, relation, destination = etype
    return destination, f"rev_{relation}", source


def is_canonical(etype: Any) -> bool:
    """Return whether an object is a canonical edge type: a tuple of three strings."""
    return type(etype) is tuple and [type(part) for part in etype] == [str, str, str]


def unknown_key(function: str, argument: str, key: Any, known: Collection[Any]) -> ValueError:
    """Build the error for a key that a graph, or a mapping given beside it, does not have."""
    listed = ", ".join([repr(k) for k in known]) or "none"
    return ValueError(f"{function}: `{argument}` has no {key!r}; there are {listed}")


def resolve_etype(function: str, argument: str, etype: Any, known: Collection[EdgeType]) -> EdgeType:
    """Return the canonical edge type of a graph that a user named, by itself or by its relation alone.

    Raises:
        ValueError: If the graph has none of that name, or several.
    """
    if etype in known:
        return etype  # type: ignore[no-any-return]  # it is one of the known ones
    if isinstance(etype, str):
        found = [key for key in known if key[1] == etype]
        if len(found) == 1:
            return found[0]
        if found:
            raise ValueError(
                f"{function}: `{argument}` names {etype!r}, which may be {', '.join(map(repr, found))}; give "
                "one of those"
            )
    raise unknown_key(function, argument, etype, known)


def part_of(function: str, argument: str, parts: Any, keys: tuple[Any, ...]) -> Any:
    """Return the callable for a type: the one for all, or that of the first key that a mapping has.

    Args:
        function: Name of the public function, for errors.
        argument: Name of the argument, for errors.
        parts: A callable, or a mapping of callables (``torch.nn.ModuleDict``, callable by its class, too).
        keys: What the type may be called in the mapping; the first one names it in errors.

    Raises:
        TypeError: If there is no callable.
        ValueError: If the mapping has none of the keys.
    """
    part = parts
    if is_by_type(parts):
        part = _entry(function, argument, parts, keys)
        argument = f"{argument}[{keys[0]!r}]"
    if not callable(part):
        raise TypeError(
            f"{function}: `{argument}` must be callable, or a mapping of callables by type, got "
            f"{errors.describe(part)}"
        )
    return part


def is_by_type(parts: Any) -> bool:
    """Return whether callables are given by type: in a mapping or what looks like one, such as ModuleDict."""
    # Dynamo (torch 2.13) cannot ask a function that it has a substitute for about its attributes.
    return not isinstance(parts, FunctionType) and hasattr(parts, "keys")


def value_of(function: str, argument: str, values: Any, keys: tuple[Any, ...]) -> Any:
    """Return the value for a type: the one for all, or that of the first key that a mapping has."""
    # Not every mapping is a Mapping: torch.nn.ParameterDict is not.
    is_mapping = isinstance(values, Mapping) or (hasattr(values, "keys") and hasattr(values, "__getitem__"))
    return _entry(function, argument, values, keys) if is_mapping else values


def _entry(function: str, argument: str, mapping: Any, keys: tuple[Any, ...]) -> Any:
    known = list(mapping.keys())
    for key in keys:
        if key in known:
            return mapping[key]
    raise unknown_key(function, argument, keys[0], known)
