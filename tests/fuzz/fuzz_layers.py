"""The layers of heterogeneous graphs, and what they give, edge by edge in float64."""

import numpy as np
from fuzz_graphs import over, values

import anytensor as at
from anytensor import hetero

OUT, HEADS = 3, 2
REDUCE = {"sum": np.sum, "mean": np.mean, "max": np.max, "min": np.min}
COMPOSE = ("sub", "mult", "corr", "sum")


def label(etype):
    return "-".join(etype)


def weights_of(graph, rng, dtype):
    """Return the weights of all layers for the types of a graph."""
    wide = {t: x.shape[-1] for t, x in graph.nodes.items()}
    shapes = {
        "attention": (HEADS, 4),
        "project": (HEADS * 2, 3),
        "query": (3,),
        "scale": (HEADS,),
        "gate": (),
    }
    for e in graph.senders:
        shapes |= {label(e): (wide[e[0]], OUT), "z " + label(e): (1, wide[e[0]])}
    for t, width in wide.items():
        shapes |= {t: (width, OUT), "combine " + t: (width + OUT, 2), "heads " + t: (width, HEADS, 2)}
        shapes |= {"target " + t: (HEADS * 2, width)}
    w = {name: values(rng, dtype, shape) for name, shape in sorted(shapes.items())}
    return {**w, "gate": np.array(0.25, dtype)}


def linear(weight):
    return lambda h: h @ weight


def heads(weight):
    return lambda h: at.einsum(h, weight, "n d, d heads channels -> n heads channels")


def rgcn(how, per_edge):
    def layer(graph, w):
        own = {t: linear(w[t]) for t in graph.ntypes} if per_edge else None
        apply = {e: linear(w[label(e)]) for e in graph.senders}
        return hetero.relational_graph_convolution(graph, apply, own, reducer=how, activation=at.tanh)

    def loop(graph, w):
        boxes = {e: _reduced(graph, e, graph.nodes[e[0]] @ w[label(e)], how) for e in graph.senders}
        own = {t: h @ w[t] * per_edge for t, h in graph.nodes.items()}
        return {t: np.tanh(own[t] + sum(found)) for t, found in _by_type(boxes).items()}

    return layer, loop


def sage(how, per_edge):
    def layer(graph, w):
        apply = {e: linear(w[label(e)]) for e in graph.senders}
        return hetero.hetero_sage(graph, apply, {t: linear(w["combine " + t]) for t in graph.ntypes})

    def loop(graph, w):
        boxes = {e: _reduced(graph, e, graph.nodes[e[0]] @ w[label(e)], "mean") for e in graph.senders}
        out = {}
        for t, found in _by_type(boxes).items():
            out[t] = np.maximum(np.concatenate([graph.nodes[t], sum(found)], -1) @ w["combine " + t], 0)
        return out

    return layer, loop


def han(how, per_edge):
    def layer(graph, w):
        def logit(src, dst, edges):
            return hetero.gat_attention_logit(src, dst, lambda h: at.sum(h * w["attention"], axis=-1))

        message = {t: heads(w["heads " + t]) for t in graph.ntypes}
        project = linear(w["project"])

        def query(h):
            return at.sum(h * w["query"], axis=-1, keepdims=per_edge)

        return hetero.han(graph, list(graph.senders), message, logit, project, query, node_activation=at.tanh)

    def loop(graph, w):
        h = {t: np.einsum("nd,dhc->nhc", x, w["heads " + t]) for t, x in graph.nodes.items()}
        boxes = {}
        for e in graph.senders:
            senders, receivers = _ends(graph, e)
            z = np.zeros((len(h[e[2]]), HEADS, 2))
            for node in range(len(z)):
                mine = [k for k, r in enumerate(receivers) if r == node]
                if mine:
                    sent = h[e[0]][[senders[k] for k in mine]]
                    both = np.concatenate([sent, np.broadcast_to(h[e[2]][node], sent.shape)], -1)
                    logits = (both * w["attention"]).sum(-1)
                    logits = np.where(logits < 0, 0.2 * logits, logits)
                    z[node] = (_softmax(logits)[..., None] * sent).sum(0)
            boxes[e] = np.tanh(z).reshape(len(z), HEADS * 2)
        out = {}
        for t, found in _by_type(boxes).items():
            query = [np.tanh(z @ w["project"]) @ w["query"] for z in found]
            score = np.array([q.mean() if len(q) else 0.0 for q in query])
            out[t] = sum(weight * z for weight, z in zip(_softmax(score), found, strict=True))
        return out

    return layer, loop


def hgt(how, per_edge):
    def layer(graph, w):
        def logit(e):
            keys, queries = heads(w["heads " + e[0]]), heads(w["heads " + e[2]])
            return lambda src, dst, edges: at.sum(keys(src) * queries(dst), axis=-1)

        return hetero.hgt(
            graph,
            {e: heads(w["heads " + e[0]]) for e in graph.senders},
            {e: logit(e) for e in graph.senders},
            {t: linear(w["target " + t]) for t in graph.ntypes},
            activation=at.tanh,
            scale=w["scale"] if per_edge else None,
            skip=w["gate"] if per_edge else 0.75,
        )

    def loop(graph, w):
        h = {t: np.einsum("nd,dhc->nhc", x, w["heads " + t]) for t, x in graph.nodes.items()}
        out = {}
        for t in _by_type({e: e for e in graph.senders}):
            got = np.zeros((len(h[t]), HEADS, 2))
            for node in range(len(got)):
                sent = []
                for e in graph.senders:
                    if e[2] == t:
                        sent += [h[e[0]][s] for s, r in zip(*_ends(graph, e), strict=True) if r == node]
                if sent:
                    logits = (np.stack(sent) * h[t][node]).sum(-1) * (w["scale"] if per_edge else 1)
                    got[node] = (_softmax(logits)[..., None] * np.stack(sent)).sum(0)
            gate = w["gate"] if per_edge else 0.75
            new = np.tanh(got.reshape(len(got), HEADS * 2) @ w["target " + t])
            out[t] = gate * new + (1 - gate) * graph.nodes[t]
        return out

    return layer, loop


def comp_gcn(composition, how, per_edge):
    def layer(graph, w):
        if not per_edge:
            graph = graph.update(edges={e: w["z " + label(e)] for e in graph.senders})
        return hetero.comp_gcn(
            graph,
            {e: linear(w[label(e)]) for e in graph.senders},
            {t: linear(w[t]) for t in graph.ntypes},
            composition=composition,
            activation=at.tanh,
            reducer=how,
        )

    def loop(graph, w):
        boxes = {}
        for e in graph.senders:
            senders, _ = _ends(graph, e)
            z = [graph.edges[e][k] if per_edge else w["z " + label(e)][0] for k in range(len(senders))]
            sent = [_composed(composition, graph.nodes[e[0]][s], z[k]) for k, s in enumerate(senders)]
            boxes[e] = _reduced(graph, e, [h @ w[label(e)] for h in sent], how, per_edge=True)
        return {t: np.tanh(graph.nodes[t] @ w[t] + sum(found)) for t, found in _by_type(boxes).items()}

    return layer, loop


LAYERS = {"rgcn": rgcn, "sage": sage, "han": han, "hgt": hgt}
for _name in COMPOSE:
    LAYERS["comp_gcn " + _name] = lambda how, per_edge, name=_name: comp_gcn(name, how, per_edge)


def wide(nest):
    """Return the arrays of a nest in float64; indices stay."""
    return over(lambda x: x if x.dtype.kind in "iu" else x.astype(np.float64), nest)


def _ends(graph, etype):
    if graph.senders[etype] is None:
        return [], []
    return graph.senders[etype].tolist(), graph.receivers[etype].tolist()


def _by_type(boxes):
    found = {}
    for etype, box in boxes.items():
        found.setdefault(etype[2], []).append(box)
    return found


def _reduced(graph, etype, messages, how, per_edge=False):
    """Reduce the messages that reach each node; they are the senders' rows, or one for each edge."""
    senders, receivers = _ends(graph, etype)
    out = np.zeros((len(graph.nodes[etype[2]]), OUT))
    for node in range(len(out)):
        mine = [messages[k if per_edge else s] for k, s in enumerate(senders) if receivers[k] == node]
        if mine:
            out[node] = REDUCE[how](mine, axis=0)
    return out


def _softmax(logits):
    weights = np.exp(logits - logits.max(0))
    return weights / weights.sum(0)


def _composed(composition, h, z):
    if composition == "corr":
        return np.array([sum(h[i] * z[(i + k) % len(h)] for i in range(len(h))) for k in range(len(h))])
    return {"sub": h - z, "mult": h * z, "sum": h + z}[composition]
