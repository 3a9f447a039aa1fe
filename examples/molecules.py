"""Regression on molecular graphs: polar surface area, by a graph network on the backend of your choice.

The topological polar surface area of a molecule says how well it passes membranes. The example reads 5000
molecules that ship with RDKit, makes graphs of their atoms and bonds, and trains one portable
``GraphNetwork``. Batches of molecules all differ in size; they are padded to a few sizes that
``jraph.fit_buckets`` chooses, so that a compiler sees few shapes, and the number of compilations is counted.

    python examples/molecules.py --backend jax

References:
    Ertl, Rohde and Selzer, "Fast Calculation of Molecular Polar Surface Area as a Sum of Fragment-Based
    Contributions", 2000, https://doi.org/10.1021/jm000942e.
    Battaglia et al., "Relational inductive biases, deep learning, and graph networks", 2018,
    https://arxiv.org/abs/1806.01261.
"""

from __future__ import annotations

import argparse
import functools
import itertools
import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from learners import LEARNERS, Arrays, Task
from rdkit import Chem, RDConfig, RDLogger
from tqdm import tqdm

import anytensor as at
from anytensor import jraph

ELEMENTS = ("C", "N", "O", "F", "P", "S", "Cl", "Br", "I")
BONDS = (Chem.BondType.SINGLE, Chem.BondType.DOUBLE, Chem.BondType.TRIPLE, Chem.BondType.AROMATIC)
ATOM_FEATURES = len(ELEMENTS) + 1 + 5 + 3 + 2
BOND_FEATURES = len(BONDS) + 2
HIDDEN, LAYERS = 48, 2


# --- The model: portable code, the only copy -----------------------------------------------------------


def perceptron(params: Arrays, name: str, x: Any) -> Any:
    """Apply two dense layers, the first with a ReLU: (rows, features) -> (rows, outputs)."""
    hidden = at.relu(at.matmul(x, params[f"{name}_w1"]) + params[f"{name}_b1"])
    return at.matmul(hidden, params[f"{name}_w2"]) + params[f"{name}_b2"]


def network(params: Arrays, _constants: None, graph: Any) -> Any:
    """Predict the scaled target of every graph: (graphs,)."""

    def embed(name: str) -> Callable[[Any], Any]:
        return functools.partial(perceptron, params, name)

    def update(name: str) -> Callable[..., Any]:
        # The first of what is concatenated is the edge's, node's or graph's own features.
        return jraph.concatenated_args(lambda x: x[:, :HIDDEN] + perceptron(params, name, x))

    start = at.zeros((at.shape(graph.n_node)[0], HIDDEN), like=params["atom_w1"])
    graph = jraph.GraphMapFeatures(embed("bond"), embed("atom"))(graph._replace(globals=start))
    for layer in range(LAYERS):
        graph = jraph.GraphNetwork(
            update(f"edge{layer}"),
            update(f"node{layer}"),
            jraph.concatenated_args(embed(f"global{layer}")),
            aggregate_nodes_for_globals_fn=jraph.segment_mean,
            aggregate_edges_for_globals_fn=jraph.segment_mean,
        )(graph)
    # A surface is the sum of what every atom has of it.
    readout = jraph.DeepSets(jraph.concatenated_args(embed("target")), lambda nodes: 0.1 * nodes)
    return at.squeeze(readout(graph).globals, axis=-1)


def loss_of(params: Arrays, constants: None, batch: Any) -> Any:
    """Return the mean squared error over the molecules of a padded batch."""
    graph, targets = batch
    real = jraph.get_graph_padding_mask(graph)
    errors = at.where(real, at.square(network(params, constants, graph) - targets), 0.0)
    return at.sum(errors) / at.astype(at.count_nonzero(real), targets.dtype)


def predict(params: Arrays, constants: None, batch: Any) -> Any:
    """Predict the scaled targets of a padded batch."""
    return network(params, constants, batch[0])


def initial_params(rng: np.random.Generator) -> Arrays:
    """Draw the weights of every perceptron (He et al., 2015, https://arxiv.org/abs/1502.01852)."""
    sizes = {"atom": (ATOM_FEATURES, HIDDEN), "bond": (BOND_FEATURES, HIDDEN), "target": (2 * HIDDEN, 1)}
    for layer in range(LAYERS):
        sizes |= {f"edge{layer}": (4 * HIDDEN, HIDDEN), f"node{layer}": (4 * HIDDEN, HIDDEN)}
        sizes[f"global{layer}"] = (3 * HIDDEN, HIDDEN)
    params: Arrays = {}
    for name, (inputs, outputs) in sizes.items():
        for part, shape in (("1", (inputs, HIDDEN)), ("2", (HIDDEN, outputs))):
            params[f"{name}_w{part}"] = rng.normal(0, np.sqrt(1.0 / shape[0]), shape).astype(np.float32)
            params[f"{name}_b{part}"] = np.zeros(shape[1], np.float32)
    return params


# --- The data: host arrays ----------------------------------------------------------------------------------


def graph_of(smiles: str) -> jraph.GraphsTuple | None:
    """Return a molecule as a graph, two edges for each bond; None if RDKit cannot read it."""
    molecule = Chem.MolFromSmiles(smiles)
    if molecule is None:
        return None
    nodes = np.zeros((molecule.GetNumAtoms(), ATOM_FEATURES), np.float32)
    for i, atom in enumerate(molecule.GetAtoms()):
        element = atom.GetSymbol()
        nodes[i, ELEMENTS.index(element) if element in ELEMENTS else len(ELEMENTS)] = 1
        nodes[i, len(ELEMENTS) + 1 + min(atom.GetTotalNumHs(), 4)] = 1
        nodes[i, -5 + int(np.clip(atom.GetFormalCharge(), -1, 1)) + 1] = 1
        nodes[i, -2:] = atom.GetIsAromatic(), atom.IsInRing()
    bonds = list(molecule.GetBonds())
    ends = np.array([(b.GetBeginAtomIdx(), b.GetEndAtomIdx()) for b in bonds], np.int32).reshape(-1, 2)
    edges = np.zeros((len(bonds), BOND_FEATURES), np.float32)
    for i, bond in enumerate(bonds):
        if bond.GetBondType() in BONDS:
            edges[i, BONDS.index(bond.GetBondType())] = 1
        edges[i, -2:] = bond.GetIsConjugated(), bond.IsInRing()
    return jraph.GraphsTuple(
        nodes=nodes,
        edges=np.concatenate([edges, edges]),
        senders=np.concatenate([ends[:, 0], ends[:, 1]]),
        receivers=np.concatenate([ends[:, 1], ends[:, 0]]),
        globals=None,
        n_node=np.array([len(nodes)], np.int32),
        n_edge=np.array([2 * len(bonds)], np.int32),
    )


def read(folder: Path, limit: int | None = None) -> tuple[list[jraph.GraphsTuple], np.ndarray]:
    """Read the molecules that RDKit accepts, and their polar surface areas in square angstroms."""
    smiles = [line.split()[0] for line in (folder / "first_5K.smi").read_text().splitlines() if line]
    lines = (folder / "first_5k.tpsa.csv").read_text().splitlines()
    rows = [line.rsplit(",", 1) for line in lines if line and not line.startswith("#")]
    if smiles != [row[0] for row in rows]:
        raise ValueError(f"the two files in {folder} do not list the same molecules")
    RDLogger.DisableLog("rdApp.*")  # it reports every molecule that it cannot read
    graphs, areas = [], []
    for text, area in rows[:limit]:
        graph = graph_of(text)
        if graph is not None:
            graphs.append(graph)
            areas.append(float(area))
    return graphs, np.array(areas, np.float32)


# --- Batches of few sizes -------------------------------------------------------------------------------


def plan(indices: np.ndarray, size: int) -> list[np.ndarray]:
    """Cut indices into batches."""
    return [indices[start : start + size] for start in range(0, len(indices), size)]


def size_of(graphs: Sequence[jraph.GraphsTuple], chosen: np.ndarray) -> tuple[int, int, int]:
    """Return the nodes, edges and graphs of a batch."""
    nodes = sum(int(graphs[i].n_node[0]) for i in chosen)
    return nodes, sum(int(graphs[i].n_edge[0]) for i in chosen), len(chosen)


def padded(graphs: Sequence[jraph.GraphsTuple], targets: np.ndarray, chosen: np.ndarray, buckets: Any) -> Any:
    """Return a batch of one of the buckets' sizes, and its targets, zeros for the padding."""
    graph = jraph.pad_to_bucket(jraph.batch([graphs[i] for i in chosen]), buckets)
    behind = np.zeros(len(graph.n_node) - len(chosen), np.float32)
    return graph, np.concatenate([targets[chosen], behind])


@dataclass
class Result:
    """What a run came to: mean absolute errors on the test molecules, and what compiling took.

    Attributes:
        error: Of the network, in square angstroms.
        mean_error: Of the mean of the training molecules.
        sizes: The number of sizes that batches were padded to.
        compilations: Of the training step; None for an eager run.
    """

    error: float
    mean_error: float
    sizes: int
    compilations: int | None


def train(
    graphs: Sequence[jraph.GraphsTuple],
    areas: np.ndarray,
    backend: str,
    *,
    epochs: int,
    rate: float = 1e-3,
    batch_size: int = 32,
    budget: int = 3,
    seed: int = 0,
    **engine: str,
) -> Result:
    """Train on nine of ten molecules and test on the tenth."""
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(graphs))
    test, known = np.split(order, [len(graphs) // 10])
    mean, spread = areas[known].mean(), areas[known].std()
    targets = areas / spread  # not centred: the network sums over atoms, and no atoms have no surface
    # The order of every epoch is drawn beforehand, so that the buckets fit all batches that will come.
    batches = [plan(rng.permutation(known), batch_size) for _ in range(epochs)]
    tests = plan(test, batch_size)
    sizes = [size_of(graphs, chosen) for chosen in itertools.chain(*batches, tests)]
    buckets = jraph.fit_buckets(sizes, budget)
    steps = sum(map(len, batches))
    learner = LEARNERS[backend](Task(loss_of, predict, rate, steps=steps), **engine)(initial_params(rng))
    with tqdm(total=steps, desc=backend, unit="step", mininterval=0.5) as bar:
        for epoch in batches:
            for chosen in epoch:
                learner.step(padded(graphs, targets, chosen, buckets))
                bar.update()
    scores = [learner.scores(padded(graphs, targets, chosen, buckets))[: len(chosen)] for chosen in tests]
    predicted = np.concatenate(scores) * spread
    return Result(
        float(np.abs(predicted - areas[test]).mean()),
        float(np.abs(mean - areas[test]).mean()),
        len(buckets.sizes),
        learner.compilations(),
    )


def main(arguments: list[str] | None = None) -> Result:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--backend", choices=sorted(LEARNERS), default="torch", help="default torch")
    parser.add_argument("--epochs", type=int, default=10, help="passes over the molecules (default 10)")
    parser.add_argument("--limit", type=int, help="read only so many molecules (default all)")
    parser.add_argument("--buckets", type=int, default=3, help="most sizes to pad to (default 3)")
    parser.add_argument("--rate", type=float, default=1e-3, help="initial learning rate (default 0.001)")
    parser.add_argument("--seed", type=int, default=0, help="of split, order and weights (default 0)")
    parser.add_argument("--engine", help="a backend of torch.compile (default inductor with a C++ compiler)")
    options = parser.parse_args(arguments)
    for name, least in (("epochs", 1), ("limit", 20), ("buckets", 1)):
        if getattr(options, name) is not None and getattr(options, name) < least:
            parser.error(f"--{name} must be at least {least}, got {getattr(options, name)}")
    engine = {}
    if options.backend == "torch":
        default = "inductor" if any(map(shutil.which, ("g++", "clang++"))) else "aot_eager"
        engine["engine"] = options.engine or default
    graphs, areas = read(Path(RDConfig.RDDataDir) / "NCI", options.limit)
    begin = time.perf_counter()
    result = train(
        graphs,
        areas,
        options.backend,
        epochs=options.epochs,
        rate=options.rate,
        budget=options.buckets,
        seed=options.seed,
        **engine,
    )
    print(
        f"{len(graphs)} molecules, {options.backend}: mean absolute error {result.error:.2f} square "
        f"angstroms, {result.mean_error:.2f} by the mean; {result.compilations} compilations of the step for "
        f"{result.sizes} sizes of batches; {time.perf_counter() - begin:.0f} s"
    )
    return result


if __name__ == "__main__":
    main()
