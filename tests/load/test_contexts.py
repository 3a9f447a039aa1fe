"""``with`` blocks may be opened again inside themselves, left by any exception, and closed by a generator."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import anytensor as at
from anytensor.promotion.options import current_options

room = sys.modules["anytensor.cache"]
options_room = sys.modules["anytensor.promotion.options"]

DEFAULT = (False, "copy")


@pytest.fixture(autouse=True)
def nothing_stays() -> Iterator[None]:
    yield
    assert current_options() == DEFAULT
    assert options_room._open == options_room._traced == []
    assert options_room._latest == [DEFAULT]
    assert room._active == [0]
    state = room._current()
    assert state is None or (state.scopes == [] and not state.on and state.entries.table == {})


def ids_of(p: Any) -> Any:
    return at.partition_ids(p, 3)


def test_one_scope_object_is_opened_in_itself_and_again() -> None:
    p, scope = np.array([2, 1]), at.cache()
    for _ in range(2):
        with scope:
            ids = ids_of(p)
            with scope, scope:
                assert ids_of(p) is ids
            assert ids_of(p) is ids
        assert ids_of(p) is not ids


def test_one_options_object_is_opened_in_itself_and_again() -> None:
    block = at.promote_options(copy=True)
    for _ in range(2):
        with block, at.promote_options(fallback="error"), block:
            assert current_options() == (True, "error")
            with at.promote_options(copy=False):
                with block:
                    assert current_options() == (True, "error")
                assert current_options() == (False, "error")


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, GeneratorExit, RecursionError])
def test_an_exception_closes_every_block(error: type[BaseException]) -> None:
    p, scope = np.array([2, 1]), at.cache()
    kept = []

    def failing(depth: int) -> None:
        with scope, at.promote_options(copy=bool(depth % 2)):
            kept.append(ids_of(p))
            if depth == 0:
                raise error
            failing(depth - 1)

    with pytest.raises(error):
        failing(5)
    assert all(ids is kept[0] for ids in kept)


def test_a_call_that_fails_inside_a_block_leaves_it_open() -> None:
    p = np.array([2, 1])
    with at.cache(), at.promote_options(copy=True):
        ids = ids_of(p)
        with pytest.raises(ValueError, match="partitions"):
            at.partition_ids(np.array([2, -1]), 3)
        with pytest.raises(TypeError):
            at.cache.lookup(3, p)  # type: ignore[arg-type]
        assert ids_of(p) is ids
        assert current_options() == (True, "copy")


def test_a_decorated_function_that_recurses_and_fails() -> None:
    p = np.array([2, 1])

    @at.cache
    def apply(depth: int) -> Any:
        ids = ids_of(p)
        if depth < 0:
            raise ValueError("too deep")
        assert ids_of(p) is ids
        return ids if depth == 0 else apply(depth - 1)

    first = apply(3)
    with pytest.raises(ValueError, match="too deep"):
        apply(-1)
    assert apply(2) is first  # it is sticky
    at.cache.disable()


def test_a_generator_that_is_closed_in_a_block() -> None:
    def rows() -> Iterator[Any]:
        with at.cache():
            while True:
                yield ids_of(np.array([2, 1]))

    generator = rows()
    next(generator)
    assert room._active == [1]
    generator.close()


def test_a_trace_would_take_the_block_that_was_opened_last() -> None:
    with at.promote_options(copy=True) as outer:
        assert type(outer) is at.promote_options
        with at.promote_options(fallback="error"):
            assert options_room._latest == [(True, "error")]
            with at.promote_options(copy=False):
                assert options_room._latest == [(False, "error")]
            assert options_room._latest == [(True, "error")]
        assert options_room._latest == [(True, "copy")]


def test_options_are_given_by_name() -> None:
    with pytest.raises(TypeError, match="positional"):
        at.promote_options(True)  # type: ignore[misc]


def test_leaving_more_often_than_entering_harms_nothing() -> None:
    scope = at.cache()
    scope.__enter__()
    scope.__exit__(None, None, None)
    with pytest.raises(IndexError):
        scope.__exit__(None, None, None)
    block = at.promote_options(copy=True)
    block.__enter__()
    block.__exit__(None, None, None)
    with pytest.raises(IndexError):
        block.__exit__(None, None, None)
