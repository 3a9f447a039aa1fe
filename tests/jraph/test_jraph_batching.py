"""batch and unbatch: official values, any backend, nothing written, counts never inferred."""

import jraph as official
import numpy as np
import pytest
from graph_samples import ARRANGEMENTS, assert_same, convert, frozen, graphs_of, one_graph

import anytensor as at
from anytensor import jraph, tree
from anytensor.testing.variant_table import is_installed

BACKENDS = [name for name in ("jax", "torch", "tensorflow") if is_installed(name)]


def array_of(backend):
    if backend == "jax":
        return pytest.importorskip("jax.numpy").asarray
    if backend == "torch":
        return pytest.importorskip("torch").tensor
    return pytest.importorskip("tensorflow").constant


def names_official(graph):
    return official.GraphsTuple(*graph)


@pytest.mark.parametrize("nested", [False, True], ids=["plain", "nested"])
@pytest.mark.parametrize("arrangement", ARRANGEMENTS)
def test_batch_and_unbatch_have_official_values(arrangement, nested):
    graphs = graphs_of(arrangement, nested)
    batch = jraph.batch_np(graphs)
    expected = official.batch_np([names_official(g) for g in graphs])
    assert_same(batch, expected)
    assert_same(jraph.unbatch_np(batch), official.unbatch_np(expected))
    assert_same(jraph.unbatch(batch), graphs, dtypes=True)


@pytest.mark.parametrize("arrangement", ["edgeless in the middle", "empty last"])
def test_jax_arrays_have_official_values(arrangement):
    jnp = pytest.importorskip("jax.numpy")
    graphs = [convert(jnp.asarray, g) for g in graphs_of(arrangement)]
    batch = jraph.batch(graphs)
    expected = official.batch([names_official(g) for g in graphs])
    assert_same(batch, expected, dtypes=True)
    assert_same(jraph.unbatch(batch), official.unbatch(expected), dtypes=True)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("nested", [False, True], ids=["plain", "nested"])
def test_arrays_keep_their_backend(backend, nested):
    array = array_of(backend)
    graphs = graphs_of("edgeless in the middle", nested)
    batch = jraph.batch([convert(array, g) for g in graphs])
    kind = type(array(np.ones(1, np.float32)))
    assert all(type(leaf) is kind for leaf in tree.leaves(batch))
    assert_same(batch, jraph.batch(graphs))
    apart = jraph.unbatch(batch)
    assert all(type(leaf) is kind for leaf in tree.leaves(apart))
    assert_same(apart, graphs)
    assert all(type(leaf) is np.ndarray for leaf in tree.leaves(jraph.batch_np(apart)))


def test_the_trees_own_functions():
    assert jraph.batch is tree.batch
    assert jraph.unbatch is tree.unbatch
    graph = graphs_of("edgeless last")[0]
    both = tree.batch([{"g": graph, "x": np.zeros((1, 2))}] * 2)
    assert both["x"].shape == (2, 2)
    assert_same(both["g"], jraph.batch([graph, graph]))
    assert [type(part) for part in tree.unbatch(both["g"])] == [jraph.GraphsTuple] * 2
    with pytest.raises(ValueError, match="axis"):
        tree.batch([graph], axis=1)


@pytest.mark.parametrize("nested", [False, True], ids=["plain", "nested"])
def test_nothing_is_written(nested):
    graphs = [frozen(g) for g in graphs_of("edgeless first", nested)]
    batch = frozen(jraph.batch(graphs))
    before = batch.senders.copy()
    jraph.unbatch(batch)
    jraph.unbatch_np(batch)
    np.testing.assert_array_equal(batch.senders, before)


def test_the_batch_does_not_share_memory_with_what_it_was_made_of():
    jnp = pytest.importorskip("jax.numpy")
    graph = graphs_of("edgeless last")[0]
    assert not np.shares_memory(jraph.batch([graph]).nodes, graph.nodes)
    batch = jraph.batch([convert(jnp.asarray, graph)])
    assert not np.shares_memory(np.asarray(batch.nodes), graph.nodes)


@pytest.mark.parametrize("place", [0, 1, 2])
def test_none_for_no_edges_beside_graphs_with_edges(place):
    graphs = graphs_of("edgeless first")[1:] * 1
    graphs.insert(
        place, one_graph(2, 0, np.random.default_rng(1))._replace(edges=None, senders=None, receivers=None)
    )
    batch = jraph.batch(graphs)
    written_out = [
        g
        if g.senders is not None
        else g._replace(
            edges=np.zeros((0, 2), np.float32), senders=np.zeros(0, np.int32), receivers=np.zeros(0, np.int32)
        )
        for g in graphs
    ]
    assert_same(batch, jraph.batch(written_out), dtypes=True)


def test_none_for_no_edges_everywhere():
    graph = one_graph(2, 0, np.random.default_rng(1))._replace(edges=None, senders=None, receivers=None)
    batch = jraph.batch([graph, graph])
    assert batch.senders is None
    assert batch.receivers is None
    assert batch.edges is None
    assert_same(jraph.unbatch(batch), [graph, graph])


def test_empty_vectors_without_a_dtype_stay_out_of_the_indices():
    graph = graphs_of("edgeless last")[0]
    none = graph._replace(
        **{name: np.array([]) for name in ("senders", "receivers", "n_node", "n_edge")},
        nodes=np.zeros((0, 3), np.float32),
        edges=np.zeros((0, 2), np.float32),
        globals=np.zeros((0, 2), np.float32),
    )
    batch = jraph.batch([none, graph])
    assert batch.senders.dtype == np.int32
    assert batch.n_node.dtype == np.int32
    assert_same(batch, graph)
    assert jraph.batch([none]).senders.dtype == np.int32


def test_narrow_indices_reach_into_a_large_batch():
    graph = graphs_of("edgeless last")[0]
    small = graph._replace(senders=graph.senders.astype(np.uint8), receivers=graph.receivers.astype(np.uint8))
    batch = jraph.batch([small] * 100)
    np.testing.assert_array_equal(batch.senders, jraph.batch([graph] * 100).senders)
    # 200 fits an unsigned byte, and so does the shift of 100: their sum does not.
    ends = {"senders": np.array([249], np.uint8), "receivers": np.array([200], np.uint8)}
    large = jraph.GraphsTuple(
        **ends, nodes=None, edges=None, globals=None, n_node=np.array([250]), n_edge=np.array([1])
    )
    pair = jraph.batch(
        [
            large._replace(
                n_node=np.array([100]), senders=ends["senders"] - 200, receivers=ends["receivers"] - 200
            ),
            large,
        ]
    )
    assert pair.senders.tolist() == [49, 349]


@pytest.mark.parametrize(
    ("field", "value", "what"),
    [
        ("n_node", np.array([4]), "nodes"),
        ("n_edge", np.array([3]), "edges"),
        ("nodes", np.zeros((2, 3)), "nodes"),
        ("globals", np.zeros((2, 2)), "globals"),
        ("receivers", np.zeros(3, np.int32), "receivers"),
    ],
)
def test_counts_are_never_inferred(field, value, what):
    """pyg-team/pytorch_geometric/issues/190."""
    graph = graphs_of("edgeless last")[0]
    wrong = graph._replace(**{field: value})
    with pytest.raises(ValueError, match=rf"batch: `{what}` of graphs\[1\]"):
        jraph.batch([graph, wrong])
    with pytest.raises(ValueError, match="unbatch"):
        jraph.unbatch(wrong)


def test_other_errors():
    graph = graphs_of("edgeless last")[0]
    with pytest.raises(ValueError, match="at least one"):
        jraph.batch([])
    with pytest.raises(ValueError, match="both"):
        jraph.batch([graph._replace(senders=None)])
    with pytest.raises(ValueError, match="`nodes`"):
        jraph.batch([graph, graph._replace(nodes=None)])
    with pytest.raises(TypeError, match="senders"):
        jraph.batch([graph._replace(senders=graph.senders.astype(np.float32))])
    with pytest.raises(TypeError, match="n_node"):
        jraph.unbatch(graph._replace(n_node=np.array([3.0])))


def test_gradients_flow_through_the_batch():
    torch = pytest.importorskip("torch")
    graphs = [convert(torch.tensor, g) for g in graphs_of("edgeless last")]
    for g in graphs:
        g.nodes.requires_grad_()
    jraph.batch(graphs).nodes.square().sum().backward()
    assert all(torch.equal(g.nodes.grad, 2 * g.nodes) for g in graphs)
    jraph.unbatch(jraph.batch(graphs))[0].nodes.sum().backward()
    assert torch.equal(graphs[0].nodes.grad, 2 * graphs[0].nodes + 1)


def test_batch_traces_and_unbatch_says_why_it_cannot():
    jax = pytest.importorskip("jax")
    graphs = [convert(jax.numpy.asarray, g) for g in graphs_of("edgeless in the middle")]
    assert_same(jax.jit(jraph.batch)(graphs), jraph.batch(graphs), dtypes=True)
    grads = jax.grad(lambda nodes: jraph.batch([graphs[0]._replace(nodes=nodes)]).nodes.sum())(
        graphs[0].nodes
    )
    np.testing.assert_array_equal(grads, np.ones((3, 3)))
    with pytest.raises(TypeError, match=r"n_node.*not known"):
        jax.jit(jraph.unbatch)(jraph.batch(graphs))


def test_batch_traces_on_torch_and_tensorflow():
    torch = pytest.importorskip("torch")
    graphs = graphs_of("edgeless in the middle")
    expected = jraph.batch(graphs)
    ours = [convert(torch.tensor, g) for g in graphs]
    compiled = torch.compile(jraph.batch, fullgraph=True, backend="aot_eager")
    assert_same(compiled(ours), expected)
    tf = pytest.importorskip("tensorflow")
    assert_same(tf.function(jraph.batch)([convert(tf.constant, g) for g in graphs]), expected)


def test_stacked_graphs_are_offset_when_they_are_batched():
    """google-deepmind/graph_nets/issues/135."""
    stacked = jraph.GraphsTuple(
        nodes=np.zeros((2, 3, 1)),
        edges=None,
        senders=np.array([[0], [1]]),
        receivers=np.array([[0], [0]]),
        globals=None,
        n_node=np.array([[3], [3]]),
        n_edge=np.array([[1], [1]]),
    )
    assert jraph.batch(tree.unstack(stacked)).senders.tolist() == [0, 4]


def test_mapping_a_net_over_stacked_graphs_is_a_loop():
    """google-deepmind/jraph/issues/48, /10; alexOarga/haiku-geometric/issues/4."""
    jax = pytest.importorskip("jax")
    join = jraph.concatenated_args(lambda x: at.tanh(x[:, :2]))
    net = jraph.GraphNetwork(join, join, join)
    padded = [
        convert(jax.numpy.asarray, jraph.pad_with_graphs(g, 6, 7, 3)) for g in graphs_of("edgeless first")
    ]
    mapped = jax.vmap(net)(tree.stack(padded))
    for got, graph in zip(tree.unstack(mapped), padded, strict=True):
        assert_same(got, net(graph))


def test_a_graph_shows_shapes_and_no_data():
    graph = graphs_of("edgeless last", nested=True)[0]
    assert repr(graph) == (
        "GraphsTuple(nodes={'b': float32[3,3], 'a': [int64[3,1], {'c': float32[3,1]}]}, "
        "edges={'b': float32[4,2], 'a': [int64[4,1], {'c': float32[4,1]}]}, receivers=int32[4], "
        "senders=int32[4], globals={'b': float32[1,2], 'a': [int64[1,1], {'c': float32[1,1]}]}, "
        "n_node=int32[1], n_edge=int32[1])"
    )
    html = graph._replace(edges=None)._repr_html_()
    assert "<td>nodes[&#x27;b&#x27;]</td><td>float32</td><td>[3,3]</td>" in html
    assert "<td>edges</td><td>None</td>" in html
    torch = pytest.importorskip("torch")
    assert "nodes=float32[2,3]" in repr(graph._replace(nodes=torch.zeros(2, 3)))


def test_official_names_are_all_there():
    names = {name for name in dir(official) if not name.startswith("_")}
    assert names <= set(jraph.__all__)


@pytest.mark.parametrize("nested", [False, True], ids=["plain", "nested"])
def test_graphs_of_official_jraph_are_graphs(nested):
    graphs = [names_official(g) for g in graphs_of("edgeless in the middle", nested)]
    expected = official.batch_np(graphs)
    for batch in (jraph.batch(graphs), jraph.batch_np(graphs), tree.batch([{"g": g} for g in graphs])["g"]):
        assert type(batch) is official.GraphsTuple
        assert_same(batch, expected)
    parts = jraph.unbatch(batch)
    assert [type(part) for part in parts + jraph.unbatch_np(batch)] == [official.GraphsTuple] * 6
    assert_same(parts, graphs)
    padded = jraph.pad_with_graphs(batch, 12, 9, 5)
    assert type(padded) is official.GraphsTuple
    assert_same(padded, official.pad_with_graphs(expected, 12, 9, 5))
    assert_same(jraph.unpad_with_graphs(padded), expected)
    with pytest.raises(TypeError, match="one type, got GraphsTuple first"):
        jraph.batch([graphs[0], jraph.GraphsTuple(*graphs[1])])
