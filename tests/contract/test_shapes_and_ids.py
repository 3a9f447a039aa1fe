"""Clause S8: any integer id dtype by value; zero rows, segments, features; 1-d to 4-d; strides; complex."""

import numpy as np
from harness import FEW, FLOATING, call, for_each_operation, for_each_variant, run

import anytensor as at
from anytensor.testing import assert_trees_close, variants
from references import SEGMENT, total
from references import mean as mean_of

ID_DTYPES = ("uint8", "int8", "uint16", "int16", "uint32", "int32", "uint64", "int64")


def sums_below(x, ids, n):
    return {dtype: at.segment_sum(x, one, n) for dtype, one in ids.items()}


@for_each_variant()
def test_every_id_dtype(variant):
    ids = {dtype: np.array([0, 2, 0, 7], dtype=dtype) for dtype in ID_DTYPES}
    got = run(sums_below, variant, np.array([1.0, 2.0, 3.0, 4.0], dtype=np.float32), ids, 3).outputs
    assert {dtype: value.tolist() for dtype, value in got.items()} == {d: [4, 0, 2] for d in ID_DTYPES}


@for_each_variant()
def test_ids_are_compared_by_value_not_in_their_own_dtype(variant):
    ids = {
        "uint8": np.array([200, 3, 255], dtype=np.uint8),
        "int8": np.array([-56, 3, -1], dtype=np.int8),  # the bits of 200 and 255
        "uint16": np.array([200, 3, 65535], dtype=np.uint16),
        "uint32": np.array([200, 3, 2**32 - 1], dtype=np.uint32),
    }
    x = np.array([1.0, 2.0, 4.0], dtype=np.float32)

    def occupied(n):
        got = run(sums_below, variant, x, ids, n).outputs
        return {d: {int(i): float(v[i]) for i in np.flatnonzero(v)} for d, v in got.items()}

    assert occupied(300) == {
        "uint8": {3: 2, 200: 1, 255: 4},
        "int8": {3: 2},
        "uint16": {3: 2, 200: 1},
        "uint32": {3: 2, 200: 1},
    }
    assert occupied(100) == {dtype: {3: 2} for dtype in ids}


# Kept apart: JAX without x64 has no 64-bit ids, and what is cut off before the call is not ours to see.
@for_each_variant(tuple(v for v in variants() if v.backend != "jax"))
def test_ids_beyond_32_bits_are_out_of_range(variant):
    ids = {dtype: np.array([0, 2**32 + 1], dtype=dtype) for dtype in ("uint64", "int64")}
    ids["uint64"][0] = 0
    got = run(sums_below, variant, np.array([1.0, 2.0], dtype=np.float32), ids, 3).outputs
    assert {dtype: value.tolist() for dtype, value in got.items()} == {d: [1, 0, 0] for d in ids}


def every_shape(xs, ids, ns):
    out = {}
    for label, x in xs.items():
        name, shape = label.split(":")
        out[label] = call(name, x, ids[shape], ns[shape])
    return out


SHAPES = {
    "zero rows": ((0, 2), 3),
    "zero rows 1-d": ((0,), 3),
    "zero segments": ((4, 2), 0),
    "zero features": ((4, 0), 3),
    "nothing": ((0, 0), 0),
    "one row": ((1, 2), 1),
    "1-d": ((5,), 3),
    "3-d": ((5, 2, 3), 3),
    "4-d": ((5, 2, 1, 3), 3),
}


@for_each_operation(FLOATING, compiled=FEW)
def test_shapes(variant, names):
    rng = np.random.default_rng(1)
    xs, ids, ns, expected = {}, {}, {}, {}
    for shape_name, (shape, n) in SHAPES.items():
        if shape[-1] == 0 and names == ("segment_attention",):
            continue  # no feature to take for a logit
        ids[shape_name], ns[shape_name] = np.array([0, 2, 0, 3, 2][: shape[0]], dtype=np.int32), n
        for name in names:
            x = rng.uniform(0.5, 2, shape).astype(np.float32)
            xs[f"{name}:{shape_name}"] = x
            expected[f"{name}:{shape_name}"] = SEGMENT[name][0](x, ids[shape_name], n)
    outcome = run(every_shape, variant, xs, ids, ns, gradients=True)
    assert_trees_close(outcome.outputs, expected, rtol=2e-5, atol=2e-6)
    assert all(gradient.shape == xs[path[4:-2]].shape for path, gradient in outcome.gradients.items())


@for_each_variant()
def test_counts_of_nothing(variant):
    def counts(none, some):
        return {"no rows": at.segment_count(none, 2), "no segments": at.segment_count(some, 0)}

    got = run(counts, variant, np.zeros(0, dtype=np.int32), np.array([0, 1], dtype=np.int32)).outputs
    assert {label: value.tolist() for label, value in got.items()} == {"no rows": [0, 0], "no segments": []}


def strided(x, ids):
    return {
        "steps": at.segment_sum(x[::2], ids[::2], 3),
        "columns": at.segment_max(x[:, ::2], ids, 3),
        "steps softmax": at.segment_softmax(x[1::2], ids[1::2], 3),
    }


@for_each_variant()
def test_non_contiguous_operands(variant):
    x = np.random.default_rng(2).normal(size=(6, 4)).astype(np.float32)
    ids = np.array([0, 1, 2, 2, 0, 1], dtype=np.int32)
    got = run(strided, variant, x, ids, gradients=True).outputs
    expected = {
        "steps": total(x[::2], ids[::2], 3),
        "columns": SEGMENT["segment_max"][0](x[:, ::2], ids, 3),
        "steps softmax": SEGMENT["segment_softmax"][0](x[1::2], ids[1::2], 3),
    }
    assert_trees_close(got, expected, rtol=2e-5, atol=2e-6)


@for_each_variant()
def test_transposed_host_memory(variant):
    x = np.arange(12, dtype=np.float32).reshape(3, 4).T
    ids = np.array([0, 1, 1, 0], dtype=np.int32)[::-1]
    got = run(sums_below, variant, x, {"ids": ids}, 2).outputs["ids"]
    assert_trees_close(got, total(x, ids, 2))


def complex_reductions(x, ids):
    return {
        "sum": at.segment_sum(x, ids, 3),
        "mean": at.segment_mean(x, ids, 3),
        "prod": at.segment_prod(x, ids, 3),
        "sorted sum": at.segment_sum(x, ids, 3, sorted=True),
    }


@for_each_variant()
def test_complex(variant):
    x = (np.arange(8) + 1j * np.arange(8)[::-1]).astype(np.complex64).reshape(4, 2)
    ids = np.array([0, 0, 2, 9], dtype=np.int32)
    got = run(complex_reductions, variant, x, ids).outputs
    expected = {
        "sum": total(x, ids, 3),
        "mean": mean_of(x, ids, 3),
        "prod": SEGMENT["segment_prod"][0](x, ids, 3),
        "sorted sum": total(x, ids, 3),
    }
    assert_trees_close(got, expected, rtol=2e-5, atol=2e-6)
    assert {value.dtype.name for value in got.values()} == {"complex64"}
