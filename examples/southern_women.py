"""Two kinds of nodes, two relations: who belonged together in a town's society, from who went to which event.

Davis, Gardner and Gardner noted which of 18 women came to which of 14 social events, and saw two circles. The
network knows one woman of each. Its graph has women and events; messages run along ``attends`` and, back,
along ``rev_attends``: two layers of relational graph convolution bring the women what the others of their
events are like. The model is written once over ``at.hetero``; ``learners`` trains it with any framework.

    python examples/southern_women.py --backend jax

References:
    Davis, Gardner and Gardner, "Deep South: a social anthropological study of caste and class", 1941.
    Schlichtkrull et al., "Modeling relational data with graph convolutional networks", 2018,
    https://arxiv.org/abs/1703.06103.
"""

from __future__ import annotations

import argparse
from typing import Any

import networkx as nx
import numpy as np
from learners import LEARNERS, Arrays, Task
from tqdm import tqdm

import anytensor as at
from anytensor import hetero

WIDTH, CIRCLES = 8, 2
KNOWN = ("Evelyn Jefferson", "Nora Fayette")  # one woman of each circle
FIRST_CIRCLE = 9  # Davis counted the first nine women, as networkx lists them, to one circle


# --- The data -----------------------------------------------------------------------------------------------


def society() -> tuple[hetero.HeteroGraphsTuple, list[str]]:
    """Return the graph, with edges both ways, and the women's names."""
    attendance = nx.davis_southern_women_graph()
    women, events = attendance.graph["top"], attendance.graph["bottom"]
    pairs = [(women.index(w), events.index(e)) for w in women for e in attendance[w]]
    attends = ("woman", "attends", "event")
    graph = hetero.HeteroGraphsTuple(
        # Nothing is known of a woman or an event but who it is.
        nodes={"woman": np.eye(len(women), dtype=np.float32), "event": np.eye(len(events), dtype=np.float32)},
        edges={},
        senders={attends: np.array([woman for woman, _ in pairs], np.int32)},
        receivers={attends: np.array([event for _, event in pairs], np.int32)},
        n_node={"woman": np.array([len(women)], np.int32), "event": np.array([len(events)], np.int32)},
        n_edge={attends: np.array([len(pairs)], np.int32)},
    )
    return hetero.add_reverse_edges(graph), women


# --- The model: portable code -------------------------------------------------------------------------------


def linear(weight: Any) -> Any:
    """Return the map that a layer takes for a relation or a node type."""
    return lambda h: h @ weight


def network(params: Arrays, graph: hetero.HeteroGraphsTuple) -> Any:
    """Score both circles for every woman: (women, circles)."""
    for layer, activation in (("1", at.tanh), ("2", lambda h: h)):
        graph = hetero.relational_graph_convolution(
            graph,
            {relation: linear(params[relation + layer]) for relation in ("attends", "rev_attends")},
            {ntype: linear(params[ntype + layer]) for ntype in ("woman", "event")},
            activation=activation,
        )
    return graph.nodes["woman"]


def scores_of(params: Arrays, constants: Arrays, batch: Arrays) -> Any:
    """Return the probability of each circle."""
    return at.softmax(network(params, constants["graph"]), axis=-1)


def loss_of(params: Arrays, constants: Arrays, batch: Arrays) -> Any:
    """Return the cross-entropy of the known women."""
    known = at.take(scores_of(params, constants, batch), constants["known"])
    return -at.mean(at.sum(at.log(known) * constants["circles"], axis=-1))


def initial_params(graph: hetero.HeteroGraphsTuple, seed: int) -> Arrays:
    """Draw small weights."""
    rng = np.random.default_rng(seed)
    params = {}
    for layer, wide in (("1", WIDTH), ("2", CIRCLES)):
        for etype in graph.canonical_etypes:
            source, relation, _ = etype
            narrow = graph.nodes[source].shape[1] if layer == "1" else WIDTH
            params[relation + layer] = rng.normal(0, 0.3, (narrow, wide)).astype(np.float32)
            params[source + layer] = rng.normal(0, 0.3, (narrow, wide)).astype(np.float32)
    return params


def main(arguments: list[str] | None = None) -> float:
    """Run the command; return the share of women who are put into the circle that Davis saw them in."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--backend", choices=sorted(LEARNERS), default="torch", help="default torch")
    parser.add_argument("--steps", type=int, default=100, help="training steps (default 100)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the initial weights (default 0)")
    options = parser.parse_args(arguments)
    if options.steps < 1:
        parser.error(f"--steps must be at least 1, got {options.steps}")
    graph, women = society()
    known = np.array([women.index(name) for name in KNOWN], np.int32)
    constants = {"graph": graph, "known": known, "circles": np.eye(CIRCLES, dtype=np.float32)}
    # The weights' decay keeps the network from telling the two known women apart by their names.
    params = initial_params(graph, options.seed)
    task = Task(loss_of, scores_of, rate=0.02, constants=constants, decay=dict.fromkeys(params, 1e-2))
    learner = LEARNERS[options.backend](task)(params)
    for _ in tqdm(range(options.steps), desc=options.backend, unit="step", mininterval=0.5):
        learner.step({})
    scores = learner.scores({})
    agree = (scores.argmax(-1) == 1) == (np.arange(len(women)) >= FIRST_CIRCLE)
    for i, (name, share) in enumerate(zip(women, scores[:, 1], strict=True)):
        remark = "known" if i in known else "" if agree[i] else "Davis saw her in the other circle"
        print(f"{name:<18} {'first' if share < 0.5 else 'second':<6} {max(share, 1 - share):4.0%}  {remark}")
    print(f"{agree.sum()} of {len(women)} women as Davis saw them")
    return float(agree.mean())


if __name__ == "__main__":
    main()
