"""Layers against PyTorch Geometric with the same weights, on every backend; CompGCN against a loop."""

import math

import numpy as np
import pytest
from hetero_samples import (
    CITES,
    ETYPES,
    HEADS,
    OUT,
    WIDTHS,
    comp_gcn,
    convert,
    linear,
    normal,
    one_graph,
    weights_of,
)

import anytensor as at
from anytensor import hetero
from anytensor.testing import run_portable

torch = pytest.importorskip("torch")
pyg = pytest.importorskip("torch_geometric.nn")

RELATIONS = {"all four": (6, 4, 3, 5), "one is empty": (6, 4, 0, 5)}
METADATA = (list(WIDTHS), list(ETYPES))


def on_torch(graph):
    x = {t: torch.tensor(h) for t, h in graph.nodes.items()}
    index = {
        e: torch.tensor(np.stack([graph.senders[e], graph.receivers[e]]).astype(np.int64))
        for e in ETYPES  # in the order of the metadata: HGTConv takes it for granted
        if e in graph.senders
    }
    return x, index


def assert_equal_everywhere(layer, graph, module, expected):
    """Run a layer on every backend with a module's weights, and compare its nodes with the module's."""
    weights = {name.replace(".", "/"): p.detach().numpy() for name, p in module.named_parameters()}
    report = run_portable(layer, graph, weights, modes="eager")
    assert {o.variant.backend for o in report.outcomes} == {"numpy", "jax", "torch", "tensorflow"}
    for outcome in report.outcomes:
        assert outcome.error is None, outcome
        for ntype, features in expected.items():
            np.testing.assert_allclose(
                outcome.outputs.nodes[ntype], features.detach().numpy(), rtol=1e-4, atol=1e-4
            )


def drawn(module):
    """Return a module with weights that are nowhere zero or one, as some are at the start."""
    with torch.no_grad():
        for i, p in enumerate(module.parameters()):
            p.copy_(torch.tensor(normal(np.random.default_rng(i), *p.shape)))
    return module


@pytest.mark.parametrize("numbers", RELATIONS)
def test_rgcn(numbers):
    # PyG's has one node type and numbers the relations.
    relations = [("node", e[1], "node") for e in ETYPES]
    rng = np.random.default_rng(4)
    nodes = normal(rng, 6, 4)
    ends = [rng.integers(0, 5, (2, n)).astype(np.int32) for n in RELATIONS[numbers]]
    graph = hetero.HeteroGraphsTuple(
        nodes={"node": nodes},
        edges={},
        senders={r: e[0] for r, e in zip(relations, ends, strict=True)},
        receivers={r: e[1] for r, e in zip(relations, ends, strict=True)},
        n_node={"node": np.array([6])},
        n_edge={r: np.array([e.shape[1]]) for r, e in zip(relations, ends, strict=True)},
    )
    module = drawn(pyg.RGCNConv(4, 3, len(relations), bias=False))
    types = np.repeat(np.arange(len(relations)), RELATIONS[numbers])
    index = torch.tensor(np.concatenate(ends, axis=1).astype(np.int64))
    expected = module(torch.tensor(nodes), index, torch.tensor(types)).relu()

    def layer(graph, w):
        apply = {r: linear(w["weight"][i]) for i, r in enumerate(relations)}
        return hetero.relational_graph_convolution(graph, apply, linear(w["root"]))

    assert_equal_everywhere(layer, graph, module, {"node": expected})


@pytest.mark.filterwarnings("ignore:There exist node types .*'venue':UserWarning")
@pytest.mark.parametrize("numbers", RELATIONS)
def test_sage(numbers):
    graph = one_graph(n_edges=RELATIONS[numbers])
    convolutions = {e: pyg.SAGEConv((WIDTHS[e[0]], WIDTHS[e[2]]), OUT) for e in ETYPES}
    module = drawn(pyg.HeteroConv(convolutions, aggr="sum"))
    x, index = on_torch(graph)

    def layer(graph, w):
        def part(etype, name):
            return w[f"convs/<{'___'.join(etype)}>/{name}"]

        def combine(ntype):
            into = [e for e in ETYPES if e[2] == ntype]

            def apply(both):
                own, box = both[:, : WIDTHS[ntype]], both[:, WIDTHS[ntype] :]
                for etype in into:
                    root, bias = part(etype, "lin_r/weight"), part(etype, "lin_l/bias")
                    box = box + own @ at.matrix_transpose(root) + bias
                return box

            return apply

        relations = {e: linear(at.matrix_transpose(part(e, "lin_l/weight"))) for e in ETYPES}
        return hetero.hetero_sage(graph, relations, {t: combine(t) for t in ("author", "paper")})

    expected = {t: h.relu() for t, h in module(x, index).items()}
    assert_equal_everywhere(layer, graph, module, expected)


def heads_of(weight, bias=None):
    def apply(h):
        h = h @ at.matrix_transpose(weight)
        h = h if bias is None else h + bias
        return at.rearrange(h, "nodes (heads channels) -> nodes heads channels", heads=HEADS)

    return apply


def gat_logit(to_source, to_destination):
    vector = at.concat([to_source, to_destination], axis=-1)
    return lambda src, dst, edges: hetero.gat_attention_logit(src, dst, lambda h: at.sum(h * vector, axis=-1))


@pytest.mark.parametrize("numbers", RELATIONS)
def test_han(numbers):
    graph = one_graph(n_edges=RELATIONS[numbers])
    module = drawn(pyg.HANConv(WIDTHS, OUT, METADATA, heads=HEADS))

    def layer(graph, w):
        return hetero.han(
            graph,
            ETYPES,
            {t: heads_of(w[f"proj/{t}/weight"], w[f"proj/{t}/bias"]) for t in WIDTHS},
            {e: gat_logit(w["lin_src/" + "__".join(e)], w["lin_dst/" + "__".join(e)]) for e in ETYPES},
            lambda h: h @ at.matrix_transpose(w["k_lin/weight"]) + w["k_lin/bias"],
            lambda h: at.sum(h * w["q"], axis=-1),
        )

    expected = {t: h for t, h in module(*on_torch(graph)).items() if h is not None}
    assert set(expected) == {"author", "paper"}
    assert_equal_everywhere(layer, graph, module, expected)


def gelu(x):
    """Return the exact GELU by the backend's own: the error function is not in the standard."""
    if isinstance(x, np.ndarray):
        return 0.5 * x * (1 + np.vectorize(math.erf, otypes=[x.dtype])(x / math.sqrt(2)))
    if isinstance(x, torch.Tensor):
        return torch.nn.functional.gelu(x)
    if type(x).__module__.startswith("jax"):
        return pytest.importorskip("jax").nn.gelu(x, approximate=False)
    return pytest.importorskip("tensorflow").nn.gelu(x)


@pytest.mark.parametrize("numbers", RELATIONS)
def test_hgt(numbers):
    width = 4  # as wide as the output, or PyG leaves out the gated residual
    graph = one_graph(n_edges=RELATIONS[numbers], width=dict.fromkeys(WIDTHS, width))
    module = drawn(pyg.HGTConv(width, width, METADATA, heads=HEADS))
    assert all((p != 1).all() for p in module.skip.values())

    def layer(graph, w):
        def projected(ntype, which):
            rows = slice(which * width, (which + 1) * width)
            return heads_of(w[f"kqv_lin/lins/{ntype}/weight"][rows], w[f"kqv_lin/lins/{ntype}/bias"][rows])

        def related(etype, name):
            # PyG numbers these weights by head first, then by relation.
            places = [h * len(ETYPES) + ETYPES.index(etype) for h in range(HEADS)]
            return at.stack([w[f"{name}/weight"][place] for place in places])

        def transform(etype, which, name):
            apply = projected(etype[0], which)
            return lambda h: at.einsum(
                apply(h), related(etype, name), "nodes heads d, heads d channels -> nodes heads channels"
            )

        def logit(etype):
            keys, queries = transform(etype, 0, "k_rel"), projected(etype[2], 1)
            return lambda src, dst, edges: at.sum(keys(src) * queries(dst), axis=-1)

        def target(ntype):
            weight, bias = (w[f"out_lin/lins/{ntype}/{name}"] for name in ("weight", "bias"))
            return lambda h: gelu(h) @ at.matrix_transpose(weight) + bias

        return hetero.hgt(
            graph,
            {e: transform(e, 2, "v_rel") for e in ETYPES},
            {e: logit(e) for e in ETYPES},
            {t: target(t) for t in WIDTHS},
            scale={e: w["p_rel/" + "__".join(e)][0] / math.sqrt(width / HEADS) for e in ETYPES},
            skip={t: 1 / (1 + at.exp(-w[f"skip/{t}"][0])) for t in WIDTHS},
        )

    assert_equal_everywhere(layer, graph, module, module(*on_torch(graph)))


def test_gat_on_one_meta_path():
    graph = one_graph()
    module = drawn(pyg.GATConv(WIDTHS["paper"], 2, HEADS, add_self_loops=False, bias=False))
    x, index = on_torch(graph)
    expected = module(x["paper"], index[CITES])

    def as_han(graph, w):
        return hetero.han(
            graph,
            [CITES],
            heads_of(w["lin/weight"]),
            gat_logit(w["att_src"], w["att_dst"]),
            lambda h: h,
            lambda h: h[:, 0],
            node_activation=lambda h: h,
        )

    def as_update(graph, w):
        query, logit = heads_of(w["lin/weight"]), gat_logit(w["att_src"], w["att_dst"])
        spec = hetero.RelationSpec(
            src_apply=query, attention_logit_fn=lambda src, dst, edges: logit(src, query(dst), edges)
        )
        graph = hetero.multi_update_all(graph, {CITES: spec}, "sum")
        return graph.update(nodes={"paper": at.reshape(graph.nodes["paper"], (-1, HEADS * 2))})

    for layer in (as_han, as_update):
        assert_equal_everywhere(layer, graph, module, {"paper": expected})


def composed(composition, h, z):
    if composition == "corr":
        return np.array([sum(h[i] * z[(i + k) % len(h)] for i in range(len(h))) for k in range(len(h))])
    return {"sub": h - z, "mult": h * z, "sum": h + z}[composition]


@pytest.mark.parametrize("per_edge", [False, True], ids=["per relation", "per edge"])
@pytest.mark.parametrize("composition", ["sub", "mult", "corr", "sum"])
@pytest.mark.parametrize("width", [4, 5])
def test_comp_gcn_is_a_loop_over_edges(composition, per_edge, width):
    graph = one_graph(width={"author": width, "paper": width, "venue": width})
    graph = graph.update(
        edges={e: normal(np.random.default_rng(7), *s.shape, width) for e, s in graph.senders.items()}
    )
    names = {e[1]: (width, OUT) for e in ETYPES} | dict.fromkeys(WIDTHS, (width, OUT))
    w = weights_of(names | {"z " + t: (1, width) for t in WIDTHS})
    expected = graph.nodes["paper"].astype(np.float64) @ w["paper"]
    for etype in graph.canonical_etypes:
        ends = zip(graph.senders[etype], graph.receivers[etype], strict=True)
        for i, (sender, receiver) in enumerate(ends):
            z = graph.edges[etype][i] if per_edge else w["z " + etype[0]][0]
            expected[receiver] += composed(composition, graph.nodes[etype[0]][sender], z) @ w[etype[1]]
    got = comp_gcn(composition, per_edge)(graph, w)
    np.testing.assert_allclose(got.nodes["paper"], np.tanh(expected), rtol=1e-4, atol=1e-5)
    on_torch_ = comp_gcn(composition, per_edge)(convert(torch.tensor, graph), convert(torch.tensor, w))
    np.testing.assert_allclose(on_torch_.nodes["paper"], np.tanh(expected), rtol=1e-4, atol=1e-5)
