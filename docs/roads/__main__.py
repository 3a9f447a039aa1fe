"""Run every public function down every road and write ``docs/roads.md``: ``python -m roads`` in ``docs``."""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import os
import sys
from pathlib import Path

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")

from roads.calls import CALLS, function_of
from roads.driving import ROADS, drive
from roads.page import write

PAGE = Path(__file__).parents[1] / "roads.md"
KEPT = Path(__file__).parents[2] / "out" / "roads.json"


def main() -> None:
    """Run and write."""
    parser = argparse.ArgumentParser(prog="python -m roads", description=__doc__)
    parser.add_argument("names", nargs="*", help="functions to run again; all by default")
    parser.add_argument(
        "--kept", type=Path, default=KEPT, help="results of the others (default out/roads.json)"
    )
    options = parser.parse_args()
    kept = json.loads(options.kept.read_text()) if options.names and options.kept.exists() else {}
    for name in options.names or CALLS:
        call, names = function_of(CALLS[name])
        kept[name] = {road: drive(road, call, names) for road in ROADS}
        print(name, {road: reason for road, reason in kept[name].items() if reason}, file=sys.stderr)
        options.kept.parent.mkdir(parents=True, exist_ok=True)
        options.kept.write_text(json.dumps(kept, indent=1))
    packages = ("jax", "torch", "tensorflow", "onnx", "onnxruntime", "onnxscript", "tf2onnx")
    versions = {name: importlib.metadata.version(name) for name in packages}
    PAGE.write_text(write({name: kept[name] for name in CALLS}, versions))


if __name__ == "__main__":
    main()
