"""A small graph with the corner cases, and every layer on it, written once for any backend."""

import numpy as np
import optree

import anytensor as at
from anytensor import hetero

WRITES, CITES, HOLDS, READS = (
    ("author", "writes", "paper"),
    ("paper", "cites", "paper"),
    ("venue", "holds", "paper"),
    ("paper", "reaches", "author"),
)
ETYPES = (WRITES, CITES, HOLDS, READS)
WIDTHS = {"author": 3, "paper": 4, "venue": 2}
OUT, HEADS = 4, 2


def normal(rng, *shape):
    return rng.normal(size=shape).astype(np.float32)


def one_graph(seed=0, sizes=(4, 5, 2), n_edges=(6, 4, 0), width=WIDTHS):
    """Return a graph: a relation without edges, nodes that only send, nodes that some relations miss."""
    rng = np.random.default_rng(seed)
    n = dict(zip(width, sizes, strict=True))
    edges = dict(zip(ETYPES, n_edges, strict=False))

    def ids(ntype, number, spared):
        # The last nodes of a type get nothing, the first ones all of it.
        return rng.integers(0, max(n[ntype] - spared, 1), number).astype(np.int32)

    return hetero.HeteroGraphsTuple(
        nodes={t: normal(rng, n[t], width[t]) for t in width},
        edges={e: normal(rng, edges[e], WIDTHS[e[0]]) for e in edges},
        senders={e: ids(e[0], edges[e], 0) for e in edges},
        receivers={e: ids(e[2], edges[e], 1 + (e is CITES)) for e in edges},
        n_node={t: np.array([n[t]], np.int32) for t in n},
        n_edge={e: np.array([edges[e]], np.int32) for e in edges},
        globals=normal(rng, 1, 2),
    )


def weights_of(shapes, seed=1):
    rng = np.random.default_rng(seed)
    return {name: normal(rng, *shape) for name, shape in shapes.items()}


def linear(weight):
    return lambda h: h @ weight


def by_relation(graph, make):
    return {etype: make(etype) for etype in graph.canonical_etypes}


def rgcn(graph, w):
    return hetero.relational_graph_convolution(
        graph,
        by_relation(graph, lambda e: linear(w[e[1]])),
        {t: linear(w[t]) for t in graph.ntypes},
        activation=at.tanh,
    )


def rgcn_of_maxima(graph, w):
    return hetero.relational_graph_convolution(
        graph, {e[1]: linear(w[e[1]]) for e in graph.canonical_etypes}, None, reducer="max", activation=at.sin
    )


def sage(graph, w):
    return hetero.hetero_sage(
        graph,
        by_relation(graph, lambda e: linear(w[e[1]])),
        {t: linear(w["combine " + t]) for t in ("author", "paper")},
    )


def _heads(weight):
    return lambda h: at.einsum(h, weight, "nodes d, d heads channels -> nodes heads channels")


def han(graph, w):
    return hetero.han(
        graph,
        graph.canonical_etypes,
        {t: _heads(w["heads " + t]) for t in graph.ntypes},
        lambda src, dst, edges: hetero.gat_attention_logit(
            src, dst, lambda h: at.sum(h * w["attention"], axis=-1)
        ),
        linear(w["project"]),
        linear(w["query"]),
        node_activation=at.tanh,
    )


def hgt(graph, w):
    def logit(etype):
        keys, queries = _heads(w["heads " + etype[0]]), _heads(w["heads " + etype[2]])
        return lambda src, dst, edges: at.sum(keys(src) * queries(dst), axis=-1)

    return hetero.hgt(
        graph,
        by_relation(graph, lambda e: _heads(w["heads " + e[0]])),
        by_relation(graph, logit),
        {t: linear(w["target " + t]) for t in ("author", "paper")},
        activation=at.tanh,
        scale=dict.fromkeys(graph.canonical_etypes, w["scale"]),
        skip={"author": 0.25, "paper": w["gate"][0]},
    )


def comp_gcn(composition, per_edge):
    def layer(graph, w):
        if not per_edge:
            graph = graph.update(edges={e: w["z " + e[0]] for e in graph.canonical_etypes})
        return hetero.comp_gcn(
            graph,
            by_relation(graph, lambda e: linear(w[e[1]])),
            {t: linear(w[t]) for t in graph.ntypes},
            composition=composition,
            activation=at.tanh,
        )

    return layer


LAYERS = {
    "rgcn": rgcn,
    "rgcn of maxima": rgcn_of_maxima,
    "sage": sage,
    "han": han,
    "hgt": hgt,
    **{
        f"comp_gcn {composition} {'per edge' if per_edge else 'per relation'}": comp_gcn(
            composition, per_edge
        )
        for composition in ("sub", "mult", "corr", "sum")
        for per_edge in (False, True)
    },
}

WEIGHTS = weights_of(
    {
        **{e[1]: (WIDTHS[e[0]], OUT) for e in ETYPES},
        **{t: (width, OUT) for t, width in WIDTHS.items()},
        **{"combine " + t: (width + OUT, OUT) for t, width in WIDTHS.items()},
        **{"heads " + t: (width, HEADS, 2) for t, width in WIDTHS.items()},
        **{"target " + t: (HEADS * 2, width) for t, width in WIDTHS.items()},
        **{"z " + t: (1, width) for t, width in WIDTHS.items()},
        "attention": (HEADS, 4),
        "project": (HEADS * 2, 3),
        "query": (3, 1),
        "scale": (HEADS,),
        "gate": (1,),
    }
)


def convert(array, nest):
    return optree.tree_map(array, nest)
