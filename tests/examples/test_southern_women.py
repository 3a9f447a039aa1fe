"""The example of the southern women: it finds the two circles on every backend."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import pytest

from anytensor import hetero

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture
def southern_women(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(EXAMPLES)
    return importlib.import_module("southern_women")


@pytest.mark.parametrize("backend", ["torch", "jax", "tensorflow"])
def test_it_finds_the_circles(southern_women: Any, backend: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert southern_women.main(["--backend", backend, "--steps", "60"]) >= 16 / 18
    shown = capsys.readouterr().out
    assert "Evelyn Jefferson   first" in shown
    assert "Nora Fayette       second" in shown


def test_messages_run_both_ways(southern_women: Any) -> None:
    graph, women = southern_women.society()
    assert graph.canonical_etypes == (("event", "rev_attends", "woman"), ("woman", "attends", "event"))
    assert len(women) == 18
    assert graph.relation_view("attends").senders is graph.relation_view("rev_attends").receivers
    copied = hetero.multi_update_all(graph, {"attends": hetero.RelationSpec()}, "sum")
    assert copied.nodes["event"].sum() == 89  # one for each attendance
