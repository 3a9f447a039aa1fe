"""Where a small call's time goes: the framework's kernel, then each layer of ours that is put around it.

The operands are those of ``segment_small``. A layer's cost is the difference of two ways to make the call:
one that goes in above the layer, one that goes in below it.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable
from typing import Any

import anytensor as at
from benchmarks import segment_small
from benchmarks.elementwise import tensors
from benchmarks.timing import human, interleave, table

HEADER = ("call", "kernel", "backend's room", "checks", "promotion", "whole call")
OPERATIONS = ("segment_sum", "segment_max")


def _ways(backend: str, name: str) -> dict[str, Callable[[], object]]:
    room = getattr(importlib.import_module(f"anytensor.backends.{backend}"), name)
    public = getattr(at, name)
    x, ids = tensors(backend, segment_small.operands())
    if backend == "torch":
        ids = ids.long()  # as its kernels want them
    n = segment_small.SEGMENTS
    public(x, ids, n)  # below promotion a type must have been met
    peers = {case[0]: case[2] for case in segment_small.CASES[backend]()}
    return {
        "kernel": peers[name],
        "room": lambda: room(x, ids, n, False),
        "checks": lambda: public.__wrapped__(x, ids, n),
        "whole": lambda: public(x, ids, n),
    }


def measure(rounds: int = 15, only: str | None = None) -> list[dict[str, Any]]:
    """Return a record for each backend and operation."""
    records: list[dict[str, Any]] = []
    for backend in segment_small.CASES:
        if only not in (None, backend):
            continue
        if importlib.util.find_spec(backend) is None:
            records.append({"call": backend, "note": f"{backend} is not installed"})
            continue
        for name in OPERATIONS:
            times = interleave(_ways(backend, name), rounds)
            record = {way: timing.median for way, timing in times.items()}
            records.append({"call": f"{backend} {name}", **record})
    return records


def report(records: list[dict[str, Any]]) -> str:
    """Lay the records out: the kernel's time, what each layer adds, the sum."""
    rows = []
    for r in records:
        if "note" in r:
            rows.append((r["call"], r["note"], "-", "-", "-", "-"))
            continue
        steps = [r["room"] - r["kernel"], r["checks"] - r["room"], r["whole"] - r["checks"]]
        added = [("-" if step < 0 else "+") + human(abs(step)) for step in steps]
        rows.append((r["call"], human(r["kernel"]), *added, human(r["whole"])))
    return table("where a small call's time goes", HEADER, rows)
