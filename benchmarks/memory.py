"""Peak extra memory of large calls, each in a process of its own: the resident set's high-water mark.

Linux only: ``/proc/self/clear_refs`` resets the mark. The goal of a row is a ratio to what stands beside it.
"""

from __future__ import annotations

import gc
import importlib.util
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.timing import table

ROWS, SEGMENTS, FEATURES = 1_000_000, 200_000, 64
HEADER = ("call", "peak, MB", "beside", "MB", "ratio", "goal", "met", "why not")
REASONS = {
    "torch segment_sum": "index_add_ sorts the ids of all rows; blocks of rows take 1.2-3x the "
    "time, and the kernel that sorts nothing (embedding_dense_backward) 2.9x"
}


def extra(call: Callable[[], object]) -> int:
    """Return the most bytes that a call held beyond what was there before, its result among them."""
    call()  # what is set up once is not the call's
    gc.collect()
    Path("/proc/self/clear_refs").write_text("5")
    before = _status("VmRSS")
    kept = call()
    after = _status("VmHWM")
    del kept
    return max(after - before, 0)


def _status(name: str) -> int:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(name):
            return int(line.split()[1]) * 1024
    raise RuntimeError(f"no {name} in /proc/self/status")


def _operands() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    x = rng.standard_normal((ROWS, FEATURES), dtype=np.float32)
    return x, rng.integers(0, SEGMENTS, ROWS)


def numpy_sum(sorted: bool) -> int:
    import anytensor as at

    x, ids = _operands()
    ids = np.sort(ids) if sorted else ids
    return extra(lambda: at.segment_sum(x, ids, SEGMENTS, sorted))


def torch_sum(sorted: bool) -> int:
    import torch

    import anytensor as at

    x, ids = (torch.from_numpy(a) for a in _operands())
    ids = ids.sort().values if sorted else ids
    return extra(lambda: at.segment_sum(x, ids, SEGMENTS, sorted))


def torch_native(sorted: bool) -> int:
    import torch

    x, ids = (torch.from_numpy(a) for a in _operands())
    return extra(lambda: x.new_zeros((SEGMENTS, FEATURES)).index_add_(0, ids, x))


def torch_softmax(peer: bool) -> int:
    import torch

    import anytensor as at

    x, ids = (torch.from_numpy(a) for a in _operands())
    if peer:
        from torch_geometric.utils import softmax

        def function(z: Any) -> Any:
            return softmax(z, ids, num_nodes=SEGMENTS)

    else:

        def function(z: Any) -> Any:
            return at.segment_softmax(z, ids, SEGMENTS)

    leaf = x.requires_grad_()

    def call() -> None:
        leaf.grad = None
        function(leaf).backward(x.detach())

    return extra(call)


PROBES: dict[str, tuple[Callable[[bool], int], bool]] = {
    "numpy segment_sum": (numpy_sum, False),
    "numpy segment_sum, sorted": (numpy_sum, True),
    "torch segment_sum": (torch_sum, False),
    "torch segment_sum, sorted": (torch_sum, True),
    "torch index_add_": (torch_native, False),
    "torch segment_softmax + backward": (torch_softmax, False),
    "PyG softmax + backward": (torch_softmax, True),
}


def _probe(name: str) -> int:
    """Measure in a fresh process, where nothing that was freed waits to be used again."""
    code = f"from benchmarks import memory; f, flag = memory.PROBES[{name!r}]; print(f(flag))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return int(done.stdout.split()[-1])


def measure(rounds: int = 1, only: str | None = None) -> list[dict[str, Any]]:
    """Return one record for each call; ``rounds`` is of no use here."""
    result = SEGMENTS * FEATURES * 4
    records: list[dict[str, Any]] = []
    for name in PROBES:
        backend = name.split()[0]
        if name.startswith("PyG") or only not in (None, backend):
            continue
        if importlib.util.find_spec(backend) is None:
            records.append({"call": name, "note": f"{backend} is not installed"})
            continue
        ours = _probe(name)
        if "softmax" not in name:
            beside, bytes_beside, goal = "its result", result, 1.1
        elif importlib.util.find_spec("torch_geometric") is None:
            records.append({"call": name, "note": "torch_geometric is not installed"})
            continue
        else:
            beside, bytes_beside, goal = "PyG's", _probe("PyG softmax + backward"), 1.0
        record = {"call": name, "ours": ours, "beside": beside, "bytes": bytes_beside}
        records.append({**record, "ratio": ours / bytes_beside, "goal": goal})
    return records


def report(records: list[dict[str, Any]]) -> str:
    """Lay the records out."""
    rows = []
    for r in records:
        if "note" in r:
            rows.append((r["call"], r["note"], "-", "-", "-", "-", "-", ""))
            continue
        met = "yes" if r["ratio"] <= r["goal"] else "no"
        ours, beside = f"{r['ours'] / 1e6:.0f}", f"{r['bytes'] / 1e6:.0f}"
        why = REASONS.get(r["call"], "") if met == "no" else ""
        rows.append((r["call"], ours, r["beside"], beside, f"{r['ratio']:.2f}", str(r["goal"]), met, why))
    return table(f"peak memory: {ROWS:,} x {FEATURES} float32 in {SEGMENTS:,}", HEADER, rows)


if __name__ == "__main__":
    print(json.dumps(measure(), indent=1))
