"""The keys that a path is made of: each says how its parent reaches one child, and prints that expression."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import Any

__all__ = ["DictKey", "FlattenedIndexKey", "GetAttrKey", "KeyPath", "SequenceKey", "keystr", "own_key"]

KeyPath = tuple[Any, ...]


@dataclasses.dataclass(frozen=True)
class SequenceKey:
    """Reach an item of a list, tuple or deque; prints as ``[0]``."""

    idx: int

    def __str__(self) -> str:
        return f"[{self.idx!r}]"

    def get(self, parent: Any) -> Any:
        """Return the child of ``parent`` that this key names.

        Args:
            parent: A sequence.

        Returns:
            The child.

        Raises:
            IndexError: If it is shorter.

        Example:
            >>> from anytensor import tree
            >>> tree.SequenceKey(1).get(["a", "b"])
            'b'
        """
        return parent[self.idx]


@dataclasses.dataclass(frozen=True)
class DictKey:
    """Reach a value of a mapping; prints as ``['a']``."""

    key: Any

    def __str__(self) -> str:
        return f"[{self.key!r}]"

    def get(self, parent: Any) -> Any:
        """Return the child of ``parent`` that this key names.

        Args:
            parent: A mapping.

        Returns:
            The child.

        Raises:
            KeyError: If it has no such key.

        Example:
            >>> from anytensor import tree
            >>> tree.DictKey("a").get({"a": 1})
            1
        """
        return parent[self.key]


@dataclasses.dataclass(frozen=True)
class GetAttrKey:
    """Reach an attribute of a named tuple, dataclass or object; prints as ``.x``."""

    name: str

    def __str__(self) -> str:
        return f".{self.name}"

    def get(self, parent: Any) -> Any:
        """Return the child of ``parent`` that this key names.

        Args:
            parent: An object.

        Returns:
            The child.

        Raises:
            AttributeError: If it has no such attribute.

        Example:
            >>> from anytensor import tree
            >>> tree.GetAttrKey("real").get(2.0)
            2.0
        """
        return getattr(parent, self.name)


@dataclasses.dataclass(frozen=True)
class FlattenedIndexKey:
    """Name a child of a registered class that told no keys; prints as ``[<flat index 0>]``."""

    key: int

    def __str__(self) -> str:
        return f"[<flat index {self.key}>]"


# By name, because JAX and torch have classes of their own and may not be loaded.
_PAYLOAD = {
    "SequenceKey": "idx",
    "DictKey": "key",
    "MappingKey": "key",
    "GetAttrKey": "name",
    "FlattenedIndexKey": "key",
}
_OWN: dict[str, type[Any]] = {
    "SequenceKey": SequenceKey,
    "DictKey": DictKey,
    "MappingKey": DictKey,
    "GetAttrKey": GetAttrKey,
    "FlattenedIndexKey": FlattenedIndexKey,
}


def own_key(key: Any) -> Any:
    """Return this module's key for a key of JAX or torch; any other key comes back unchanged."""
    name = type(key).__name__
    if name in _OWN and type(key).__module__.partition(".")[0] in ("jax", "jaxlib", "torch"):
        return _OWN[name](getattr(key, _PAYLOAD[name]))
    return key


def keystr(keys: Iterable[Any], *, simple: bool = False, separator: str = "") -> str:
    """Print a path as the expression that reaches its leaf.

    Args:
        keys: A path: keys from this module, from JAX or from torch, or any objects.
        simple: Print only what each key holds, without brackets, dots and quotes.
        separator: What to put between the keys.

    Returns:
        The text; empty for the path of the root.

    Raises:
        TypeError: If ``keys`` cannot be iterated over.

    Notes:
        ``simple=True`` is shorter but ambiguous: ``0`` may be an index, the key 0 or the key ``"0"``.

    Example:
        >>> from anytensor import tree
        >>> path = (tree.DictKey("a"), tree.SequenceKey(0), tree.GetAttrKey("x"))
        >>> tree.keystr(path)
        "['a'][0].x"
        >>> tree.keystr(path, simple=True, separator="/")
        'a/0/x'
    """
    if not hasattr(type(keys), "__iter__"):
        raise TypeError(f"tree.keystr: `keys` must be a path, a sequence of keys, got {type(keys).__name__}")
    if not simple:
        return separator.join([str(key) for key in keys])
    return separator.join([_bare(key) for key in keys])


def _bare(key: Any) -> str:
    payload = _PAYLOAD.get(type(key).__name__)
    return str(key) if payload is None else str(getattr(key, payload, key))
