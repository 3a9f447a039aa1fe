"""Importing the package loads no framework; and this proof fails when one is loaded."""

from __future__ import annotations

import subprocess
import sys

import pytest

FRAMEWORKS = ("torch", "jax", "jaxlib", "tensorflow", "keras", "scipy", "torch_geometric", "jraph", "pytest")

PROOF = """
import sys
{extra}
import anytensor
import anytensor.testing
import anytensor.tree
loaded = [name for name in {frameworks!r} if name in sys.modules]
print(",".join(loaded))
sys.exit(1 if loaded else 0)
"""


def prove(extra: str = "") -> subprocess.CompletedProcess[str]:
    """Run the proof in a fresh interpreter; exit status 1 and the names when something was loaded."""
    code = PROOF.format(extra=extra, frameworks=FRAMEWORKS)
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)


def test_import_loads_no_framework() -> None:
    result = prove()
    assert result.returncode == 0, f"loaded: {result.stdout}{result.stderr}"


@pytest.mark.parametrize("framework", ["torch", "jax"])
def test_the_proof_fails_when_a_framework_is_imported(framework: str) -> None:
    result = prove(extra=f"import {framework}")
    assert result.returncode == 1
    assert framework in result.stdout.split("\n")[-2].split(",")


@pytest.mark.parametrize("first", ["anytensor", "torch"])
def test_a_backend_is_there_in_either_order_of_import(first: str) -> None:
    second = "torch" if first == "anytensor" else "anytensor"
    code = (
        f"import {first}, {second}, torch, anytensor\n"
        "y = anytensor.segment_sum(torch.ones(3), torch.tensor([0, 0, 1]), 2)\n"
        "print(type(y).__name__, y.tolist())"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert result.stdout.strip() == "Tensor [2.0, 1.0]", result.stderr
