"""Under ``make test`` a skip is a failure; and this proof shows it failing."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CASES = {
    "a test": "import pytest\ndef test_a():\n    pytest.importorskip('no_such_framework')\n",
    "a file": "import pytest\npytest.importorskip('no_such_framework')\ndef test_a():\n    pass\n",
}


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize("case", CASES)
def test_a_skip_fails_where_everything_is_installed(case: str, strict: bool, tmp_path: Path) -> None:
    for name in ("conftest.py", "no_network.py"):
        shutil.copy(Path(__file__).parents[1] / name, tmp_path)
    (tmp_path / "test_it.py").write_text(CASES[case])
    environment = {name: v for name, v in os.environ.items() if not name.startswith("PYTEST_")}
    environment["ANYTENSOR_ALL_INSTALLED"] = "1" if strict else ""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path)]
    result = subprocess.run(
        command, capture_output=True, text=True, env=environment, cwd=tmp_path, timeout=60
    )
    left_out = "no_such_framework" in result.stdout and result.returncode in (1, 2)
    assert left_out == strict, result.stdout
