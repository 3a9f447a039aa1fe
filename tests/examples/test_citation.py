"""The citation example learns on every backend, on a small network made for the test."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
NODES, CLASSES, WORDS = 90, 3, 30


@pytest.fixture
def citation(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(EXAMPLES)
    return importlib.import_module("citation")


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """Three fields, each with words of its own; nine of ten citations stay in the field."""
    rng = np.random.default_rng(0)
    labels = np.arange(NODES) % CLASSES
    own = rng.random((NODES, WORDS)) < np.where(np.arange(WORDS) % CLASSES == labels[:, None], 0.3, 0.1)
    own[:, 0] = True  # no paper without words
    indices = [np.flatnonzero(row) for row in own]
    cites = rng.integers(0, NODES // CLASSES, (3 * NODES,)) * CLASSES
    senders = np.repeat(np.arange(NODES), 3)
    strays = rng.random(3 * NODES) < 0.1
    receivers = np.where(strays, rng.integers(0, NODES, 3 * NODES), cites + labels[senders])
    path = tmp_path / "small.npz"
    np.savez(
        path,
        feature_indices=np.concatenate(indices).astype(np.int32),
        feature_indptr=np.cumsum([0, *map(len, indices)]).astype(np.int32),
        feature_values=np.ones(own.sum(), np.float32),
        feature_shape=np.array([NODES, WORDS]),
        senders=np.concatenate([senders, receivers]),
        receivers=np.concatenate([receivers, senders]),
        labels=labels,
        train=np.arange(6),
        valid=np.arange(6, 30),
        test=np.arange(30, NODES),
    )
    return path


@pytest.mark.parametrize("model", ["gcn", "gat"])
@pytest.mark.parametrize("backend", ["torch", "jax", "tensorflow"])
def test_it_learns(citation: Any, archive: Path, model: str, backend: str) -> None:
    command = ["--data", str(archive), "--model", model, "--backend", backend]
    (untrained,) = citation.main([*command, "--seeds", "1", "--epochs", "1"])
    (trained,) = citation.main([*command, "--seeds", "1", "--epochs", "40"])
    assert trained >= 0.85
    assert trained > untrained


def test_masks_drop_the_stated_share_and_keep_the_mean(citation: Any) -> None:
    (mask,) = citation.draw_masks({"x": (200, 100)}, 0.6, np.random.default_rng(0)).values()
    assert mask.dtype == np.float32
    assert np.unique(mask).tolist() == [0.0, np.float32(2.5)]
    assert mask.mean() == pytest.approx(1.0, abs=0.02)


def test_the_model_is_that_of_the_paper(citation: Any, archive: Path) -> None:
    # The convolution by dense matrices: D^-1/2 (A + I) D^-1/2 relu(D^-1/2 (A + I) D^-1/2 X W1) W2.
    citations = citation.load(archive, self_edges=False)
    data, rng = citations.data, np.random.default_rng(1)
    params = citation.initial_params(citation.PAPERS["gcn"], WORDS, CLASSES, rng)
    dense = np.zeros((NODES, WORDS), np.float32)
    np.add.at(dense, (data["rows"], data["columns"]), data["values"])
    np.testing.assert_allclose(dense.sum(1), 1, rtol=1e-6)
    adjacency = np.eye(NODES)
    np.add.at(adjacency, (data["graph"].receivers, data["graph"].senders), 1)
    scaled = adjacency / np.sqrt(np.outer(adjacency.sum(1), adjacency.sum(1)))
    expected = scaled @ np.maximum(scaled @ dense @ params["w1"], 0) @ params["w2"]
    np.testing.assert_allclose(citation.gcn(params, data), expected, rtol=1e-4, atol=1e-6)


def test_attention_is_that_of_the_paper(citation: Any, archive: Path) -> None:
    citations = citation.load(archive, self_edges=True)
    data, rng = citations.data, np.random.default_rng(1)
    paper = citation.PAPERS["gat"]
    params = citation.initial_params(paper, WORDS, CLASSES, rng)
    graph = data["graph"]
    h = rng.normal(size=(NODES, 8, 8)).astype(np.float32)
    mask = citation.draw_masks({"x": (len(graph.senders), 8)}, 0.6, rng)["x"]
    got = citation.attend(graph, h, params, "1", mask)
    for head in range(8):
        to = [h[:, head] @ params[f"{name}1"][head] for name in ("to_sender", "to_receiver")]
        e = to[0][graph.senders] + to[1][graph.receivers]
        e = np.exp(np.where(e > 0, e, 0.2 * e))
        weights = e / np.bincount(graph.receivers, e, NODES)[graph.receivers] * mask[:, head]
        expected = np.zeros((NODES, 8))
        np.add.at(expected, graph.receivers, weights[:, None] * h[graph.senders, head])
        np.testing.assert_allclose(got[:, head], expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("wrong", [["--seeds", "0"], ["--epochs", "0"], ["--backend", "numpy"]])
def test_a_wrong_option_is_named(
    citation: Any, archive: Path, wrong: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        citation.main(["--data", str(archive), *wrong])
    assert wrong[0] in capsys.readouterr().err
