"""Importing the kit imports no framework and no test framework; a missing framework is no crash."""

import subprocess
import sys

import pytest

HEAVY = ("jax", "torch", "tensorflow", "pytest", "hypothesis")


def run(code):
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False
    )


def loaded_after(statement):
    done = run(f"import sys; {statement}; print(*[m for m in {HEAVY} if m in sys.modules])")
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_nothing_heavy_is_loaded():
    assert loaded_after("import anytensor.testing as t; t.variants()") == []


def test_the_check_can_fail():
    assert loaded_after("import anytensor.testing, pytest") == ["pytest"]


def test_running_on_numpy_loads_no_framework():
    code = "import numpy as np; from anytensor.testing import assert_portable"
    assert loaded_after(f"{code}; assert_portable(lambda x: x + 1, np.ones(2), backends='numpy')") == []


@pytest.mark.parametrize("blocked", ["jax", "torch", "tensorflow"])
def test_a_blocked_framework_is_listed(blocked):
    others = [name for name in ("jax", "torch", "tensorflow") if name != blocked]
    done = run(
        f"import sys; sys.modules[{blocked!r}] = None\n"
        f"sys.modules.update(dict.fromkeys({others!r}))\n"
        "import numpy as np\n"
        "from anytensor.testing import assert_portable\n"
        f"print(assert_portable(lambda x: x + 1, np.ones(2), backends=('numpy', {blocked!r})))"
    )
    assert done.returncode == 0, done.stderr
    assert f"left out: {blocked} (not installed)" in done.stdout
