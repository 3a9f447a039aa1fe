"""Official jraph, ``jax.tree_util`` and PyTorch Geometric as oracles for what is theirs."""

import warnings

import jax
import jraph as official
import numpy as np
import pytest
import torch
from fuzz_profile import search
from fuzz_values import SEEDS, arrays, spread
from graph_samples import assert_same, convert, one_graph
from hypothesis import strategies as st
from layer_samples import LAYERS, outputs
from nests import jax_nests

import anytensor as at
from anytensor import jraph, tree
from anytensor.testing import assert_trees_close

pyg = pytest.importorskip("torch_geometric.utils")  # whose import warns
jnp = jax.numpy


@st.composite
def graphs(draw, least_nodes=0, least_edges=0):
    """Draw a list of small graphs, edgeless and empty ones among them."""
    rng = np.random.default_rng(draw(SEEDS))
    nested = draw(st.booleans())
    sizes = []
    for _ in range(draw(spread([2, 1, 3, 4]))):
        nodes = draw(spread([3, 1, 2, 0, 5]))
        sizes.append((nodes, draw(spread([2, 0, 1, 4])) if nodes else 0))
    if sum(nodes for nodes, _ in sizes) < least_nodes or sum(edges for _, edges in sizes) < least_edges:
        sizes.append((3, 2))
    return [one_graph(nodes, edges, rng, nested) for nodes, edges in sizes]


def of_official(graph):
    return official.GraphsTuple(*graph)


def test_batches_are_officials():
    def holds(drawn):
        batch, theirs = jraph.batch_np(drawn), official.batch_np([of_official(g) for g in drawn])
        assert_same(batch, theirs)
        assert_same(jraph.unbatch_np(batch), official.unbatch_np(theirs))  # theirs writes to what it is given
        assert_same(jraph.unbatch(batch), drawn, dtypes=True)
        nodes, edges, count = (int(x) for x in (batch.n_node.sum(), batch.n_edge.sum(), len(batch.n_node)))
        room = (nodes + 2, edges + 3, count + 2)
        padded = jraph.pad_with_graphs(batch, *room)
        theirs = official.pad_with_graphs(of_official(batch), *room)
        assert_same(padded, theirs)
        assert_same(jraph.unpad_with_graphs(padded), batch)
        for name in ("get_node_padding_mask", "get_edge_padding_mask", "get_graph_padding_mask"):
            ours = getattr(jraph, name)(padded)
            np.testing.assert_array_equal(ours, getattr(official, name)(theirs), name)

    search("peers/batches", graphs(), holds, 15, 200)


def test_batches_on_frameworks_are_those_of_numpy():
    def holds(drawn):
        want = jraph.batch(drawn)
        for array in (torch.tensor, jnp.asarray):
            batch = jraph.batch([convert(array, g) for g in drawn])
            assert_same(convert(np.asarray, batch), want)
            parts = [convert(np.asarray, g) for g in jraph.unbatch(batch)]
            assert_same(parts, drawn)

    search("peers/frameworks", graphs(), holds, 4, 60)


@pytest.mark.parametrize("names", [sorted(LAYERS)[::2], sorted(LAYERS)[1::2]], ids=["even", "odd"])
def test_layers_are_officials(names):
    def holds(drawn):
        parts, which = drawn
        graph = convert(jnp.asarray, jraph.batch([one_graph_of(g) for g in parts]))
        name = names[which % len(names)]
        want = LAYERS[name](official)(of_official(graph))
        got = LAYERS[name](jraph)(graph)
        assert_same(got, want)
        # And the same layer on PyTorch.
        other = LAYERS[name](jraph)(convert(lambda x: torch.tensor(np.asarray(x)), graph))
        for field, value in outputs(other).items():
            assert_trees_close(
                tree.map(np.asarray, value), tree.map(np.asarray, getattr(got, field)), rtol=1e-4, atol=1e-5
            )

    # Official jraph's layers fail on a batch without any row or any edge.
    drawn = st.tuples(graphs(least_nodes=1, least_edges=1), SEEDS)
    search(f"peers/layers-{names[0]}", drawn, holds, 1, 25)


def one_graph_of(graph):
    """Return a graph with plain features: the sample layers take no nests."""
    if not isinstance(graph.nodes, dict):
        return graph
    return graph._replace(nodes=graph.nodes["b"], edges=graph.edges["b"], globals=graph.globals["b"])


SEGMENT_NAMES = tuple(name for name in jraph.__all__ if name.startswith("segment_"))


@st.composite
def segments(draw):
    """Draw (name, float32 rows, ids in range, n)."""
    rows, n = draw(spread([4, 1, 2, 7])), draw(spread([3, 1, 2, 5]))
    rng = np.random.default_rng(draw(SEEDS))
    rest = draw(spread([(), (2,), (1, 3)]))
    x = rng.integers(-16, 17, (rows, *rest)).astype(np.float32) / 4
    return draw(spread(SEGMENT_NAMES)), x, rng.integers(0, n, rows), n


def test_segment_functions_are_officials():
    def holds(drawn):
        name, x, ids, n = drawn
        want = getattr(official, name)(jnp.asarray(x), jnp.asarray(ids), n)
        for array in (jnp.asarray, torch.tensor, np.asarray):
            got = getattr(jraph, name)(array(x), array(ids), n)
            assert_trees_close(np.asarray(got), np.asarray(want), rtol=1e-4, atol=1e-4)

    search("peers/segments", segments(), holds, 6, 120)


REDUCES = {"sum": at.segment_sum, "mean": at.segment_mean, "mul": at.segment_prod, "any": None}


def test_segments_are_pyg_s():
    def holds(drawn):
        _, x, ids, n = drawn
        x, ids = torch.tensor(x), torch.tensor(ids)
        for name in ("sum", "mean", "mul"):
            assert_close(REDUCES[name](x, ids, n), pyg.scatter(x, ids, dim_size=n, reduce=name))
        for name, ours in (("min", at.segment_min_or_constant), ("max", at.segment_max_or_constant)):
            assert_close(ours(x, ids, n, constant=0.0), pyg.scatter(x, ids, dim_size=n, reduce=name))
        assert_close(at.segment_softmax(x, ids, n), pyg.softmax(x, ids, num_nodes=n))
        assert_close(at.segment_count(ids, n), pyg.degree(ids, n))
        lengths = torch.bincount(ids, minlength=n)
        pointers = torch.cat([torch.zeros(1, dtype=torch.int64), torch.cumsum(lengths, 0)])
        total = x.shape[0]
        assert_close(at.partition_sum(x, lengths, total), pyg.segment(x, pointers, reduce="sum"))
        assert_close(at.partition_mean(x, lengths, total), pyg.segment(x, pointers, reduce="mean"))
        assert_close(at.partition_softmax(x, lengths, total), pyg.softmax(x, ptr=pointers))
        order = torch.sort(ids, stable=True).values
        assert_close(at.partition_ids(lengths, total), order)

    search("peers/pyg", segments(), holds, 8, 150)


def assert_close(got, want):
    np.testing.assert_allclose(np.asarray(got, float), np.asarray(want, float), rtol=1e-4, atol=1e-4)


def test_trees_are_jax_s():
    def holds(nest):
        leaves, spec = jax.tree_util.tree_flatten(nest)
        assert tree.leaves(nest) == leaves
        arrays_of = jax.tree_util.tree_map(lambda leaf: np.full((2, 3), leaf, np.float32), nest)
        ours, structure = tree.flatten(arrays_of)
        theirs = jax.tree_util.tree_leaves(arrays_of)
        assert all(a is b for a, b in zip(ours, theirs, strict=True))
        assert structure.num_leaves == spec.num_leaves
        paths = [(tree.keystr(path), leaf) for path, leaf in tree.leaves_with_path(nest)]
        assert paths == [
            (jax.tree_util.keystr(path), leaf) for path, leaf in jax.tree_util.tree_flatten_with_path(nest)[0]
        ]
        double = tree.map(lambda a, b: a + b, arrays_of, arrays_of)
        want = jax.tree_util.tree_map(lambda a: 2 * a, arrays_of)
        for a, b in zip(tree.leaves(double), jax.tree_util.tree_leaves(want), strict=True):
            np.testing.assert_array_equal(a, b)
        if leaves:
            both = tree.batch([arrays_of, double])
            assert all(leaf.shape == (4, 3) for leaf in tree.leaves(both))
            rows = tree.unbatch(both)
            assert len(rows) == 4
            stacked = tree.stack([arrays_of, double])
            first, second = tree.unstack(stacked)
            assert jax.tree_util.tree_structure(first) == jax.tree_util.tree_structure(arrays_of)
            for got, wanted in ((first, arrays_of), (second, double)):
                for a, b in zip(tree.leaves(got), tree.leaves(wanted), strict=True):
                    np.testing.assert_array_equal(a, b)

    search("peers/trees", jax_nests, holds, 30, 400)


@st.composite
def attention(draw):
    """Draw the rows, logits, ids and n of an attention with heads."""
    rows, n = draw(spread([4, 1, 0, 6])), draw(spread([3, 1, 2]))
    heads = draw(spread([2, 1, 3]))
    rng = np.random.default_rng(draw(SEEDS))
    messages = draw(arrays("float32", (rows, heads, 2), special=False, extreme=False))
    logits = rng.normal(size=(rows, heads)).astype(np.float32)
    masked = rng.random((rows, heads)) < 0.2
    return messages, np.where(masked, -np.inf, logits).astype(np.float32), rng.integers(-1, n + 1, rows), n


def test_attention_is_a_masked_dense_softmax():
    def holds(drawn):
        messages, logits, ids, n = drawn
        member = ids[None, :, None] == np.arange(n)[:, None, None]
        dense = np.where(member, logits[None].astype(np.float64), -np.inf)
        top = dense.max(axis=1, keepdims=True, initial=-np.inf)
        weights = np.exp(dense - np.where(np.isfinite(top), top, 0))
        sums = weights.sum(axis=1, keepdims=True)
        weights = weights / np.where(sums == 0, 1, sums)
        want = np.einsum("nrh,rhd->nhd", weights, messages.astype(np.float64))
        for array in (np.asarray, torch.tensor, jnp.asarray):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                got = at.segment_attention(array(messages), array(logits), array(ids), n)
            assert_trees_close(np.asarray(got), want, rtol=1e-4, atol=1e-5)

    search("peers/attention", attention(), holds, 6, 120)
