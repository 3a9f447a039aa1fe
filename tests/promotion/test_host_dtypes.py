"""NumPy arrays that are no plain arrays of numbers: subclasses, masked arrays, objects, strings, dates."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
import tensorflow as tf
import torch

import anytensor as at

IDS = np.array([0, 0, 1])
NO_NUMBERS = {
    "object": np.array([1, 2, 3], dtype=object),
    "str": np.array(["a", "b", "c"]),
    "bytes": np.array([b"a", b"b", b"c"]),
    "datetime64": np.array(["2020", "2021", "2022"], dtype="datetime64[D]"),
    "timedelta64": np.array([1, 2, 3], dtype="timedelta64[D]"),
    "record": np.array([(1, 2.0)] * 3, dtype=[("a", int), ("b", float)]),
    "void": np.zeros(3, dtype="V4"),
}
CALLS = {
    "segment_sum": ("x", lambda x: at.segment_sum(x, IDS, 2)),
    "segment_prod": ("x", lambda x: at.segment_prod(x, IDS, 2)),
    "segment_mean": ("x", lambda x: at.segment_mean(x, IDS, 2)),
    "segment_max": ("x", lambda x: at.segment_max(x, IDS, 2)),
    "segment_softmax": ("x", lambda x: at.segment_softmax(x, IDS, 2)),
    "segment_normalize": ("x", lambda x: at.segment_normalize(x, IDS, 2)),
    "segment_attention": ("messages", lambda x: at.segment_attention(x, x, IDS, 2)),
    "partition_sum": ("x", lambda x: at.partition_sum(x, np.array([1, 2]), 3)),
    "sum": ("x", lambda x: at.sum(x)),
    "mean": ("x", lambda x: at.mean(x, axis=0)),
    "var": ("x", lambda x: at.var(x)),
    "max": ("x", lambda x: at.max(x)),
    "cumulative_sum": ("x", lambda x: at.cumulative_sum(x)),
    "add": ("x1", lambda x: at.add(x, x)),
    "multiply": ("x1", lambda x: at.multiply(x, 2)),
    "less": ("x1", lambda x: at.less(x, x)),
    "maximum": ("x2", lambda x: at.maximum(1.0, x)),
    "exp": ("x", lambda x: at.exp(x)),
    "rsqrt": ("x", lambda x: at.rsqrt(x)),
    "atan2": ("x1", lambda x: at.atan2(x, x)),
    "abs": ("x", lambda x: at.abs(x)),
    "softmax": ("x", lambda x: at.softmax(x)),
    "sort": ("x", lambda x: at.sort(x)),
    "fill_nan": ("x", lambda x: at.fill_nan(x)),
    "logical_and": ("x1", lambda x: at.logical_and(x, x)),
    "matmul": ("x1", lambda x: at.matmul(x, x)),
    "linalg.vector_norm": ("x", lambda x: at.linalg.vector_norm(x)),
    "fft.fft": ("x", lambda x: at.fft.fft(x)),
    "zeros_like": ("x", lambda x: at.zeros_like(x)),
    "ones": ("like", lambda x: at.ones((2,), like=x)),
    "einsum": ("tensors[0]", lambda x: at.einsum(x, "a ->")),
    "reduce": ("tensor", lambda x: at.reduce(x, "a ->", "sum")),
    "concat": ("arrays[1]", lambda x: at.concat([np.ones(3), x])),
    "align_arrays": ("arrays[0]", lambda x: at.align_arrays(x, torch.ones(3))),
}


@pytest.mark.parametrize("dtype", list(NO_NUMBERS))
@pytest.mark.parametrize("function", list(CALLS))
def test_what_holds_no_numbers_is_refused_by_name(function: str, dtype: str) -> None:
    argument, call = CALLS[function]
    with pytest.raises(TypeError) as error:
        call(NO_NUMBERS[dtype])
    text = str(error.value)
    named = "mean" if function == "mean" else function
    assert text.startswith(f"{named}: `{argument}`"), text
    assert str(NO_NUMBERS[dtype].dtype) in text
    assert "bool, integer, floating" in text or "boolean, integer" in text or "castable to bool" in text


@pytest.mark.parametrize("dtype", [object, "U5", "datetime64[s]", "V8", "no such dtype"], ids=str)
def test_a_dtype_without_numbers_is_refused_with_the_function(dtype: object) -> None:
    x = np.ones(2)
    calls = {
        "zeros": lambda: at.zeros((2,), dtype=dtype),
        "astype": lambda: at.astype(x, dtype),
        "sum": lambda: at.sum(x, dtype=dtype),
        "full_like": lambda: at.full_like(x, 1, dtype=dtype),
        "asarray": lambda: at.asarray(x, dtype=dtype),
    }
    for name, call in calls.items():
        with pytest.raises(TypeError, match=rf"^{name}: `dtype`: "):
            call()
    with pytest.raises(TypeError, match=r"^astype: `dtype` must be a dtype"):
        at.astype(x, None)


@pytest.mark.parametrize("backend", ["torch", "jax", "tensorflow"])
def test_a_dtype_that_a_framework_has_not_is_refused_with_the_function(backend: str) -> None:
    like: Any = {"torch": torch.ones, "jax": jnp.ones, "tensorflow": tf.ones}[backend](1)
    with pytest.raises(TypeError, match=r"^astype: `dtype`: "):
        at.astype(like, "foo")
    with pytest.raises(TypeError, match=r"^ones: `dtype`: "):
        at.ones((2,), dtype=object, like=like)


def test_dtypes_of_ml_dtypes_are_numbers() -> None:
    for dtype in (ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2):
        x = np.array([1.0, 2.0, 4.0]).astype(dtype)
        assert at.segment_sum(x, IDS, 2).astype(float).tolist() == [3.0, 4.0]
        assert at.sum(x).dtype == dtype
        assert at.exp(np.zeros(2, dtype)).astype(float).tolist() == [1.0, 1.0]
    for dtype in (ml_dtypes.int4, ml_dtypes.uint4):
        x = np.array([7, 7, 1]).astype(dtype)
        total = at.segment_sum(x, IDS, 2)
        assert (total.tolist(), total.dtype) == ([14, 1], np.dtype(int))
        assert at.segment_sum(np.ones(3), np.array([0, 0, 1]).astype(dtype), 2).tolist() == [2.0, 1.0]
        assert at.maximum(x, 2).tolist() == [7, 7, 2]


class Marked(np.ndarray):
    """A subclass without a rule of its own."""


@pytest.mark.filterwarnings("ignore:the matrix subclass:PendingDeprecationWarning")
def test_a_subclass_is_its_plain_array_on_every_call() -> None:
    matrix = np.asmatrix([[1.0, 2.0], [3.0, 4.0]])
    plain = np.asarray(matrix)
    marked = np.ones(3).view(Marked)
    for _ in range(3):  # the first call used to go another way than the second
        for got, want in (
            (at.multiply(matrix, matrix), plain * plain),
            (at.sum(matrix, axis=0), plain.sum(axis=0)),
            (at.segment_sum(matrix, np.array([0, 0]), 1), plain.sum(axis=0, keepdims=True)),
            (at.exp(marked), np.exp(np.ones(3))),
            (at.stack([marked, marked]), np.ones((2, 3))),
            (at.where(marked > 0, marked, 0.0), np.ones(3)),
            (at.asarray(matrix), plain),
        ):
            assert type(got) is np.ndarray
            assert got.tolist() == want.tolist()
        assert at.reshape(matrix, (4,)).shape == (4,)


def test_a_memory_map_is_an_array(tmp_path: Any) -> None:
    mapped = np.memmap(tmp_path / "x", dtype=np.float32, mode="w+", shape=(3,))
    mapped[:] = [1, 2, 4]
    for _ in range(2):
        assert at.segment_sum(mapped, IDS, 2).tolist() == [3.0, 4.0]
        assert at.add(torch.ones(3), mapped).tolist() == [2.0, 3.0, 5.0]


@pytest.mark.parametrize("mask", [False, True])
def test_a_masked_array_is_refused_with_what_to_do(mask: bool) -> None:
    masked = np.ma.masked_array(np.ones(3), mask=[False, mask, False])
    for name, call in {
        "exp: `x`": lambda: at.exp(masked),
        "segment_sum: `x`": lambda: at.segment_sum(masked, IDS, 2),
        "segment_sum: `segment_ids`": lambda: at.segment_sum(np.ones(3), masked.astype(int), 2),
        r"add: `x2`": lambda: at.add(torch.ones(3), masked),
        r"stack: `arrays\[1\]`": lambda: at.stack([np.ones(3), masked]),
        "asarray: `obj`": lambda: at.asarray(masked),
        "zeros: `like`": lambda: at.zeros((2,), like=masked),
    }.items():
        for _ in range(2):
            with pytest.raises(TypeError, match=f"^{name} is a masked array .* x.filled"):
                call()
