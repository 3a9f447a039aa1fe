"""Run the measurements, print the tables, and write them as JSON for the docs."""

from __future__ import annotations

import argparse
import json
import os
import platform
from pathlib import Path

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

from benchmarks import elementwise, graphs, hetero, import_time, memory, segment_large, segment_small

SUITES = {
    "elementwise": elementwise,
    "segment_small": segment_small,
    "segment_large": segment_large,
    "graphs": graphs,
    "hetero": hetero,
    "import_time": import_time,
    "memory": memory,
}


def main() -> None:
    """Run the suites that were asked for, all by default."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("suites", nargs="*", metavar="suite", help=f"of {', '.join(SUITES)}; all by default")
    parser.add_argument("--only", choices=sorted(segment_small.CASES), help="measure one backend")
    parser.add_argument("--rounds", type=int, default=15, help="rounds of each comparison (default 15)")
    parser.add_argument("--out", type=Path, default=Path("out/benchmarks.json"), help="the JSON file")
    options = parser.parse_args()
    unknown = [name for name in options.suites if name not in SUITES]
    if unknown:
        parser.error(f"no suite {', '.join(unknown)}; there are {', '.join(SUITES)}")
    results = {}
    for name in options.suites or SUITES:
        records = SUITES[name].measure(options.rounds, options.only)
        print(SUITES[name].report(records))
        results[name] = records
    options.out.parent.mkdir(parents=True, exist_ok=True)
    machine = {"python": platform.python_version(), "cores": os.cpu_count(), "machine": platform.machine()}
    options.out.write_text(json.dumps({"machine": machine, "results": results}, indent=1) + "\n")
    print(f"Saved {options.out}")


if __name__ == "__main__":
    main()
