"""Legacy ``torch.jit.script`` callers: the scripted operations say what the eager ones say."""

import subprocess
import sys

import pytest
import torch

import anytensor as at

pytestmark = pytest.mark.filterwarnings("ignore:.*torch.jit.*:DeprecationWarning")

at.enable_torchscript()
at.enable_torchscript()


def reduce_all(x: torch.Tensor, ids: torch.Tensor, n: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    return (
        at.segment_sum(x, ids, n),
        at.segment_min(x, segment_ids=ids, num_segments=n),
        at.segment_max(x, ids, n, sorted=False),
    )


@pytest.fixture(scope="module")
def scripted():
    return torch.jit.script(reduce_all)


NAN, INF = float("nan"), float("inf")
INPUTS = {
    "float32": torch.tensor([[-1.0, 2.0], [-3.0, -4.0], [-5.0, 6.0], [7.0, -8.0]]),
    "one column": torch.tensor([-1.0, -3.0, -5.0, 7.0]),
    "three axes": torch.arange(-12.0, 12.0).reshape(4, 2, 3),
    "no features": torch.ones(4, 0),
    "NaN and infinities": torch.tensor([[NAN, INF], [-1.0, -INF], [2.0, 3.0], [-INF, -INF]]),
    "float64": torch.tensor([1e300, -2.0, 3.0, 4.0], dtype=torch.float64),
    "float16": torch.tensor([2048.0, 1.0, 1.0, -5.0], dtype=torch.float16),
    "bfloat16": torch.tensor([256.0, 1.0, 1.0, -5.0], dtype=torch.bfloat16),
    "int64": torch.tensor([-(2**63), 2**63 - 1, -5, 7]),
    **{
        str(dtype).removeprefix("torch."): torch.tensor([100, -7, 100, 5], dtype=dtype)
        for dtype in (torch.int8, torch.int16, torch.int32)
    },
    "uint8": torch.tensor([200, 100, 7, 5], dtype=torch.uint8),
    "bool": torch.tensor([True, False, False, True]),
}
IDS = {
    "in range": torch.tensor([0, 0, 2, 2]),
    "dropped": torch.tensor([-1, 1, 5, 1]),
    "uint8": torch.tensor([0, 0, 200, 1], dtype=torch.uint8),
}


@pytest.mark.parametrize("ids", IDS)
@pytest.mark.parametrize("name", INPUTS)
def test_values_and_dtypes_are_those_of_eager_calls(scripted, name, ids):
    got = scripted(INPUTS[name], IDS[ids], 4)
    for found, wanted in zip(got, reduce_all(INPUTS[name], IDS[ids], 4), strict=True):
        torch.testing.assert_close(found, wanted, equal_nan=True, rtol=0, atol=0)


@pytest.mark.parametrize("rows", [0, 4])
def test_no_rows_and_no_segments(scripted, rows):
    x, ids = torch.ones(rows, 2), torch.zeros(rows, dtype=torch.int64)
    for n in (0, 3):
        for found, wanted in zip(scripted(x, ids, n), reduce_all(x, ids, n), strict=True):
            torch.testing.assert_close(found, wanted)


@pytest.mark.parametrize("name", ["float32", "NaN and infinities", "float16"])
def test_gradients_are_those_of_eager_calls(scripted, name):
    ids = torch.tensor([0, 0, -1, 2])
    x = INPUTS[name].clone()
    x[1] = x[0]  # a tie
    gradients = []
    for function in (scripted, reduce_all):
        leaf = x.clone().requires_grad_()
        total = sum((i + 1) * torch.nan_to_num(y).sum() for i, y in enumerate(function(leaf, ids, 3)))
        total.backward()
        gradients.append(leaf.grad)
    torch.testing.assert_close(*gradients, equal_nan=True)


def test_a_scripted_module_is_saved_and_loaded(tmp_path):
    class Total(torch.nn.Module):
        def forward(self, x: torch.Tensor, ids: torch.Tensor) -> torch.Tensor:
            return at.segment_sum(x, ids, 2)

    path = str(tmp_path / "total.pt")
    torch.jit.save(torch.jit.script(Total()), path)
    assert torch.jit.load(path)(torch.ones(3), torch.tensor([0, 1, 1])).tolist() == [1.0, 2.0]


def test_errors_are_raised(scripted):
    x = torch.ones(3)
    for ids, n in (
        (torch.zeros(2, dtype=torch.int64), 2),
        (torch.zeros(3), 2),
        (torch.zeros(3, dtype=torch.int64), -1),
    ):
        with pytest.raises(torch.jit.Error):
            scripted(x, ids, n)


SCRIPT = """
import sys, warnings
warnings.simplefilter("ignore")
{first}
assert ("torch" in sys.modules) is {loaded}
import torch, anytensor as at
def total(x: torch.Tensor, ids: torch.Tensor) -> torch.Tensor:
    return at.segment_sum(x, ids, 2)
before = at.segment_sum
assert torch.jit.script(total)(torch.ones(3), torch.tensor([0, -1, 1])).tolist() == [1.0, 1.0]
"""


@pytest.mark.parametrize(
    ("first", "loaded"),
    [
        ("import anytensor; anytensor.enable_torchscript()", False),
        ("import torch, anytensor; anytensor.enable_torchscript()", True),
    ],
)
def test_any_order_of_imports_and_torch_is_never_imported(first, loaded, tmp_path):
    path = tmp_path / "order.py"  # TorchScript reads the source
    path.write_text(SCRIPT.format(first=first, loaded=loaded))
    result = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, timeout=120)
    assert result.returncode == 0, result.stderr


def test_eager_calls_do_not_come_by(monkeypatch):
    from anytensor.backends.torch import torchscript

    def never(*_):
        raise AssertionError("the scripted form ran")

    for name in ("segment_sum", "segment_max", "segment_min"):
        monkeypatch.setattr(torchscript, name, never)
    assert at.segment_sum(torch.ones(3), torch.tensor([0, 1, 1]), 2).tolist() == [1.0, 2.0]
