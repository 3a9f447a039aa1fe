"""Which classes are nodes: one registration for every library, and registrations made with any of them."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Callable, Hashable, Iterable, Sequence
from types import ModuleType
from typing import Any, TypeVar

from optree import registry as _optree_registry

from anytensor.loaded import module_if_loaded
from anytensor.tree.keys import DictKey, FlattenedIndexKey, GetAttrKey, SequenceKey
from anytensor.tree.nodes import (
    Flatten,
    Keys,
    Node,
    Unflatten,
    enter_into_optree,
    keys_from,
    node_from_hooks,
    set_node,
)

__all__ = ["register_dataclass", "register_pytree_node", "register_pytree_node_class"]

ClassT = TypeVar("ClassT", bound=type[Any])

# optree gives its global namespace no public name: "" is refused, so that nobody registers there by accident.
_EVERYWHERE: Any = vars(_optree_registry)["__GLOBAL_NAMESPACE"]

_registered_here: set[type] = set()


def register_pytree_node(
    cls: ClassT,
    flatten: Flatten,
    unflatten: Unflatten,
    flatten_with_keys: Callable[[Any], tuple[Iterable[tuple[Any, Any]], Any]] | None = None,
) -> ClassT:
    """Make a class a node of every tree: here and in optree, and in JAX and torch once those are loaded.

    Args:
        cls: The class. Its subclasses are not registered with it.
        flatten: Called with an object; returns its children (an iterable) and its metadata, which must be
            hashable and comparable.
        unflatten: Called with the metadata and the new children; returns the object. The children may be
            anything (placeholders, tracers), so it should not check them.
        flatten_with_keys: As ``flatten``, but with a pair ``(key, child)`` for each child; the keys appear
            in paths. Without it a path shows the child's index.

    Returns:
        ``cls``, unchanged.

    Raises:
        TypeError: If ``cls`` is not a class, or a function is not callable.
        ValueError: If ``cls`` was registered with this function before, or is a builtin container.

    Notes:
        A registration that the class already has with JAX, torch or optree is left as it is.

    Example:
        >>> from anytensor import tree
        >>> class Pair:
        ...     def __init__(self, a, b):
        ...         self.a, self.b = a, b
        >>> _ = tree.register_pytree_node(Pair, lambda p: ((p.a, p.b), None), lambda _, ab: Pair(*ab))
        >>> tree.leaves({"p": Pair(1, [2, 3])})
        [1, 2, 3]
    """
    if not isinstance(cls, type):
        raise TypeError(f"register_pytree_node: `cls` must be a class, got {cls!r}")
    for name, function in (("flatten", flatten), ("unflatten", unflatten)):
        if not callable(function):
            raise TypeError(f"register_pytree_node: `{name}` must be callable, got {function!r}")
    if flatten_with_keys is not None and not callable(flatten_with_keys):
        raise TypeError(
            f"register_pytree_node: `flatten_with_keys` must be callable or None, got {flatten_with_keys!r}"
        )
    if cls in _registered_here:
        raise ValueError(f"register_pytree_node: {cls!r} is already registered")
    keys = None if flatten_with_keys is None else keys_from(flatten_with_keys)
    set_node(cls, Node(flatten, unflatten, keys))
    _registered_here.add(cls)
    # A library that already knows the class raises ValueError; its own registration stays.
    with contextlib.suppress(ValueError):
        enter_into_optree(cls, Node(flatten, unflatten, keys), _EVERYWHERE)
    module_if_loaded("jax", lambda jax: _tell_jax(jax, cls, flatten, unflatten, keys))
    module_if_loaded("torch", lambda torch: _tell_torch(torch, cls, flatten, unflatten, keys))
    return cls


def register_pytree_node_class(cls: ClassT) -> ClassT:
    """Register a class by its own methods; use it as a decorator.

    Args:
        cls: A class with ``__tree_flatten__(self)``, which returns children, metadata and, if it likes,
            the children's attribute names, and a class method ``__tree_unflatten__(cls, metadata,
            children)``; or with JAX's names for the two, ``tree_flatten`` and ``tree_unflatten``.

    Returns:
        ``cls``, unchanged.

    Raises:
        TypeError: If the class has neither pair of methods.
        ValueError: If the class was registered before.

    Notes:
        A class with the two dunder methods is a node here even without this decorator; with it, JAX,
        torch and optree see the class too.

    Example:
        >>> from anytensor import tree
        >>> @tree.register_pytree_node_class
        ... class Wrapped:
        ...     def __init__(self, value):
        ...         self.value = value
        ...     def __tree_flatten__(self):
        ...         return (self.value,), None, ("value",)
        ...     @classmethod
        ...     def __tree_unflatten__(cls, metadata, children):
        ...         return cls(*children)
        >>> tree.leaves_with_path([Wrapped(7)])
        [((SequenceKey(idx=0), GetAttrKey(name='value')), 7)]
    """
    if not isinstance(cls, type):
        raise TypeError(f"register_pytree_node_class: `cls` must be a class, got {cls!r}")
    if _has(cls, "__tree_flatten__", "__tree_unflatten__"):
        flatten, unflatten, keys = node_from_hooks(cls)
    elif _has(cls, "tree_flatten", "tree_unflatten"):

        def flatten(obj: Any) -> tuple[Iterable[Any], Any]:
            children, metadata = obj.tree_flatten()
            return children, metadata

        def unflatten(metadata: Any, children: Any) -> Any:
            return cls.tree_unflatten(metadata, children)

        keys = None
    else:
        raise TypeError(
            f"register_pytree_node_class: {cls!r} must define `__tree_flatten__` and "
            "`__tree_unflatten__` (or `tree_flatten` and `tree_unflatten`)"
        )
    return register_pytree_node(cls, flatten, unflatten, _pairs_from(flatten, keys))


def register_dataclass(
    cls: ClassT,
    data_fields: Sequence[str] | None = None,
    meta_fields: Sequence[str] | None = None,
    drop_fields: Sequence[str] = (),
) -> ClassT:
    """Make a dataclass a node whose data fields are its children; use it as a decorator.

    Args:
        cls: A dataclass, or a class that is built from keyword arguments and keeps them as attributes.
        data_fields: The names of the children, in order. By default, every field of the dataclass whose
            metadata does not say ``static=True``.
        meta_fields: The names of the fields kept as metadata, hashable and comparable. By default, the
            static fields.
        drop_fields: Fields that are in neither; they take their defaults when the object is rebuilt.

    Returns:
        ``cls``, unchanged.

    Raises:
        TypeError: If only one of ``data_fields`` and ``meta_fields`` is given, or neither for a class that
            is no dataclass.
        ValueError: If the fields named are not those of ``__init__``, or one is named twice.

    Example:
        >>> import dataclasses
        >>> from anytensor import tree
        >>> @tree.register_dataclass
        ... @dataclasses.dataclass
        ... class Layer:
        ...     weight: float
        ...     name: str = dataclasses.field(metadata={"static": True})
        >>> tree.map(lambda w: w * 2, Layer(1.5, "first"))
        Layer(weight=3.0, name='first')
    """
    if (data_fields is None) != (meta_fields is None):
        raise TypeError(
            "register_dataclass: `data_fields` and `meta_fields` must be given together, got "
            f"data_fields={data_fields!r} and meta_fields={meta_fields!r}"
        )
    fields = dataclasses.fields(cls) if dataclasses.is_dataclass(cls) else None
    if data_fields is None or meta_fields is None:
        if fields is None:
            raise TypeError(
                f"register_dataclass: {cls!r} is no dataclass: `data_fields` and `meta_fields` are required"
            )
        kept = [field for field in fields if field.init and field.name not in drop_fields]
        data_fields = [field.name for field in kept if not field.metadata.get("static", False)]
        meta_fields = [field.name for field in kept if field.metadata.get("static", False)]
    data, meta = tuple(data_fields), tuple(meta_fields)
    if len({*data, *meta}) != len(data) + len(meta):
        raise ValueError(
            f"register_dataclass: a field is named twice in data_fields={data!r} and meta_fields={meta!r}"
        )
    if fields is not None:
        expected = {field.name for field in fields if field.init} - set(drop_fields)
        if expected != {*data, *meta}:
            raise ValueError(
                "register_dataclass: `data_fields` and `meta_fields` must name every field of `__init__` "
                f"that is not dropped; missing {sorted(expected - {*data, *meta})}, "
                f"unknown {sorted({*data, *meta} - expected)}"
            )

    def flatten(obj: Any) -> tuple[tuple[Any, ...], tuple[Hashable, ...]]:
        return tuple([getattr(obj, name) for name in data]), tuple([getattr(obj, name) for name in meta])

    def unflatten(metadata: Any, children: Any) -> Any:
        return cls(**dict(zip(meta, metadata, strict=True)), **dict(zip(data, children, strict=True)))

    names = [GetAttrKey(name) for name in data]
    return register_pytree_node(cls, flatten, unflatten, _pairs_from(flatten, lambda obj: names))


def _has(cls: type, *names: str) -> bool:
    return all(callable(getattr(cls, name, None)) for name in names)


def _pairs_from(flatten: Flatten, keys: Keys | None) -> Callable[[Any], tuple[list[Any], Any]] | None:
    if keys is None:
        return None

    def flatten_with_keys(obj: Any) -> tuple[list[Any], Any]:
        children, metadata = flatten(obj)
        return list(zip(keys(obj), children, strict=True)), metadata

    return flatten_with_keys


# --- telling the other libraries -------------------------------------------------------------------------


def _tell_jax(jax: ModuleType, cls: type, flatten: Flatten, unflatten: Unflatten, keys: Keys | None) -> None:
    def foreign(key: Any) -> Any:
        # The classes have JAX's names; its `keystr(simple=True)` knows only its own.
        if type(key) in (SequenceKey, DictKey, GetAttrKey, FlattenedIndexKey):
            (value,) = vars(key).values()
            return getattr(jax.tree_util, type(key).__name__)(value)
        return key

    def with_keys(obj: Any) -> tuple[list[Any], Any]:
        children, metadata = flatten(obj)
        children = list(children)
        own = [FlattenedIndexKey(i) for i in range(len(children))] if keys is None else keys(obj)
        return [(foreign(key), child) for key, child in zip(own, children, strict=True)], metadata

    with contextlib.suppress(ValueError):
        jax.tree_util.register_pytree_with_keys(cls, with_keys, unflatten, flatten)


def _tell_torch(
    torch: ModuleType, cls: type, flatten: Flatten, unflatten: Unflatten, keys: Keys | None
) -> None:
    def as_list(obj: Any) -> tuple[list[Any], Any]:
        children, metadata = flatten(obj)
        return list(children), metadata

    with contextlib.suppress(ValueError):
        torch.utils._pytree.register_pytree_node(
            cls,
            as_list,
            lambda children, metadata: unflatten(metadata, children),
            serialized_type_name=f"{cls.__module__}.{cls.__qualname__}",
            flatten_with_keys_fn=_pairs_from(flatten, keys),
        )
