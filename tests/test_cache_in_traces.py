"""The cache as TorchDynamo reads it, run by hand: a list of scopes, and objects compared, not their ids."""

from __future__ import annotations

import contextvars
import sys
import threading
from collections import namedtuple
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import anytensor as at
from anytensor.compiling import named_after

room = sys.modules["anytensor.cache"]
P = np.array([2, 1])
Pair = namedtuple("Pair", "first second")


@pytest.fixture
def traced(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Have the cache believe that Dynamo reads it; no state of a context may change then."""
    monkeypatch.setattr(room, "is_compiling", lambda: True)
    monkeypatch.setattr(room, "_current_or_new", lambda: pytest.fail("a trace cannot read a ContextVar"))
    yield
    assert room._dynamo == []
    assert room._active == [0]


def test_nothing_is_kept_outside_of_a_scope(traced: None) -> None:
    at.cache.store("mine", P, "kept")
    at.cache.purge("mine", P)
    assert at.cache.lookup("mine", P) is None


def test_a_scope_keeps_what_is_stored_by_object_namespace_and_extra(traced: None) -> None:
    with at.cache():
        at.cache.store("mine", P, "kept", (True,))
        assert at.cache.lookup("mine", P, (True,)) == "kept"
        assert at.cache.lookup("mine", P, (False,)) is None
        assert at.cache.lookup("yours", P, (True,)) is None
        assert at.cache.lookup("mine", P.copy(), (True,)) is None
    assert at.cache.lookup("mine", P, (True,)) is None


def test_an_inner_scope_sees_the_outer_ones_and_takes_its_own_away(traced: None) -> None:
    with at.cache():
        at.cache.store("mine", P, "outer")
        with at.cache():
            at.cache.store("mine", P, "inner", (1,))
            assert at.cache.lookup("mine", P) == "outer"
            assert at.cache.lookup("mine", P, (1,)) == "inner"
        assert at.cache.lookup("mine", P, (1,)) is None
        assert at.cache.lookup("mine", P) == "outer"


def test_purge_drops_every_entry_of_one_object(traced: None) -> None:
    other = P.copy()
    with at.cache():
        for extra in ((), (1,)):
            at.cache.store("mine", P, "kept", extra)
        at.cache.store("yours", P, "kept")
        at.cache.store("mine", other, "kept")
        at.cache.purge("mine", P)
        assert at.cache.lookup("mine", P) is at.cache.lookup("mine", P, (1,)) is None
        assert at.cache.lookup("yours", P) == at.cache.lookup("mine", other) == "kept"


def test_a_decorated_function_is_a_scope_that_an_exception_closes(traced: None) -> None:
    seen: list[Any] = []

    @at.cache
    def failing(p: Any) -> None:
        ids = at.partition_ids(p, 3)
        seen.append(at.partition_ids(p, 3) is ids)
        raise ValueError("enough")

    with pytest.raises(ValueError, match="enough"):
        failing(P)
    assert seen == [True]


def test_a_wrapper_made_in_a_trace_keeps_its_own_name(monkeypatch: pytest.MonkeyPatch) -> None:
    def function() -> None:
        """Do nothing."""

    def wrapper() -> None:
        pass

    monkeypatch.setattr(sys.modules["anytensor.compiling"], "is_compiling", lambda: True)
    assert named_after(function)(wrapper) is wrapper
    assert (wrapper.__name__, wrapper.__doc__) == ("wrapper", None)
    monkeypatch.undo()
    assert named_after(function)(wrapper).__doc__ == "Do nothing."


def in_another_thread(function: Any) -> Any:
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(function).result()


def test_another_thread_keeps_and_purges_nothing_of_its_own() -> None:
    def elsewhere() -> Any:
        at.cache.store("mine", P, "theirs")
        at.cache.purge("mine", P)
        return at.cache.lookup("mine", P)

    with at.cache():
        at.cache.store("mine", P, Pair(P, [P]))
        assert in_another_thread(elsewhere) is None
        kept = at.cache.lookup("mine", P)
        assert type(kept) is Pair
        assert kept.first is kept.second[0] is P


def test_a_scope_that_ends_in_another_context_takes_nothing_there() -> None:
    scope = at.cache()
    context = contextvars.copy_context()
    context.run(scope.__enter__)
    scope.__exit__(None, None, None)  # here no scope is open
    at.cache.store("mine", P, "kept")
    assert at.cache.lookup("mine", P) is None
    context.run(room._leave)
    assert room._active == [0]


def test_without_asyncio_a_thread_is_the_owner(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "asyncio", raising=False)
    assert room._owner() == threading.get_ident()


def test_an_entry_that_was_replaced_outlives_the_first_ones_object() -> None:
    entries = room._Entries()
    first, second = np.ones(1), np.ones(1)
    entries.put(("mine", 1), first, "first")
    entries.put(("mine", 1), second, "second")
    del first
    assert entries.get(("mine", 1), second) == "second"
