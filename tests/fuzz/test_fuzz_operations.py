"""Random ordinary operations against NumPy: eager in every dtype, and under each compiler."""

import warnings
from dataclasses import replace

import fuzz_axes
import fuzz_elementwise
import fuzz_made
import fuzz_products
import fuzz_shapes
import numpy as np
import pytest
from fuzz_cases import check
from fuzz_profile import prepared, search
from hypothesis import strategies as st

FAMILIES = {
    "unary": fuzz_elementwise.unary,
    "binary": fuzz_elementwise.binary,
    "chosen": fuzz_elementwise.chosen,
    "reductions": fuzz_axes.reductions,
    "running": fuzz_axes.running,
    "order": fuzz_axes.order,
    "moved": fuzz_shapes.moved,
    "gathered": fuzz_shapes.gathered,
    "joined": fuzz_shapes.joined,
    "patterns": fuzz_shapes.patterns,
    "products": fuzz_products.products,
    "solved": fuzz_products.solved,
    "created": fuzz_made.created,
    "triangles": fuzz_made.triangles,
    "transforms": fuzz_made.transforms,
}
EAGER = {"numpy": (12, 400), "torch": (12, 400), "tensorflow": (8, 300), "jax": (2, 80)}
COMPILED = {
    "jax-jit": (1, 25),
    "torch-compile": (1, 15),
    "torch-compile-dynamic": (1, 15),
    "tensorflow-function": (1, 25),
    "tensorflow-function-none": (1, 25),
    "tensorflow-xla": (1, 20),
    "torch-inductor": (1, 6),
}


# Whose first operand has an order or a shape of values that a shuffle would break.
ORDERED = ("searchsorted", "inv", "det", "solve", "cholesky", "eigvalsh", "slogdet", "unique", "nonzero")


def checked(case, variant, times=1):
    """Check a case, and more of other entries in its first array that the same compilation serves."""
    call = prepared(case.function, variant)
    rng = np.random.default_rng(case.arrays[0].size)
    for again in range(times):
        if again:
            if case.name.startswith(ORDERED):
                return
            first = case.arrays[0]
            shuffled = rng.permutation(first.ravel()).reshape(first.shape)
            case = replace(case, arrays=(shuffled, *case.arrays[1:]))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # NumPy's of overflow and invalid values, which are wanted here
            outcome = call(*case.arrays)
        check(case, outcome)


@pytest.mark.parametrize("backend", EAGER)
@pytest.mark.parametrize("family", FAMILIES)
def test_eager(family, backend):
    small, long = EAGER[backend]
    search(
        f"eager/{family}/{backend}",
        FAMILIES[family](backend),
        lambda case: checked(case, backend),
        small,
        long,
    )


# What a compiler has not, as the page of differences says: a length that depends on the data, determinants.
NOT_COMPILED = {
    "jax-jit": ("unique", "nonzero", "repeat counts"),
    "tensorflow-xla": ("unique", "nonzero", "repeat counts", "det", "slogdet"),
}


@pytest.mark.parametrize("variant", COMPILED)
def test_compiled(variant):
    small, long = COMPILED[variant]
    backend = variant.split("-")[0]
    left_out = NOT_COMPILED.get(variant, ())

    def holds(case):
        if not case.name.startswith(left_out):
            checked(case, variant, 3)

    cases = st.one_of(*(family(backend) for family in FAMILIES.values()))
    search(f"compiled/{variant}", cases, holds, small, long)
