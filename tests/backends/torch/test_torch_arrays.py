"""Tensors and host memory: what is shared, what is copied and why, numbers that overflow, sizes, dtypes."""

import ml_dtypes
import numpy as np
import pytest
import torch
import torch._dynamo  # taught when it is loaded, which no test below may be the first to do

import anytensor as at
from anytensor.backends.torch import array, creation, elementwise, host_arrays
from anytensor.backends.torch.array import from_host, from_scalar, to_numpy

X = np.arange(6, dtype=np.float32).reshape(2, 3)


# From the host


SHARED = {
    "contiguous": X,
    "transposed": X.T,
    "stepping": X[:, ::2],
    "empty": X[:0],
    "complex": X.astype(np.complex64),
    "bool": X > 1,
    "uint64": X.astype(np.uint64),
}


@pytest.mark.parametrize("case", SHARED)
def test_memory_is_shared_unless_a_copy_is_asked_for(case):
    host = SHARED[case]
    tensor, reason = from_host(host, None, False)
    assert reason == ""
    np.testing.assert_array_equal(tensor.numpy(), host)
    assert np.shares_memory(tensor.numpy(), host) or host.size == 0
    copy, reason = from_host(host, torch.ones(1), True)
    assert reason == ""
    np.testing.assert_array_equal(copy.numpy(), host)
    assert not np.shares_memory(copy.numpy(), host)


def read_only():
    x = X.copy()
    x.flags.writeable = False
    return x


def unaligned():
    record = np.zeros(4, np.dtype([("tag", np.uint8), ("value", np.float32)]))
    record["value"] = [1, 2, 3, 4]
    return record["value"]


COPIED = {
    "read-only": (read_only(), "read-only"),
    "reversed": (X[::-1], "negative strides"),
    "unaligned": (unaligned(), "not multiples of its item size"),
    "swapped": (X.astype(">f4"), "byte order"),
    "wide": (X.astype(np.longdouble), "PyTorch has no"),
    "wide complex": (X.astype(np.clongdouble), "PyTorch has no"),
}


@pytest.mark.parametrize("copy", [False, True])
@pytest.mark.parametrize("case", COPIED)
def test_what_cannot_be_shared_is_copied_and_says_why(case, copy):
    host, words = COPIED[case]
    tensor, reason = from_host(host, None, copy)
    np.testing.assert_array_equal(tensor.numpy(), host)
    assert not np.shares_memory(tensor.numpy(), host)
    assert reason == "" if copy else words in reason


def test_a_number_of_numpy_is_no_array_to_share():
    tensor, reason = from_host(np.float32(1.5), None, False)
    assert (tensor.item(), tensor.dtype, reason) == (1.5, torch.float32, "")


def test_memory_of_the_host_does_not_reach_another_device():
    tensor, reason = from_host(X.copy(), torch.ones(1, device="meta"), False)
    assert tensor.device.type == "meta"
    assert reason == "its memory is the host's, the tensor is on meta"


def test_dtypes_that_only_the_host_has():
    with pytest.raises(TypeError, match="PyTorch has no dtype for a NumPy array of dtype"):
        from_host(np.array(["a"]), None, False)
    with pytest.raises(TypeError, match="PyTorch has no dtype 'float7'"):
        array.as_dtype("float7")


@pytest.mark.parametrize("name", ["bfloat16", "float8_e4m3fn", "float8_e5m2"])
def test_dtypes_of_ml_dtypes_share_their_bits_both_ways(name):
    host = np.array([[0.5, -2.0, 1.0]]).astype(getattr(ml_dtypes, name))
    tensor, reason = from_host(host, None, False)
    assert (tensor.dtype, reason) == (getattr(torch, name), "")
    assert tensor.to(torch.float32).tolist() == [[0.5, -2, 1]]
    back = to_numpy(tensor)
    assert back.dtype == host.dtype
    assert np.shares_memory(back, host)


def test_ml_dtypes_is_needed_for_them_alone(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "ml_dtypes", None)
    monkeypatch.setattr(np, "dtype", lambda name: _refuse(name))
    with pytest.raises(TypeError, match="dtype bfloat16 needs the ml_dtypes package on NumPy"):
        array.numpy_dtype(torch.bfloat16)


def _refuse(name):
    raise TypeError(f"data type {name!r} not understood")


@pytest.mark.parametrize(
    ("x", "wanted"),
    [
        (torch.tensor([1 + 2j, 3j]).conj(), [1 - 2j, -3j]),
        (torch.tensor([1 + 2j, 3j]).conj().imag, [-2, -3]),
        (torch.ones(2, requires_grad=True), [1, 1]),
        (torch.nn.Parameter(torch.ones(2)), [1, 1]),
        (torch.arange(6).reshape(2, 3).T[::2], [[0, 3], [2, 5]]),
        (torch.ones(4, dtype=torch.bfloat16)[::2], [1, 1]),
    ],
    ids=["conjugated", "negated", "watched", "parameter", "strided", "strided bfloat16"],
)
def test_to_numpy(x, wanted):
    np.testing.assert_array_equal(to_numpy(x), np.array(wanted))


# Numbers

FLOATS = ("float16", "bfloat16", "float32", "float64")
NUMBERS = (0.1, -1e5, 1e39, -1e300, 3, 2**53 + 1, 2**63, 2**64, -(2**70), float("nan"), float("inf"))


@pytest.fixture(params=[False, True], ids=["by hand", "as Dynamo reads it"])
def traced(request, monkeypatch):
    """Run a test a second time on the road that a trace takes, where no exception can be caught."""
    if request.param:
        for module in (array, elementwise, creation):
            if hasattr(module, "is_dynamo_tracing"):
                monkeypatch.setattr(module, "is_dynamo_tracing", lambda: True)
    return request.param


def converted(value, name):
    return torch.tensor(float(value), dtype=torch.float64).to(getattr(torch, name))


@pytest.mark.parametrize("value", NUMBERS)
@pytest.mark.parametrize("name", FLOATS)
def test_a_number_becomes_what_a_conversion_makes_of_it(traced, name, value):
    got = from_scalar(value, getattr(torch, name), torch.ones(1))
    torch.testing.assert_close(got, converted(value, name), rtol=0, atol=0, equal_nan=True)


@pytest.mark.parametrize("value", [*NUMBERS, 1e39 - 2j, 1e300j, 1 + 2j])
@pytest.mark.parametrize("name", ["complex64", "complex128"])
def test_a_number_becomes_a_complex_one(traced, name, value):
    part = {"complex64": "float32", "complex128": "float64"}[name]
    got = from_scalar(value, getattr(torch, name), None)
    for found, wanted in ((got.real, complex(value).real), (got.imag, complex(value).imag)):
        torch.testing.assert_close(found, converted(wanted, part), rtol=0, atol=0, equal_nan=True)


def test_an_integer_beyond_every_float_is_an_overflow():
    with pytest.raises(OverflowError):
        from_scalar(10**400, torch.float32, None)


@pytest.mark.parametrize(
    ("name", "bound"), [("int8", -128), ("uint8", 255), ("int32", 2**31 - 1), ("uint64", 0)]
)
def test_integers_hold_their_bounds_and_nothing_beyond(traced, name, bound):
    dtype = getattr(torch, name)
    assert from_scalar(bound, dtype, None).item() == bound
    beyond = bound - 1 if bound <= 0 else bound + 1
    with pytest.raises(OverflowError, match=rf"^{beyond} lies outside "):
        from_scalar(beyond, dtype, None)


def test_bool_of_a_number(traced):
    assert from_scalar(True, torch.bool, None).item() is True
    assert from_scalar(0, torch.bool, None).item() is False


@pytest.mark.parametrize("value", [*NUMBERS, True, 1j, 1e39 - 2j, 1e300j])
@pytest.mark.parametrize("name", ["float16", "float32", "complex64"])
def test_what_fills_is_taken_by_full(traced, name, value):
    if type(value) is complex:
        name = "complex64"  # no other takes it
    dtype = getattr(torch, name)
    filler = array.fill(value, dtype)
    got = creation.full((2,), value, dtype=dtype)
    assert got.dtype == dtype
    wanted = from_scalar(value if type(value) is complex else float(value), dtype, None)
    torch.testing.assert_close(got, wanted.expand(2), rtol=0, atol=0, equal_nan=True)
    like = creation.full_like(torch.ones(2, dtype=dtype), value)
    torch.testing.assert_close(like, got, rtol=0, atol=0, equal_nan=True)
    assert isinstance(filler, torch.Tensor) or filler is value


def test_a_fill_of_integers_is_the_number_itself(traced):
    assert array.fill(2**40, torch.int64) == 2**40
    assert creation.full((1,), 2**40, dtype=torch.int64).tolist() == [2**40]


def test_a_bound_that_overflows_a_half_clips_nothing(traced):
    x = torch.tensor([-torch.inf, 1.0, torch.inf], dtype=torch.float16)
    assert elementwise.clip(x, -1e6, 1e6).tolist() == [-torch.inf, 1, torch.inf]
    assert elementwise.clip(x, None, 2.0).tolist() == [-torch.inf, 1, 2]
    assert elementwise.clip(x, torch.tensor(0.0, dtype=torch.float16), None).tolist() == [0, 1, torch.inf]
    assert elementwise.clip(x, float("nan"), 2.0).isnan().all()


# What a trace sees


def test_arrays_of_the_host_are_tensors_to_dynamo(monkeypatch):
    monkeypatch.setattr(array, "is_dynamo_tracing", lambda: True)
    host = X.copy()
    tensor, reason = from_host(host, torch.ones(1), False)
    assert (tensor.tolist(), reason) == (host.tolist(), "")
    copy, _ = from_host(host, None, True)
    host[0, 0] = 7
    assert (tensor[0, 0].item(), copy[0, 0].item()) == (7, 0)
    back = to_numpy(torch.ones(2, requires_grad=True))
    assert back.tolist() == [1, 1]
    assert array.is_traced(torch.ones(1))


def test_nobody_knows_the_kind_of_a_host_array_in_a_trace():
    assert host_arrays._unknown(np.arange(3)) is False


def test_torch_before_2_6_has_no_way_to_teach_dynamo(monkeypatch):
    monkeypatch.delattr(torch.compiler, "substitute_in_graph")
    host_arrays._teach(torch._dynamo)
    assert not hasattr(torch.compiler, "substitute_in_graph")


def test_parts_of_an_array_under_vmap():
    x = torch.arange(12.0).reshape(2, 3, 2)
    first, second = torch.func.vmap(lambda x: at.unstack(x, axis=-1))(x)
    assert first.tolist() == [[0, 2, 4], [6, 8, 10]]
    assert second.tolist() == [[1, 3, 5], [7, 9, 11]]
    rows = torch.func.vmap(lambda x: at.tree.unbatch({"h": x}))(x)
    assert [row["h"].tolist() for row in rows] == x.swapaxes(0, 1)[:, :, None].tolist()
    assert at.unstack(x[:, :0], axis=1) == ()


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_a_gradient_of_zeros_without_memory(dtype):
    x = torch.ones(3, requires_grad=True, dtype=dtype)
    (gradient,) = torch.autograd.grad(torch.floor(x).sum(), x)
    zeros = torch._efficientzerotensor((3,), dtype=dtype)
    for made in (gradient, zeros):
        host = to_numpy(made)
        assert host.dtype.name == str(dtype).removeprefix("torch.")
        assert host.tolist() == [0, 0, 0]
