"""Clause S11: the same result from run to run on CPU, PyTorch's deterministic mode included."""

import numpy as np
from harness import ALL, FEW, FLOATING, for_each_operation, run, together

X = np.random.default_rng(0).normal(size=(4000, 3)).astype(np.float32)
IDS = np.random.default_rng(1).integers(-5, 60, 4000).astype(np.int32)


def bits(outcome):
    arrays = {**outcome.outputs, **outcome.gradients}
    return {name: array.tobytes() for name, array in arrays.items()}


@for_each_operation(ALL, compiled=FEW)
def test_runs_are_equal_bit_by_bit(variant, names):
    xs = dict.fromkeys(names, X)
    first, second = (bits(run(together, variant, xs, IDS, 50, False, gradients=True)) for _ in range(2))
    assert first == second


def test_torch_deterministic_mode():
    import torch

    from anytensor.testing import prepare

    prepared = prepare(together, "torch", gradients=True)
    torch.use_deterministic_algorithms(True)
    try:
        outcomes = [prepared(dict.fromkeys(FLOATING, X), IDS, 50, promised) for promised in (False, True)]
    finally:
        torch.use_deterministic_algorithms(False)
    assert [outcome.error for outcome in outcomes] == [None, None]
