"""The operations for TorchScript, run by hand: what the compiler reads has the contract's values."""

import numpy as np
import pytest
import torch

from anytensor.backends import torch as backend
from anytensor.backends.torch import torchscript

IDS = {
    "in range": torch.tensor([0, 0, 2, 2]),
    "dropped": torch.tensor([-1, 1, 5, 1]),
    "uint8": torch.tensor([0, 0, 200, 1], dtype=torch.uint8),
}
NAMES = ("segment_sum", "segment_min", "segment_max")
DTYPES = {
    **{
        name: torch.tensor([[-1.0, 2.0], [-3.0, -4.0], [-1.0, 2.0], [7.0, 2.0]]).to(getattr(torch, name))
        for name in ("float16", "bfloat16", "float32", "float64")
    },
    "int64": torch.tensor([-(2**63), 2**63 - 1, -5, 7]),
    **{
        name: torch.tensor([100, -7, 100, 5]).to(getattr(torch, name))
        for name in ("int8", "int16", "int32", "uint8")
    },
    "bool": torch.tensor([True, False, False, True]),
    "special": torch.tensor([torch.nan, -torch.inf, torch.inf, torch.inf]),
    "three axes": torch.arange(-12.0, 12.0).reshape(4, 2, 3),
}
by_name = pytest.mark.parametrize("name", NAMES)


@by_name
@pytest.mark.parametrize("ids", IDS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_values_and_dtypes_are_the_contracts(name, ids, dtype):
    x = DTYPES[dtype]
    got = getattr(torchscript, name)(x, IDS[ids], 4)
    wanted = getattr(backend, name)(x, IDS[ids], 4, False)
    torch.testing.assert_close(got, wanted, rtol=0, atol=0, equal_nan=True)


@by_name
@pytest.mark.parametrize("ids", IDS)
@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_gradients_are_the_contracts(name, ids, dtype):
    gradients = []
    for room in (torchscript, backend):
        x = DTYPES[dtype].clone().requires_grad_()
        got = getattr(room, name)(x, IDS[ids], 4, False)
        weights = torch.arange(1.0, 9.0).reshape(4, 2).to(got.dtype)
        # An empty segment's infinity has no gradient.
        torch.where(got.detach().isfinite(), got * weights, 0).sum().backward()
        gradients.append(x.grad)
    torch.testing.assert_close(*gradients)


def test_complex_numbers_add_up_and_have_no_order():
    x = torch.tensor([1 + 2j, 3 - 1j, 2j, 1])
    assert torchscript.segment_sum(x, IDS["in range"], 3).tolist() == [4 + 1j, 0, 1 + 2j]
    for name in ("segment_min", "segment_max"):
        with pytest.raises(ValueError, match="complex numbers have no order"):
            getattr(torchscript, name)(x, IDS["in range"], 3)


@by_name
@pytest.mark.parametrize(
    ("x", "ids", "n", "words"),
    [
        (torch.tensor(1.0), IDS["in range"], 2, "one id for each row"),
        (torch.ones(4), IDS["in range"][:, None], 2, "one id for each row"),
        (torch.ones(4), IDS["in range"][:3], 2, "one id for each row"),
        (torch.ones(4), torch.ones(4), 2, "must hold integers"),
        (torch.ones(4), torch.ones(4, dtype=torch.bool), 2, "must hold integers"),
        (torch.ones(4), torch.ones(4, dtype=torch.complex64), 2, "must hold integers"),
        (torch.ones(4), IDS["in range"], -1, "must be at least 0, got -1"),
    ],
    ids=["0-d", "2-d ids", "too few", "floating", "bool", "complex", "negative"],
)
def test_bad_arguments_are_named(name, x, ids, n, words):
    with pytest.raises(ValueError, match=words):
        getattr(torchscript, name)(x, ids, n)


@by_name
def test_arguments_are_not_written_to(name):
    x, ids = DTYPES["float32"].clone(), IDS["dropped"].clone()
    getattr(torchscript, name)(x, ids, 3)
    np.testing.assert_array_equal(x, DTYPES["float32"])
    np.testing.assert_array_equal(ids, IDS["dropped"])
