"""Small programs on all four backends and under their compilers: one answer, and one gradient."""

import warnings

import numpy as np
import pytest
from fuzz_profile import prepared, search
from fuzz_programs import generic, programs

from anytensor.testing import assert_trees_close
from anytensor.testing.finite_differences import finite_difference_gradients
from anytensor.testing.operands import Operands

VARIANTS = {
    "torch": (8, 250),
    "tensorflow": (4, 150),
    "jax": (1, 25),
    "jax-jit": (1, 20),
    "torch-compile": (1, 15),
    "torch-compile-dynamic": (1, 12),
    "tensorflow-function": (1, 12),
    "tensorflow-function-none": (1, 12),
    "tensorflow-xla": (1, 12),
    "torch-inductor": (1, 6),
}


def run(program, variant, x, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of empty means, overflow and copies
        return prepared(program, variant, **options)(x)


def judged(program, x, outcome, reference):
    told = f"{outcome.variant}: {program!r} of {x.dtype}{list(x.shape)} {x.tolist()}"
    if outcome.error is not None:
        raise AssertionError(told) from outcome.error
    assert outcome.written == (), told
    assert outcome.foreign == (), told
    try:
        exact, rounded = outcome.outputs
        assert_trees_close(exact, reference.outputs[0], rtol=1e-6, atol=1e-6)
        assert_trees_close(rounded, reference.outputs[1], rtol=1e-4, atol=1e-5)
    except AssertionError as error:
        raise AssertionError(f"{told}: {error}") from None


@pytest.mark.parametrize("variant", VARIANTS)
def test_programs(variant):
    def holds(drawn):
        program, x = drawn
        reference = run(program, "numpy", x)
        if reference.error is not None:
            raise AssertionError(
                f"numpy: {program!r} of {x.dtype}{list(x.shape)} {x.tolist()}"
            ) from reference.error
        judged(program, x, run(program, variant, x), reference)

    search(f"programs/{variant}", programs(), holds, *VARIANTS[variant])


@pytest.mark.parametrize("variant", ["tensorflow", "jax", "torch-compile", "tensorflow-xla"])
def test_gradients_of_programs(variant):
    """Against eager PyTorch's, whose own are held to differences in the test below."""

    def holds(drawn):
        program, x = drawn
        program, x = generic(program, x.astype(np.float32))
        if program.kinked:
            return
        want, got = (run(program, v, x, gradients=True) for v in ("torch", variant))
        told = f"{variant}: {program!r} of {list(x.shape)} {x.tolist()}"
        for outcome in (want, got):
            if outcome.error is not None:
                raise AssertionError(told) from outcome.error
        if not all(np.isfinite(output).all() for output in want.outputs):
            return  # no gradient to speak of: the maximum of no rows in what follows
        try:
            assert_trees_close(got.gradients, want.gradients, rtol=2e-3, atol=2e-4)
        except AssertionError as error:
            raise AssertionError(f"{told}: {error}") from None

    small, long = VARIANTS[variant]
    search(f"program-gradients/{variant}", programs(), holds, small, long)


def test_gradients_by_differences():
    def holds(drawn):
        program, x = drawn
        program, x = generic(program, x.astype(np.float64))
        if program.kinked or x.size == 0:
            return
        got = run(program, "torch", x, gradients=True)
        told = f"torch: {program!r} of {list(x.shape)} {x.tolist()}"
        if got.error is not None:
            raise AssertionError(told) from got.error
        if not all(np.isfinite(output).all() for output in got.outputs):
            return
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            operands = Operands(program, (x,), {}, (), "fuzz")
            want = finite_difference_gradients(program, operands)
        try:
            assert_trees_close(got.gradients, want, rtol=1e-4, atol=1e-5)
        except AssertionError as error:
            raise AssertionError(f"{told}: {error}") from None

    search("program-differences", programs(), holds, 6, 80)
