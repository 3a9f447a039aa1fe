"""The layers that attend, HAN and HGT: values against a loop, what weighs what, parameters, errors."""

import numpy as np
import pytest
from hetero_samples import CITES, ETYPES, HEADS, LAYERS, WEIGHTS, WRITES, convert, one_graph

import anytensor as at
from anytensor import hetero


def identity(h):
    return h


def weighed(scores):
    e = np.exp(scores - scores.max(0))
    return e / e.sum(0)


def test_hgt_takes_one_softmax_over_all_relations():
    """pyg-team/pytorch_geometric/pull/7194: several heads and relations are a loop over edges."""
    graph = one_graph(n_edges=(6, 4, 3))
    got = LAYERS["hgt"](graph, WEIGHTS).nodes["paper"]
    heads = {t: np.einsum("nd,dhc->nhc", h, WEIGHTS["heads " + t]) for t, h in graph.nodes.items()}
    for node in range(5):
        logits, messages = [], []
        for etype in graph.canonical_etypes:
            for sender, receiver in zip(graph.senders[etype], graph.receivers[etype], strict=True):
                if receiver == node:
                    key, query = heads[etype[0]][sender], heads["paper"][node]
                    logits.append((key * query).sum(-1) * WEIGHTS["scale"])
                    messages.append(key)
        attended = np.zeros((HEADS, 2))
        if logits:
            attended = (weighed(np.array(logits))[..., None] * np.array(messages)).sum(0)
        new = np.tanh(attended.reshape(-1) @ WEIGHTS["target paper"])
        gate = WEIGHTS["gate"][0]
        expected = gate * new + (1 - gate) * graph.nodes["paper"][node]
        np.testing.assert_allclose(got[node], expected, rtol=1e-4, atol=1e-5)


def test_han_averages_the_score_over_the_nodes_first():
    graph = one_graph(n_edges=(6, 4, 3))
    paths = []
    heads = {t: np.einsum("nd,dhc->nhc", h, WEIGHTS["heads " + t]) for t, h in graph.nodes.items()}
    for etype in graph.canonical_etypes:
        z = np.zeros((5, HEADS, 2))
        for node in range(5):
            sent = heads[etype[0]][graph.senders[etype][graph.receivers[etype] == node]]
            if len(sent):
                both = np.concatenate([sent, np.broadcast_to(heads["paper"][node], sent.shape)], -1)
                scores = (both * WEIGHTS["attention"]).sum(-1)
                weights = weighed(np.where(scores > 0, scores, 0.2 * scores))
                z[node] = (weights[..., None] * sent).sum(0)
        paths.append(np.tanh(z.reshape(5, -1)))
    scores = np.array([(np.tanh(z @ WEIGHTS["project"]) @ WEIGHTS["query"]).mean() for z in paths])
    expected = np.einsum("p,pnd->nd", weighed(scores), np.array(paths))
    np.testing.assert_allclose(LAYERS["han"](graph, WEIGHTS).nodes["paper"], expected, rtol=1e-4, atol=1e-5)


def test_han_averages_scores_of_more_nodes_than_half_precision_counts():
    number = 70_000
    paths = [("node", name, "node") for name in ("one", "other")]
    graph = hetero.HeteroGraphsTuple(
        nodes={"node": np.ones((number, 1), np.float16)},
        edges={},
        senders=dict.fromkeys(paths, np.zeros(1, np.int32)),
        receivers={paths[0]: np.zeros(1, np.int32), paths[1]: np.ones(1, np.int32)},
        n_node={"node": np.array([number])},
        n_edge=dict.fromkeys(paths, np.array([1])),
    )
    for array in (np.asarray, pytest.importorskip("torch").tensor):
        got = hetero.han(
            convert(array, graph),
            paths,
            identity,
            lambda src, dst, edges: src[:, 0],
            lambda h: h + 3,
            identity,
        ).nodes["node"]
        assert np.asarray(got).dtype == np.float16
        assert np.asarray(got)[:3, 0].tolist() == [0.5, 0.5, 0.0]


def test_the_query_of_han_gives_one_score_for_each_node():
    graph = one_graph()
    for query, came in ((lambda h: h[:, :2], r"\(5, 2\)"), (lambda h: at.sum(h), r"\(\)")):
        with pytest.raises(ValueError, match=rf"`semantic_query` must return one score.*got .*{came}"):
            hetero.han(
                graph,
                [CITES],
                lambda h: h[:, :2],
                lambda src, dst, edges: src[:, 0],
                identity,
                query,
            )


def test_meta_paths_are_chosen_by_name():
    graph = one_graph(n_edges=(6, 4, 3))
    parts = (lambda h: h[:, :2], lambda src, dst, edges: src[:, 0], identity, lambda h: h[:, 0])
    one = hetero.han(graph, ["cites"], *parts, node_activation=identity).nodes["paper"]
    alone = hetero.RelationSpec(src_apply=parts[0], attention_logit_fn=parts[1])
    np.testing.assert_allclose(
        one, hetero.relation_mailbox(graph.relation_view(CITES), alone), rtol=1e-5, atol=1e-6
    )
    assert hetero.han(graph, [], *parts).nodes == graph.nodes
    calls = []

    def once(h):
        calls.append(h.shape)
        return h[:, :2]

    # One projection serves every path that uses it.
    hetero.han(graph, [CITES, WRITES], {"paper": once, "author": once}, *parts[1:])
    assert sorted(calls) == [(4, 3), (5, 4)]


def test_the_gate_of_hgt_is_not_squared():
    """pyg-team/pytorch_geometric/issues/3391."""
    graph = one_graph(n_edges=(6, 4, 0))
    graph = graph.update(nodes={"paper": np.full((5, 1), 4.0)})

    def layer(skip):
        return hetero.hgt(
            graph,
            lambda h: h[:, :1],
            lambda src, dst, edges: src[:, 0],
            lambda h: 0 * h + 2,
            skip=skip,
        ).nodes["paper"]

    assert layer(0.5).tolist() == [[3.0]] * 5
    assert layer({"paper": 0.25}).tolist() == [[3.5]] * 5

    class Least:
        """A mapping by its keys and entries alone."""

        def keys(self):
            return ["paper"]

        def __getitem__(self, key):
            return {"paper": 0.75}[key]

    assert layer(Least()).tolist() == [[2.5]] * 5
    assert layer(None).tolist() == [[2.0]] * 5
    with pytest.raises(ValueError, match=r"hgt: `skip` has no 'paper'; there are 'venue'"):
        layer({"venue": 1})
    for skip in (1.5, -1, float("nan"), {"paper": 2}):
        with pytest.raises(
            ValueError, match=r"hgt: `skip` must be in \[0, 1\], got .* for node type 'paper'"
        ):
            layer(skip)


def test_the_scale_of_hgt_by_relation_and_for_all():
    graph = one_graph(n_edges=(6, 4, 3))

    def layer(scale, logit):
        return hetero.hgt(graph, lambda h: h[:, :2], logit, identity, scale=scale).nodes["paper"]

    def logit(src, dst, edges):
        return edges[:, 0]

    expected = layer(None, lambda src, dst, edges: 3 * edges[:, 0])
    for scale in (3, {"writes": 3, CITES: 3, "holds": 3}, dict.fromkeys(ETYPES, np.float32(3))):
        np.testing.assert_allclose(layer(scale, logit), expected, rtol=1e-5)


def test_parameters_of_hgt_may_lie_in_a_dict_of_torch():
    torch = pytest.importorskip("torch")
    graph = convert(torch.tensor, one_graph(n_edges=(6, 4, 3)))

    class Layer(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.scale = torch.nn.ParameterDict(
                {e[1]: torch.full((), 1.0 + i) for i, e in enumerate(ETYPES[:3])}
            )
            self.skip = torch.nn.ParameterDict({"paper": torch.tensor(0.25)})

        def forward(self, graph, scale=None, skip=None):
            return hetero.hgt(
                graph,
                lambda h: h[:, :2],
                lambda src, dst, edges: edges[:, 0],
                lambda h: at.concat([h, h], axis=1),
                scale=scale or self.scale,
                skip=skip or self.skip,
            ).nodes["paper"]

    layer = Layer()
    got = layer(graph)
    torch.testing.assert_close(got, layer(graph, dict(layer.scale.items()), dict(layer.skip.items())))
    torch.testing.assert_close(torch.compile(layer, backend="aot_eager", fullgraph=True)(graph), got)
    got.sum().backward()
    assert all(p.grad is not None for p in layer.parameters())
