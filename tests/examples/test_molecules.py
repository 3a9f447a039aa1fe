"""The example of molecules: it learns on every backend, and compiles once for each size of batches."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture
def molecules(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(EXAMPLES)
    module = importlib.import_module("molecules")
    monkeypatch.setattr(module, "HIDDEN", 16)
    monkeypatch.setattr(module, "LAYERS", 1)
    return module


@pytest.mark.parametrize("backend", ["torch", "jax", "tensorflow"])
def test_it_learns_and_compiles_once_for_each_size(molecules: Any, backend: str) -> None:
    command = ["--backend", backend, "--limit", "96", "--epochs", "40", "--buckets", "2", "--rate", "0.005"]
    result = molecules.main([*command, *(["--engine", "eager"] if backend == "torch" else [])])
    assert result.error < 0.5 * result.mean_error
    assert result.sizes == 2
    assert result.compilations == 2


def test_a_molecule_is_a_graph_with_both_directions_of_its_bonds(molecules: Any) -> None:
    graph = molecules.graph_of("C[N+](=O)[O-]")  # nitromethane
    assert [graph.n_node.tolist(), graph.n_edge.tolist()] == [[4], [6]]
    assert sorted(zip(graph.senders.tolist(), graph.receivers.tolist(), strict=True)) == [
        (0, 1),
        (1, 0),
        (1, 2),
        (1, 3),
        (2, 1),
        (3, 1),
    ]
    elements = graph.nodes[:, : len(molecules.ELEMENTS) + 1].argmax(-1)
    assert [molecules.ELEMENTS[i] for i in elements] == ["C", "N", "O", "O"]
    hydrogens = graph.nodes[:, len(molecules.ELEMENTS) + 1 :][:, :5].argmax(-1)
    assert hydrogens.tolist() == [3, 0, 0, 0]
    assert (graph.nodes[:, -5:-2].argmax(-1) - 1).tolist() == [0, 1, 0, -1]
    assert np.isfinite(graph.edges).all()


def test_an_atom_without_bonds_is_a_graph_and_nonsense_is_none(molecules: Any) -> None:
    lone = molecules.graph_of("O")
    assert lone.nodes.shape == (1, molecules.ATOM_FEATURES)
    assert lone.edges.shape == (0, molecules.BOND_FEATURES)
    molecules.RDLogger.DisableLog("rdApp.*")
    assert molecules.graph_of("C(C") is None


def test_the_prediction_does_not_depend_on_the_padding(molecules: Any) -> None:
    rng = np.random.default_rng(0)
    params = molecules.initial_params(rng)
    graphs = [molecules.graph_of(smiles) for smiles in ("CCO", "O", "c1ccccc1N")]
    targets = np.zeros(3, np.float32)
    tight, wide = (
        molecules.predict(params, None, molecules.padded(graphs, targets, np.arange(3), [size]))[:3]
        for size in ((12, 20, 4), (50, 90, 9))
    )
    np.testing.assert_allclose(tight, wide, rtol=1e-5)


@pytest.mark.parametrize("wrong", [["--epochs", "0"], ["--limit", "3"], ["--buckets", "0"]])
def test_a_wrong_option_is_named(
    molecules: Any, wrong: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        molecules.main(wrong)
    assert wrong[0] in capsys.readouterr().err
