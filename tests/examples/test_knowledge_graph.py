"""The example of link prediction: it learns a small graph made for the test, on every backend."""

from __future__ import annotations

import importlib
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
PEOPLE = 12


@pytest.fixture
def knowledge_graph(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(EXAMPLES)
    return importlib.import_module("knowledge_graph")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """People on a ring: each one's next, the one after that, and whom they sit in a row with."""
    rows = []
    for i in range(PEOPLE):
        rows += [f"p{i}\tnext\tp{(i + 1) % PEOPLE}", f"p{i}\tsecond\tp{(i + 2) % PEOPLE}"]
        rows += [f"p{i}\trow\tp{j}" for j in range(PEOPLE) if j % 3 == i % 3 and j != i]
    rows = list(np.random.default_rng(0).permutation(rows))
    path = tmp_path / "ring"
    path.mkdir()
    for name, some in (("train", rows[12:]), ("valid", rows[:6]), ("test", rows[6:12])):
        (path / f"{name}.txt").write_text("\n".join(some) + "\n")
    return path


@pytest.mark.parametrize("backend", ["torch", "jax", "tensorflow"])
def test_it_learns(knowledge_graph: Any, folder: Path, backend: str) -> None:
    command = ["--data", str(folder), "--backend", backend, "--width", "16", "--rate", "0.02"]
    untrained = knowledge_graph.main([*command, "--steps", "1"])
    trained = knowledge_graph.main([*command, "--steps", "80"])
    assert trained.mrr > 0.5 > untrained.mrr
    assert trained.hits >= untrained.hits


def test_it_learns_without_an_encoder(knowledge_graph: Any, folder: Path) -> None:
    command = ["--data", str(folder), "--encoder", "none", "--width", "16", "--rate", "0.05"]
    assert knowledge_graph.main([*command, "--steps", "100"]).mrr > 0.4


def test_it_reads_a_folder_or_a_wheel(knowledge_graph: Any, folder: Path, tmp_path: Path) -> None:
    wheel = tmp_path / "pykeen-1.11.1-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for path in folder.iterdir():
            archive.write(path, f"pykeen/datasets/umls/{path.name}")
    assert knowledge_graph.downloaded(tmp_path) == wheel  # it is there: nothing is downloaded
    ours, theirs = knowledge_graph.read(folder), knowledge_graph.read(wheel)
    for one, other in zip(ours, theirs, strict=True):
        np.testing.assert_equal(one, other)
    assert ours.entities == PEOPLE
    assert ours.relations == 3
    assert len(ours.test) == 12
    head, relation, tail = ours.test[0]
    assert ours.test[6].tolist() == [tail, relation + 3, head]


def test_ranks_leave_out_other_true_tails(knowledge_graph: Any) -> None:
    rows = np.array([[0, 0, 1], [0, 0, 2]], np.int32)
    triples = knowledge_graph.Triples(rows[:1], rows[1:], {(0, 0): [1, 2]}, 4, 1)

    class Learner:
        def scores(self, batch: Any) -> np.ndarray:
            return np.array([[3.0, 9.0, 2.0, 2.0]])

    # Behind entity 0, beside entity 3 (a tie counts half); entity 1 is another true tail.
    assert knowledge_graph.measured(Learner(), triples).mrr == pytest.approx(1 / 2.5)
