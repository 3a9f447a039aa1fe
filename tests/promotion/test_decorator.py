"""``@promote`` over functions of any name, with parameters of any name; and its options in threads."""

from __future__ import annotations

import functools
import inspect
import threading
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch

import anytensor as at
from anytensor import backends
from anytensor.promotion import decorator

HALF = np.ones(2, dtype=np.float32)


def test_names_of_the_wrapper_are_no_parameters_names() -> None:
    @at.promote(type="data", int="index", _b="data", _host="mask", size="shape")
    def type(
        type: Any,
        int: Any,
        _b: Any = 1,
        _types: Any = 2,
        _function: Any = 3,
        _align: Any = 4,
        *,
        _host: Any = True,
        __back: Any = 5,
        _default2: Any = 6,
        size: Any = 7,
    ) -> Any:
        return type, int, _b, _types, _function, _align, _host, __back, _default2, size

    for _ in range(2):
        x, i, b, *rest, host, back, default, size = type(HALF, 1, size=np.int64(3))
        assert (x.dtype, i.tolist(), b.dtype, host.dtype) == (np.float32, 1, np.float32, np.bool_)
        assert (rest, back, default, size) == ([2, 3, 4], 5, 6, 3)
    assert type(torch.ones(2), np.array([0]), HALF)[1].tolist() == [0]
    assert (type.__name__, next(iter(inspect.signature(type).parameters))) == ("type", "type")


@pytest.mark.parametrize("name", ["_align", "_types", "_b", "int", "_function", "_wrapper"])
def test_a_function_may_have_a_name_of_the_wrappers(name: str) -> None:
    def function(x: Any, y: Any) -> Any:
        """Words."""
        return x, y

    function.__name__ = function.__qualname__ = name
    wrapped = at.promote(x="data", y="data")(function)
    assert wrapped(HALF, 2)[1].dtype == np.float32
    assert (wrapped.__name__, wrapped.__doc__) == (name, "Words.")
    with pytest.raises(TypeError, match=f"{name}: `y` must be"):
        wrapped(HALF, "text")


def test_a_partial_and_a_callable_object() -> None:
    def scaled(x: Any, y: Any, n: int = 1, *, by: float = 2.0) -> Any:
        """Words."""
        return x, y, n, by

    partial = at.promote(x="data", y="data", n="shape")(functools.partial(scaled, by=3.0))
    _, y, n, by = partial(HALF, 2, n=np.int64(4))
    assert (y.dtype, n, by) == (np.float32, 4, 3.0)
    assert (partial.__name__, partial.__doc__, partial.__module__) == ("scaled", "Words.", __name__)

    class Layer:
        def __call__(self, x: Any, i: Any) -> Any:
            return x, i

    layer = at.promote(x="data", i="index")(Layer())
    assert layer(torch.ones(2), np.array([0]))[1].tolist() == [0]
    with pytest.raises(TypeError, match="Layer: `i` must hold integers"):
        layer(HALF, HALF)
    with pytest.raises(TypeError, match="promote: Layer has no parameter `z`; it has x, i"):
        at.promote(z="data")(Layer())


@pytest.mark.parametrize("name", ["xs", "more"])
def test_a_variadic_parameter_is_refused_as_one(name: str) -> None:
    with pytest.raises(TypeError, match=rf"promote: `\*+{name}` of <lambda> is variadic"):
        at.promote(**{name: "data"})(lambda *xs, **more: xs)


def test_blocks_that_overlap_in_two_threads_leave_nothing_behind() -> None:
    first, second, closed = threading.Event(), threading.Event(), threading.Event()

    def opens_first() -> None:
        with at.promote_options(fallback="error"):
            first.set()
            second.wait(10)
        closed.set()

    def closes_last() -> None:
        first.wait(10)
        with at.promote_options(copy=True):
            second.set()
            closed.wait(10)

    threads = [threading.Thread(target=f) for f in (opens_first, closes_last)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    asked = []
    compiled = torch.compile(
        lambda x: asked.append(at.promotion.options.current_options()) or x + 1,
        fullgraph=True,
        backend="eager",
    )
    compiled(torch.ones(3))
    assert asked == [(False, "copy")]
    assert at.promotion.options.current_options() == (False, "copy")
    assert at.promotion.options._open == []


def test_a_trace_sees_the_block_around_it_and_around_the_call() -> None:
    buffer = np.arange(4.0)

    def add(x: Any) -> Any:
        with at.promote_options(copy=True):
            y = at.add(x, buffer)
        return y * at.add(x, buffer)

    compiled = torch.compile(add, fullgraph=True, backend="aot_eager")
    x = torch.ones(4, dtype=torch.float64)
    with at.promote_options(fallback="error"):
        assert compiled(x).tolist() == [1.0, 4.0, 9.0, 16.0]
    assert compiled(x).tolist() == [1.0, 4.0, 9.0, 16.0]
    assert at.promotion.options._open == []


@pytest.mark.parametrize(
    ("option", "error"),
    [({"copy": "x"}, TypeError), ({"fallback": "zz"}, ValueError), ({"copy": 1}, TypeError)],
)
def test_align_arrays_checks_its_options(option: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error, match=f"align_arrays: `{next(iter(option))}` must be"):
        at.align_arrays(HALF, 1.0, **option)


@pytest.fixture
def shortened(monkeypatch):
    """Return a function with a short way for lists, and what the way was called with."""
    seen = []

    def halve(x, way, found=2):
        seen.append((x, way, found))
        return [entry / 2 for entry in x] if way else None

    ways = {}
    monkeypatch.setattr(backends, "SHORT_WAYS", ways)
    monkeypatch.setattr(decorator, "SHORT_WAYS", ways)

    @decorator.promote_or_shorten(x="data")
    def half(x, way, found=2):
        return x / found

    ways["half"][list] = halve
    return half, seen


def test_a_short_way_gets_all_arguments_and_its_answer_stands(shortened):
    half, seen = shortened
    assert half([2, 4], True) == [1.0, 2.0]
    assert half(found=4, way=1, x=[6]) == [3.0]
    assert seen == [([2, 4], True, 2), ([6], 1, 4)]


def test_a_short_way_that_gives_none_leaves_the_call_to_promotion(shortened):
    half, seen = shortened
    with pytest.raises(TypeError, match="half: `x`"):
        half([2, 4], False)
    assert len(seen) == 1


def test_other_types_take_no_short_way(shortened):
    half, seen = shortened
    np.testing.assert_array_equal(half(np.array([2.0, 4.0]), True), [1.0, 2.0])
    assert not seen


def test_a_backend_brings_its_short_ways(shortened, monkeypatch):
    half, _ = shortened
    backend = SimpleNamespace(array_types=lambda: (), AT_A_GLANCE={"half": (set, lambda *args: "short")})
    monkeypatch.setattr(backends, "_backends", [])
    backends.register(backend)
    assert half({1}, True) == "short"
