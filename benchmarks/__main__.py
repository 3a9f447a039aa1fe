"""Run the measurements, print the tables, and write them as JSON and as a page of the docs."""

from __future__ import annotations

import argparse
import contextlib
import importlib.metadata
import json
import os
import platform
from pathlib import Path
from typing import Any

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

from benchmarks import (
    anatomy,
    compiled,
    elementwise,
    graphs,
    hetero,
    import_time,
    memory,
    sampled,
    scaling,
    segment_large,
    segment_layouts,
    segment_small,
)
from benchmarks.chart import with_charts

SUITES = {
    "elementwise": elementwise,
    "segment_small": segment_small,
    "anatomy": anatomy,
    "sampled": sampled,
    "segment_large": segment_large,
    "segment_layouts": segment_layouts,
    "scaling": scaling,
    "graphs": graphs,
    "hetero": hetero,
    "import_time": import_time,
    "memory": memory,
    "compiled": compiled,
}


def main() -> None:
    """Run the suites that were asked for, all by default."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("suites", nargs="*", metavar="suite", help=f"of {', '.join(SUITES)}; all by default")
    parser.add_argument("--only", choices=sorted(segment_small.CASES), help="measure one backend")
    parser.add_argument("--rounds", type=int, default=15, help="rounds of each comparison (default 15)")
    parser.add_argument("--out", type=Path, default=Path("out/benchmarks.json"), help="the JSON file")
    parser.add_argument("--page", type=Path, help="also write the tables to this file, for the docs")
    parser.add_argument("--saved", type=Path, help="lay out what this JSON file holds; measure nothing")
    options = parser.parse_args()
    unknown = [name for name in options.suites if name not in SUITES]
    if unknown:
        parser.error(f"no suite {', '.join(unknown)}; there are {', '.join(SUITES)}")
    if options.saved is not None:
        kept = json.loads(options.saved.read_text())
        names = options.suites or [name for name in SUITES if name in kept["results"]]
        kept["results"] = {name: kept["results"][name] for name in names}
        for name in names:
            print(SUITES[name].report(kept["results"][name]))
    else:
        kept = {"machine": _machine(), "results": {}}
        for name in options.suites or SUITES:
            kept["results"][name] = SUITES[name].measure(options.rounds, options.only)
            print(SUITES[name].report(kept["results"][name]))
        options.out.parent.mkdir(parents=True, exist_ok=True)
        options.out.write_text(json.dumps(kept, indent=1) + "\n")
        print(f"Saved {options.out}")
    if options.page is not None:
        options.page.write_text(page(kept["machine"], kept["results"]))
        print(f"Wrote {options.page}")


def _machine() -> dict[str, Any]:
    versions = {}
    for name in ("numpy", "jax", "torch", "tensorflow", "jraph", "torch-geometric"):
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            versions[name] = importlib.metadata.version(name)
    return {
        "python": platform.python_version(),
        "cores": os.cpu_count(),
        "machine": platform.machine(),
        "versions": versions,
    }


def page(machine: dict[str, Any], results: dict[str, list[dict[str, Any]]]) -> str:
    """Return the tables as the part of the documentation that ``docs/benchmarks.md`` takes in."""
    names = ", ".join([f"{name} {version}" for name, version in machine.get("versions", {}).items()])
    lines = [
        "<!-- Written by `python -m benchmarks --page`; do not edit. -->",
        "",
        f"Measured on {machine['machine']} with {machine['cores']} cores, Python {machine['python']}"
        f"{', ' if names else ''}{names}.",
        "",
    ]
    reports = [with_charts(SUITES[name].report(records)) for name, records in results.items()]
    return "\n".join([*lines, *reports])


if __name__ == "__main__":
    main()
