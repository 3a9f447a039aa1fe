"""Predict missing links of a medical knowledge graph: a CompGCN encoder, a DistMult scorer, any backend.

UMLS has 135 kinds of medical things and 46 relations between them. A link (head, relation, tail) is scored
by the sum of the products of three vectors, one for each. With ``--encoder none`` the vectors of the entities
are weights; with ``--encoder compgcn`` they are what composition-based graph convolution makes of the
weights: each entity sees its neighbours, composed with the relation that it stands in to them, along the
links' directions and against them. All other things are equal. The model is written once over ``at.hetero``;
``learners`` trains it with any framework.

The triples lie in the wheel of ``pykeen``, which need not be installed: give it with ``--data``, or a folder
of ``train.txt``, ``valid.txt`` and ``test.txt``; without, pip downloads the wheel into ``out/``.

    python examples/knowledge_graph.py --backend torch --encoder compgcn

References:
    Vashishth et al., "Composition-based multi-relational graph convolutional networks", 2020,
    https://arxiv.org/abs/1911.03082.
    Yang et al., "Embedding entities and relations for learning and inference in knowledge bases", 2015,
    https://arxiv.org/abs/1412.6575 (DistMult).
    Lacroix et al., "Canonical tensor decomposition for knowledge base completion", 2018,
    https://arxiv.org/abs/1806.07297 (relations both ways, cross-entropy over all entities).
    Kok and Domingos, "Statistical predicate invention", 2007, https://doi.org/10.1145/1273496.1273551 (UMLS).
    Ali et al., "PyKEEN 1.0", 2021, http://jmlr.org/papers/v22/20-825.html.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
import zipfile
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from learners import LEARNERS, Arrays, Learner, Task
from tqdm import tqdm

import anytensor as at
from anytensor import hetero

LINKS = ("entity", "links", "entity")
BACK = hetero.reverse_canonical_etype(LINKS)
WHEEL = "pykeen==1.11.1"
BATCH = 2048


# --- The data -----------------------------------------------------------------------------------------------


class Triples(NamedTuple):
    """Links as rows of (head, relation, tail), numbered; every one also the other way round.

    Attributes:
        train: (n, 3) triples; a relation of number r + relations runs against r.
        test: The same of the test set.
        known: (entity, relation) -> all tails in any set: what a rank must not count.
        entities: How many.
        relations: How many, in one direction.
    """

    train: np.ndarray
    test: np.ndarray
    known: dict[tuple[int, int], list[int]]
    entities: int
    relations: int


def downloaded(folder: Path) -> Path:
    """Return the wheel in a folder, after a download by pip if it is not there."""
    if not list(folder.glob("pykeen-*.whl")):
        command = [sys.executable, "-m", "pip", "download", "--no-deps", WHEEL, "--dest", str(folder)]
        subprocess.run(command, check=True)
    return next(folder.glob("pykeen-*.whl"))


def read(data: Path) -> Triples:
    """Read the three sets of a wheel or a folder."""
    texts = {}
    for name in ("train", "valid", "test"):
        if data.is_dir():
            texts[name] = (data / f"{name}.txt").read_text()
        else:
            with zipfile.ZipFile(data) as wheel:
                texts[name] = wheel.read(f"pykeen/datasets/umls/{name}.txt").decode()
    rows = {name: [line.split("\t") for line in text.splitlines()] for name, text in texts.items()}
    every = [row for some in rows.values() for row in some]
    entities = {
        name: i for i, name in enumerate(sorted({e for head, _, tail in every for e in (head, tail)}))
    }
    relations = {name: i for i, name in enumerate(sorted({relation for _, relation, _ in every}))}
    numbered = {}
    for name, some in rows.items():
        one_way = [(entities[head], relations[relation], entities[tail]) for head, relation, tail in some]
        other_way = [(tail, relation + len(relations), head) for head, relation, tail in one_way]
        numbered[name] = np.array([*one_way, *other_way], np.int32)
    known: dict[tuple[int, int], list[int]] = {}
    for some in numbered.values():
        for head, relation, tail in some.tolist():
            known.setdefault((head, relation), []).append(tail)
    return Triples(numbered["train"], numbered["test"], known, len(entities), len(relations))


# --- The model: portable code -------------------------------------------------------------------------------


def linear(weight: Any) -> Any:
    """Return the map that a layer takes for a relation."""
    return lambda h: h @ weight


def encoded(params: Arrays, constants: Arrays) -> tuple[Any, Any]:
    """Return the vectors of the entities, and of the relations both ways."""
    entities, relations = params["entities"], params["relations"]
    if "links" not in params:
        return entities, relations
    graph = constants["graph"].update(
        nodes={"entity": entities},
        edges={e: at.take(relations, kinds) for e, kinds in constants["kinds"].items()},
    )
    graph = hetero.comp_gcn(
        graph,
        {LINKS: linear(params["links"]), BACK: linear(params["back"])},
        lambda h: (h * params["loop"]) @ params["self"],
        composition="mult",
        activation=at.tanh,
        reducer="mean",
    )
    return graph.nodes["entity"], relations @ params["relation"]


def scores_of(params: Arrays, constants: Arrays, batch: Arrays) -> Any:
    """Score every entity as the tail of each head and relation: (queries, entities)."""
    entities, relations = encoded(params, constants)
    queries = at.take(entities, batch["heads"]) * at.take(relations, batch["relations"])
    return queries @ at.matrix_transpose(entities)


def loss_of(params: Arrays, constants: Arrays, batch: Arrays) -> Any:
    """Return the cross-entropy of the tails."""
    scores = scores_of(params, constants, batch)
    highest = at.stop_gradient(at.max(scores, axis=-1, keepdims=True))
    total = at.log(at.sum(at.exp(scores - highest), axis=-1)) + highest[:, 0]
    right = at.take_along_axis(scores, batch["tails"][:, None], axis=-1)[:, 0]
    return at.mean(total - right)


def initial_params(triples: Triples, width: int, encoder: str, seed: int) -> Arrays:
    """Draw the weights."""
    rng = np.random.default_rng(seed)

    def drawn(*shape: int, spread: float) -> np.ndarray:
        return rng.normal(0, spread, shape).astype(np.float32)

    params = {
        "entities": drawn(triples.entities, width, spread=0.3),
        "relations": drawn(2 * triples.relations, width, spread=0.3),
    }
    if encoder == "compgcn":
        square = {
            name: drawn(width, width, spread=width**-0.5) for name in ("links", "back", "self", "relation")
        }
        params |= {**square, "loop": np.ones(width, np.float32)}
    return params


def constants_of(triples: Triples) -> Arrays:
    """Return the graph of the training links, and the relation of each of its edges."""
    links = triples.train[: len(triples.train) // 2]
    graph = hetero.HeteroGraphsTuple(
        nodes={"entity": None},
        edges={},
        senders={LINKS: links[:, 0].copy()},
        receivers={LINKS: links[:, 2].copy()},
        n_node={"entity": np.array([triples.entities], np.int32)},
        n_edge={LINKS: np.array([len(links)], np.int32)},
    )
    kinds = {LINKS: links[:, 1].copy(), BACK: links[:, 1] + np.int32(triples.relations)}
    return {"graph": hetero.add_reverse_edges(graph), "kinds": kinds}


# --- Training and measuring ---------------------------------------------------------------------------------


class Result(NamedTuple):
    """What was measured on the test links, both ways, other true tails left out of the ranking.

    Attributes:
        mrr: The mean of one over the rank of the true tail.
        hits: The share of true tails among the first ten.
    """

    mrr: float
    hits: float


def batch_of(rows: np.ndarray) -> Arrays:
    """Return triples as a batch."""
    return {name: rows[:, i].copy() for i, name in enumerate(("heads", "relations", "tails"))}


def train(learner: Learner, triples: Triples, steps: int, seed: int) -> None:
    """Take the steps, on batches that are drawn anew in each pass over the links."""
    rng = np.random.default_rng(seed)
    size = min(BATCH, len(triples.train))
    order = np.zeros(0, np.int64)
    for _ in tqdm(range(steps), unit="step", mininterval=0.5):
        if len(order) < size:
            order = rng.permutation(len(triples.train))
        learner.step(batch_of(triples.train[order[:size]]))
        order = order[size:]


def measured(learner: Learner, triples: Triples) -> Result:
    """Rank the true tail of each test link; a tie counts half."""
    scores = learner.scores(batch_of(triples.test))
    ranks = []
    for row, (head, relation, tail) in zip(scores, triples.test.tolist(), strict=True):
        own = row[tail]
        others = np.delete(row, triples.known[head, relation])
        ranks.append(1 + (others > own).sum() + 0.5 * (others == own).sum())
    inverse = 1 / np.array(ranks)
    return Result(float(inverse.mean()), float((inverse >= 0.1).mean()))


def main(arguments: list[str] | None = None) -> Result:
    """Run the command; return what was measured."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--data", type=Path, help="the wheel of pykeen, or a folder (default: download)")
    parser.add_argument("--out", type=Path, default=Path("out"), help="folder of the download (default out)")
    parser.add_argument("--backend", choices=sorted(LEARNERS), default="torch", help="default torch")
    parser.add_argument("--encoder", choices=("none", "compgcn"), default="compgcn", help="default compgcn")
    parser.add_argument("--steps", type=int, default=400, help="training steps (default 400)")
    parser.add_argument("--width", type=int, default=64, help="length of a vector (default 64)")
    parser.add_argument("--rate", type=float, default=0.01, help="learning rate at the start (default 0.01)")
    parser.add_argument("--seed", type=int, default=0, help="seed of weights and batches (default 0)")
    options = parser.parse_args(arguments)
    for name in ("steps", "width", "rate"):
        if not getattr(options, name) > 0:
            parser.error(f"--{name} must be above 0, got {getattr(options, name)}")
    triples = read(options.data or downloaded(options.out))
    task = Task(loss_of, scores_of, options.rate, constants_of(triples), steps=options.steps)
    params = initial_params(triples, options.width, options.encoder, options.seed)
    learner = LEARNERS[options.backend](task)(params)
    begin = time.perf_counter()
    train(learner, triples, options.steps, options.seed)
    result = measured(learner, triples)
    print(
        f"{options.encoder}, {options.backend}: filtered MRR {result.mrr:.3f}, hits@10 {result.hits:.3f} on "
        f"{len(triples.test) // 2} test links both ways, {time.perf_counter() - begin:.0f} s"
    )
    return result


if __name__ == "__main__":
    main()
