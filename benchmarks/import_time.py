"""The time to import the package beside NumPy's, in fresh processes in turn."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from typing import Any

from benchmarks.timing import human, summary, table

HEADER = ("import", "median", "beside NumPy", "goal", "met")
STATEMENTS = {"numpy": "import numpy", "anytensor": "import anytensor"}
CODE = "import time; t = time.thread_time(); {0}; print(time.thread_time() - t)"


def _once(statement: str, cache: str) -> float:
    """Return the seconds of one import, of modules that are compiled when ``cache`` holds them."""
    # Compiled modules are kept beside their source; where that is switched off, or the package is installed
    # from a folder that cannot be written to, ours would be compiled at each import and NumPy's would not.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(
        [sys.executable, "-c", CODE.format(statement)],
        capture_output=True,
        text=True,
        check=True,
        env={**environment, "PYTHONPYCACHEPREFIX": cache},
    )
    return float(done.stdout)


def measure(rounds: int = 15, only: str | None = None) -> list[dict[str, Any]]:
    """Return one record for each statement: seconds of the importing thread (BLAS threads spin beside it)."""
    samples: dict[str, list[float]] = {name: [] for name in STATEMENTS}
    with tempfile.TemporaryDirectory() as cache:
        for statement in STATEMENTS.values():
            _once(statement, cache)  # compile and read from disk
        for _ in range(max(rounds, 5)):
            for name, statement in STATEMENTS.items():
                samples[name].append(_once(statement, cache))
    medians = {name: summary(times).median for name, times in samples.items()}
    return [
        {"import": name, "median": median, "ratio": median / medians["numpy"], "goal": 2.0}
        for name, median in medians.items()
    ]


def report(records: list[dict[str, Any]]) -> str:
    """Lay the records out."""
    rows = []
    for r in records:
        met = "yes" if r["ratio"] <= r["goal"] else "no"
        rows.append((r["import"], human(r["median"]), f"{r['ratio']:.2f}", str(r["goal"]), met))
    return table("import (its own NumPy included), processor time of the thread", HEADER, rows)
