"""Random graphs of several types: their fields, many as one and one as many, in the slowest obvious way."""

import numpy as np
from fuzz_values import INTEGERS, SEEDS, spread
from hypothesis import strategies as st
from samples import numpy_dtype

from anytensor.hetero import HeteroGraphsTuple

FEATURES = ("float32", "int32", "float64", "bool", "bfloat16", "uint8", "complex64", "int64", "float16")


@st.composite
def schemas(draw):
    """Draw (node types, edge types): one to three, and none to three."""
    ntypes = ("a", "b", "c")[: draw(spread([2, 1, 3]))]
    pairs = [(s, r, d) for r in ("r", "s", "t") for s in ntypes for d in ntypes]
    rng = np.random.default_rng(draw(SEEDS))
    order = rng.permutation(len(pairs))[: draw(spread([2, 1, 3, 0]))]
    return ntypes, [pairs[i] for i in order]


def values(rng, dtype, shape):
    """Return entries with ties and signs, exact in every dtype."""
    x = rng.integers(0 if dtype.startswith(("u", "b")) else -8, 9, shape)
    return np.asarray(x / (1 if "int" in dtype else 4)).astype(numpy_dtype(dtype))


def features(rng, dtype, rows, tail, nested):
    """Return an array, or a nest of arrays."""
    if not nested:
        return values(rng, dtype, (rows, *tail))
    return {"x": values(rng, dtype, (rows, *tail)), "y": [values(rng, "float32", (rows,)), None]}


@st.composite
def lists_of_graphs(draw, backend):
    """Draw a list of graphs of one schema: empty ones, ones of no graph, and batches among them."""
    ntypes, etypes = draw(schemas())
    rng = np.random.default_rng(draw(SEEDS))
    dtype = draw(spread(FEATURES))
    index = draw(spread([d for d in INTEGERS if backend != "torch" or d[:2] != "ui" or d == "uint8"]))
    nested, bare, tail = (
        draw(st.booleans()),
        draw(spread([0, 0, 1, 2])),
        draw(spread([(2,), (), (0,), (1, 2)])),
    )
    # What a type has not, it has in no graph: nodes' and edges' features, globals.
    parts = []
    for _ in range(draw(spread([2, 1, 3, 4]))):
        number = draw(spread([1, 1, 1, 0, 2, 3]))
        singles = [_single(rng, ntypes, etypes, dtype, index, nested, bare, tail) for _ in range(number)]
        parts.append(
            joined(singles)
            if singles
            else _of_no_graph(rng, ntypes, etypes, dtype, index, nested, bare, tail)
        )
    return parts


def _single(rng, ntypes, etypes, dtype, index, nested, bare, tail, most=4):
    n = {t: int(rng.choice([3, 1, 0, most])) for t in ntypes}
    ends = {}
    for source, relation, destination in etypes:
        room = n[source] and n[destination]
        ends[source, relation, destination] = int(rng.choice([2, 0, 1, 5])) if room else 0
    silent = {e: rng.random() < 0.5 and not ends[e] for e in etypes}
    return HeteroGraphsTuple(
        nodes={t: features(rng, dtype, n[t], tail, nested) for t in ntypes[bare == 2 :]},
        edges={e: None if silent[e] else features(rng, dtype, ends[e], tail, nested) for e in etypes[bare:]},
        senders={
            e: None if silent[e] else rng.integers(0, max(n[e[0]], 1), ends[e]).astype(index) for e in etypes
        },
        receivers={
            e: None if silent[e] else rng.integers(0, max(n[e[2]], 1), ends[e]).astype(index) for e in etypes
        },
        n_node={t: np.array([n[t]], np.int32) for t in ntypes},
        n_edge={e: np.array([ends[e]], np.int32) for e in etypes},
        globals=None if bare else features(rng, dtype, 1, tail, nested),
    )


def _of_no_graph(rng, ntypes, etypes, dtype, index, nested, bare, tail):
    none = np.zeros(0, np.int32)
    return HeteroGraphsTuple(
        nodes={t: features(rng, dtype, 0, tail, nested) for t in ntypes[bare == 2 :]},
        edges={e: features(rng, dtype, 0, tail, nested) for e in etypes[bare:]},
        senders=dict.fromkeys(etypes, none.astype(index)),
        receivers=dict.fromkeys(etypes, none.astype(index)),
        n_node=dict.fromkeys(ntypes, none),
        n_edge=dict.fromkeys(etypes, none),
        globals=None if bare else features(rng, dtype, 0, tail, nested),
    )


def over(function, *nests):
    """Apply a function to the arrays of nests of one structure; None is None."""
    if isinstance(nests[0], dict):
        return {key: over(function, *(nest[key] for nest in nests)) for key in nests[0]}
    if isinstance(nests[0], list):
        return [over(function, *row) for row in zip(*nests, strict=True)]
    return None if nests[0] is None else function(*nests)


def _after(*arrays):
    return np.concatenate(arrays)


def joined(graphs):
    """Return the graph that holds all of a list, as the docstrings say it."""
    first = graphs[0]
    starts = {t: np.cumsum([0, *(g.n_node[t].sum() for g in graphs)]) for t in first.n_node}
    edges, ends = {}, {"senders": {}, "receivers": {}}
    for e in first.senders:
        some = [i for i, g in enumerate(graphs) if g.senders[e] is not None]
        edges[e] = over(_after, *(graphs[i].edges.get(e) for i in some)) if some else None
        for field, ntype in (("senders", e[0]), ("receivers", e[2])):
            shifted = [[int(k) + int(starts[ntype][i]) for k in getattr(graphs[i], field)[e]] for i in some]
            whole = [k for part in shifted for k in part]
            ends[field][e] = np.array(whole, first_dtype(graphs, e)) if some else None
    return HeteroGraphsTuple(
        nodes={t: over(_after, *(g.nodes.get(t) for g in graphs)) for t in first.n_node},
        edges=edges,
        **ends,
        n_node={t: _after(*(g.n_node[t] for g in graphs)) for t in first.n_node},
        n_edge={e: _after(*(g.n_edge[e] for g in graphs)) for e in first.senders},
        globals=over(_after, *(g.globals for g in graphs)),
    )


def first_dtype(graphs, etype):
    """Return the dtype of the indices of an edge type; the drawn graphs have one."""
    return next(g.senders[etype].dtype for g in graphs if g.senders[etype] is not None)


def parted(batch):
    """Return the graphs of a batch, one by one."""
    found = []
    for i in range(len(next(iter(batch.n_node.values())))):
        rows = {
            key: slice(x[:i].sum(), x[: i + 1].sum()) for key, x in {**batch.n_node, **batch.n_edge}.items()
        }

        def cut(field, key, shift=0, rows=rows):
            return over(lambda h: (h[rows[key]] - shift).astype(h.dtype), getattr(batch, field).get(key))

        found.append(
            HeteroGraphsTuple(
                nodes={t: cut("nodes", t) for t in batch.n_node},
                edges={e: cut("edges", e) for e in batch.senders},
                senders={e: cut("senders", e, int(rows[e[0]].start)) for e in batch.senders},
                receivers={e: cut("receivers", e, int(rows[e[2]].start)) for e in batch.senders},
                n_node={t: x[i : i + 1] for t, x in batch.n_node.items()},
                n_edge={e: x[i : i + 1] for e, x in batch.n_edge.items()},
                globals=over(lambda x, i=i: x[i : i + 1], batch.globals),
            )
        )
    return found


@st.composite
def graphs_for_layers(draw, backend, dtypes=("float32", "float64"), width=None, tail=(), nested=False):
    """Draw one graph whose features have a width for each type, its edges some of no node."""
    ntypes, etypes = draw(schemas())
    rng = np.random.default_rng(draw(SEEDS))
    dtype = draw(spread(dtypes))
    index = draw(spread([d for d in INTEGERS if backend != "torch" or d[:2] != "ui" or d == "uint8"]))
    widths = {t: width or draw(spread([3, 1, 2])) for t in ntypes}
    n = {t: draw(spread([3, 1, 0, 5])) for t in ntypes}
    number = {e: draw(spread([4, 0, 1, 7])) if n[e[0]] else 0 for e in etypes}
    least = 0 if index.startswith("u") else -1
    silent = {e: not number[e] and draw(st.booleans()) for e in etypes}
    senders = {e: rng.integers(0, max(n[e[0]], 1), number[e]).astype(index) for e in etypes}
    inside = draw(st.booleans())
    receivers = {}
    for e in etypes:
        low, high = (0, n[e[2]]) if inside and n[e[2]] else (least, n[e[2]] + 1)
        # Where there is no node, 0 is out of range as well.
        receivers[e] = rng.integers(low, high, number[e]).astype(index)
    return HeteroGraphsTuple(
        nodes={t: features(rng, dtype, n[t], (*tail, widths[t]), nested) for t in ntypes},
        edges={e: features(rng, dtype, number[e], (*tail, widths[e[0]]), False) for e in etypes},
        senders={e: None if silent[e] else senders[e] for e in etypes},
        receivers={e: None if silent[e] else receivers[e] for e in etypes},
        n_node={t: np.array([n[t]], np.int32) for t in ntypes},
        n_edge={e: np.array([number[e]], np.int32) for e in etypes},
    )
