"""The opt-in cache of structure that is derived from a vector again and again, such as partition ids.

Off by default. Entries are kept by the identity of the object that they derive from, weakly, and by context:
threads and asyncio tasks do not share. What is made inside a trace stays inside it: it is kept only in a
scope (a decorated call or a ``with`` block) that was opened in the same trace, and dropped with that scope.
"""

from __future__ import annotations

import sys
import threading
import weakref
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any, TypeVar, overload

from anytensor import errors
from anytensor.backends import HOST, installed_backends
from anytensor.compiling import is_compiling, named_after

__all__ = ["Cache", "cache"]

F = TypeVar("F", bound=Callable[..., Any])
Key = tuple[Any, ...]

# Stands in a stored value for the object that the entry hangs on: a strong reference would keep it alive.
_SELF = object()


class _Entries:
    """Entries of one context or one trace: (namespace, id, *extra) -> (weak object, value, versions)."""

    def __init__(self) -> None:
        self.table: dict[Key, tuple[weakref.ref[Any], Any, tuple[Any, Any]]] = {}

    def get(self, key: Key, obj: Any) -> Any:
        entry = self.table.get(key)
        if entry is None or entry[0]() is not obj:  # an id is used again once its object is gone
            return None
        if entry[2] != (_version(obj), _version(entry[1])):  # written to since
            self.table.pop(key, None)
            return None
        return _replace(entry[1], _SELF, obj)

    def put(self, key: Key, obj: Any, value: Any) -> None:
        table = self.table

        def forget(dead: weakref.ref[Any]) -> None:
            entry = table.get(key)
            if entry is not None and entry[0] is dead:  # pragma: no branch - else another thread was first
                table.pop(key, None)

        kept = _replace(value, obj, _SELF)
        table[key] = (weakref.ref(obj, forget), kept, (_version(obj), _version(kept)))

    def purge(self, namespace: str, obj: Any) -> None:
        # In a copy of the keys: an object may die meanwhile, in another thread or by the collector.
        for key in [key for key in list(self.table) if key[0] == namespace and key[1] == id(obj)]:
            self.table.pop(key, None)


def _version(x: Any) -> int | None:
    """Return the count of in-place writes that PyTorch keeps with a tensor; None where there is none."""
    try:
        return x._version  # type: ignore[no-any-return]
    except (AttributeError, RuntimeError):  # RuntimeError: a tensor made in inference mode
        return None


def _replace(value: Any, old: Any, new: Any) -> Any:
    """Return value with one object exchanged, in plain containers at any depth."""
    if value is old:
        return new
    if type(value) in (tuple, list):
        return type(value)([_replace(entry, old, new) for entry in value])
    if type(value) is dict:
        return {key: _replace(entry, old, new) for key, entry in value.items()}
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*[_replace(entry, old, new) for entry in value])
    return value


class _State:
    """What one thread or asyncio task has switched on, and its entries."""

    def __init__(self, owner: Any) -> None:
        self.owner = owner
        self.sticky = False
        self.entries = _Entries()
        self.scopes: list[tuple[dict[str, Any], _Entries]] = []

    @property
    def on(self) -> bool:
        return self.sticky or bool(self.scopes)


_state: ContextVar[_State | None] = ContextVar("anytensor_cache", default=None)
# How many states are on, anywhere: while none is, a lookup costs one comparison.
_active: list[int] = [0]
_count = threading.Lock()
# What a TorchDynamo trace uses instead: it cannot read a ContextVar nor take an id, but compares objects.
# A scope opened in a trace closes in it, so nothing of a trace is left here.
_dynamo: list[list[tuple[str, Any, Key, Any]]] = []


def _owner() -> Any:
    asyncio = sys.modules.get("asyncio")
    task = None
    if asyncio is not None:
        try:
            task = asyncio.current_task()
        except RuntimeError:  # no event loop runs in this thread
            task = None
    return threading.get_ident() if task is None else id(task)


def _current() -> _State | None:
    """Return the state of this thread or task; one inherited from a parent task does not count."""
    state = _state.get()
    return state if state is not None and state.owner == _owner() else None


def _current_or_new() -> _State:
    state = _current()
    if state is None:
        state = _State(_owner())
        _state.set(state)
    return state


def _trace_tokens() -> dict[str, Any]:
    """Return what names the trace under way of each loaded framework; empty outside any trace."""
    tokens = {b.NAME: b.trace_token() for b in installed_backends() if b is not HOST}
    return {name: token for name, token in tokens.items() if token is not None}


class _Scope:
    """A ``with`` block or a decorated call in which the cache is on."""

    def __init__(self, sticky: bool) -> None:
        self.sticky = sticky
        self.traced: list[bool] = []

    def __enter__(self) -> None:
        compiling = is_compiling()
        self.traced.append(compiling)
        if compiling:
            _dynamo.append([])
        else:
            _enter(self.sticky)

    def __exit__(self, *exc: object) -> None:
        if self.traced.pop():
            _dynamo.pop()
        else:
            _leave()


def _switch(state: _State, before: bool) -> None:
    if state.on != before:
        with _count:
            _active[0] += 1 if state.on else -1


def _enter(sticky: bool) -> None:
    state = _current_or_new()
    before = state.on
    state.sticky = state.sticky or sticky
    state.scopes.append((_trace_tokens(), _Entries()))
    _switch(state, before)


def _leave() -> None:
    state = _current_or_new()
    before = state.on
    if state.scopes:
        state.scopes.pop()
    if not state.on:
        state.entries = _Entries()
    _switch(state, before)


class Cache:
    """Keep structure that derives from a vector, such as partition ids: the type of ``anytensor.cache``.

    Off until it is turned on: by ``@at.cache`` over a function, ``with at.cache():``, or ``enable()``.

    Notes:
        An entry belongs to an object, not to its values: do not write to the vector, nor to what derives from
        it, while the cache is on. PyTorch counts the writes to a tensor, so there an entry is dropped after
        one; on NumPy the kept partition ids are read-only, and a write to the lengths is not noticed.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> lengths = np.array([2, 1])
        >>> with at.cache():
        ...     at.partition_ids(lengths, 3) is at.partition_ids(lengths, 3)
        True
    """

    @overload
    def __call__(self) -> _Scope: ...
    @overload
    def __call__(self, function: F) -> F: ...
    def __call__(self, function: Any = None) -> Any:
        """Decorate a function, or return a context manager.

        Args:
            function: The function to decorate; None for ``with at.cache():``.

        Returns:
            The decorated function: a call of it turns the cache on, and on it stays until ``disable()``. Or
            a context manager: the cache is on inside the block; entries are dropped on exit unless it was
            sticky.

        Raises:
            TypeError: If ``function`` is not callable.

        Example:
            >>> import numpy as np
            >>> import anytensor as at
            >>> @at.cache
            ... def apply(x, lengths):
            ...     shares = at.partition_softmax(x, lengths, at.shape(x)[0])
            ...     return at.partition_sum(shares * x, lengths, at.shape(x)[0])
            >>> apply(np.array([1.0, 1.0, 3.0]), np.array([2, 1]))
            array([1., 3.])
            >>> at.cache.disable()
        """
        if function is None:
            return _Scope(sticky=False)
        if not callable(function):
            raise TypeError(f"cache: `function` must be callable, got {errors.describe(function)}")

        @named_after(function)
        def cached(*args: Any, **kwargs: Any) -> Any:
            with _Scope(sticky=True):
                return function(*args, **kwargs)

        return cached

    def enable(self) -> None:
        """Turn the cache on in this thread or task until ``disable()``.

        Example:
            >>> import anytensor as at
            >>> at.cache.enable()
            >>> at.cache.disable()
        """
        state = _current_or_new()
        before = state.on
        state.sticky = True
        _switch(state, before)

    def disable(self) -> None:
        """Turn a sticky cache off and drop its entries; a surrounding ``with`` block stays in force.

        Example:
            >>> import numpy as np
            >>> import anytensor as at
            >>> lengths = np.array([2, 1])
            >>> at.cache.enable()
            >>> at.cache.store("mine", lengths, "kept")
            >>> at.cache.disable()
            >>> at.cache.lookup("mine", lengths) is None
            True
        """
        state = _current_or_new()
        before = state.on
        state.sticky = False
        state.entries = _Entries()
        _switch(state, before)

    def lookup(self, namespace: str, obj: Any, extra: tuple[Any, ...] = ()) -> Any:
        """Return what was stored for an object, or None.

        Args:
            namespace: Whose entry it is, such as ``"partition"``.
            obj: The array (or any object) that the value derives from; compared by identity.
            extra: Hashable flags that change the derived value.

        Returns:
            The stored value, the same object; None if there is none or the cache is off.

        Raises:
            TypeError: If ``namespace`` is not a string or ``extra`` is not a tuple.

        Example:
            >>> import numpy as np
            >>> import anytensor as at
            >>> lengths = np.array([2, 1])
            >>> with at.cache():
            ...     at.cache.store("mine", lengths, "kept", (True,))
            ...     at.cache.lookup("mine", lengths, (True,)), at.cache.lookup("mine", lengths, (False,))
            ('kept', None)
        """
        if is_compiling():
            return _dynamo_lookup(namespace, obj, extra)
        if not _active[0]:
            return None
        _check("lookup", namespace, extra)
        state = _current()
        if state is None or not state.on:
            return None
        entries = _place(state)
        return None if entries is None else entries.get((namespace, id(obj), *extra), obj)

    def store(self, namespace: str, obj: Any, value: Any, extra: tuple[Any, ...] = ()) -> None:
        """Keep a value for an object until the object is gone, the cache is turned off, or the trace ends.

        Args:
            namespace: Whose entry it is.
            obj: The array that the value derives from; held weakly.
            value: What to keep. It may hold ``obj`` itself, in tuples, lists and dicts. Do not write to it,
                nor to ``obj``: only for PyTorch's tensors is that noticed, and the entry dropped.
            extra: Hashable flags that change the derived value.

        Raises:
            TypeError: If ``namespace`` is not a string, ``extra`` is not a tuple, or ``obj`` cannot be
                referred to weakly, such as a Python number.

        Example:
            >>> import numpy as np
            >>> import anytensor as at
            >>> lengths = np.array([2, 1])
            >>> at.cache.store("mine", lengths, "kept")  # nothing: the cache is off
            >>> at.cache.lookup("mine", lengths) is None
            True
        """
        if is_compiling():
            if _dynamo:
                _dynamo[-1].append((namespace, obj, extra, value))
            return
        if not _active[0]:
            return
        _check("store", namespace, extra)
        state = _current()
        if state is None or not state.on:
            return
        entries = _place(state)
        if entries is not None:
            try:
                entries.put((namespace, id(obj), *extra), obj, value)
            except TypeError as error:
                raise TypeError(f"cache.store: `obj` of type {type(obj).__name__}: {error}") from None

    def purge(self, namespace: str, obj: Any) -> None:
        """Drop every entry of one object in one namespace, whatever its extra.

        Args:
            namespace: Whose entries.
            obj: The object.

        Example:
            >>> import numpy as np
            >>> import anytensor as at
            >>> lengths = np.array([2, 1])
            >>> with at.cache():
            ...     at.cache.store("mine", lengths, "kept")
            ...     at.cache.purge("mine", lengths)
            ...     at.cache.lookup("mine", lengths) is None
            True
        """
        if is_compiling():
            for scope in _dynamo:
                scope[:] = [e for e in scope if not (e[0] == namespace and e[1] is obj)]
            return
        state = _current()
        if state is not None:
            state.entries.purge(namespace, obj)
            for _, entries in state.scopes:
                entries.purge(namespace, obj)


def _check(function: str, namespace: Any, extra: Any) -> None:
    if not isinstance(namespace, str):
        raise TypeError(f"cache.{function}: `namespace` must be a string, got {errors.describe(namespace)}")
    if not isinstance(extra, tuple):
        raise TypeError(f"cache.{function}: `extra` must be a tuple, got {errors.describe(extra)}")


def _dynamo_lookup(namespace: str, obj: Any, extra: tuple[Any, ...]) -> Any:
    for scope in _dynamo:
        for kept_namespace, kept, kept_extra, value in scope:
            if kept is obj and kept_namespace == namespace and kept_extra == extra:
                return value
    return None


def _place(state: _State) -> _Entries | None:
    """Return where entries of an object live: outside traces with the context, inside one with its scope."""
    tokens = _trace_tokens()
    if not tokens:
        return state.entries
    # Not only for tracers: under jax.jit what derives from a concrete array belongs to the trace too.
    return next((entries for opened, entries in reversed(state.scopes) if opened == tokens), None)


cache = Cache()
