"""Cost against the number of rows, from a hundred to ten millions: it must stay linear.

``ns a row`` is the time divided by the rows; ``of memcpy`` the bandwidth reached (x read once) as a share of
a plain copy of the same bytes, which nothing beats by much. A row's goal: nanoseconds a row at most five
times those of the dearest smaller size, as caches are left behind (ids are in no order). What is not linear
grows tenfold. The dearest, not the size before: a way that is quick for some sizes only makes none dearer.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from typing import Any

import numpy as np

import anytensor as at
from benchmarks.timing import human, interleave, table

SIZES = (100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000)
PER_SEGMENT, FEATURES = 10, 8
HEADER = ("rows", "time", "ns a row", "of memcpy", "growth", "goal", "met")
OPERATIONS = ("segment_sum", "segment_max", "segment_softmax")
GROWTH = 5.0


def _tensors(backend: str, *arrays: np.ndarray) -> list[Any]:
    if backend == "torch":
        import torch

        return [torch.from_numpy(a) for a in arrays]
    if backend == "jax":
        import jax.numpy as jnp

        return [jnp.asarray(a) for a in arrays]
    if backend == "tensorflow":
        import tensorflow as tf

        return [tf.constant(a) for a in arrays]
    return list(arrays)


def _call(backend: str, name: str, x: Any, ids: Any, n: int) -> Callable[[], object]:
    operation = getattr(at, name)
    if backend == "jax":
        import jax

        return lambda: jax.block_until_ready(operation(x, ids, n))
    return lambda: operation(x, ids, n)


def measure(rounds: int = 5, only: str | None = None) -> list[dict[str, Any]]:
    """Return one record for each backend, operation and number of rows."""
    records: list[dict[str, Any]] = []
    for backend in ("numpy", "torch", "jax", "tensorflow"):
        if only not in (None, backend):
            continue
        if importlib.util.find_spec(backend) is None:
            records.append({"backend": backend, "note": f"{backend} is not installed"})
            continue
        before: dict[str, float] = {}
        for rows in SIZES:
            rng = np.random.default_rng(0)
            x = rng.standard_normal((rows, FEATURES), dtype=np.float32)
            n = max(rows // PER_SEGMENT, 1)
            ids = rng.integers(0, n, rows).astype(np.int32)
            operands = _tensors(backend, x, ids)
            ways = {name: _call(backend, name, *operands, n) for name in OPERATIONS}
            times = interleave({**ways, "copy": x.copy}, min(rounds, 5), 0.01)
            for name in OPERATIONS:
                once = times[name].median / rows
                records.append(
                    {
                        "backend": backend,
                        "operation": name,
                        "rows": rows,
                        "ours": times[name].median,
                        "copy": times["copy"].median,
                        "growth": once / before[name] if name in before else None,
                    }
                )
                before[name] = max(once, before.get(name, 0.0))
    return records


def report(records: list[dict[str, Any]]) -> str:
    """Lay the records out, a table for each backend and operation."""
    parts = []
    notes = [r for r in records if "note" in r]
    for backend, operation in dict.fromkeys(
        (r["backend"], r["operation"]) for r in records if "note" not in r
    ):
        rows = []
        for r in records:
            if (r["backend"], r.get("operation")) != (backend, operation):
                continue
            grown = r["growth"]
            rows.append(
                (
                    f"{r['rows']:,}",
                    human(r["ours"]),
                    f"{r['ours'] / r['rows'] * 1e9:.1f}",
                    f"{r['copy'] / r['ours']:.0%}",
                    "-" if grown is None else f"{grown:.2f}",
                    f"{GROWTH:g}",
                    "-" if grown is None else "yes" if grown <= GROWTH else "no",
                )
            )
        title = f"{backend} {operation}: x (rows, {FEATURES}) float32, {PER_SEGMENT} rows a segment"
        parts.append(table(title, HEADER, rows))
    return "\n".join([*parts, *[r["note"] for r in notes]])
