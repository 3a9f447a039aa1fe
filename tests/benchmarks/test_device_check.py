"""The check that is ready for an accelerator runs on a CPU, and says no where an answer differs."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[2]


def test_it_runs_and_saves(tmp_path):
    done = subprocess.run(
        [ROOT / "benchmarks/device_check.sh", "--device", "cpu", "--backend", "torch", "--small"],
        env={**os.environ, "PYTHON": sys.executable, "OUT": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    saved = json.loads((tmp_path / "device_check.json").read_text())
    assert saved["torch"]["compared"] > 80
    assert saved["torch"]["failed"] == []
    assert {record["call"].split(":")[0] for record in saved["torch"]["speed"]} >= {"sum", "max", "softmax"}


def test_a_wrong_answer_is_found(monkeypatch):
    monkeypatch.syspath_prepend(ROOT)
    from benchmarks import device_check

    right = device_check.OPERATIONS["segment_sum"]
    wrong = (lambda x, ids, n: np.asarray(right[0](x, ids, n), np.float64) + 1, right[1])
    monkeypatch.setattr(device_check, "OPERATIONS", {"segment_sum": wrong})
    made, failed = device_check.contract("torch", "cpu", float("inf"))
    assert made > 5
    assert any("segment_sum, plain: differs" in line for line in failed)
