"""Clause S6: bool and narrow integers widen under sum and prod; other operations keep or float them."""

import numpy as np
import pytest
from harness import ALL, for_each_variant, run, together

from anytensor.testing import assert_trees_close
from references import SEGMENT

# The default integer and float of each backend, JAX without x64.
DEFAULTS = {
    "numpy": ("int64", "float64"),
    "jax": ("int32", "float32"),
    "torch": ("int64", "float32"),
    "tensorflow": ("int64", "float32"),  # the library's choice: one default with NumPy and PyTorch
}
KEEP = ("segment_min", "segment_max")
FLOAT = tuple(f"segment_{name}" for name in ["mean", "variance", "std", "normalize", "softmax", "logsumexp"])
NARROW = ("bool", "uint8", "int8", "uint16", "int16")
IDS = np.array([0, 0, 2, 2, 5], dtype=np.int32)


def each_dtype(xs, ids, n):
    return {dtype: together(operands, ids, n, False) for dtype, operands in xs.items()}


def data(dtype):
    if dtype == "bool":
        return np.array([True, False, True, True, True])
    return np.array([100, 100, 3, 5, 1]).astype(dtype)


def plain(x):
    return x.astype(np.int64) if x.dtype == object else x


@for_each_variant()
def test_values_and_dtypes(variant):
    names = ("segment_sum", "segment_prod", "segment_count", *KEEP, *FLOAT)
    xs = {dtype: dict.fromkeys(names, data(dtype)) for dtype in NARROW}
    got = run(each_dtype, variant, xs, IDS, 3).outputs
    integer, floating = DEFAULTS[variant.backend]
    for dtype in NARROW:
        expected = {name: SEGMENT[name][0](data(dtype), IDS, 3) for name in names}
        expected = {
            name: np.asarray(v, dtype=v.dtype if v.dtype != object else int) for name, v in expected.items()
        }
        assert_trees_close(got[dtype], expected, rtol=2e-5, atol=2e-6)
        assert {got[dtype][name].dtype.name for name in ("segment_sum", "segment_prod")} == {integer}
        assert {got[dtype][name].dtype.name for name in KEEP} == {dtype}
        assert {got[dtype][name].dtype.name for name in FLOAT} == {floating}
        assert got[dtype]["segment_count"].dtype.name in ("int32", "int64")


@for_each_variant()
def test_uint8_sums_do_not_wrap(variant):
    x = {"uint8": {"segment_sum": np.array([200, 100], dtype=np.uint8)}}
    got = run(each_dtype, variant, x, np.array([0, 0], dtype=np.int32), 1).outputs
    assert got["uint8"]["segment_sum"].tolist() == [300]


@for_each_variant()
@pytest.mark.parametrize("dtype", ["int32", "int64"])
def test_integers_stay_exact(variant, dtype):
    # 2**24 + 1 is no float32.
    names = ("segment_sum", "segment_max", "segment_min")
    x = {dtype: dict.fromkeys(names, np.array([16777217], dtype=dtype))}
    got = run(each_dtype, variant, x, np.array([0], dtype=np.int32), 1).outputs[dtype]
    assert [got[name].tolist() for name in names] == [[16777217]] * 3


@for_each_variant()
def test_float64_stays_float64(variant):
    names = tuple(name for name in ALL if name != "segment_count")
    x = {"float64": dict.fromkeys(names, np.array([[0.1], [0.2], [0.3], [0.4], [0.5]]))}
    got = run(each_dtype, variant, x, IDS, 3).outputs["float64"]
    wanted = "float32" if variant.backend == "jax" else "float64"  # JAX here without x64
    assert {value.dtype.name for value in got.values()} == {wanted}
