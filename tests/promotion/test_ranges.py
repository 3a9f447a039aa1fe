"""Numbers out of range: of a dtype, of an index, of a size; the same refusal or answer on every backend."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
import tensorflow as tf
import torch

import anytensor as at
from anytensor.testing import assert_portable

MAKERS: dict[str, Callable[[Any], Any]] = {
    "numpy": np.asarray,
    "torch": lambda a: torch.from_numpy(np.array(a)),
    "jax": jnp.asarray,
    "tensorflow": tf.constant,
}
every_backend = pytest.mark.parametrize("backend", list(MAKERS))

U8, I8, I32 = np.array([44], np.uint8), np.array([44], np.int8), np.array([44], np.int32)
F16, F32 = np.ones(1, np.float16), np.ones(1, np.float32)
IDS = np.array([1])

# --- Python numbers beside integers ---

REFUSED = {
    "equal": (lambda m: at.equal(m(U8), 300), ["equal: `x2`", "uint8", "0 to 255", "300"]),
    "greater": (lambda m: at.greater(m(U8), -1), ["greater: `x2`", "uint8", "0 to 255", "-1"]),
    "less": (lambda m: at.less(2**40, m(I32)), ["less: `x1`", "int32", "2147483647", "1099511627776"]),
    "add": (lambda m: at.add(m(U8), 300), ["add: `x2`", "uint8", "300"]),
    "where": (lambda m: at.where(m(np.array([True])), m(U8), 300), ["where: `x2`", "uint8", "300"]),
    "where, mask to cast": (lambda m: at.where(m(I8), m(U8), 300), ["where: `x2`", "uint8", "300"]),
    "clip": (lambda m: at.clip(m(U8), 0, 300), ["clip: `max`", "uint8", "300"]),
    "full": (lambda m: at.full(2, 300, dtype="int8", like=m(U8)), ["full: `fill_value`", "int8", "300"]),
    "full_like": (lambda m: at.full_like(m(I8), 300), ["full_like: `fill_value`", "int8", "300"]),
    "full_like, NaN": (lambda m: at.full_like(m(I8), at.nan), ["full_like: `fill_value`", "int8", "nan"]),
    "constant": (
        lambda m: at.segment_min_or_constant(m(I8), m(IDS), 2, constant=300),
        ["segment_min_or_constant: `constant`", "int8", "300"],
    ),
    "constant below": (
        lambda m: at.segment_max_or_constant(m(U8), m(IDS), 2, constant=-1),
        ["segment_max_or_constant: `constant`", "uint8", "-1"],
    ),
    "constant NaN": (
        lambda m: at.segment_max_or_constant(m(U8), m(IDS), 2, constant=at.nan),
        ["segment_max_or_constant: `constant`", "uint8", "nan"],
    ),
    "align_arrays": (lambda m: at.align_arrays(m(U8), 256), ["align_arrays: `arrays[1]`", "uint8", "256"]),
}


@every_backend
@pytest.mark.parametrize("case", REFUSED)
def test_a_number_that_an_integer_dtype_does_not_hold_is_refused(backend: str, case: str) -> None:
    call, words = REFUSED[case]
    with pytest.raises(OverflowError) as error:
        call(MAKERS[backend])
    assert [word for word in words if word not in str(error.value)] == []


def test_it_is_refused_in_a_trace() -> None:
    with pytest.raises(OverflowError, match="equal: `x2`"):
        jax.jit(lambda x: at.equal(x, 300))(U8)
    with pytest.raises(OverflowError, match="equal: `x2`"):
        tf.function(lambda x: at.equal(x, 300), autograph=False)(tf.constant(U8))
    with pytest.raises(torch._dynamo.exc.Unsupported):
        torch.compile(lambda x: at.equal(x, 300), fullgraph=True, backend="eager")(torch.tensor(U8))


@pytest.mark.skipif(jax.__version__.startswith("0.4."), reason="XLA of JAX 0.4.35 itself cannot add int4")
def test_int4_is_an_integer_dtype() -> None:
    for x in (jnp.array([3], jnp.int4), np.array([3], ml_dtypes.int4)):
        assert at.add(x, 4).tolist() == [7]
        with pytest.raises(OverflowError, match="int4 holds, from -8 to 7, got 8"):
            at.add(x, 8)


def numbers_at_the_limits(u8: Any, i8: Any, f16: Any, f32: Any) -> dict[str, Any]:
    return {
        "u8": at.where(at.equal(u8, 255), u8, 0),
        "i8": at.maximum(i8, -128),
        "bool": at.add(u8, True),
        "large": at.add(f32, 1e300),
        "low": at.subtract(f16, 1e6),
        "whole": at.add(f32, 2**70),
        "infinite": at.minimum(f32, at.inf),
        "nan": at.add(f32, at.nan),
        "clip": at.clip(f32, -1e300, 2**70),
        "full": at.full((2,), 1e300, like=f32),
        "full_like": at.full_like(f32, -(2**70)),
        "half": at.full_like(f16, 2**70),
        "truncated": at.full_like(u8, 2.0),
    }


def test_numbers_at_the_limits_and_infinite_floats() -> None:
    assert_portable(numbers_at_the_limits, U8, I8, F16, F32, modes=("eager", "jit", "compile", "function"))


def complex_numbers_at_the_limits(c64: Any, f16: Any) -> dict[str, Any]:
    return {
        "full": at.full((2,), 1e39 - 2j, like=c64),
        "full_like": at.full_like(c64, -1e300j),
        "real": at.full_like(c64, 1e300),
        "beside": at.equal(c64, 70000.0),
        "where": at.where(at.equal(c64, 0), c64, 1e39 - 2j),
        "half": at.full_like(f16, 2**53 + 1),
    }


def test_complex_numbers_at_the_limits() -> None:
    c64 = np.array([0, 70000], np.complex64)
    assert_portable(complex_numbers_at_the_limits, c64, F16, modes=("eager", "jit", "compile", "function"))


@every_backend
def test_a_constant_too_large_for_floats_is_infinite(backend: str) -> None:
    make = MAKERS[backend]
    for x, constant in ((F32, 1e300), (F16, 2**70)):
        assert np.asarray(at.segment_max_or_constant(make(x), make(IDS), 2, constant=constant))[0] == np.inf


def test_a_number_of_a_compiled_call_may_change_without_a_recompile() -> None:
    count = []

    def counting(graph: Any, inputs: Any) -> Any:
        count.append(1)
        return graph.forward

    compiled = torch.compile(lambda x, n: at.add(x, n), fullgraph=True, backend=counting, dynamic=True)
    for n in (7, 8, 9):
        assert compiled(torch.tensor(I32), n).tolist() == [44 + n]
    assert len(count) == 1


@pytest.mark.parametrize("values", [(7, 8, 70000), (0.5, 1.5, 1e300)], ids=["int", "float"])
def test_a_number_that_fills_may_change_without_a_recompile(values: Any) -> None:
    count = []

    def counting(graph: Any, inputs: Any) -> Any:
        count.append(1)
        return graph.forward

    compiled = torch.compile(lambda x, n: at.full_like(x, n), fullgraph=True, backend=counting, dynamic=True)
    for n in values:
        assert compiled(torch.tensor(F16), n).tolist() == at.full_like(F16, n).tolist()
    assert len(count) == 1


def test_a_symbolic_length_beside_integers_leaves_no_constraint() -> None:
    class Module(torch.nn.Module):
        def forward(self, x: Any, y: Any) -> Any:
            return at.add(y, at.shape(x)[0]), at.segment_sum(y, y, at.shape(x)[0])

    arguments = (torch.ones(3), torch.tensor([1, 2], dtype=torch.int32))
    shapes = {"x": {0: torch.export.Dim("rows")}, "y": None}
    program = torch.export.export(Module(), arguments, dynamic_shapes=shapes, strict=True)
    added, summed = program.module()(torch.ones(5), arguments[1])
    assert added.tolist() == [6, 7]
    assert summed.tolist() == [0, 1, 2, 0, 0]


# --- indices of NumPy that the framework has no integers for ---

WIDE = {
    "int64": np.array([2**32, 1, -(2**32)]),
    "int64 limits": np.array([2**63 - 1, 1, -(2**63)]),
    "uint64": np.array([2**32, 1, 2**64 - 1], np.uint64),
}


@pytest.mark.parametrize("ids", WIDE.values(), ids=WIDE)
@pytest.mark.parametrize("compile", [lambda f: f, jax.jit], ids=["eager", "jit"])
def test_host_indices_past_the_integers_of_jax_are_out_of_range(compile: Any, ids: Any) -> None:
    x = jnp.array([1.0, 2.0, 4.0])
    assert compile(lambda x: at.segment_sum(x, ids, 2))(x).tolist() == [0.0, 2.0]
    assert compile(lambda x: at.segment_max(x, ids, 2))(x).tolist() == [-np.inf, 2.0]
    assert compile(lambda x: at.segment_softmax(x, ids, 2))(x).tolist() == [0.0, 1.0, 0.0]
    taken = compile(lambda x: at.take(x, ids))(x)
    np.testing.assert_array_equal(taken, [np.nan, 2.0, np.nan])
    assert jax.grad(lambda x: at.segment_sum(x, ids, 2)[1])(x).tolist() == [0.0, 1.0, 0.0]


@pytest.mark.parametrize("index", [2**40, 2**70, -(2**70)])
def test_a_python_index_past_every_integer_is_out_of_range(index: int) -> None:
    assert np.isnan(at.take(jnp.ones(3), index))
    for backend in ("numpy", "torch", "tensorflow"):
        with pytest.raises(IndexError):
            at.take(MAKERS[backend](F32), index)


def test_a_host_mask_is_what_it_is_on_the_host() -> None:
    for mask in (np.array([2**32, 0]), np.array([1e-300, 0.0])):
        assert at.where(mask, jnp.ones(2), jnp.zeros(2)).tolist() == [1.0, 0.0]


# --- data of NumPy that JAX narrows ---

LOST = {
    "float64": (np.array([1e300]), jnp.ones(1)),
    "complex128": (np.array([1e300j]), jnp.ones(1)),
    "int64": (np.array([2**32 + 1]), jnp.array([1])),
    "uint64": (np.array([2**40], np.uint64), jnp.array([1])),
    "one number": (np.float64(1e300), jnp.ones(1)),
}


@pytest.mark.parametrize(("host", "like"), LOST.values(), ids=LOST)
def test_data_that_jax_cannot_hold_is_warned_of_or_refused(host: Any, like: Any) -> None:
    with pytest.warns(at.CopyWarning, match="does not hold all of its numbers"):
        at.align_arrays(host, like)
    with pytest.warns(at.CopyWarning, match="does not hold all of its numbers"):
        jax.jit(lambda x: at.align_arrays(host, x))(like)
    with pytest.raises(ValueError, match='fallback="error" forbids'):
        at.align_arrays(host, like, fallback="error")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        at.align_arrays(host, like, copy=True)  # asked for


@pytest.mark.parametrize("host", [np.array([1.5, np.inf, np.nan]), np.array([2**31 - 1]), np.zeros(0)])
def test_a_narrowing_that_loses_no_number_is_silent_but_no_reference(host: Any) -> None:
    like = jnp.ones(1) if host.dtype.kind == "f" else jnp.array([1])
    at.align_arrays(host, like)  # warnings are errors here
    if host.size:
        with pytest.raises(ValueError, match=r"it has no .*64 there"):
            at.align_arrays(host, like, fallback="error")


# --- sizes ---

BEYOND = {"numpy": 2**63, "torch": 2**63, "jax": 2**31, "tensorflow": 2**31 - 1}


@every_backend
def test_a_size_past_what_the_backend_counts_is_refused(backend: str) -> None:
    make, size = MAKERS[backend], BEYOND[backend]
    calls = {
        "num_segments": lambda n: at.segment_sum(make(F32), make(IDS), n),
        "total_length": lambda n: at.partition_ids(make(IDS), n),
        "total_repeat_length": lambda n: at.repeat(make(F32), make(IDS), total_repeat_length=n),
    }
    for argument, call in calls.items():
        for n in (size, 2**64, 2**70):
            with pytest.raises(
                ValueError, match=f"`{argument}` must be at most {size - 1} on {backend}, got {n}"
            ):
                call(n)
    with pytest.raises(ValueError, match="segment_sum: `num_segments` must be at most"):
        calls["num_segments"](np.uint64(2**64 - 1))
    with pytest.raises(ValueError, match=f"zeros: `shape` must be at most {2**63 - 1}, got {2**64}"):
        at.zeros(2**64, like=make(F32))


def test_sizes_that_would_end_the_process_on_jax() -> None:
    like = jnp.ones(1)
    for call in (
        lambda: at.zeros(2**62, like=like),
        lambda: at.ones((2**40, 2**40), like=like),
        lambda: at.empty(2**62, like=like),
        lambda: at.full(2**62, 1.0, like=like),
        lambda: at.eye(2**40, 2**40, like=like),
        lambda: at.arange(2**62, like=like),
        lambda: at.linspace(0.0, 1.0, 2**62, like=like),
        lambda: at.zeros((2**62, 0), like=like),
    ):
        with pytest.raises(MemoryError, match="past any memory"):
            call()


@every_backend
@pytest.mark.parametrize("shift", [2**40, -(2**70), 2**31])
def test_a_shift_past_the_length_by_far(backend: str, shift: int) -> None:
    make, host = MAKERS[backend], np.arange(6).reshape(2, 3)
    got = at.roll(make(host), (1, shift), axis=(0, 1))
    np.testing.assert_array_equal(np.asarray(got), np.roll(host, (1, shift % 3), (0, 1)))
    np.testing.assert_array_equal(np.asarray(at.roll(make(host), shift)), np.roll(host, shift % 6))
    assert at.shape(at.roll(make(host[:0]), shift)) == (0, 3)


def test_a_shift_past_a_length_that_a_graph_leaves_open() -> None:
    spec = tf.TensorSpec([None], tf.int32)
    assert tf.function(lambda x: at.roll(x, 2**40), input_signature=[spec])(tf.range(3)).numpy().tolist() == [
        2,
        0,
        1,
    ]


def test_an_int_alone_past_the_default_integer_is_refused() -> None:
    for call in (lambda: at.abs(2**63), lambda: at.sum(2**70), lambda: at.add(2**63, 1)):
        with pytest.raises(OverflowError, match="int64 holds"):
            call()
