"""Call overhead: x (20, 8) float32 in 5 segments, against the best hand-written code of each framework.

The goal of a row is the largest ratio of ours to the peer's that the project allows itself.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from typing import Any

import numpy as np

import anytensor as at
from benchmarks.rows import by_backend, compared

Call = Callable[[], object]
Case = tuple[str, Call, Call, float]


ROWS, FEATURES, SEGMENTS = 20, 8, 5


def operands() -> tuple[np.ndarray, np.ndarray]:
    """Return the host operands of every case."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(ROWS, FEATURES)).astype(np.float32)
    return x, rng.integers(0, SEGMENTS, ROWS).astype(np.int32)


def numpy_cases() -> list[Case]:
    """Pair our calls with NumPy's own."""
    x, ids = operands()
    n, shape = SEGMENTS, (SEGMENTS, FEATURES)

    def add_at() -> Any:
        out = np.zeros(shape, x.dtype)
        np.add.at(out, ids, x)
        return out

    def maximum_at() -> Any:
        out = np.full(shape, -np.inf, x.dtype)
        np.maximum.at(out, ids, x)
        return out

    def mean() -> Any:
        count = np.bincount(ids, minlength=n)
        return add_at() / np.maximum(count, 1).astype(x.dtype)[:, None]

    def softmax() -> Any:
        e = np.exp(x - maximum_at()[ids])
        total = np.zeros(shape, x.dtype)
        np.add.at(total, ids, e)
        return e / total[ids]

    return [
        ("segment_sum", lambda: at.segment_sum(x, ids, n), add_at, 1.3),
        ("segment_max", lambda: at.segment_max(x, ids, n), maximum_at, 1.3),
        ("segment_mean", lambda: at.segment_mean(x, ids, n), mean, 1.3),
        ("segment_softmax", lambda: at.segment_softmax(x, ids, n), softmax, 1.2),
        ("maximum", lambda: at.maximum(x, x), lambda: np.maximum(x, x), 2.5),
    ]


def torch_cases() -> list[Case]:
    """Pair our calls with PyTorch's own."""
    import torch

    x, ids = (torch.from_numpy(a) for a in operands())
    wide = ids.long()
    n, shape = SEGMENTS, (SEGMENTS, FEATURES)
    columns = wide[:, None].expand(ROWS, FEATURES)

    def index_add() -> Any:
        return torch.zeros(shape, dtype=x.dtype).index_add_(0, wide, x)

    def scatter_max() -> Any:
        index = wide[:, None].expand_as(x)
        return x.new_full(shape, -torch.inf).scatter_reduce_(0, index, x, "amax")

    def mean() -> Any:
        count = torch.zeros(n).index_add_(0, wide, torch.ones(ROWS))
        return index_add() / count.clamp_(min=1)[:, None]

    def softmax() -> Any:
        e = (x - scatter_max().index_select(0, wide)).exp()
        total = torch.zeros(shape, dtype=x.dtype).index_add_(0, wide, e)
        return e / total.index_select(0, wide)

    assert columns.shape == x.shape
    return [
        ("segment_sum", lambda: at.segment_sum(x, wide, n), index_add, 1.3),
        ("segment_max", lambda: at.segment_max(x, wide, n), scatter_max, 1.3),
        ("segment_mean", lambda: at.segment_mean(x, wide, n), mean, 1.3),
        ("segment_softmax", lambda: at.segment_softmax(x, wide, n), softmax, 1.2),
        ("maximum", lambda: at.maximum(x, x), lambda: torch.maximum(x, x), 1.5),
    ]


def jax_cases() -> list[Case]:
    """Pair our eager calls with JAX's own, which is not compiled by itself."""
    import jax
    import jax.numpy as jnp

    x, ids = (jnp.asarray(a) for a in operands())
    n = SEGMENTS

    def softmax() -> Any:
        e = jnp.exp(x - jax.ops.segment_max(x, ids, n)[ids])
        return e / jax.ops.segment_sum(e, ids, n)[ids]

    def mean() -> Any:
        count = jax.ops.segment_sum(jnp.ones(ROWS), ids, n)
        return jax.ops.segment_sum(x, ids, n) / jnp.maximum(count, 1)[:, None]

    def done(call: Call) -> Call:
        return lambda: jax.block_until_ready(call())

    pairs: list[Case] = [
        ("segment_sum", lambda: at.segment_sum(x, ids, n), lambda: jax.ops.segment_sum(x, ids, n), 0.1),
        ("segment_max", lambda: at.segment_max(x, ids, n), lambda: jax.ops.segment_max(x, ids, n), 0.1),
        ("segment_mean", lambda: at.segment_mean(x, ids, n), mean, 0.1),
        ("segment_softmax", lambda: at.segment_softmax(x, ids, n), softmax, 0.1),
        ("maximum", lambda: at.maximum(x, x), lambda: jnp.maximum(x, x), 1.5),
    ]
    return [(name, done(ours), done(peer), goal) for name, ours, peer, goal in pairs]


def tensorflow_cases() -> list[Case]:
    """Pair our calls with TensorFlow's own."""
    import tensorflow as tf

    x, ids = (tf.constant(a) for a in operands())
    n = SEGMENTS

    def mean() -> Any:
        return tf.math.unsorted_segment_mean(x, ids, n)

    def softmax() -> Any:
        e = tf.exp(x - tf.gather(tf.math.unsorted_segment_max(x, ids, n), ids))
        return e / tf.gather(tf.math.unsorted_segment_sum(e, ids, n), ids)

    return [
        (
            "segment_sum",
            lambda: at.segment_sum(x, ids, n),
            lambda: tf.math.unsorted_segment_sum(x, ids, n),
            1.3,
        ),
        (
            "segment_max",
            lambda: at.segment_max(x, ids, n),
            lambda: tf.math.unsorted_segment_max(x, ids, n),
            1.3,
        ),
        ("segment_mean", lambda: at.segment_mean(x, ids, n), mean, 1.3),
        ("segment_softmax", lambda: at.segment_softmax(x, ids, n), softmax, 1.2),
        ("maximum", lambda: at.maximum(x, x), lambda: tf.maximum(x, x), 1.5),
    ]


CASES: dict[str, Callable[[], list[Case]]] = {
    "numpy": numpy_cases,
    "torch": torch_cases,
    "jax": jax_cases,
    "tensorflow": tensorflow_cases,
}


def measure(rounds: int = 15, only: str | None = None) -> list[dict[str, Any]]:
    """Return one record for each backend and operation."""
    records: list[dict[str, Any]] = []
    for backend, cases in CASES.items():
        if only not in (None, backend):
            continue
        if importlib.util.find_spec(backend) is None:
            records.append({"backend": backend, "operation": "-", "note": f"{backend} is not installed"})
            continue
        for operation, ours, peer, goal in cases():
            records.append(compared(backend, operation, ours, peer, goal, rounds))
    return records


def report(records: list[dict[str, Any]]) -> str:
    """Lay the records out, a table for each backend."""
    return by_backend(records, lambda name: f"{name}: x ({ROWS}, {FEATURES}) float32, {SEGMENTS} segments")
