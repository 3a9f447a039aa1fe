"""The check of a release refuses a wheel that lacks a file or has one too many."""

from __future__ import annotations

import importlib.util
import zipfile
from pathlib import Path
from types import ModuleType

import pytest

import anytensor as at

ROOT = Path(__file__).parents[2]
INFO = f"anytensor-{at.__version__}.dist-info"
METADATA = f"Metadata-Version: 2.4\nName: anytensor\nVersion: {at.__version__}\nLicense-Expression: MIT\n"


def release_check() -> ModuleType:
    spec = importlib.util.spec_from_file_location("release_check", ROOT / ".ci" / "release_check.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def wheel(path: Path, without: str = "", beside: str = "", requires: str = "numpy>=1.26") -> Path:
    """Write a wheel of the package as it stands here, with empty files."""
    files = [p for p in (ROOT / "src" / "anytensor").rglob("*") if p.suffix == ".py" or p.name == "py.typed"]
    names = {str(p.relative_to(ROOT / "src")) for p in files} - {without}
    with zipfile.ZipFile(path, "w") as archive:
        for name in sorted(names | {f"{INFO}/{part}" for part in ("RECORD", "WHEEL", "licenses/LICENSE")}):
            archive.writestr(name, "")
        archive.writestr(f"{INFO}/METADATA", f"{METADATA}Requires-Dist: {requires}\n")
        if beside:
            archive.writestr(beside, "")
    return path


def test_a_whole_wheel_passes(tmp_path: Path) -> None:
    release_check().check_wheel(wheel(tmp_path / "a.whl"), at.__version__)


@pytest.mark.parametrize(
    "fault",
    [
        {"without": "anytensor/py.typed"},
        {"without": "anytensor/segment/weights.py"},
        {"beside": "tests/conftest.py"},
        {"requires": "torch>=2.4"},
    ],
    ids=["no-marker", "no-module", "too-much", "framework"],
)
def test_a_faulty_wheel_is_refused(fault: dict[str, str], tmp_path: Path) -> None:
    with pytest.raises(AssertionError):
        release_check().check_wheel(wheel(tmp_path / "a.whl", **fault), at.__version__)


def test_the_smoke_test_is_python() -> None:
    compile(release_check().SMOKE, "smoke", "exec")
