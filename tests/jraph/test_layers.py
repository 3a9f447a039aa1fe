"""Layers against official jraph, and what it leaves open: None for no edges, checks, the cache, buckets."""

import jraph as official
import numpy as np
import pytest
from graph_samples import ARRANGEMENTS, assert_same, convert, frozen, graphs_of
from layer_samples import LAYERS, features

import anytensor as at
from anytensor import jraph

jax = pytest.importorskip("jax")
jnp = jax.numpy

# Official jraph's layers fail on a batch without any row, and have other values nowhere.
SOME = ("edgeless first", "edgeless in the middle", "edgeless last", "empty first", "empty last")


def jax_batch(arrangement, nested=False):
    return convert(jnp.asarray, jraph.batch(graphs_of(arrangement, nested)))


@pytest.mark.parametrize("arrangement", SOME)
@pytest.mark.parametrize("name", LAYERS)
def test_values_are_official(name, arrangement):
    graph = jax_batch(arrangement)
    got = LAYERS[name](jraph)(graph)
    assert type(got) is jraph.GraphsTuple
    assert_same(got, LAYERS[name](official)(official.GraphsTuple(*graph)))


@pytest.mark.parametrize("name", LAYERS)
@pytest.mark.parametrize("arrangement", ["edgeless all", "empty all"])
def test_layers_work_without_edges(name, arrangement):
    graph = frozen(jraph.batch(graphs_of(arrangement)))
    got = LAYERS[name](jraph)(graph)
    written_out = LAYERS[name](jraph)(convert(jnp.asarray, graph))
    assert_same(got, written_out)
    assert all(np.isfinite(x).all() for x in (got.nodes, got.globals))


@pytest.mark.parametrize("name", LAYERS)
def test_none_for_no_edges_is_a_graph_without_edges(name):
    graph = jraph.batch(graphs_of("edgeless all"))
    none = graph._replace(edges=None, senders=None, receivers=None)
    got, expected = (
        LAYERS[name](jraph)(none),
        LAYERS[name](jraph)(graph._replace(edges=None) if name != "map_features" else graph),
    )
    assert got.senders is None
    assert got.receivers is None
    assert_same((got.nodes, got.globals), (expected.nodes, expected.globals))


def test_graph_networks_take_nests():
    graph = jax_batch("edgeless in the middle", nested=True)

    def net(package):
        return package.GraphNetwork(
            lambda e, s, r, g: {"e": e, "s": s["b"], "g": g["a"]},
            lambda n, s, r, g: {"s": s["e"], "r": r["s"], "g": g["b"]},
            lambda n, e, g: [n, e, g],
        )

    assert_same(net(jraph)(graph), net(official)(official.GraphsTuple(*graph)))


def test_convolutions_take_nests_and_keep_dtypes():
    graph = jax_batch("edgeless last", nested=True)

    def net(package):
        return package.GraphConvolution(lambda n: n, add_self_edges=True)

    assert_same(net(jraph)(graph), net(official)(official.GraphsTuple(*graph)))
    for dtype in ("bfloat16", "float16", "float32"):
        nodes = graph.nodes["b"].astype(dtype)
        assert net(jraph)(graph._replace(nodes=nodes)).nodes.dtype == nodes.dtype


def test_one_logit_for_all_edges():
    graph = jax_batch("edgeless last")

    def net(package):
        return package.GraphNetwork(
            None,
            lambda n, s, r, g: r,
            attention_logit_fn=lambda e, s, r, g: jnp.array(1.0),
            attention_reduce_fn=lambda e, w: e * w[:, None],
        )

    assert_same(net(jraph)(graph), net(official)(official.GraphsTuple(*graph)))


def test_convolution_without_edges_has_the_documented_values():
    """google-deepmind/jraph/issues/45."""
    graph = jraph.GraphsTuple(
        nodes=np.array([[1], [2]]),
        edges=None,
        senders=None,
        receivers=None,
        globals=None,
        n_node=np.array([2]),
        n_edge=np.array([0]),
    )
    assert jraph.GraphConvolution(lambda n: n)(graph).nodes.tolist() == [[0], [0]]
    assert jraph.GraphConvolution(lambda n: n, add_self_edges=True)(graph).nodes.tolist() == [[1], [2]]


def test_attention_is_the_masked_softmax():
    """google-deepmind/jraph/issues/26."""
    weight, to_sender, to_receiver = (features(i, shape) for i, shape in enumerate([(4, 6), (2, 3), (2, 3)]))
    adjacent = np.array([[1, 1, 0], [0, 1, 1], [1, 0, 1]], bool)  # row receives from column
    receivers, senders = np.nonzero(adjacent)
    nodes = features(9, (3, 4))

    def slope(x):
        return at.leaky_relu(x, 0.2)

    def logit(sent, received, _):
        both = (sent * to_sender).sum(-1, keepdims=True) + (received * to_receiver).sum(-1, keepdims=True)
        return slope(both)

    graph = jraph.GraphsTuple(nodes, None, receivers, senders, None, np.array([3]), np.array([len(senders)]))
    got = jraph.GAT(lambda n: (n @ weight).reshape(-1, 2, 3), logit, lambda x: x)(graph).nodes
    h = (nodes @ weight).reshape(3, 2, 3)
    scores = slope((h * to_receiver).sum(-1)[:, None] + (h * to_sender).sum(-1)[None])
    scores = np.where(adjacent[..., None], scores, -np.inf)
    weights = np.exp(scores - scores.max(1, keepdims=True))
    weights /= weights.sum(1, keepdims=True)
    np.testing.assert_allclose(got, np.einsum("ijh,jhd->ihd", weights, h), rtol=1e-6, atol=1e-6)


def test_logits_of_another_rank_weigh_as_broadcasting_does():
    graph = jax_batch("edgeless last")

    def net(package):
        return package.GAT(lambda n: n, lambda s, r, e: jnp.ones((s.shape[0], 3)) * s[:, :1], lambda x: x)

    assert_same(net(jraph)(graph), net(official)(official.GraphsTuple(*graph)))


@pytest.mark.parametrize("name", ["graph_network", "deep_sets", "relation"])
def test_counts_that_do_not_fit_are_an_error(name):
    # pyg-team/pytorch_geometric issue 190
    graph = jraph.batch(graphs_of("edgeless last"))
    net = LAYERS[name](jraph)
    with pytest.raises(ValueError, match=r"`nodes` has 6 rows.*`n_node` is 5"):
        net(graph._replace(n_node=np.array([3, 1, 1])))
    with pytest.raises(ValueError, match="sum of `n_edge` is 4"):
        net(graph._replace(n_edge=np.array([3, 1, 0])))


def test_errors_are_official_ones():
    graph = jraph.batch(graphs_of("edgeless last"))
    with pytest.raises(IndexError, match="GAT requires node features"):
        LAYERS["gat"](jraph)(graph._replace(nodes=None))
    with pytest.raises(IndexError, match="requires node features"):
        LAYERS["graph_network"](jraph)(graph._replace(nodes=None))
    with pytest.raises(ValueError, match="same number of nodes"):
        LAYERS["edges_only"](jraph)(graph._replace(nodes=[graph.nodes, graph.nodes[:2]]))
    with pytest.raises(ValueError, match="must both be supplied"):
        jraph.GraphNetwork(None, None, attention_logit_fn=lambda *_: 0)
    with pytest.raises(ValueError, match="not supported"):
        jraph.GraphNetGAT(None, None, None, None)
    with pytest.raises(ValueError, match="both be None"):
        LAYERS["convolution"](jraph)(graph._replace(senders=None))
    with pytest.raises(TypeError, match="update_edge_fn"):
        jraph.GraphNetwork(3, None)


def test_the_structure_of_a_convolution_is_cached():
    graph = jraph.batch(graphs_of("edgeless last"))
    net = jraph.GraphConvolution(lambda n: n, add_self_edges=True)
    extra = (True, True)
    assert at.cache.lookup("gcn", graph.senders, extra) is None
    with at.cache():
        first = net(graph)
        kept = at.cache.lookup("gcn", graph.senders, extra)
        assert kept is not None
        assert_same(net(graph), first)
        assert at.cache.lookup("gcn", graph.senders, extra)[2][2] is kept[2][2]
        assert at.cache.lookup("gcn", graph.senders, (False, True)) is None
        turned = graph._replace(receivers=graph.senders)
        assert_same(net(turned), jraph.GraphConvolution(lambda n: n, add_self_edges=True)(turned))
        more = graph._replace(nodes=np.ones((8, 3)), n_node=np.array([3, 1, 4]))
        assert net(more).nodes.shape == (8, 3)
    assert at.cache.lookup("gcn", graph.senders, extra) is None


def test_a_graph_network_expands_each_vector_once():
    graph = jraph.batch(graphs_of("edgeless last"))
    with at.cache():
        expected = LAYERS["graph_network"](jraph)(graph)
        ids = at.cache.lookup("partition", graph.n_node)
        assert ids.tolist() == [0, 0, 0, 1, 2, 2]
        assert_same(LAYERS["graph_network"](jraph)(graph), expected)
        assert at.cache.lookup("partition", graph.n_node) is ids


def test_one_bucket_is_one_compilation():
    """ACEsuit/mace/issues/1590."""
    traces = []
    net = LAYERS["graph_network"](jraph)

    @jax.jit
    def compiled(graph):
        traces.append(1)
        return net(graph)

    for nodes in (10, 14, 23):
        graph = jraph.get_fully_connected_graph(nodes, 1, features(nodes, (nodes, 3)), features(1, (1, 2)))
        out = jraph.unpad_with_graphs(compiled(jraph.pad_with_graphs(graph, 64, 600, 2)))
        expected = net(graph)
        np.testing.assert_allclose(out.nodes, expected.nodes, rtol=2e-4, atol=1e-4)
    assert len(traces) == 1


@pytest.mark.parametrize("name", ["graph_network", "convolution_with_self_edges", "gat"])
def test_no_tracer_is_kept(name):
    graph = jax_batch("edgeless last")
    net = at.cache(LAYERS[name](jraph))
    try:
        with jax.checking_leaks():
            got = jax.jit(net)(graph)
        assert_same(got, LAYERS[name](jraph)(graph))
    finally:
        at.cache.disable()


def test_arrangements_are_all_used():
    assert set(SOME) | {"edgeless all", "empty all"} == set(ARRANGEMENTS)
