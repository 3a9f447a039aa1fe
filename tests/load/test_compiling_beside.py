"""One thread compiles with PyTorch while another calls eagerly: neither may see the other's state.

``torch.compiler.is_compiling()`` is a flag of the whole process (2.13), not of the thread that compiles.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import torch

import anytensor as at
from anytensor.compiling import is_compiling
from anytensor.promotion.options import current_options

rooms = (sys.modules["anytensor.cache"]._dynamo, sys.modules["anytensor.promotion.options"]._open)


@at.cache
def compiled_here(x: Any, p: Any) -> Any:
    return at.partition_softmax(x, p, 3) + at.partition_ids(p, 3)


def while_another_compiles(steps: list[Callable[[], Any]]) -> list[Any]:
    """Take the first step before, all others but the last during, and the last after a compilation."""
    inside, go_on = threading.Event(), threading.Event()
    failed: list[BaseException] = []

    def backend(graph: Any, inputs: Any) -> Any:
        inside.set()
        assert go_on.wait(60)
        return graph.forward

    def compile_it() -> None:
        try:
            x, p = torch.ones(3), torch.tensor([2, 1])
            got = torch.compile(compiled_here, fullgraph=True, backend=backend)(x, p)
            assert got.tolist() == [0.5, 0.5, 2.0]
        except BaseException as error:
            failed.append(error)
        finally:
            inside.set()

    thread = threading.Thread(target=compile_it)
    results = [steps[0]()]
    thread.start()
    try:
        assert inside.wait(60)
        results += [step() for step in steps[1:-1]]
    finally:
        go_on.set()
        thread.join()
    assert failed == []
    results.append(steps[-1]())
    assert rooms == ([], [])
    return results


def test_this_thread_is_not_compiling() -> None:
    assert while_another_compiles([is_compiling] * 3) == [False] * 3


def test_a_scope_opened_meanwhile_caches_and_closes_after() -> None:
    p = np.array([2, 1])
    scope = at.cache()
    open_scope, close_scope = scope.__enter__, lambda: scope.__exit__(None, None, None)

    def ids() -> Any:
        return at.partition_ids(p, 3)

    def closed() -> Any:
        close_scope()
        return at.cache.lookup("partition", p)

    _, _, one, other, gone = while_another_compiles([lambda: None, open_scope, ids, ids, closed])
    assert one is other
    assert gone is None


def test_a_scope_opened_before_goes_on() -> None:
    p = np.array([2, 1])
    with at.cache():
        one, other, after = while_another_compiles([lambda: at.partition_ids(p, 3)] * 3)
    assert one is other is after


def test_options_set_meanwhile_hold_and_are_taken_back() -> None:
    block = at.promote_options(copy=True)
    found = while_another_compiles(
        [current_options, block.__enter__, current_options, lambda: (block.__exit__(), current_options())[1]]
    )
    assert (found[0], found[2], found[3]) == ((False, "copy"), (True, "copy"), (False, "copy"))


def test_options_set_meanwhile_hold_after_the_compilation() -> None:
    block = at.promote_options(fallback="error")

    def after() -> Any:
        options = current_options()
        block.__exit__()
        return options

    assert while_another_compiles([lambda: None, block.__enter__, after])[2] == (False, "error")
