"""Dtypes that PyTorch (2.13) has few kernels for: the wide unsigned ones, complex numbers, halves."""

import importlib
import sys

import numpy as np
import pytest
import torch

import anytensor as at
import anytensor.backends.torch as backend
import references
from anytensor.backends.torch import array, creation, indexing, kit, modes, segment_extremes, segment_sums
from anytensor.backends.torch.along_axis import take_along_axis

IDS = np.array([0, 2, 0, 5])
TOP = 2**64 - 1
WIDE = {
    "uint64": np.array([2**63 + 1, 5, TOP, 7], np.uint64),
    "uint32": np.array([2**31 + 1, 5, 2**32 - 1, 7], np.uint32),
    "uint16": np.array([2**15 + 1, 5, 2**16 - 1, 7], np.uint16),
}


@pytest.mark.parametrize("road", ["by hand", "masked"])
@pytest.mark.parametrize("dtype", WIDE)
@pytest.mark.parametrize("name", ["segment_sum", "segment_prod", "segment_min", "segment_max"])
def test_wide_unsigned_integers(monkeypatch, name, dtype, road):
    if road == "masked":
        monkeypatch.setattr(modes, "_is_jit_tracing", lambda: True)
    x = WIDE[dtype]
    got = getattr(backend, name)(torch.from_numpy(x), torch.from_numpy(IDS), 4, False)
    with np.errstate(over="ignore"):
        ufunc, start = {
            "segment_sum": (np.add, 0),
            "segment_prod": (np.multiply, 1),
            "segment_min": (np.minimum, np.iinfo(x.dtype).max),
            "segment_max": (np.maximum, 0),
        }[name]
        wanted = np.full(4, start, np.uint64)
        for i, entry in zip(IDS, x.astype(np.uint64), strict=True):
            if i < 4:
                wanted[i] = ufunc(wanted[i], entry)
    assert got.numpy().astype(np.uint64).tolist() == wanted.tolist()
    keeps = dtype == "uint64" or name in ("segment_min", "segment_max")
    assert got.dtype == (getattr(torch, dtype) if keeps else torch.int64)


def test_complex_numbers_have_no_order():
    with pytest.raises(TypeError, match="complex numbers have no order"):
        segment_extremes.extreme(torch.ones(2, dtype=torch.complex64), torch.tensor([0, 0]), 1, True, True)


@pytest.mark.parametrize(
    ("a", "b", "common"),
    [
        *(("uint16", "uint16", "uint16"), ("uint16", "uint8", "uint16"), ("uint16", "int8", "int32")),
        *(("uint32", "int32", "int64"), ("uint64", "uint8", "uint64"), ("uint64", "int64", "float64")),
        *(
            ("uint16", "float16", "float16"),
            ("complex64", "uint64", "complex64"),
            ("uint32", "bool", "uint32"),
        ),
        *(("int8", "uint8", "int16"), ("bfloat16", "float16", "float32")),
    ],
)
def test_common_dtypes(a, b, common):
    x, y = (torch.zeros(1, dtype=getattr(torch, name)) for name in (a, b))
    assert array.promote_dtypes([x, y]) == array.promote_dtypes([y, x]) == getattr(torch, common)


def test_dtypes_of_ml_dtypes_by_name(monkeypatch):
    import ml_dtypes

    assert array.numpy_dtype(torch.bfloat16) == np.dtype(ml_dtypes.bfloat16)
    own = np.dtype

    def unregistered(name):
        if isinstance(name, str):
            raise TypeError(f"data type {name!r} not understood")
        return own(name)

    monkeypatch.setattr(np, "dtype", unregistered)
    assert array.numpy_dtype(torch.float8_e5m2) == own(ml_dtypes.float8_e5m2)


def test_full_of_a_number_and_of_a_tensor_without_a_dtype():
    assert creation.full((2,), 1.5).tolist() == [1.5, 1.5]
    assert creation.full((2,), torch.tensor(3)).tolist() == [3, 3]
    kept = torch.tensor(2.0, requires_grad=True)
    creation.full((3,), kept).sum().backward()
    assert kept.grad == 3


@pytest.mark.parametrize("repeats", [2, torch.tensor(2), torch.tensor([2], dtype=torch.uint64)], ids=str)
@pytest.mark.parametrize("total", [None, 5])
def test_repeats_of_one_count(repeats, total):
    got = indexing.repeat(torch.tensor([1, 2]), repeats, 0, total)
    assert got.tolist() == [1, 1, 2, 2] + ([2] if total else [])


def test_an_error_that_indices_do_not_explain_is_not_swallowed(monkeypatch):
    def refuse(*args):
        raise RuntimeError("something else")

    monkeypatch.setattr(torch, "gather", refuse)
    with pytest.raises(RuntimeError, match="something else"):
        take_along_axis(torch.ones(2), torch.tensor([0]))
    with pytest.raises(IndexError, match="index out of range for axis -1 of length 2"):
        take_along_axis(torch.ones(2), torch.tensor([5]))


@pytest.mark.parametrize("name", ["segment_min_or_constant", "segment_max_or_constant"])
def test_a_tensor_as_the_constant_of_empty_segments(name):
    got = getattr(backend, name)(torch.ones(2), torch.tensor([0, 0]), 2, False, torch.tensor(7))
    assert (got.dtype, got.tolist()) == (torch.float32, [1, 7])


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_halves_under_functorch_share_a_gradient_in_float32(dtype):
    x = torch.tensor([2.0, 2.0, 1.0], dtype=dtype)
    ids = torch.tensor([0, 0, 0])
    got = torch.func.grad(lambda x: backend.segment_max(x, ids, 1, False).sum())(x)
    assert (got.dtype, got.tolist()) == (dtype, [0.5, 0.5, 0])


# Sizes that only a trace knows


def test_lengths_of_a_trace_are_not_compared(monkeypatch):
    assert array._is_known(True)
    assert not array._is_known(False)
    monkeypatch.setitem(sys.modules, "torch.fx.experimental.symbolic_shapes", None)
    assert not array._is_known(object())  # a later PyTorch may move what knows


def test_symbolic_lengths_in_an_export_that_runs_the_code():
    class Module(torch.nn.Module):
        def forward(self, x, ids, nodes):
            assert array._may_be_equal(x.shape[0], ids.shape[0])
            assert array.rows_match(x, ids)
            assert type(array.as_size(at.shape(nodes)[0])) is torch.SymInt
            count = array.as_size(ids.max())  # a length that data decide
            return at.segment_sum(x, ids, at.shape(nodes)[0]), at.segment_count(ids, count)

    rows, nodes = torch.export.Dim("rows"), torch.export.Dim("nodes")
    arguments = torch.ones(4, 2), torch.tensor([0, 1, 1, 2]), torch.ones(3)
    program = torch.export.export(
        Module(), arguments, dynamic_shapes=({0: rows}, {0: rows}, {0: nodes}), strict=False
    )
    x = torch.arange(10.0).reshape(5, 2)
    ids = torch.tensor([0, 3, 0, 3, -1])
    total, count = program.module()(x, ids, torch.ones(4))
    np.testing.assert_allclose(total, references.SEGMENT["segment_sum"][0](x.numpy(), ids.numpy(), 4))
    assert count.tolist() == [2, 0, 0]


# What a compiled graph holds


@pytest.mark.parametrize("shape", [(4,), (4, 2)], ids=str)
def test_the_traced_sum_and_its_gradient(shape):
    x = torch.linspace(1, 2, int(np.prod(shape))).reshape(shape).requires_grad_()
    ids = torch.tensor([0, 2, -1, 7])
    got = segment_sums._TracedTotal.apply(x, ids, 3)
    np.testing.assert_allclose(got.detach(), references.SEGMENT["segment_sum"][0](x.detach().numpy(), ids, 3))
    got.backward(torch.full_like(got, 2.0))
    assert x.grad.reshape(4, -1)[:, 0].tolist() == [2, 2, 0, 0]


def test_the_traced_sum_by_hand(monkeypatch):
    x = torch.tensor([1.0, 2.0, 4.0], requires_grad=True)
    ids = torch.tensor([0, 0, 5])
    plain = segment_sums.traced_total(x, ids, 2)
    monkeypatch.setattr(segment_sums, "is_dynamo_tracing", lambda: True)
    for n, taken in ((2, "_TracedTotalBackward"), (0, "SliceBackward0")):
        got = segment_sums.traced_total(x, ids, n)
        assert got.grad_fn.name() == taken
        assert torch.equal(got, plain[:n])


@pytest.mark.parametrize("dtype", [torch.float16, torch.float32])
def test_the_sum_that_dynamo_reads(monkeypatch, dtype):
    segment = importlib.import_module("anytensor.backends.torch.segment")
    monkeypatch.setattr(segment, "is_dynamo_tracing", lambda: True)
    x, ids = torch.tensor([1.0, 2.0, 4.0]).to(dtype), torch.tensor([0, 0, 5])
    got = segment.segment_sum(x, ids.to(torch.uint8), 2, True)
    plain = torch.zeros(0, dtype=dtype)
    assert (got.dtype, got.tolist()) == (dtype, [3, 0])
    assert segment.segment_sum(plain, ids[:0], 2, False).tolist() == [0, 0]


def test_a_positive_size_is_known_and_an_older_torch_does_not_say(monkeypatch):
    from torch.fx.experimental import symbolic_shapes

    assert modes.is_known_positive(3)
    assert not modes.is_known_positive(0)
    monkeypatch.delattr(symbolic_shapes, "guard_or_false")  # before PyTorch 2.7
    assert not modes.is_known_positive(3)


@pytest.mark.parametrize("dtype", [torch.float16, torch.float32])
def test_extremes_of_a_graph_for_onnx(monkeypatch, dtype):
    monkeypatch.setattr(segment_extremes, "is_onnx_exporting", lambda: True)
    x = torch.tensor([1.0, torch.nan, 3.0, -torch.inf]).to(dtype)
    ids = torch.tensor([0, 1, 0, 2])
    for largest, wanted in ((True, [3, np.nan, -np.inf, -np.inf]), (False, [1, np.nan, -np.inf, np.inf])):
        got = segment_extremes.extreme(x, ids, 4, largest, False)
        assert got.dtype == dtype
        np.testing.assert_array_equal(got.float(), wanted)


def test_kits_have_the_operations_of_the_formulas():
    x = torch.tensor([1.0, 4.0])
    for made in (kit.Traced, kit.Plain):
        assert made.sqrt(x).tolist() == [1, 2]
        assert made.is_finite(x).all()
        assert made.cast_like(x, torch.ones(1, dtype=torch.float64)).dtype == torch.float64
