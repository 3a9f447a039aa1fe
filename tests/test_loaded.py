"""``module_if_loaded``: peeks, never imports, calls back now or after a later import."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from anytensor import module_if_loaded


def test_a_loaded_module_is_returned_and_handed_to_the_callback() -> None:
    seen: list[ModuleType] = []
    assert module_if_loaded("sys", seen.append) is sys
    assert seen == [sys]


def test_an_unloaded_module_is_none_and_stays_unloaded() -> None:
    assert module_if_loaded("wave") is None or "wave" in sys.modules
    assert module_if_loaded("no_such_module_anywhere") is None
    assert "no_such_module_anywhere" not in sys.modules


@pytest.fixture
def fresh_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    name = "anytensor_test_module_loaded_later"
    (tmp_path / f"{name}.py").write_text("value = 1\n")
    (tmp_path / f"{name}_broken.py").write_text("raise RuntimeError('broken on import')\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield name
    sys.modules.pop(name, None)
    sys.modules.pop(f"{name}_broken", None)


def test_callbacks_run_once_after_the_import_in_their_order(fresh_module: str) -> None:
    seen: list[tuple[str, int]] = []
    module_if_loaded(fresh_module, lambda m: seen.append(("first", m.value)))
    module_if_loaded(fresh_module, lambda m: seen.append(("second", m.value)))
    assert seen == []
    __import__(fresh_module)
    __import__(fresh_module)
    assert seen == [("first", 1), ("second", 1)]


def test_a_module_that_fails_to_import_raises_its_own_error_and_calls_nobody(fresh_module: str) -> None:
    seen: list[ModuleType] = []
    module_if_loaded(f"{fresh_module}_broken", seen.append)
    with pytest.raises(RuntimeError, match="broken on import"):
        __import__(f"{fresh_module}_broken")
    assert seen == []


def test_a_failing_callback_warns_and_leaves_the_import_whole(fresh_module: str) -> None:
    seen: list[int] = []

    def broken(module: ModuleType) -> None:
        raise RuntimeError("callback broke")

    module_if_loaded(fresh_module, broken)
    module_if_loaded(fresh_module, lambda m: seen.append(m.value))
    with pytest.warns(UserWarning, match="callback broke"):
        __import__(fresh_module)
    assert seen == [1]


def test_a_module_under_import_counts_as_not_loaded_yet(fresh_module: str, tmp_path: Path) -> None:
    (tmp_path / f"{fresh_module}.py").write_text(
        f"from anytensor import module_if_loaded\nseen_inside = module_if_loaded({fresh_module!r})\n"
    )
    module = __import__(fresh_module)
    assert module.seen_inside is None


def test_a_watched_import_of_a_missing_module_raises_as_ever() -> None:
    module_if_loaded("anytensor_no_such_module", lambda m: None)
    with pytest.raises(ModuleNotFoundError):
        __import__("anytensor_no_such_module")


@pytest.mark.parametrize(("name", "callback"), [(3, None), (None, None), ("sys", 3)])
def test_bad_arguments_name_themselves(name: object, callback: object) -> None:
    with pytest.raises(TypeError, match=r"module_if_loaded: `(name|callback)` must be"):
        module_if_loaded(name, callback)  # type: ignore[arg-type]


def test_the_loader_keeps_its_type() -> None:
    """Packages look at their loader to find data files, so a watched import must not wrap it."""
    code = (
        "import anytensor, importlib.machinery as m\n"
        "anytensor.module_if_loaded('wave', lambda module: None)\n"
        "import wave\n"
        "print(isinstance(wave.__spec__.loader, m.SourceFileLoader))"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert result.stdout.strip() == "True", result.stderr
