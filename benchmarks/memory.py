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
HEADER = ("call", "peak, MB", "beside", "MB", "ratio", "goal", "met", "note")
PEERS = {"torch index_add_": "beside ours: the kernel sorts the ids of all rows at once"}


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


def _laid_out(layout: str) -> tuple[np.ndarray, np.ndarray]:
    x, ids = _operands()
    if layout == "sorted":
        ids = np.sort(ids)
    elif layout == "padded":
        ids[-ROWS // 50 :] = SEGMENTS
    return x, ids


def numpy_sum(layout: str) -> int:
    import anytensor as at

    x, ids = _laid_out(layout)
    return extra(lambda: at.segment_sum(x, ids, SEGMENTS, layout == "sorted"))


def torch_sum(layout: str) -> int:
    import torch

    import anytensor as at

    x, ids = (torch.from_numpy(a) for a in _laid_out(layout))
    return extra(lambda: at.segment_sum(x, ids, SEGMENTS, layout == "sorted"))


def torch_native(layout: str) -> int:
    import torch

    x, ids = (torch.from_numpy(a) for a in _laid_out(layout))
    return extra(lambda: x.new_zeros((SEGMENTS, FEATURES)).index_add_(0, ids, x))


def torch_softmax(name: str) -> int:
    import torch

    import anytensor as at

    x, ids = (torch.from_numpy(a) for a in _operands())
    if name == "peer":
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


PROBES: dict[str, tuple[Callable[[str], int], str]] = {
    "numpy segment_sum": (numpy_sum, ""),
    "numpy segment_sum, sorted": (numpy_sum, "sorted"),
    "numpy segment_sum, padded": (numpy_sum, "padded"),
    "torch segment_sum": (torch_sum, ""),
    "torch segment_sum, sorted": (torch_sum, "sorted"),
    "torch segment_sum, padded": (torch_sum, "padded"),
    "torch index_add_": (torch_native, ""),
    "torch segment_softmax + backward": (torch_softmax, ""),
    "PyG softmax + backward": (torch_softmax, "peer"),
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
        goal, met = str(r["goal"]), "yes" if r["ratio"] <= r["goal"] else "no"
        if r["call"] in PEERS:
            goal = met = "-"
        ours, beside = f"{r['ours'] / 1e6:.0f}", f"{r['bytes'] / 1e6:.0f}"
        rows.append(
            (r["call"], ours, r["beside"], beside, f"{r['ratio']:.2f}", goal, met, PEERS.get(r["call"], ""))
        )
    return table(f"peak memory: {ROWS:,} x {FEATURES} float32 in {SEGMENTS:,}", HEADER, rows)


if __name__ == "__main__":
    print(json.dumps(measure(), indent=1))
