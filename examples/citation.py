"""Node classification on a citation network, with the papers' hyperparameters, on the backend of your choice.

Which of seven fields does a paper belong to? Known are its words, who cites whom, and the fields of twenty
papers each. The graph convolutional network and the graph attention network below are written once over
``at.*`` and the layers of ``anytensor.jraph``; PyTorch, JAX and TensorFlow train them with their own autodiff
and Adam, from the same initial weights and with the same dropout.

    python examples/citation.py --data cora.npz --model gat --backend jax --seeds 10

The file is a NumPy archive: ``feature_indices``, ``feature_indptr``, ``feature_values`` and ``feature_shape``
(the words, a CSR matrix), ``senders`` and ``receivers`` (both directions), ``labels``, and the public split
``train``, ``valid``, ``test`` (node indices). Dropout masks are drawn by NumPy and passed in, so that the
models are pure functions and every backend trains with the same masks.

References:
    Yang, Cohen and Salakhutdinov, "Revisiting Semi-Supervised Learning with Graph Embeddings", 2016,
    https://arxiv.org/abs/1603.08861.
    Kipf and Welling, "Semi-Supervised Classification with Graph Convolutional Networks", 2017,
    https://arxiv.org/abs/1609.02907.
    Velickovic et al., "Graph Attention Networks", 2018, https://arxiv.org/abs/1710.10903.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from learners import LEARNERS, Start, Task
from tqdm import tqdm

import anytensor as at
from anytensor import jraph

Arrays = dict[str, Any]
Masks = dict[str, Any] | None


# --- The models: portable code, the only copy -----------------------------------------------------------


def words_times(weight: Any, data: Arrays, masks: Masks) -> Any:
    """Multiply the sparse word matrix by a weight: (nodes, outputs).

    Dropout of the zeros changes nothing, so only the entries that are there are dropped.
    """
    entries = data["values"] if masks is None else data["values"] * masks["words"]
    products = at.take(weight, data["columns"]) * at.reshape(entries, (-1, 1))
    return at.segment_sum(products, data["rows"], at.shape(data["labels"])[0], sorted=True)


def dropped(x: Any, masks: Masks, name: str) -> Any:
    """Apply a dropout mask in training; leave x as it is in evaluation."""
    return x if masks is None else x * masks[name]


def gcn(params: Arrays, data: Arrays, masks: Masks = None) -> Any:
    """Score the classes with two graph convolutions: (nodes, classes)."""
    graph = data["graph"]
    first = jraph.GraphConvolution(lambda _: words_times(params["w1"], data, masks), add_self_edges=True)
    second = jraph.GraphConvolution(lambda h: at.matmul(h, params["w2"]), add_self_edges=True)
    with at.cache():  # the self edges and degrees of the first layer serve the second
        hidden = at.relu(first(graph).nodes)
        return second(graph._replace(nodes=dropped(hidden, masks, "hidden"))).nodes


def attend(graph: Any, h: Any, params: Arrays, layer: str, mask: Any) -> Any:
    """Let every node attend over its neighbours and itself; h is (nodes, heads, channels).

    This is ``GraphNetGAT`` rather than ``GAT`` for the sake of its ``attention_reduce_fn``: the paper drops
    normalized attention weights, which ``GAT`` keeps to itself.
    """

    def weigh(messages: Any, weights: Any) -> Any:
        weights = weights if mask is None else weights * mask
        return messages * at.expand_dims(weights, -1)

    net = jraph.GraphNetGAT(
        update_edge_fn=lambda _edges, sent, _received, _globals: sent["h"],
        update_node_fn=lambda _nodes, _sent, received, _globals: received,
        attention_logit_fn=lambda _edges, sent, received, _globals: at.leaky_relu(
            sent["to_sender"] + received["to_receiver"], 0.2
        ),
        attention_reduce_fn=weigh,
    )
    parts = {name: at.sum(h * params[f"{name}{layer}"], axis=-1) for name in ("to_sender", "to_receiver")}
    return net(graph._replace(nodes={"h": h, **parts})).nodes + params[f"bias{layer}"]


def gat(params: Arrays, data: Arrays, masks: Masks = None) -> Any:
    """Score the classes with two graph attention layers, of eight heads and of one: (nodes, classes)."""
    graph = data["graph"]
    heads, channels = at.shape(params["to_sender1"])
    h = at.reshape(words_times(params["w1"], data, masks), (-1, heads, channels))
    h = attend(graph, h, params, "1", None if masks is None else masks["attention1"])
    h = at.where(h > 0, h, at.expm1(at.minimum(h, 0.0)))  # ELU
    h = dropped(at.reshape(h, (-1, heads * channels)), masks, "hidden")
    h = at.expand_dims(at.matmul(h, params["w2"]), 1)
    h = attend(graph, h, params, "2", None if masks is None else masks["attention2"])
    return at.squeeze(h, axis=1)


def cross_entropy(scores: Any, targets: Any) -> Any:
    """Return the mean cross-entropy of scores (rows, classes) against one-hot targets."""
    scores = scores - at.stop_gradient(at.max(scores, axis=-1, keepdims=True))
    return at.mean(at.log(at.sum(at.exp(scores), axis=-1)) - at.sum(scores * targets, axis=-1))


def task_of(paper: Paper, data: Arrays) -> Task:
    """Return what is to be trained: the loss of the labelled papers; a batch is the masks of a step."""

    def loss(params: Arrays, data: Arrays, masks: Masks) -> Any:
        return cross_entropy(at.take(paper.model(params, data, masks), data["train"]), data["targets"])

    return Task(loss, paper.model, paper.rate, data, dict.fromkeys(paper.decayed, paper.decay))


# --- The papers' settings ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Paper:
    """What a paper trains, and how.

    Attributes:
        model: (params, data, masks) -> scores.
        shapes: (words, classes) -> the shape of every weight.
        masks: (entries, nodes, edges) -> the shape of every dropout mask.
        decayed: The weights that L2 regularization holds for.
        patience: Epochs without a better validation loss or accuracy after which training ends.
    """

    model: Callable[..., Any]
    shapes: Callable[[int, int], dict[str, tuple[int, ...]]]
    masks: Callable[[int, int, int], dict[str, tuple[int, ...]]]
    decayed: tuple[str, ...]
    rate: float
    dropout: float
    epochs: int
    patience: int
    self_edges: bool
    decay: float = 5e-4


HIDDEN, HEADS, CHANNELS = 16, 8, 8


def gcn_shapes(words: int, classes: int) -> dict[str, tuple[int, ...]]:
    """Return the shapes of the graph convolutional network's weights."""
    return {"w1": (words, HIDDEN), "w2": (HIDDEN, classes)}


def gat_shapes(words: int, classes: int) -> dict[str, tuple[int, ...]]:
    """Return the shapes of the graph attention network's weights."""
    return {
        "w1": (words, HEADS * CHANNELS),
        "to_sender1": (HEADS, CHANNELS),
        "to_receiver1": (HEADS, CHANNELS),
        "bias1": (HEADS, CHANNELS),
        "w2": (HEADS * CHANNELS, classes),
        "to_sender2": (1, classes),
        "to_receiver2": (1, classes),
        "bias2": (1, classes),
    }


def gcn_masks(entries: int, nodes: int, edges: int) -> dict[str, tuple[int, ...]]:
    """Return the shapes of the masks: on the input of both layers."""
    return {"words": (entries,), "hidden": (nodes, HIDDEN)}


def gat_masks(entries: int, nodes: int, edges: int) -> dict[str, tuple[int, ...]]:
    """Return the shapes of the masks: on the input and the attention weights of both layers."""
    hidden = (nodes, HEADS * CHANNELS)
    return {"words": (entries,), "attention1": (edges, HEADS), "hidden": hidden, "attention2": (edges, 1)}


PAPERS = {
    "gcn": Paper(gcn, gcn_shapes, gcn_masks, ("w1",), 0.01, 0.5, 200, 200, self_edges=False),
    "gat": Paper(gat, gat_shapes, gat_masks, tuple(gat_shapes(0, 0)), 0.005, 0.6, 2000, 100, self_edges=True),
}


def initial_params(paper: Paper, words: int, classes: int, rng: np.random.Generator) -> Arrays:
    """Draw the weights (Glorot and Bengio, 2010); biases are zero."""
    params = {}
    for name, shape in paper.shapes(words, classes).items():
        spread = 0.0 if name.startswith("bias") else np.sqrt(6.0 / sum(shape))
        params[name] = rng.uniform(-spread, spread, shape).astype(np.float32)
    return params


def draw_masks(shapes: dict[str, tuple[int, ...]], dropout: float, rng: np.random.Generator) -> Arrays:
    """Draw the dropout masks of one step: 0, or 1 over the share that is kept."""
    kept = np.float32(1.0 / (1.0 - dropout))
    return {name: (rng.random(shape, np.float32) >= dropout) * kept for name, shape in shapes.items()}


# --- The data: host arrays ----------------------------------------------------------------------------------


class Citations(NamedTuple):
    """A citation network.

    Attributes:
        data: What the models read: the graph, the word matrix by its entries, the known papers' fields.
        labels: (nodes,) the field of every paper.
        split: Node indices of "valid" and "test".
        words: The number of words.
        classes: The number of fields.
    """

    data: Arrays
    labels: np.ndarray
    split: dict[str, np.ndarray]
    words: int
    classes: int


def load(path: Path, self_edges: bool) -> Citations:
    """Read the archive; every paper's words weigh 1 in sum, as in the papers."""
    with np.load(path) as archive:
        file = {name: archive[name] for name in archive.files}
    nodes, words = (int(size) for size in file["feature_shape"])
    per_node = np.diff(file["feature_indptr"])
    rows = np.repeat(np.arange(nodes, dtype=np.int32), per_node)
    sums = np.bincount(rows, weights=file["feature_values"], minlength=nodes)
    own = np.arange(nodes, dtype=np.int32) if self_edges else np.zeros(0, np.int32)
    senders, receivers = (
        np.concatenate([file[end].astype(np.int32), own]) for end in ("senders", "receivers")
    )
    # Edges in the order of their receivers are aggregated in one pass over memory.
    order = np.argsort(receivers, kind="stable")
    labels, train = file["labels"].astype(np.int32), file["train"].astype(np.int32)
    classes = int(labels.max()) + 1
    data = {
        "graph": jraph.GraphsTuple(
            nodes=None,
            edges=None,
            senders=senders[order],
            receivers=receivers[order],
            globals=None,
            n_node=np.array([nodes], np.int32),
            n_edge=np.array([len(senders)], np.int32),
        ),
        "rows": rows,
        "columns": file["feature_indices"].astype(np.int32),
        "values": (file["feature_values"] / sums[rows]).astype(np.float32),
        "labels": labels,
        "train": train,
        "targets": np.eye(classes, dtype=np.float32)[labels[train]],
    }
    return Citations(data, labels, {name: file[name] for name in ("valid", "test")}, words, classes)


# --- Training ---------------------------------------------------------------------------------------------


def train(paper: Paper, start: Start, citations: Citations, seed: int, epochs: int, bar: Any) -> float:
    """Train once; return the test accuracy at the epoch that validation chose.

    Training ends when for ``patience`` epochs neither the validation loss nor the validation accuracy was as
    good as the best so far, as in the code of the attention paper; the weights that count are those of the
    last epoch where both were. (The convolution paper stops once the loss rises within its 200 epochs; here
    it runs all of them, and validation chooses.)
    """
    rng = np.random.default_rng(seed)
    learner = start(initial_params(paper, citations.words, citations.classes, rng))
    data, valid, test = citations.data, citations.split["valid"], citations.split["test"]
    sizes = len(data["values"]), len(citations.labels), len(data["graph"].senders)
    shapes = paper.masks(*sizes)
    valid_targets = np.eye(citations.classes, dtype=np.float32)[citations.labels[valid]]
    best_loss, best_accuracy, chosen, waited = np.inf, 0.0, 0.0, 0
    for _ in range(epochs):
        learner.step(draw_masks(shapes, paper.dropout, rng))
        scores = learner.scores(None)
        loss = float(cross_entropy(scores[valid], valid_targets))
        right = scores.argmax(-1) == citations.labels
        accuracy, test_accuracy = float(right[valid].mean()), float(right[test].mean())
        bar.set_postfix(valid=f"{accuracy:.3f}", refresh=False)
        bar.update()
        if loss <= best_loss or accuracy >= best_accuracy:
            if loss <= best_loss and accuracy >= best_accuracy:
                chosen = test_accuracy
            best_loss, best_accuracy, waited = min(loss, best_loss), max(accuracy, best_accuracy), 0
        else:
            waited += 1
        if waited == paper.patience:
            break
    return chosen


def main(arguments: list[str] | None = None) -> list[float]:
    """Run the command; return the test accuracy of each seed."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--data", type=Path, required=True, help="a Planetoid .npz, such as cora.npz")
    parser.add_argument("--model", choices=sorted(PAPERS), default="gcn", help="default gcn")
    parser.add_argument("--backend", choices=sorted(LEARNERS), default="torch", help="default torch")
    parser.add_argument("--seeds", type=int, default=10, help="how many runs (default 10)")
    parser.add_argument("--epochs", type=int, help="epochs of a run (default: the paper's)")
    options = parser.parse_args(arguments)
    if not options.data.is_file():
        parser.error(f"--data must be a Planetoid .npz file, got {options.data}")
    for name in ("seeds", "epochs"):
        if getattr(options, name) is not None and getattr(options, name) < 1:
            parser.error(f"--{name} must be at least 1, got {getattr(options, name)}")
    paper = PAPERS[options.model]
    epochs = paper.epochs if options.epochs is None else options.epochs
    citations = load(options.data, paper.self_edges)
    start = LEARNERS[options.backend](task_of(paper, citations.data))
    begin, results = time.perf_counter(), []
    for seed in range(options.seeds):
        with tqdm(total=epochs, desc=f"seed {seed}", unit="epoch", mininterval=0.5, leave=False) as bar:
            results.append(train(paper, start, citations, seed, epochs, bar))
        tqdm.write(f"seed {seed}: test accuracy {100 * results[-1]:.1f} %")
    mean, spread = 100 * np.mean(results), 100 * np.std(results)
    print(
        f"{options.model} on {options.data.stem}, {options.backend}: {mean:.2f} +- {spread:.2f} % test "
        f"accuracy over {options.seeds} seed{'s' * (options.seeds > 1)}, {time.perf_counter() - begin:.0f} s"
    )
    return results


if __name__ == "__main__":
    main()
