"""What py-spy sees of a small call: the share of samples at each line that stands between caller and kernel.

``python -m benchmarks.sampled BACKEND`` is the process that is looked at: it makes one call over and over.
"""

from __future__ import annotations

import importlib.util
import linecache
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anytensor as at
from benchmarks import segment_small
from benchmarks.elementwise import tensors
from benchmarks.timing import table

HEADER = ("call", "share", "where", "line")
SECONDS, PER_SECOND = 4.0, 400
SEEN = 0.02  # a line with a smaller share is left out
_PLACE = re.compile(r"(?P<function>\S+) \((?P<file>.*):(?P<line>\d+)\)$")


def loop(call: Callable[..., object], operands: tuple[Any, ...]) -> None:
    """Make the call until the time is over."""
    end = time.perf_counter() + SECONDS
    while time.perf_counter() < end:
        for _ in range(1000):
            call(*operands)


def _main(backend: str) -> None:
    x, ids = tensors(backend, segment_small.operands())
    if backend == "torch":
        ids = ids.long()  # as its kernels want them
    loop(at.segment_sum, (x, ids, segment_small.SEGMENTS))


def measure(rounds: int = 15, only: str | None = None) -> list[dict[str, Any]]:
    """Return a record for each backend: its lines with their shares of the samples."""
    records: list[dict[str, Any]] = []
    for backend in segment_small.CASES:
        if only not in (None, backend):
            continue
        call = f"{backend} segment_sum"
        if importlib.util.find_spec(backend) is None:
            records.append({"call": call, "note": f"{backend} is not installed"})
        else:
            records.append({"call": call, **_profile(backend)})
    return records


def _profile(backend: str) -> dict[str, Any]:
    spy = Path(sys.executable).with_name("py-spy")
    if not spy.exists():
        return {"note": "py-spy is not installed"}
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "stacks.txt"
        command = [spy, "record", "--rate", str(PER_SECOND), "--format", "raw", "--full-filenames"]
        looked_at = [sys.executable, "-m", "benchmarks.sampled", backend]
        done = subprocess.run(
            [*command, "--output", out, "--", *looked_at], capture_output=True, text=True, check=False
        )
        if done.returncode or not out.exists():
            said = (done.stderr.strip() or "nothing").splitlines()[-1]
            return {"note": f"py-spy could not look into the process: {said}"}
        return {"lines": shares(out.read_text())}


def shares(stacks: str) -> list[dict[str, Any]]:
    """Return the places where the samples of the loop ended, the most frequent first.

    Args:
        stacks: Lines of ``frame;frame;... count``, a frame as ``function (file:line)``.
    """
    counts: Counter[str] = Counter()
    for entry in stacks.splitlines():
        frames, _, count = entry.rpartition(" ")
        names = frames.split(";")
        starts = [i for i, frame in enumerate(names) if frame.startswith("loop (")]
        if starts:
            counts[names[-1]] += int(count)
    total = sum(counts.values())
    found = []
    for frame, count in counts.most_common():
        place = _PLACE.match(frame)
        if place is None or count < SEEN * total:
            continue
        file, line = place["file"], int(place["line"])
        found.append(
            {
                "share": count / total,
                "where": f"{_short(file)}:{line}",
                "code": linecache.getline(file, line).strip(),
            }
        )
    return found


def _short(file: str) -> str:
    """Return a file's name from its package on; the wrapper that ``promote`` writes has no file."""
    if file.startswith("<anytensor.promote"):
        return "promote's wrapper"
    parts = Path(file).parts
    for root in ("src", "site-packages"):
        if root in parts:
            return "/".join(parts[parts.index(root) + 1 :])
    return parts[-1]


def report(records: list[dict[str, Any]]) -> str:
    """Lay the records out, a row for each line."""
    rows = []
    for record in records:
        if "note" in record:
            rows.append((record["call"], "-", record["note"], "-"))
        for i, line in enumerate(record.get("lines", ())):
            code = line["code"] or "-"
            code = code if len(code) <= 60 else code[:57] + "..."
            call = "" if i else record["call"]
            rows.append((call, f"{line['share']:.0%}", line["where"], code.replace("|", "or")))
    return table("where py-spy finds a small call", HEADER, rows)


if __name__ == "__main__":
    _main(sys.argv[1])
