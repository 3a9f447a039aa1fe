"""The roads that only code read by TorchDynamo takes, run by hand: the values are those of an eager call."""

from __future__ import annotations

import importlib
from collections import namedtuple
from typing import Any

import numpy as np
import pytest
import torch
import torch._dynamo  # taught when it is loaded, which no test below may be the first to do

import anytensor as at
from anytensor.backends.torch import array
from anytensor.ops import host_traces
from anytensor.promotion import decorator, options, sizes, to_host

HOST = np.array([3.0, 1.0, 2.0])
IDS = np.array([0, 2, 0])
Pair = namedtuple("Pair", "first second")


@pytest.fixture
def traced(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have promotion believe that Dynamo reads it, to whom NumPy arrays are tensors."""
    align = importlib.import_module("anytensor.promotion.align")  # a function has the same name
    for module in (align, decorator, sizes, array):
        monkeypatch.setattr(module, "is_dynamo_tracing", lambda: True)
    for module in (options, sizes):
        monkeypatch.setattr(module, "is_compiling", lambda: True)


@at.promote(x="data", y="data")
def own_sum(x: Any, y: Any) -> Any:
    assert type(x) is type(y) is torch.Tensor
    return {"sum": x + y, "pair": Pair(x, [y, (y,)]), "name": "own"}


@at.promote(x="data", i="index", n="shape")
def own_total(x: Any, i: Any, n: Any, y: Any = None) -> Any:
    return at.segment_sum(x, i, n)


def test_a_call_on_host_arrays_alone_comes_back_as_host_arrays(traced: None) -> None:
    got = own_sum.__wrapped__  # the function itself is left as it is
    assert got.__name__ == "own_sum"
    operands, back = decorator._align_call(
        "own_sum", {"x": "data", "y": "data"}, frozenset(), None, None, [HOST, HOST.astype(np.float32)]
    )
    assert back
    assert [type(x) for x in operands] == [torch.Tensor] * 2
    assert {x.dtype for x in operands} == {torch.float64}
    result = to_host(got(*operands))
    assert result["name"] == "own"
    assert type(result["pair"]) is Pair
    np.testing.assert_array_equal(result["sum"], HOST + HOST)
    second, (again,) = result["pair"].second
    assert type(second) is type(again) is np.ndarray
    np.testing.assert_array_equal(second, HOST)


def test_a_tensor_among_the_operands_keeps_the_result_a_tensor(traced: None) -> None:
    operands, back = decorator._align_call(
        "own", {"x": "data", "y": "data"}, frozenset(), None, None, [torch.ones(3), HOST]
    )
    assert not back
    assert operands[1].tolist() == HOST.tolist()


@pytest.mark.parametrize("size", [3, np.int64(3), np.array(3)], ids=["int", "scalar", "array"])
def test_sizes_and_indices_of_the_host(traced: None, size: Any) -> None:
    operands, back = decorator._align_call(
        "own_total", {"x": "data", "i": "index", "n": "shape", "y": "data"}, frozenset("y"), None, None,
        [HOST, IDS, size, None],
    )  # fmt: skip
    assert back
    x, ids, n, y = operands
    assert (type(x), type(ids), n, y) == (torch.Tensor, torch.Tensor, 3, None)
    assert own_total.__wrapped__(x, ids, n).tolist() == [5, 0, 1]


def test_python_numbers_alone_stay_with_numpy(traced: None) -> None:
    operands, _ = decorator._align_call("own", {"x": "data", "y": "data"}, frozenset(), None, None, [1, 2.5])
    assert [type(x) for x in operands] == [np.ndarray] * 2
    assert operands[0] == 1.0
    assert to_host(operands[0]) is operands[0]


def test_a_trace_takes_the_options_of_the_block_opened_last(traced: None) -> None:
    assert options.current_options() == (False, "copy")
    with at.promote_options(copy=True):
        assert options.current_options() == (True, "copy")
        with at.promote_options(fallback="error"):
            assert options.current_options() == (True, "error")
        assert options.current_options() == (True, "copy")
    assert options.current_options() == (False, "copy")


def test_no_size_is_compared_with_a_bound_in_a_trace(traced: None) -> None:
    assert sizes.as_size(2**70, "f", "n") == 2**70
    with pytest.raises(ValueError, match="f: `n`"):
        sizes.as_size(-1, "f", "n")


CALLS = {
    "one": (at.exp, (HOST,), {}),
    "two": (at.subtract, (HOST, 1.5), {}),
    "list": (at.stack, ([HOST, HOST + 1],), {"axis": 1}),
    "by name": (at.sum, (HOST,), {"axis": 0}),
    "scalar": (at.add, (np.float64(1.5), 2.0), {}),
    "several results": (at.unstack, (np.stack([HOST, HOST]),), {}),
}


@pytest.mark.parametrize("case", CALLS)
def test_a_substitute_gives_on_host_arrays_what_the_function_gives(traced: None, case: str) -> None:
    function, args, named = CALLS[case]
    substitute = host_traces._for_a_trace(function, torch.Tensor)
    got, want = substitute(*args, **named), function(*args, **named)
    if case != "several results":
        got, want = [got], [want]
    for a, b in zip(got, want, strict=True):
        assert type(a) is np.ndarray
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize(
    ("args", "named"),
    [((torch.ones(3), HOST), {}), ((HOST, torch.ones(3)), {}), ((1, 2.5), {})],
    ids=["first", "second", "no array"],
)
def test_a_substitute_leaves_other_calls_as_they_are(args: Any, named: Any) -> None:
    got = host_traces._for_a_trace(at.add, torch.Tensor)(*args, **named)
    want = at.add(*args, **named)
    assert type(got) is type(want)
    assert got.tolist() == want.tolist()


def test_a_list_that_holds_a_tensor_is_no_call_on_host_arrays_alone() -> None:
    assert host_traces._only_host(([HOST, HOST], 1))
    assert not host_traces._only_host(([HOST, torch.ones(3)],))
    assert not host_traces._only_host((1, "a"))


def test_a_torch_without_substitutes_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """PyTorch before 2.6 has no substitute_in_graph."""
    monkeypatch.delattr(torch.compiler, "substitute_in_graph")
    taught = []
    monkeypatch.setattr(host_traces, "module_if_loaded", lambda name, teach: taught.append(teach))
    monkeypatch.setattr(host_traces, "_for_a_trace", lambda *args: pytest.fail("nothing takes it"))
    host_traces.trace_on_host_arrays([at.exp, at.exp, at.asarray])
    (teach,) = taught
    teach(torch._dynamo)
