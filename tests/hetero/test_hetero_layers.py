"""What the layers promise beside the values of others: missing messages, heads, nests, memory, errors."""

import tracemalloc

import numpy as np
import pytest
from hetero_samples import (
    CITES,
    ETYPES,
    HOLDS,
    LAYERS,
    WEIGHTS,
    WIDTHS,
    WRITES,
    by_relation,
    convert,
    linear,
    normal,
    one_graph,
)

import anytensor as at
from anytensor import hetero


def identity(h):
    return h


@pytest.mark.parametrize("name", LAYERS)
def test_types_that_receive_nothing_keep_their_features(name):
    graph = one_graph()
    got = LAYERS[name](graph, WEIGHTS)
    assert got.nodes["author"] is graph.nodes["author"]
    assert got.nodes["venue"] is graph.nodes["venue"]
    assert got.nodes["paper"].shape == graph.nodes["paper"].shape
    assert np.isfinite(got.nodes["paper"]).all()
    assert got.receivers is graph.receivers


@pytest.mark.parametrize("name", LAYERS)
def test_without_edges_and_without_nodes(name):
    edgeless = LAYERS[name](one_graph(n_edges=(0, 0, 0, 0)), WEIGHTS)
    assert np.isfinite(edgeless.nodes["author"]).all()
    none = one_graph(n_edges=(0, 0, 0))
    none = none._replace(senders=dict.fromkeys(none.senders), receivers=dict.fromkeys(none.receivers))
    np.testing.assert_array_equal(LAYERS[name](none, WEIGHTS).nodes["paper"], edgeless.nodes["paper"])
    empty = LAYERS[name](one_graph(sizes=(0, 0, 0), n_edges=(0, 0, 0)), WEIGHTS)
    assert empty.nodes["paper"].shape == (0, 4)


@pytest.mark.parametrize("name", LAYERS)
def test_gradients_are_finite_without_messages_and_without_nodes(name):
    torch = pytest.importorskip("torch")
    for sizes, n_edges in (((4, 5, 2), (0, 0, 0)), ((0, 0, 0), (0, 0, 0)), ((4, 5, 2), (6, 0, 0))):
        graph = convert(torch.tensor, one_graph(sizes=sizes, n_edges=n_edges))
        w = {key: torch.tensor(value, requires_grad=True) for key, value in WEIGHTS.items()}
        LAYERS[name](graph, w).nodes["paper"].square().sum().backward()
        assert all(x.grad is None or torch.isfinite(x.grad).all() for x in w.values())


@pytest.mark.parametrize("name", ["han", "hgt", "comp_gcn mult per edge"])
def test_edges_to_receivers_out_of_range_are_dropped(name):
    graph = one_graph(n_edges=(6, 4, 3))
    ids = {CITES: np.array([0, 5, 1, -1], np.int32), HOLDS: np.array([9, 7, 5], np.int32)}
    some = graph.update(receivers=ids)
    keep = {e: np.flatnonzero((ids[e] >= 0) & (ids[e] < 5)) for e in ids}
    within = graph.update(
        **{
            field: {e: getattr(graph, field)[e][k] for e, k in keep.items()} for field in ("edges", "senders")
        },
        receivers={e: ids[e][k] for e, k in keep.items()},
    )
    expected = LAYERS[name](within, WEIGHTS).nodes["paper"]
    w = convert(pytest.importorskip("torch").tensor, WEIGHTS)
    for got in (
        LAYERS[name](some, WEIGHTS),
        LAYERS[name](convert(pytest.importorskip("torch").tensor, some), w),
        LAYERS[name](convert(pytest.importorskip("tensorflow").constant, some), WEIGHTS),
    ):
        np.testing.assert_allclose(got.nodes["paper"], expected, rtol=1e-4, atol=1e-5)


def test_a_mapping_may_hold_more_than_the_graph():
    # pyg-team/pytorch_geometric pull 7194
    graph = one_graph(n_edges=(6, 4))
    for name in ("rgcn", "sage", "han", "hgt"):
        assert np.isfinite(LAYERS[name](graph, WEIGHTS).nodes["paper"]).all()
    more = {e: linear(WEIGHTS[e[1]]) for e in ETYPES}
    got = hetero.relational_graph_convolution(graph, more, None)
    fewer = hetero.relational_graph_convolution(graph, by_relation(graph, more.get), None)
    np.testing.assert_array_equal(got.nodes["paper"], fewer.nodes["paper"])


def test_modules_of_torch_are_callables_and_their_dict_a_mapping():
    torch = pytest.importorskip("torch")
    torch.manual_seed(0)
    graph = convert(torch.tensor, one_graph(n_edges=(6, 4, 3)))
    relations = torch.nn.ModuleDict({e[1]: torch.nn.Linear(WIDTHS[e[0]], 3) for e in graph.canonical_etypes})
    own = torch.nn.ModuleDict({"paper": torch.nn.Linear(4, 3)})
    got = hetero.relational_graph_convolution(graph, relations, own).nodes["paper"]
    plain = hetero.relational_graph_convolution(
        graph, {e: relations[e[1]] for e in graph.canonical_etypes}, own["paper"]
    )
    torch.testing.assert_close(got, plain.nodes["paper"])
    got.sum().backward()
    assert all(p.grad is not None for p in relations.parameters())


def nested(graph):
    return graph.update(
        nodes={t: {"h": h, "more": [h[:, :1]]} for t, h in graph.nodes.items()},
        edges={e: {"z": z} for e, z in graph.edges.items()},
    )


def test_features_may_be_dicts():
    graph = one_graph(n_edges=(6, 4, 3))
    w = {e: linear(WEIGHTS[e[1]]) for e in ETYPES}
    dicts = nested(graph)

    def inside(apply):
        return lambda h: apply(h["h"])

    def wide(apply):
        return lambda h: {"h": apply(h["h"]), "more": h["more"]}

    relations = {e: inside(apply) for e, apply in w.items()}
    expected = hetero.relational_graph_convolution(graph, w, linear(WEIGHTS["paper"])).nodes["paper"]
    got = hetero.relational_graph_convolution(dicts, relations, inside(linear(WEIGHTS["paper"])))
    np.testing.assert_allclose(got.nodes["paper"], expected)
    both = hetero.relational_graph_convolution(
        dicts, {e: wide(apply) for e, apply in w.items()}, wide(linear(WEIGHTS["paper"]))
    ).nodes["paper"]
    np.testing.assert_allclose(both["h"], expected)
    assert both["more"][0].shape == (5, 1)
    sage = hetero.hetero_sage(dicts, {e: wide(apply) for e, apply in w.items()}, identity).nodes["paper"]
    np.testing.assert_allclose(sage["h"], hetero.hetero_sage(graph, w, identity).nodes["paper"])
    assert sage["more"][0].shape == (5, 2)

    def logit(take):
        return lambda src, dst, edges: take(src)[:, 0] * take(dst)[:, 1]

    both = []
    for g, get in ((dicts, lambda h: h["h"]), (graph, identity)):
        messages = {e: (lambda h, e=e, get=get: w[e](get(h))) for e in ETYPES}
        short = (lambda h, get=get: get(h)[:, :2], lambda src, dst, edges: src[:, 0])
        both.append(
            [
                hetero.hgt(g, messages, logit(get), identity).nodes["paper"],
                hetero.han(g, list(ETYPES[:3]), *short, identity, lambda h: h[:, 0]).nodes["paper"],
            ]
        )
    for of_nest, of_array in zip(*both, strict=True):
        np.testing.assert_allclose(of_nest, of_array)


def test_memory_grows_with_edges_times_features():
    """dmlc/dgl/issues/852, pyg-team/pytorch_geometric/issues/1373."""
    n_edges, width = 20_000, 32
    rng = np.random.default_rng(0)
    relations = [("node", str(i), "node") for i in range(3)]
    ends = {r: rng.integers(0, 500, (2, n_edges)) for r in relations}
    graph = hetero.HeteroGraphsTuple(
        nodes={"node": normal(rng, 500, width)},
        edges={r: normal(rng, 1, width) for r in relations},
        senders={r: e[0] for r, e in ends.items()},
        receivers={r: e[1] for r, e in ends.items()},
        n_node={"node": np.array([500])},
        n_edge={r: np.array([n_edges]) for r in relations},
    )
    w = {r: normal(rng, width, width) for r in relations}
    per_edge = graph.update(edges={r: normal(rng, n_edges, width) for r in relations})
    apply = {r: linear(x) for r, x in w.items()}
    messages = n_edges * width * 4
    for layer, allowed in (
        (lambda: hetero.relational_graph_convolution(graph, apply, None), 6),
        (lambda: hetero.comp_gcn(graph, apply, None, composition="corr"), 6),
        (lambda: hetero.comp_gcn(per_edge, apply, None, composition="corr"), 14),
    ):
        layer()
        tracemalloc.start()
        layer()
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert peak < allowed * messages, peak / messages  # weights for each edge would be 32
    expected = np.zeros((500, width))
    for r in relations:
        sums, counts = np.zeros((500, width)), np.zeros((500, 1))
        np.add.at(sums, ends[r][1], (graph.nodes["node"] @ w[r])[ends[r][0]])
        np.add.at(counts, ends[r][1], 1)
        expected += sums / np.maximum(counts, 1)
    got = hetero.relational_graph_convolution(graph, apply, None, activation=identity).nodes["node"]
    np.testing.assert_allclose(got, expected, rtol=1e-3, atol=1e-3)


def test_one_embedding_runs_on_the_nodes():
    graph = one_graph(n_edges=(6, 4, 3))
    rows = []

    def apply(h):
        rows.append(len(h))
        return h[:, :2]

    for z in (graph.nodes["paper"][:1], graph.nodes["paper"][0]):
        alone = graph._replace(senders={CITES: graph.senders[CITES]}).update(edges={CITES: z})
        hetero.comp_gcn(alone, apply, None)
    hetero.comp_gcn(alone.update(edges={CITES: graph.edges[CITES]}), apply, None)
    assert rows == [5, 5, 4]


def test_a_plain_sum_without_the_node_itself():
    graph = one_graph(n_edges=(6, 4, 3))
    got = hetero.relational_graph_convolution(
        graph, lambda h: h[:, :2], None, activation=identity, reducer="sum"
    )
    both = hetero.multi_update_all(
        graph,
        dict.fromkeys(graph.canonical_etypes, hetero.RelationSpec(src_apply=lambda h: h[:, :2])),
        "sum",
    )
    np.testing.assert_allclose(got.nodes["paper"], both.nodes["paper"])


def test_layers_share_the_cache_that_is_on():
    graph = one_graph()
    net = at.cache(lambda g: LAYERS["rgcn"](g, WEIGHTS))
    try:
        np.testing.assert_array_equal(
            net(graph).nodes["paper"], LAYERS["rgcn"](graph, WEIGHTS).nodes["paper"]
        )
    finally:
        at.cache.disable()


def test_errors_name_the_key_and_the_known_keys():
    graph = one_graph()
    w = {e: linear(WEIGHTS[e[1]]) for e in ETYPES}
    less = {e: apply for e, apply in w.items() if e != HOLDS}
    known = r"no \('venue', 'holds', 'paper'\); there are \('author', 'writes', 'paper'\)"
    layer = hetero.relational_graph_convolution
    with pytest.raises(ValueError, match=rf"convolution: `relation_apply` has {known}"):
        layer(graph, less, None)
    with pytest.raises(ValueError, match=rf"hetero_sage: `relation_apply` has {known}"):
        hetero.hetero_sage(graph, less, identity)
    with pytest.raises(ValueError, match=rf"hgt: `message_apply` has {known}"):
        hetero.hgt(graph, less, identity, identity)
    with pytest.raises(ValueError, match=rf"hgt: `attention_logit` has {known}"):
        hetero.hgt(graph, w, less, identity)
    with pytest.raises(ValueError, match=rf"hgt: `scale` has {known}"):
        hetero.hgt(graph, w, w, identity, scale=less)
    with pytest.raises(ValueError, match=rf"han: `node_attention_logit` has {known}"):
        hetero.han(graph, ETYPES[:3], w, less, identity, identity)
    with pytest.raises(
        ValueError, match=r"han: `node_message` has no \('paper', 'cites', 'paper'\); there are 'author'"
    ):
        hetero.han(graph, [CITES], {"author": identity}, w, identity, identity)
    with pytest.raises(ValueError, match=r"`self_apply` has no 'paper'; there are 'author'"):
        layer(graph, w, {"author": identity})
    with pytest.raises(ValueError, match=r"`combine_apply` has no 'paper'; there are none"):
        hetero.hetero_sage(graph, w, {})
    with pytest.raises(ValueError, match=r"`target_apply` has no 'paper'"):
        hetero.hgt(graph, w, w, {})
    with pytest.raises(
        TypeError, match=r"`relation_apply\[\('author', 'writes', 'paper'\)\]` must be callable"
    ):
        layer(graph, dict.fromkeys(ETYPES, 3), None)
    with pytest.raises(TypeError, match=r"`self_apply` must be callable, or a mapping of callables by type"):
        layer(graph, w, 3)
    with pytest.raises(TypeError, match=r"`semantic_query` must be callable"):
        hetero.han(graph, [CITES], identity, identity, identity, None)
    with pytest.raises(ValueError, match=r"`reducer` must be one of 'sum', 'mean', 'max', 'min', got 'prod'"):
        layer(graph, w, None, reducer="prod")
    with pytest.raises(
        ValueError, match=r"`composition` must be one of 'sub', 'mult', 'corr', 'sum', got 'x'"
    ):
        hetero.comp_gcn(graph, w, None, composition="x")
    with pytest.raises(ValueError, match=r"`reducer` must be one of"):
        hetero.comp_gcn(graph, w, None, reducer="x")
    with pytest.raises(
        TypeError, match=r"`meta_path_etypes` must be a sequence of edge types, got str 'cites'"
    ):
        hetero.han(graph, "cites", identity, identity, identity, identity)
    with pytest.raises(ValueError, match=r"no 'reads'; there are"):
        hetero.han(graph, ["reads"], identity, identity, identity, identity)
    with pytest.raises(
        ValueError, match=r"holds.*no features, the embedding.*there are features of \('author'"
    ):
        hetero.comp_gcn(graph.update(edges={HOLDS: None}), w, None)
    bare = graph.update(nodes={"author": None})
    for call in (
        lambda: layer(bare, w, None),
        lambda: hetero.hetero_sage(bare, w, identity),
        lambda: hetero.hgt(bare, w, w, identity),
        lambda: hetero.comp_gcn(bare, w, None),
        lambda: hetero.han(bare, [WRITES], identity, identity, identity, identity),
    ):
        with pytest.raises(
            ValueError, match=r"type 'author'.*no features; there are features of 'paper', 'venue'"
        ):
            call()
    for call in (
        lambda: layer(nested, w, None),
        lambda: hetero.hetero_sage(nested, w, identity),
        lambda: hetero.hgt(nested, w, w, identity),
        lambda: hetero.comp_gcn(nested, w, None),
        lambda: hetero.han(nested, [], identity, identity, identity, identity),
    ):
        with pytest.raises(TypeError, match=r"`graph` must be a hetero.HeteroGraphsTuple, got function"):
            call()
