"""Large segment operations: rows, segments, features and sortedness, against each framework's native kernel.

A row with a goal of 1.1 compares with the fastest native kernel; NumPy's compare with ``ufunc.at``. Where the
peer is ours, ``sorted=True`` is compared with the call without it, or with ids in no order, at the size at
which baselines.md does. Torch has a row for softmax forward and backward against PyTorch Geometric's.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from typing import Any

import numpy as np

import anytensor as at
from anytensor.backends.numpy import scatter
from benchmarks.rows import by_backend, compared
from benchmarks.segment_small import Call, Case

SIZES = (  # rows, segments, features
    (1_000_000, 100_000, 1),
    (1_000_000, 100_000, 16),
    (300_000, 30_000, 64),
    (100_000, 10_000, 128),
    (1_000_000, 100_000, 64),
)
LARGEST = SIZES[-1]


def operands(rows: int, segments: int, features: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return x, ids in no order, and the same ids sorted."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(rows, features) if features > 1 else rows).astype(np.float32)
    ids = rng.integers(0, segments, rows)
    return x, ids, np.sort(ids)


def sorted_cases(x: Any, ids: Any, ordered: Any, segments: int, done: Callable[[Any], Any]) -> list[Case]:
    """Pair the sum of sorted ids with our own call without the promise, and on ids in no order."""

    def call(ids: Any, sorted: bool) -> Call:
        return lambda: done(at.segment_sum(x, ids, segments, sorted))

    # As fast, up to what a median of seven varies.
    cases: list[Case] = [
        ("sum, sorted; peer: ours not told so", call(ordered, True), call(ordered, False), 1.05)
    ]
    if tuple(x.shape) == (LARGEST[0], LARGEST[2]):
        cases.append(
            ("sum, sorted; peer: ours, ids in no order", call(ordered, True), call(ids, False), 0.67)
        )
    return cases


def numpy_cases(rows: int, segments: int, features: int) -> list[Case]:
    """Pair our calls with NumPy's own."""
    x, ids, ordered = operands(rows, segments, features)
    shape = (segments, *x.shape[1:])

    def by(ufunc: Any, start: float, ids: np.ndarray) -> Call:
        def call() -> Any:
            out = np.full(shape, start, x.dtype)
            ufunc.at(out, ids, x)
            return out

        return call

    def without_scipy() -> Any:
        kernel = scatter._csc_kernel
        scatter._csc_kernel = lambda: None
        try:
            return at.segment_sum(x, ids, segments)
        finally:
            scatter._csc_kernel = kernel

    if (rows, segments, features) == LARGEST:  # where ufunc.at takes a second
        return sorted_cases(x, ids, ordered, segments, lambda y: y)
    goals = (0.2, 0.5, 0.33) if features > 1 else (1.3, 1.3, 1.3)
    return [
        ("sum", lambda: at.segment_sum(x, ids, segments), by(np.add, 0, ids), goals[0]),
        ("sum, without SciPy", without_scipy, by(np.add, 0, ids), goals[1]),
        ("sum, sorted", lambda: at.segment_sum(x, ordered, segments, True), by(np.add, 0, ordered), goals[0]),
        ("max", lambda: at.segment_max(x, ids, segments), by(np.maximum, -np.inf, ids), goals[2]),
        *sorted_cases(x, ids, ordered, segments, lambda y: y),
    ]


def torch_cases(rows: int, segments: int, features: int) -> list[Case]:
    """Pair our calls with PyTorch's kernels, and softmax with PyTorch Geometric's."""
    import torch

    x, ids, ordered = (torch.from_numpy(a) for a in operands(rows, segments, features))
    shape = (segments, *x.shape[1:])
    wide = ids if x.ndim == 1 else ids[:, None].expand_as(x)

    def added(ids: Any) -> Call:
        if x.ndim == 1:  # the faster one on a vector; on rows of 64 they are one kernel
            return lambda: x.new_zeros(shape).scatter_add_(0, ids, x)
        return lambda: x.new_zeros(shape).index_add_(0, ids, x)

    def maxed() -> Any:
        return x.new_full(shape, -torch.inf).scatter_reduce_(0, wide, x, "amax")

    cases: list[Case] = [
        ("sum", lambda: at.segment_sum(x, ids, segments), added(ids), 1.1),
        ("sum, sorted", lambda: at.segment_sum(x, ordered, segments, True), added(ordered), 1.1),
        ("max", lambda: at.segment_max(x, ids, segments), maxed, 1.1),
        *sorted_cases(x, ids, ordered, segments, lambda y: y),
    ]
    if importlib.util.find_spec("torch_geometric") is not None and rows == 100_000:
        from torch_geometric.utils import softmax

        logits, groups = torch.randn(100_000, 8), torch.randint(0, 10_000, (100_000,))

        def trained(function: Callable[[Any], Any]) -> Call:
            def call() -> None:
                leaf = logits.clone().requires_grad_()
                (function(leaf) * logits).sum().backward()

            return call

        ours = trained(lambda z: at.segment_softmax(z, groups, 10_000))
        theirs = trained(lambda z: softmax(z, groups, num_nodes=10_000))
        cases.append(("softmax + backward: 100,000 x 8 in 10,000", ours, theirs, 0.77))
    return cases


def jax_cases(rows: int, segments: int, features: int) -> list[Case]:
    """Pair our calls with jitted ``jax.ops``."""
    import jax
    import jax.numpy as jnp

    x, ids, ordered = (jnp.asarray(a) for a in operands(rows, segments, features))
    native_sum = jax.jit(jax.ops.segment_sum, static_argnums=(2, 3))
    native_max = jax.jit(jax.ops.segment_max, static_argnums=(2, 3))

    def done(function: Any, *args: Any) -> Call:
        return lambda: jax.block_until_ready(function(*args))

    return [
        (
            "sum",
            done(at.segment_sum, x, ids, segments),
            done(native_sum, x, ids, segments, False),
            1.1,
        ),
        (
            "sum, sorted",
            done(at.segment_sum, x, ordered, segments, True),
            done(native_sum, x, ordered, segments, True),
            1.1,
        ),
        ("max", done(at.segment_max, x, ids, segments), done(native_max, x, ids, segments, False), 1.1),
        *sorted_cases(x, ids, ordered, segments, jax.block_until_ready),
    ]


def tensorflow_cases(rows: int, segments: int, features: int) -> list[Case]:
    """Pair our calls with TensorFlow's unsorted kernels."""
    import tensorflow as tf

    x, ids, ordered = (tf.constant(a) for a in operands(rows, segments, features))
    native_sum, native_max = tf.math.unsorted_segment_sum, tf.math.unsorted_segment_max
    return [
        ("sum", lambda: at.segment_sum(x, ids, segments), lambda: native_sum(x, ids, segments), 1.1),
        (
            "sum, sorted",
            lambda: at.segment_sum(x, ordered, segments, True),
            lambda: tf.math.segment_sum(x, ordered),
            1.1,
        ),
        ("max", lambda: at.segment_max(x, ids, segments), lambda: native_max(x, ids, segments), 1.1),
        *sorted_cases(x, ids, ordered, segments, lambda y: y),
    ]


CASES: dict[str, Callable[[int, int, int], list[Case]]] = {
    "numpy": numpy_cases,
    "torch": torch_cases,
    "jax": jax_cases,
    "tensorflow": tensorflow_cases,
}


def measure(rounds: int = 15, only: str | None = None) -> list[dict[str, Any]]:
    """Return one record for each backend, size and operation."""
    records: list[dict[str, Any]] = []
    for backend, cases in CASES.items():
        if only not in (None, backend):
            continue
        if importlib.util.find_spec(backend) is None:
            records.append({"backend": backend, "operation": "-", "note": f"{backend} is not installed"})
            continue
        for size in SIZES:
            for operation, ours, peer, goal in cases(*size):
                name = operation
                if " x " not in name:
                    name += f": {size[0]:,} x {size[2]} in {size[1]:,}"
                is_slow = backend == "numpy" and size[2] > 1  # ufunc.at
                records.append(
                    compared(backend, name, ours, peer, goal, min(rounds, 5) if is_slow else rounds)
                )
    return records


def report(records: list[dict[str, Any]]) -> str:
    """Lay the records out, a table for each backend."""
    return by_backend(records, lambda name: f"{name}: large")
