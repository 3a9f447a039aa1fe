"""One graph attention network, written once, trained on every backend: Zachary's karate club.

A quarrel splits a club of 34 in two. Knowing only the two leaders' sides and who is friends with whom, the
network says which side every member takes. The model below is written once over ``at.*``; JAX, PyTorch and
TensorFlow each train it with their own autodiff and compiler, and NumPy evaluates every one's weights.

Run it with ``make demo``, or ``python examples/karate_club.py --help``.

References:
    Zachary, "An Information Flow Model for Conflict and Fission in Small Groups", 1977,
    https://doi.org/10.1086/jar.33.4.3629752.
    Velickovic et al., "Graph Attention Networks", 2018, https://arxiv.org/abs/1710.10903.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import networkx as nx
import numpy as np
from tqdm import tqdm

import anytensor as at

Params = dict[str, Any]
HEADS, HIDDEN, CLASSES = 4, 8, 2
LEARNING_RATE, WEIGHT_DECAY = 0.02, 5e-4


# --- The model: portable code, the only copy ---------------------------------------------------------


def attention_layer(x: Any, senders: Any, receivers: Any, w: Any, a_src: Any, a_dst: Any) -> Any:
    """Let every node attend over its neighbours: (nodes, features) -> (nodes, heads, channels)."""
    n = at.shape(x)[0]
    h = at.einsum(x, w, "nodes features, features heads channels -> nodes heads channels")
    logits = at.take(at.sum(h * a_src, axis=-1), senders) + at.take(at.sum(h * a_dst, axis=-1), receivers)
    logits = at.where(logits > 0, logits, 0.2 * logits)
    return at.segment_attention(at.take(h, senders), logits, receivers, n)


def network(params: Params, graph: Params) -> Any:
    """Score both sides for every member: (nodes, classes)."""
    edges = graph["senders"], graph["receivers"]
    h = attention_layer(graph["x"], *edges, params["w1"], params["src1"], params["dst1"])
    h = at.rearrange(h, "nodes heads channels -> nodes (heads channels)")
    h = at.where(h > 0, h, at.exp(at.minimum(h, 0.0)) - 1.0)
    return at.mean(attention_layer(h, *edges, params["w2"], params["src2"], params["dst2"]), axis=1)


def loss_of(params: Params, graph: Params) -> Any:
    """Take the cross-entropy of the two known members, plus weight decay."""
    scores = at.take(network(params, graph), graph["known"])
    likelihood = at.sum(at.softmax(scores, axis=-1) * graph["known_sides"], axis=-1)
    decay = sum(at.sum(w * w) for w in params.values())
    return -at.mean(at.log(likelihood)) + WEIGHT_DECAY * decay


def adam(params: Params, grads: Params, state: Params, step: Any) -> tuple[Params, Params]:
    """Take one step of Adam (Kingma and Ba, 2015, https://arxiv.org/abs/1412.6980)."""
    new, moments = {}, {}
    for name, g in grads.items():
        m, v = state[name]
        m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g * g
        unbiased = m / (1.0 - 0.9**step), v / (1.0 - 0.999**step)
        new[name] = params[name] - LEARNING_RATE * unbiased[0] / (at.sqrt(unbiased[1]) + 1e-8)
        moments[name] = (m, v)
    return new, moments


# --- The data: host arrays ----------------------------------------------------------------------------------


def club() -> tuple[Params, np.ndarray]:
    """Return the graph as arrays, with an edge from every member to itself, and the true sides."""
    friends = nx.karate_club_graph()
    pairs = np.array(friends.edges, dtype=np.int32)
    n = friends.number_of_nodes()
    selves = np.arange(n, dtype=np.int32)
    sides = np.array([friends.nodes[i]["club"] == "Officer" for i in friends], dtype=np.int32)
    known = np.array([0, n - 1], dtype=np.int32)  # the instructor, Mr. Hi, and the officer, John A.
    graph = {
        "x": np.eye(n, dtype=np.float32),
        "senders": np.concatenate([pairs[:, 0], pairs[:, 1], selves]),
        "receivers": np.concatenate([pairs[:, 1], pairs[:, 0], selves]),
        "known": known,
        "known_sides": np.eye(CLASSES, dtype=np.float32)[sides[known]],
    }
    return graph, sides


def initial_params(n: int, seed: int) -> Params:
    """Draw the weights that every backend starts from (Glorot and Bengio, 2010)."""
    rng = np.random.default_rng(seed)

    def draw(*shape: int) -> np.ndarray:
        spread = np.sqrt(6.0 / (shape[0] + shape[-1]))
        return rng.uniform(-spread, spread, shape).astype(np.float32)

    return {
        "w1": draw(n, HEADS, HIDDEN),
        "src1": draw(HEADS, HIDDEN),
        "dst1": draw(HEADS, HIDDEN),
        "w2": draw(HEADS * HIDDEN, HEADS, CLASSES),
        "src2": draw(HEADS, CLASSES),
        "dst2": draw(HEADS, CLASSES),
    }


# --- The frameworks: only what differs between them, their autodiff and compilers ---------------------------


@dataclass
class Run:
    """What one framework made of the model."""

    weights: Params
    losses: list[float]
    scores: np.ndarray
    note: str = ""


Steps = Iterator[int]


def train_jax(params: Params, graph: Params, steps: Steps) -> Run:
    """Train with ``jax.value_and_grad`` under ``jax.jit``."""
    import jax
    import jax.numpy as jnp

    params, graph = jax.tree.map(jnp.asarray, (params, graph))
    state = {name: (jnp.zeros_like(w), jnp.zeros_like(w)) for name, w in params.items()}

    @jax.jit
    def step(params: Params, state: Params, i: Any) -> tuple[Params, Params, Any]:
        loss, grads = jax.value_and_grad(loss_of)(params, graph)
        return *adam(params, grads, state, i), loss

    losses = []
    for i in steps:
        params, state, loss = step(params, state, jnp.float32(i + 1))
        losses.append(float(loss))
    scores = jax.jit(network)(params, graph)
    return Run({name: np.asarray(w) for name, w in params.items()}, losses, np.asarray(scores))


def train_torch(params: Params, graph: Params, steps: Steps, compiled: bool = False) -> Run:
    """Train with autograd, optionally with the loss under ``torch.compile(fullgraph=True)``."""
    import torch

    graph = {name: torch.from_numpy(x) for name, x in graph.items()}
    params = {name: torch.from_numpy(w).clone() for name, w in params.items()}
    state = {name: (torch.zeros_like(w), torch.zeros_like(w)) for name, w in params.items()}
    loss_function, forward, note = loss_of, network, ""
    if compiled:
        # Inductor writes C++; without a compiler the graph is captured whole and differentiated all the same.
        engine = "inductor" if _has_cxx() else "aot_eager"
        note = "" if engine == "inductor" else "no C++ compiler: backend aot_eager"
        loss_function = torch.compile(loss_of, fullgraph=True, backend=engine)
        forward = torch.compile(network, fullgraph=True, backend=engine)
    losses = []
    for i in steps:
        params = {name: w.requires_grad_() for name, w in params.items()}
        loss = loss_function(params, graph)
        grads = dict(zip(params, torch.autograd.grad(loss, list(params.values())), strict=True))
        with torch.no_grad():
            params, state = adam(params, grads, state, float(i + 1))
        losses.append(loss.item())
    with torch.no_grad():
        scores = forward(params, graph)
    return Run({name: w.numpy() for name, w in params.items()}, losses, scores.numpy(), note)


def train_torch_compiled(params: Params, graph: Params, steps: Steps) -> Run:
    """Train with the loss compiled whole."""
    return train_torch(params, graph, steps, compiled=True)


def train_tensorflow(params: Params, graph: Params, steps: Steps) -> Run:
    """Train with ``GradientTape`` in a ``tf.function``."""
    import tensorflow as tf

    graph = {name: tf.constant(x) for name, x in graph.items()}
    params = {name: tf.constant(w) for name, w in params.items()}
    state = {name: (tf.zeros_like(w), tf.zeros_like(w)) for name, w in params.items()}

    @tf.function
    def step(params: Params, state: Params, i: Any) -> tuple[Params, Params, Any]:
        with tf.GradientTape() as tape:
            tape.watch(params)
            loss = loss_of(params, graph)
        return *adam(params, tape.gradient(loss, params), state, i), loss

    losses = []
    for i in steps:
        params, state, loss = step(params, state, tf.constant(i + 1.0))
        losses.append(float(loss))
    scores = tf.function(network)(params, graph)
    return Run({name: w.numpy() for name, w in params.items()}, losses, scores.numpy())


TRAINERS: dict[str, tuple[str, Callable[[Params, Params, Steps], Run]]] = {
    "JAX, jit": ("jax", train_jax),
    "PyTorch": ("torch", train_torch),
    "PyTorch, compile": ("torch", train_torch_compiled),
    "TensorFlow, function": ("tensorflow", train_tensorflow),
}


def _has_cxx() -> bool:
    import shutil

    return any(shutil.which(name) for name in (os.environ.get("CXX", "g++"), "g++", "clang++"))


# --- The report ------------------------------------------------------------------------------------


def train_everywhere(steps: int, seed: int) -> tuple[list[tuple[str, ...]], np.ndarray | None, bool]:
    """Train on every installed framework; return the rows, a prediction, and whether all agree."""
    graph, sides = club()
    start_from = initial_params(len(sides), seed)
    rows, prediction, agree = [], None, True
    for label, (framework, train) in TRAINERS.items():
        if importlib.util.find_spec(framework) is None:
            rows.append((label, "-", "-", "-", "-", f"{framework} is not installed"))
            continue
        begin = time.perf_counter()
        with tqdm(range(steps), desc=label.ljust(20), unit="step", mininterval=0.5) as bar:
            run = train(start_from, graph, bar)
        seconds = time.perf_counter() - begin
        on_numpy = network(run.weights, graph)
        difference = float(np.max(np.abs(run.scores - on_numpy)))
        prediction = np.argmax(run.scores, axis=-1)
        accuracy = float(np.mean(prediction == sides))
        agree &= difference <= 1e-4 and accuracy > 0.9
        cells = (label, f"{steps}", f"{run.losses[-1]:.4f}", f"{accuracy:.3f}", f"{seconds:.1f}")
        rows.append((*cells, f"{difference:.1e}" + (f" ({run.note})" if run.note else "")))
    return rows, prediction, agree


HEADER = ("backend", "steps", "loss", "accuracy", "seconds", "largest difference from NumPy")


def table(rows: list[tuple[str, ...]]) -> str:
    """Lay the rows out as a Markdown table that reads as plain text too."""
    widths = [max(len(row[i]) for row in (HEADER, *rows)) for i in range(len(HEADER))]
    lines = [HEADER, tuple("-" * width for width in widths), *rows]
    return "\n".join(
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) + " |"
        for line in lines
    )


def draw(prediction: np.ndarray, path: Path) -> None:
    """Save a picture of the club, coloured by predicted side; a ring marks who is predicted wrongly."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    friends = nx.karate_club_graph()
    _, sides = club()
    place = nx.spring_layout(friends, seed=7)
    colours = ["#2a6fbb" if side == 0 else "#e08a1e" for side in prediction]
    rings = ["#c0182b" if wrong else "#ffffff" for wrong in prediction != sides]
    figure, axes = plt.subplots(figsize=(8, 6), layout="constrained")
    nx.draw_networkx_edges(friends, place, ax=axes, edge_color="#bbbbbb")
    nx.draw_networkx_nodes(
        friends, place, ax=axes, node_color=colours, edgecolors=rings, linewidths=2.5, node_size=420
    )
    nx.draw_networkx_labels(friends, place, ax=axes, font_size=9, font_color="white")
    for colour, side in (("#2a6fbb", "Mr. Hi (member 0)"), ("#e08a1e", "the officer (member 33)")):
        axes.scatter([], [], color=colour, s=120, label=f"predicted to go with {side}")
    if (prediction != sides).any():
        ring = {"color": "white", "edgecolors": "#c0182b", "linewidths": 2.5, "s": 120}
        axes.scatter([], [], label="predicted wrongly", **ring)
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, 0.0), ncols=3, frameon=False, fontsize=9)
    axes.set_title("Zachary's karate club, split by a graph attention network that knows two members")
    axes.set_axis_off()
    figure.savefig(path, dpi=120)
    plt.close(figure)


def main() -> int:
    """Run the demo; return 1 if a backend is off by more than 1e-4 or below 0.9 accuracy."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--steps", type=int, default=100, help="training steps (default 100)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the initial weights (default 0)")
    parser.add_argument("--out", type=Path, default=Path("out"), help="folder of the results (default out)")
    options = parser.parse_args()
    if options.steps < 1:
        parser.error(f"--steps must be at least 1, got {options.steps}")
    rows, prediction, agree = train_everywhere(options.steps, options.seed)
    if prediction is None:
        print("No framework is installed that can train: pip install anytensor[all]")
        return 1
    options.out.mkdir(parents=True, exist_ok=True)
    text = table(rows)
    (options.out / "karate_club.md").write_text(text + "\n")
    draw(prediction, options.out / "karate_club.png")
    print(f"\n{text}\n\nSaved {options.out / 'karate_club.md'} and {options.out / 'karate_club.png'}")
    if not agree:
        print("A backend differs from NumPy by more than 1e-4, or is not above 0.9 accuracy.")
    return 0 if agree else 1


if __name__ == "__main__":
    raise SystemExit(main())
