"""Segment and partition operations: every dtype and id dtype, 1-d to 4-d, eager, compiled, differentiated."""

import numpy as np
import optree
import pytest
from fuzz_profile import search
from fuzz_values import SEEDS, arrays, dtypes, kind_of, narrow, segment_ids, spread
from harness import ALL, call
from hypothesis import strategies as st
from running import default_int

import anytensor as at
from anytensor.testing import assert_trees_close, prepare
from references import PARTITION, SEGMENT, partition_ids

EAGER = {"numpy": (8, 250), "torch": (8, 250), "tensorflow": (4, 120), "jax": (1, 25)}
COMPILED = {
    "jax-jit": (1, 12),
    "torch-compile": (1, 8),
    "torch-compile-dynamic": (1, 8),
    "tensorflow-function": (1, 8),
    "tensorflow-function-none": (1, 8),
    "tensorflow-xla": (1, 8),
}
DIFFERENTIATED = {"torch": (4, 100), "tensorflow": (2, 50), "jax": (1, 15), "torch-compile": (1, 6)}
DIFFERENTIATED |= {"tensorflow-xla": (1, 6), "jax-jit": (1, 8)}
COMPLEX = ("segment_sum", "segment_prod", "segment_mean", "segment_count")
# Products and sums of infinite messages with weight 0 are no matter of the contract.
BOUNDED = ("segment_attention",)
# The constant -2.5 is in no unsigned dtype.
WHOLE = tuple(name for name in ALL if not name.endswith("_or_constant"))
SHAPES = ((3,), (3, 2), (0,), (1,), (5, 1), (2, 0), (17,), (4, 2, 3), (0, 2), (2, 1, 2, 2))
KEEPS = ("segment_min", "segment_max", "segment_min_or_constant", "segment_max_or_constant")


@st.composite
def drawn_segments(draw, backend, kinds="fiubc", finite=False):
    """Draw (names, x, ids, n, in order)."""
    dtype = draw(dtypes(kinds, backend))
    shape = draw(spread(SHAPES))
    n = draw(spread([3, 1, 2, 0, 20]))
    ids, in_order = draw(segment_ids(shape[0], n, backend))
    kind = kind_of(dtype)
    x = draw(arrays(dtype, shape, special=not finite, extreme=False))
    if kind == "c" and not finite and draw(st.booleans()):
        # The parts of a sum do not meet; those of a product and a quotient do, each framework's way.
        x = (draw(arrays("float32", shape, extreme=False)) + 1j * x.imag).astype(x.dtype)
        return ("segment_sum", "segment_count"), x, ids, n, in_order
    names = {"c": COMPLEX, "b": WHOLE, "u": WHOLE}.get(kind, ALL)
    names = [name for name in names if name not in BOUNDED or (np.isfinite(x).all() and x.size)]
    return tuple(names), x, ids, n, in_order


def each(names):
    def function(x, ids, n, promised):
        return {name: call(name, x, ids, n, promised) for name in names}

    return function


def tolerance(x):
    return {"float16": (8e-3, 4e-3), "bfloat16": (6e-2, 3e-2)}.get(x.dtype.name, (1e-4, 2e-5))


def wanted_dtype(name, x, backend):
    """Return the name of the dtype of a result: clauses S5 and S6."""
    own = narrow(x, backend).dtype.name
    if name == "segment_count":
        return None
    if name in KEEPS:
        return own
    if name in ("segment_sum", "segment_prod"):
        whole = default_int(backend)  # which unsigned integers that are narrower widen to, too
        return whole if kind_of(own) in "biu" and np.dtype(own).itemsize < np.dtype(whole).itemsize else own
    if kind_of(own) in "biu":
        return "float64" if backend == "numpy" else "float32"
    return own


def check(drawn, variant, prepared=None):
    names, x, ids, n, in_order = drawn
    outcome = (prepared or prepare(each(names), variant))(x, ids, n, in_order)
    told = f"{variant}: x {x.dtype}{x.shape} {x.tolist()}, ids {ids.dtype} {ids.tolist()}, n {n}, {in_order}"
    if outcome.error is not None:
        raise AssertionError(told) from outcome.error
    assert outcome.written == (), told
    backend = outcome.variant.backend
    x = narrow(x, backend)
    for name in names:
        got = outcome.outputs[name]
        dtype = wanted_dtype(name, x, backend)
        assert dtype in (None, got.dtype.name), f"{name} has dtype {got.dtype.name}, not {dtype}. {told}"
        with np.errstate(all="ignore"):
            want = SEGMENT[name][0](x, ids, n)
            if got.dtype.kind in "iu" and want.dtype == object:
                modulus = 2 ** (8 * got.dtype.itemsize)
                wrapped = [int(v) % modulus for v in want.ravel()]
                unsigned = np.array(wrapped, dtype=f"uint{8 * got.dtype.itemsize}")
                want = unsigned.astype(got.dtype).reshape(want.shape)
            want = np.asarray(want).astype(got.dtype if got.dtype.kind != "V" else np.float32)
        rtol, atol = tolerance(got)
        try:
            assert_trees_close(got, want, rtol=rtol, atol=atol)
        except AssertionError as error:
            raise AssertionError(f"{name}: {error}. {told}") from None


@pytest.mark.parametrize("backend", EAGER)
def test_segments_eager(backend):
    search(
        f"segments/{backend}", drawn_segments(backend), lambda drawn: check(drawn, backend), *EAGER[backend]
    )


@pytest.mark.parametrize("variant", COMPILED)
def test_segments_compiled(variant):
    backend = variant.split("-")[0]

    def holds(drawn):
        # A few operations, since each costs; then other rows and ids, which the same compilation serves.
        names, x, ids, n, in_order = drawn
        names = names[len(ids) % 4 :: 4]
        prepared = prepare(each(names), variant)
        rng = np.random.default_rng(x.size)
        for _ in range(3):
            check((names, x, ids, n, in_order), variant, prepared)
            x = rng.permutation(x.ravel()).reshape(x.shape)
            ids = ids if in_order else rng.permutation(ids)

    search(f"segments/{variant}", drawn_segments(backend), holds, *COMPILED[variant])


SMOOTH = tuple(name for name in ALL if name != "segment_count")


@pytest.mark.parametrize("variant", DIFFERENTIATED)
def test_segment_gradients(variant):
    """The pullback of every operation, ties and zeros and dropped rows of NaN included."""

    def holds(drawn):
        _, x, ids, n, in_order = drawn
        names = SMOOTH if "-" not in variant else SMOOTH[::3]
        dropped = (ids.astype(object) < 0) | (ids.astype(object) >= n) if len(ids) else np.zeros(0, bool)
        x = x.copy()
        if "segment_attention" in names and x.size == 0:
            names = tuple(name for name in names if name != "segment_attention")
        # The reference of a normalized row says nothing of a sum near 0, whose quotients have no digits.
        told = (
            f"{variant}: x {x.shape} {x.tolist()}, ids {ids.dtype} {ids.tolist()}, n {n}, sorted {in_order}"
        )
        outcome = prepare(_copies, variant, gradients=True)(dict.fromkeys(names, x), ids, n, in_order)
        if outcome.error is not None:
            raise AssertionError(told) from outcome.error
        from harness import expected_gradients

        want = expected_gradients(names, outcome.outputs, x.astype(np.float64), ids, n)
        for name in names:
            got = outcome.gradients[f"xs['{name}']"]
            np.testing.assert_array_equal(got[dropped.astype(bool)], 0, f"{name}: {told}")
            try:
                assert_trees_close(got, want[f"xs['{name}']"], rtol=2e-3, atol=2e-4)
            except AssertionError as error:
                raise AssertionError(f"{name}: {error}. {told}") from None

    backend = variant.split("-")[0]
    search(f"gradients/{variant}", _positive(backend), holds, *DIFFERENTIATED[variant])


@st.composite
def _positive(draw, backend):
    names, x, ids, n, in_order = draw(drawn_segments(backend, "f", finite=True))
    rng = np.random.default_rng(draw(SEEDS))
    x = rng.choice([0.5, 0.75, 1.0, 1.5, 2.0], x.shape).astype(np.float32)  # ties, no sum near 0
    return names, x, ids, n, in_order


def _copies(xs, ids, n, promised):
    return {name: call(name, x, ids, n, promised) for name, x in xs.items()}


@st.composite
def drawn_partitions(draw, backend):
    """Draw (x, lengths, total): a total of less than the lengths, as many, or more."""
    dtype = draw(dtypes("fiub", backend))
    rng = np.random.default_rng(draw(SEEDS))
    lengths = rng.integers(0, 4, draw(spread([2, 0, 1, 4]))).astype(
        draw(spread(["int32", "int64", "uint8", "int16"]))
    )
    total = max(0, int(lengths.sum()) + draw(spread([0, 0, -1, 2, -3])))
    rest = draw(spread([(), (2,), (0,), (1, 2)]))
    return draw(arrays(dtype, (total, *rest), extreme=False)), lengths, total


def every_partition(x, lengths, total):
    ids = {"partition_ids": at.partition_ids(lengths, total)}
    return {**ids, **{name: getattr(at, name)(x, lengths, total) for name in PARTITION}}


@pytest.mark.parametrize("variant", {**EAGER, "jax-jit": 0, "torch-compile": 0, "tensorflow-xla": 0})
def test_partitions(variant):
    backend = variant.split("-")[0]

    def holds(drawn):
        x, lengths, total = drawn
        told = f"{variant}: x {x.dtype}{x.shape} {x.tolist()}, lengths {lengths.tolist()}, total {total}"
        outcome = prepare(every_partition, variant)(x, lengths, total)
        if outcome.error is not None:
            raise AssertionError(told) from outcome.error
        x = narrow(x, backend)
        ids = partition_ids(lengths, total)
        want = {name: value(x, ids, len(lengths)) for name, value in PARTITION.items()}
        want["partition_ids"] = ids
        rtol, atol = tolerance(x)
        want = optree.tree_map(lambda w, g: np.asarray(w).astype(float), want, outcome.outputs)
        try:
            assert_trees_close(outcome.outputs, want, rtol=rtol, atol=atol)
        except AssertionError as error:
            raise AssertionError(f"{error}. {told}") from None

    small, long = EAGER[backend] if variant == backend else COMPILED[variant]
    search(f"partitions/{variant}", drawn_partitions(backend), holds, small, long)
