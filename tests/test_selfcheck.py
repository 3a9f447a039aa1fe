"""``python -m anytensor``: the table of backends, and what it says of a broken installation."""

import importlib
import importlib.util
import runpy
import sys
from types import ModuleType

import numpy as np
import pytest

from anytensor import selfcheck
from anytensor._version import __version__
from anytensor.selfcheck import FLOORS, Row, check_backend, check_backends, format_table


def test_every_framework_here_passes():
    rows = check_backends()
    assert [row.backend for row in rows] == list(FLOORS)
    for row in rows:
        assert row.ok
        assert row.status in ("ok", "not installed")
        assert row.floor == FLOORS[row.backend]
        assert row.seconds >= 0


def test_the_module_prints_the_table(capsys):
    with pytest.raises(SystemExit) as end:
        runpy.run_module("anytensor", run_name="__main__")
    assert end.value.code == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"anytensor {__version__}"
    assert lines[2].split() == ["backend", "version", "floor", "self-check", "seconds"]
    assert [line.split()[0] for line in lines[4:]] == list(FLOORS)


def test_the_module_can_be_imported_without_a_table(capsys):
    module = importlib.import_module("anytensor.__main__")
    try:
        assert capsys.readouterr().out == ""
        assert module.main() == 0
    finally:
        del sys.modules["anytensor.__main__"]  # runpy warns of what is there already


def test_a_backend_that_fails_is_the_exit_code(monkeypatch, capsys):
    monkeypatch.setattr(selfcheck, "check_backends", lambda: [Row("jax", "9", "1", "fails: x", False, 0.0)])
    with pytest.raises(SystemExit) as end:
        runpy.run_module("anytensor", run_name="__main__")
    assert end.value.code == 1
    assert "fails: x" in capsys.readouterr().out


def test_an_unknown_name_is_refused():
    with pytest.raises(ValueError, match="`name` must be one of numpy, jax, torch, tensorflow, got 'mlx'"):
        check_backend("mlx")


def test_a_framework_that_is_absent_is_no_failure(monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    row = check_backend("torch")
    assert (row.version, row.status, row.ok) == ("-", "not installed", True)


def broken(**members):
    module = ModuleType("numpy")
    module.__spec__ = np.__spec__
    for name, value in members.items():
        setattr(module, name, value)
    return module


def test_an_import_that_fails_is_told_in_one_line(monkeypatch):
    def refuse(name):
        raise OSError("libcudart.so\nis missing")

    monkeypatch.setattr(selfcheck.importlib, "import_module", refuse)
    row = check_backend("numpy")
    assert (row.version, row.status, row.ok) == ("?", "fails: OSError: libcudart.so", False)


def test_a_version_below_the_floor_is_told(monkeypatch):
    old = broken(__version__="1.25.0", asarray=np.asarray)
    monkeypatch.setitem(sys.modules, "numpy", old)
    row = check_backend("numpy")
    assert (row.version, row.status, row.ok) == ("1.25.0", "older than the floor", False)


def test_a_module_without_a_version_is_asked_for_in_its_metadata(monkeypatch):
    monkeypatch.setitem(sys.modules, "numpy", broken(asarray=np.asarray))
    assert check_backend("numpy").version == np.__version__


def test_wrong_values_and_foreign_arrays_are_told(monkeypatch):
    monkeypatch.setattr(selfcheck, "segment_max", lambda x, ids, n: x[:3])
    row = check_backend("numpy")
    assert not row.ok
    assert row.status.startswith("fails: segment_max gave [[1.0, -1.0], [2.0, nan], [4.0, 8.0]], expected ")
    monkeypatch.undo()
    monkeypatch.setitem(selfcheck._MAKERS, "jax", lambda module, x: x)
    assert check_backend("jax").status == "fails: segment_sum gave an array of numpy"


def test_the_table_is_aligned():
    rows = [Row("jax", "0.1", "0.4.35", "ok", True, 0.125), Row("tensorflow", "2", "2.16", "ok", True, 1.0)]
    lines = format_table(rows).splitlines()
    assert lines[1] == "----------  -------  ------  ----------  -------"
    assert lines[2] == "jax         0.1      0.4.35  ok          0.12"
    assert len(lines) == 4
