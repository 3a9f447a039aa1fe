"""Message passing along drawn relations in drawn ways, and what it gives, node by node."""

from dataclasses import dataclass

import numpy as np
from fuzz_graphs import graphs_for_layers, over
from fuzz_layers import REDUCE
from fuzz_values import SEEDS, spread
from hypothesis import strategies as st

import anytensor as at
from anytensor import hetero, jraph

CROSS = ("sum", "mean", "max", "min", "stack")


@dataclass(frozen=True)
class Way:
    """How one relation's messages are made and reduced, in words that the layer and the loop both read."""

    message: str = "copy"
    doubled: bool = False
    reduce: str = "sum"
    attention: str = "none"

    def spec(self):
        functions = {"copy": hetero.copy_u_message, "edges": _times_edges, "both": _less_destination}
        return hetero.RelationSpec(
            functions[self.message],
            _doubled if self.doubled else None,
            self.reduce,
            {"none": None, "plain": _logit, "masked": _masked_logit}[self.attention],
        )


def _map(function, *nests):
    return at.tree.map(function, *nests)


def _doubled(nodes):
    return _map(lambda h: h + h, nodes)


def _times_edges(src, dst, edges):
    def weigh(h):
        missing = len(at.shape(h)) - 1
        return at.multiply(h, at.reshape(_first(edges), (-1, *[1] * missing)))

    return _map(weigh, src)


def _less_destination(src, dst, edges):
    return _map(lambda a, b: a - b, src, dst)


def _leaf(nest):
    return nest["x"] if isinstance(nest, dict) else nest


def _first(features):
    """Return the first entry of each edge's features."""
    return features[(slice(None),) + (0,) * (len(at.shape(features)) - 1)]


def _logit(src, dst, edges):
    return at.sum(at.multiply(_leaf(src), 1.0), axis=-1)


def _masked_logit(src, dst, edges):
    """Leave out the neighbours whose sum is below 0."""
    logit = _logit(src, dst, edges)
    return at.where(at.less(logit, 0), -at.inf, logit)


@st.composite
def updates(draw, backend):
    """Draw (graph, edge type -> Way, cross reducer): features of one shape, nests at times."""
    nested = draw(spread([False, True]))
    tail = draw(spread([(), (2,)]))
    kinds = ("float32", "float64", "int32", "float16")
    graph = draw(graphs_for_layers(backend, kinds, width=2, tail=() if nested else tail, nested=nested))
    rng = np.random.default_rng(draw(SEEDS))
    chosen = [e for e in graph.senders if draw(spread([True, True, True, False]))]
    ways = {}
    for e in [chosen[i] for i in rng.permutation(len(chosen))]:
        ways[e] = Way(
            draw(spread(["copy", "edges", "both"])),
            draw(st.booleans()),
            draw(spread(sorted(REDUCE))),
            draw(spread(["none", "plain", "masked"])),
        )
    return graph, ways, draw(spread(CROSS))


def updated(ways, cross):
    """Return the portable function of a graph: all relations at once, and each by itself."""

    def run(graph):
        specs = {e: way.spec() for e, way in ways.items()}
        found = {"all": hetero.multi_update_all(graph, specs, cross).nodes}
        found["alone"] = [hetero.relation_mailbox(graph.relation_view(e), s) for e, s in specs.items()]
        found["of one type"] = [_of_one_type(graph, e, s) for e, s in specs.items() if e[0] == e[2]]
        return found

    return run


def _of_one_type(graph, etype, spec):
    plain = jraph.GraphsTuple(
        nodes=graph.nodes[etype[0]],
        edges=graph.edges[etype],
        receivers=graph.receivers[etype],
        senders=graph.senders[etype],
        globals=None,
        n_node=graph.n_node[etype[0]],
        n_edge=graph.n_edge[etype],
    )
    return hetero.relation_mailbox(hetero.graphs_tuple_as_send_recv(plain), spec)


def expected(graph, ways, cross):
    """Return what ``updated`` gives, message by message."""
    found = {e: _mailbox(graph, e, way) for e, way in ways.items()}
    nodes = {t: over(lambda x: x.astype(float), h) for t, h in graph.nodes.items()}
    for t in nodes:
        boxes = [found[e] for e in ways if e[2] == t]
        if boxes:
            held = [got for _, got in boxes]
            nodes[t] = over(lambda *x, held=held: _crossed(cross, x, held), *(box for box, _ in boxes))
    alone = {e: found[e][0] for e in ways}
    return {
        "all": nodes,
        "alone": list(alone.values()),
        "of one type": [alone[e] for e in ways if e[0] == e[2]],
    }


def _mailbox(graph, etype, way):
    """Return (mailbox, whether each node got a message)."""
    nodes = {t: over(lambda x: x.astype(float), h) for t, h in graph.nodes.items()}
    senders = [] if graph.senders[etype] is None else graph.senders[etype].tolist()
    receivers = [] if graph.senders[etype] is None else graph.receivers[etype].tolist()
    total = len(_leaf(graph.nodes[etype[2]]))
    src = over(lambda h: h * (2 if way.doubled else 1), nodes[etype[0]])
    edges = graph.edges[etype].astype(float)
    per_node = [[k for k, r in enumerate(receivers) if r == node] for node in range(total)]
    weights = {}
    for mine in per_node:
        if way.attention != "none" and mine:
            logits = np.stack([_leaf(src)[senders[k]].sum(-1) for k in mine])
            if way.attention == "masked":
                logits = np.where(logits < 0, -np.inf, logits)
            top = logits.max(0)
            powers = np.exp(logits - np.where(top == -np.inf, 0, top))
            sums = powers.sum(0)
            weights |= dict(zip(mine, powers / np.where(sums == 0, 1, sums), strict=True))

    def box(h, d):
        out = np.zeros((total, *h.shape[1:]))
        for node, mine in enumerate(per_node):
            sent = []
            for k in mine:
                message = h[senders[k]]
                if way.message == "edges":
                    message = message * edges[k].flat[0]
                elif way.message == "both":
                    message = message - d[node]
                weight = np.asarray(weights.get(k, 1.0))
                sent.append(message * weight.reshape(weight.shape + (1,) * (message.ndim - weight.ndim)))
            if sent:
                out[node] = REDUCE[way.reduce](sent, axis=0)
        return out

    return over(box, src, nodes[etype[2]]), [bool(mine) for mine in per_node]


def _crossed(cross, boxes, held):
    if cross == "stack":
        return np.stack(boxes, 1)
    if cross in ("sum", "mean"):
        return sum(boxes) / (len(boxes) if cross == "mean" else 1)
    out = np.zeros(boxes[0].shape)
    for node in range(len(out)):
        rows = [box[node] for box, got in zip(boxes, held, strict=True) if got[node]]
        if rows:
            out[node] = REDUCE[cross](rows, axis=0)
    return out
