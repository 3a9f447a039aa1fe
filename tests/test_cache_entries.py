"""Entries of the cache: what a kept value may hold, and when an entry goes."""

from __future__ import annotations

import ast
import contextvars
import gc
import sys
import threading
from collections import namedtuple
from collections.abc import Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch

import anytensor as at
from anytensor import cache as module

room = sys.modules["anytensor.cache"]
assert module is at.cache

Pair = namedtuple("Pair", "first second")


class Plain(tuple):
    """A tuple of another type, which is no named tuple."""

    __slots__ = ()


@pytest.fixture(autouse=True)
def off() -> Iterator[None]:
    yield
    at.cache.disable()
    assert room._active == [0]


def test_a_named_tuple_is_kept_as_one_and_holds_the_object_weakly() -> None:
    p = np.array([2, 1])
    at.cache.enable()
    at.cache.store("mine", p, Pair([p, 1], {"p": p, "n": 2}))
    kept = at.cache.lookup("mine", p)
    assert type(kept) is Pair
    assert kept.first[0] is kept.second["p"] is p
    assert (kept.first[1], kept.second["n"]) == (1, 2)
    table = room._current().entries.table
    del p, kept
    gc.collect()
    assert table == {}


def test_other_objects_are_kept_as_they_are() -> None:
    p, node, plain = np.array([2, 1]), ast.parse("a"), Plain([1, 2])  # a node has _fields and is no tuple
    with at.cache():
        at.cache.store("mine", p, [node, plain])
        assert at.cache.lookup("mine", p)[0] is node
        assert at.cache.lookup("mine", p)[1] is plain


def test_an_entry_that_was_written_to_is_gone() -> None:
    p = torch.tensor([2, 1])
    with at.cache():
        at.cache.store("mine", p, 1)
        table = room._current().entries.table
        assert len(table) == 1
        p[0] = 3
        assert at.cache.lookup("mine", p) is None
        assert table == {}


def test_the_death_of_an_object_leaves_what_took_its_key() -> None:
    entries, key = room._Entries(), ("mine", 1)
    old, new = np.array([1]), np.array([2])
    entries.put(key, old, "old")
    entries.put(key, new, "new")
    assert entries.get(key, old) is None
    del old
    gc.collect()
    assert entries.get(key, new) == "new"
    del new
    gc.collect()
    assert entries.table == {}


def test_a_thread_whose_scope_is_closed_keeps_nothing_while_another_caches() -> None:
    p = np.array([2, 1])
    tables: list[Any] = []

    def other() -> None:
        with at.cache():
            pass
        at.cache.store("mine", p, "kept")
        at.cache.enable()
        tables.append(dict(room._current().entries.table))
        at.cache.disable()

    with at.cache():
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
        assert at.cache.lookup("mine", p) is None
    assert tables == [{}]


def test_a_purge_inside_a_trace_reaches_the_entries_of_the_trace() -> None:
    seen: list[Any] = []

    def f(x: Any, p: Any) -> Any:
        with at.cache():
            at.cache.store("mine", p, "kept")
            at.cache.store("other", p, "stays")
            seen.append(at.cache.lookup("mine", p))
            at.cache.purge("mine", p)
            seen.append(at.cache.lookup("mine", p))
            seen.append(at.cache.lookup("other", p))
        return x

    jax.jit(f)(jnp.ones(3), jnp.array([2, 1]))
    assert seen == ["kept", None, "stays"]


def purged_in_the_inner_scope(x: Any, p: Any) -> Any:
    with at.cache():
        at.cache.store("mine", p, 1)
        at.cache.store("other", p, 10)
        with at.cache():
            at.cache.store("mine", p, 100, ("inner",))
            at.cache.purge("mine", p)
            inner = at.cache.lookup("mine", p, ("inner",))
        outer = at.cache.lookup("mine", p)
        return x + (1000 if inner is None and outer is None else 0) + at.cache.lookup("other", p)


@pytest.mark.parametrize("by_hand", [True, False], ids=["by hand", "traced"])
def test_a_purge_inside_a_dynamo_trace_reaches_outer_scopes(
    by_hand: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = purged_in_the_inner_scope
    if by_hand:
        monkeypatch.setattr(room, "is_compiling", lambda: True)
    else:
        run = torch.compile(run, fullgraph=True, backend="eager")
    assert run(torch.zeros(1), torch.tensor([2, 1])).tolist() == [1010.0]
    assert room._dynamo == []


def test_a_purge_inside_an_inner_scope_reaches_outer_ones() -> None:
    assert purged_in_the_inner_scope(0, np.array([2, 1])) == 1010


def test_states_are_not_shared_by_a_copied_context() -> None:
    """A task inherits its parent's context: what is on there is not on here."""
    p = np.array([2, 1])
    found: list[Any] = []

    def look() -> None:
        found.append(at.cache.lookup("mine", p))

    with at.cache():
        at.cache.store("mine", p, "kept")
        context = contextvars.copy_context()
        thread = threading.Thread(target=context.run, args=(look,))
        thread.start()
        thread.join()
        context.run(look)
    assert found == [None, "kept"]
