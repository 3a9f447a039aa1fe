"""``torch.jit.trace`` of segment operations: lengths are tensors there, and the graph fits every length."""

import pytest
import torch

import anytensor as at

# The old tracer is deprecated, and warns of each comparison of lengths.
pytestmark = [
    pytest.mark.filterwarnings("ignore:.*torch.jit.trace.*:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::torch.jit.TracerWarning"),
]

NAMES = ["sum", "prod", "min", "max", "mean", "variance", "std", "normalize", "softmax", "logsumexp"]


def operands(rows):
    generator = torch.Generator().manual_seed(rows)
    return torch.rand(rows, 3, generator=generator), torch.randint(-1, 5, (rows,), generator=generator)


def traced_and_run(function, small, large):
    traced = torch.jit.trace(function, small)
    return traced(*large), function(*large)


@pytest.mark.parametrize("name", NAMES)
def test_segment_operations(name):
    operation = getattr(at, f"segment_{name}")
    got, wanted = traced_and_run(lambda x, ids: operation(x, ids, 4), operands(6), operands(9))
    torch.testing.assert_close(got, wanted)


def test_counts_attention_and_constants():
    def several(x, ids):
        filled = at.segment_max_or_constant(x, ids, 6, constant=-1.0)
        return at.segment_count(ids, 4), at.segment_attention(x, x, ids, 4), filled

    got, wanted = traced_and_run(several, operands(6), operands(9))
    for a, b in zip(got, wanted, strict=True):
        torch.testing.assert_close(a, b)


def test_partitions():
    got, wanted = traced_and_run(
        lambda lengths: at.partition_ids(lengths, 9), (torch.tensor([2, 3, 4]),), (torch.tensor([1, 3]),)
    )
    assert torch.equal(got, wanted)


def test_rows_that_do_not_fit_are_refused_by_the_kernel():
    x, ids = operands(6)
    with pytest.raises(RuntimeError, match=r"\(4\).*\(6\)"):
        torch.jit.trace(lambda x, ids: at.segment_sum(x, ids, 4), (x, ids[:4]))
