"""What segment operations refuse before they compute, and what they hand down to their backend."""

from __future__ import annotations

import inspect
from typing import Any

import jax
import ml_dtypes
import numpy as np
import pytest
import tensorflow as tf
import torch

import anytensor as at
from anytensor.backends import HOST
from makers import MAKERS, every_backend

OF_DATA = (
    "segment_sum",
    "segment_prod",
    "segment_min",
    "segment_max",
    "segment_min_or_constant",
    "segment_max_or_constant",
    "segment_mean",
    "segment_variance",
    "segment_std",
    "segment_normalize",
    "segment_softmax",
    "segment_logsumexp",
)
ALL = (*OF_DATA, "segment_count", "segment_attention")
OF_ANY_NUMBERS = ("segment_sum", "segment_prod", "segment_mean", "segment_normalize")
ORDERED = tuple(name for name in OF_DATA if name not in OF_ANY_NUMBERS)
OR_CONSTANT = ("segment_min_or_constant", "segment_max_or_constant")

X, IDS = np.array([1.0, 4.0, 2.0], np.float32), np.array([1, 0, 1], np.int32)


def operands(name: str, x: Any, ids: Any) -> tuple[Any, ...]:
    if name == "segment_count":
        return (ids,)
    return (x, x, ids) if name == "segment_attention" else (x, ids)


# --- what is handed down ---


@pytest.mark.parametrize("name", ALL)
def test_ids_are_not_taken_to_be_sorted_unless_said(name: str) -> None:
    parameters = inspect.signature(getattr(at, name)).parameters
    assert parameters["sorted"].default is False
    assert parameters["num_segments"].default is inspect.Parameter.empty


@pytest.mark.parametrize("name", OR_CONSTANT)
def test_the_constant_is_zero_unless_said(name: str) -> None:
    assert getattr(at, name)(X, IDS, 3).tolist()[2] == 0
    assert getattr(at, name)(X, IDS, 3, False, 7).tolist()[2] == 7


@pytest.mark.parametrize("promise", [False, True])
@pytest.mark.parametrize("name", ALL)
def test_a_call_reaches_its_own_kernel_with_its_operands(
    name: str, promise: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken: list[Any] = []

    def kernel(*args: Any) -> str:
        taken.extend(args)
        return "from the kernel"

    monkeypatch.setattr(HOST, name, kernel)
    given = operands(name, X, IDS)
    assert getattr(at, name)(*given, 3, sorted=promise) == "from the kernel"
    assert all(a is b for a, b in zip(taken, given, strict=False))
    assert taken[len(given) :] == [3, promise, 0.0][: 3 if name in OR_CONSTANT else 2]
    assert taken[len(given) + 1] is promise


# --- what is refused ---


@every_backend
@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("bad", [None, 1, 0, "yes", np.True_], ids=repr)
def test_a_promise_that_is_no_bool(name: str, bad: object, backend: str) -> None:
    make = MAKERS[backend]
    with pytest.raises(TypeError, match=f"{name}: `sorted` must be"):
        getattr(at, name)(*operands(name, make(X), make(IDS)), 3, sorted=bad)


@every_backend
@pytest.mark.parametrize("name", [*ORDERED, "segment_attention"])
def test_complex_numbers_have_no_order(name: str, backend: str) -> None:
    make = MAKERS[backend]
    with pytest.raises(TypeError, match=f"{name}: `(x|messages)`.* complex"):
        getattr(at, name)(*operands(name, make(X.astype(np.complex64)), make(IDS)), 3)


NO_NUMBERS: dict[str, Any] = {
    "text": lambda: tf.constant(["a", "b", "c"]),
    "bits": lambda: torch.empty(3, dtype=torch.bits8),
    "keys": lambda: jax.random.split(jax.random.key(0), 3),
}


@pytest.mark.parametrize("kind", list(NO_NUMBERS))
@pytest.mark.parametrize("name", [*ORDERED, "segment_attention", "partition_max", "partition_sum"])
def test_what_holds_no_numbers_has_no_order(name: str, kind: str) -> None:
    x = NO_NUMBERS[kind]()
    with pytest.raises(TypeError, match=f"{name}: `(x|messages)`"):
        getattr(at, name)(*operands(name, x, IDS), 3)


@pytest.mark.parametrize("kind", list(NO_NUMBERS))
def test_a_python_number_beside_what_holds_none(kind: str) -> None:
    with pytest.raises(TypeError, match="add: `x1` must hold numbers"):
        at.add(NO_NUMBERS[kind](), 1)


@every_backend
@pytest.mark.parametrize("name", [*OF_DATA, "segment_attention"])
def test_rows_that_are_not_as_many_as_ids(name: str, backend: str) -> None:
    make = MAKERS[backend]
    with pytest.raises(ValueError, match=f"{name}: "):
        getattr(at, name)(*operands(name, make(X), make(IDS[:2])), 3)


@every_backend
def test_ids_of_a_count_that_are_no_vector(backend: str) -> None:
    with pytest.raises(ValueError, match="segment_count: `segment_ids`"):
        at.segment_count(MAKERS[backend](IDS[:, None]), 3)


# --- constants ---


@pytest.mark.parametrize(
    "constant",
    [7, 7.0, np.int8(7), np.float32(7), np.array(7), np.array(7.0), np.uint64(7), ml_dtypes.bfloat16(7)],
    ids=lambda c: type(c).__name__ + str(getattr(c, "dtype", "")),
)
@pytest.mark.parametrize("dtype", ["float32", "int32", "float16"])
@pytest.mark.parametrize("name", OR_CONSTANT)
def test_one_real_number_of_any_type_is_a_constant(name: str, dtype: str, constant: Any) -> None:
    got = getattr(at, name)(X.astype(dtype), IDS, 3, constant=constant)
    assert got.dtype == dtype
    assert got.tolist()[2] == 7


@every_backend
@pytest.mark.parametrize("name", OR_CONSTANT)
def test_a_bool_is_a_constant(name: str, backend: str) -> None:
    make = MAKERS[backend]
    got = [getattr(at, name)(make(X), make(IDS), 3, constant=one) for one in (True, np.True_)]
    assert [np.asarray(one).tolist()[2] for one in got] == [1.0, 1.0]


@every_backend
@pytest.mark.parametrize(
    "bad",
    [np.array([7.0]), np.ones((1, 1)), 7j, np.complex64(7), "7", None, np.str_("7"), np.array("7")],
    ids=repr,
)
@pytest.mark.parametrize("name", OR_CONSTANT)
def test_anything_else_is_no_constant(name: str, bad: object, backend: str) -> None:
    make = MAKERS[backend]
    with pytest.raises(TypeError, match=f"{name}: `constant` must be"):
        getattr(at, name)(make(X), make(IDS), 3, constant=bad)


@every_backend
@pytest.mark.parametrize("bad", [300, -129, float("nan"), float("inf"), -1e30, 2**70])
@pytest.mark.parametrize("name", OR_CONSTANT)
def test_a_constant_that_an_integer_dtype_does_not_hold(name: str, bad: float, backend: str) -> None:
    make = MAKERS[backend]
    with pytest.raises(OverflowError, match=f"{name}: `constant`"):
        getattr(at, name)(make(X.astype(np.int8)), make(IDS), 3, constant=bad)


@every_backend
@pytest.mark.parametrize("name", OR_CONSTANT)
def test_a_fraction_is_cut_in_an_integer_dtype(name: str, backend: str) -> None:
    make = MAKERS[backend]
    got = getattr(at, name)(make(X.astype(np.int8)), make(IDS), 3, constant=-2.9)
    assert np.asarray(got).tolist()[2] == -2


# --- weights ---

FITTING = [
    ((3,), (3,)),
    ((3, 2), (3,)),
    ((3, 2), (3, 2)),
    ((3, 2), (3, 1)),
    ((3, 2, 4), (3, 2)),
    ((3, 1), (3, 1)),
]
UNFIT = [
    ((3, 2), (3, 3)),
    ((3,), (3, 1)),
    ((3, 2), (3, 2, 1)),
    ((3, 2), ()),
    ((3, 1), (3, 2)),
    ((3, 2, 4), (3, 4)),
]
OTHER_ROWS = [((3, 2), (1,)), ((3,), (2,)), ((3, 2), (1, 2)), ((3, 2), (4,))]


@every_backend
@pytest.mark.parametrize(("messages", "logits"), FITTING, ids=str)
def test_logits_that_weigh_messages(messages: Any, logits: Any, backend: str) -> None:
    make = MAKERS[backend]
    data = make(np.ones(messages, np.float32))
    got = at.segment_attention(data, make(np.zeros(logits, np.float32)), make(IDS), 3)
    wanted = np.stack([np.ones(messages[1:]), np.ones(messages[1:]), np.zeros(messages[1:])])
    np.testing.assert_allclose(got, wanted, rtol=1e-6)


@every_backend
@pytest.mark.parametrize(("messages", "logits"), UNFIT + OTHER_ROWS, ids=str)
def test_logits_that_do_not(messages: Any, logits: Any, backend: str) -> None:
    make = MAKERS[backend]
    with pytest.raises(ValueError, match="segment_attention: `logits` of shape"):
        at.segment_attention(
            make(np.ones(messages, np.float32)), make(np.zeros(logits, np.float32)), make(IDS), 3
        )


def test_logits_of_unknown_rank_are_left_to_the_graph() -> None:
    @tf.function(input_signature=[tf.TensorSpec(None, tf.float32)] * 2 + [tf.TensorSpec([None], tf.int32)])
    def attention(messages: Any, logits: Any, ids: Any) -> Any:
        return at.segment_attention(messages, logits, ids, 3)

    got = attention(np.ones((3, 2), np.float32), np.zeros(3, np.float32), IDS)
    np.testing.assert_allclose(got, [[1, 1], [1, 1], [0, 0]])
