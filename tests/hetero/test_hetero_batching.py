"""batch and unbatch: indices shifted by their node type, any backend, keys that match, counts that agree."""

import numpy as np
import pytest
from hetero_samples import CITES, HOLDS, WRITES, convert, one_graph

import anytensor as at
from anytensor import hetero, tree
from anytensor.testing import assert_portable
from anytensor.testing.variant_table import is_installed

BACKENDS = [name for name in ("jax", "torch", "tensorflow") if is_installed(name)]
SIZES = [((4, 5, 2), (6, 4, 0)), ((0, 0, 0), (0, 0, 0)), ((3, 7, 1), (0, 9, 2)), ((1, 1, 1), (1, 0, 3))]


def graphs():
    return [one_graph(i, *sizes) for i, sizes in enumerate(SIZES)]


def array_of(backend):
    if backend == "jax":
        return pytest.importorskip("jax.numpy").asarray
    if backend == "torch":
        return pytest.importorskip("torch").tensor
    return pytest.importorskip("tensorflow").constant


def assert_same(got, expected):
    leaves, structure = tree.flatten(got)
    others, other = tree.flatten(expected)
    assert structure == other
    for a, b in zip(leaves, others, strict=True):
        np.testing.assert_array_equal(np.asarray(a), np.asarray(b))
        assert np.asarray(a).dtype == np.asarray(b).dtype


def test_each_index_counts_among_its_own_type():
    parts = graphs()
    batch = tree.batch(parts)
    assert type(batch) is hetero.HeteroGraphsTuple
    assert batch.n_node["paper"].tolist() == [5, 0, 7, 1]
    assert batch.n_edge[CITES].tolist() == [4, 0, 9, 0]
    np.testing.assert_array_equal(batch.nodes["venue"], np.concatenate([g.nodes["venue"] for g in parts]))
    for field, end in (("senders", 0), ("receivers", 2)):
        for etype in batch.canonical_etypes:
            starts = np.cumsum([0, *batch.n_node[etype[end]]])[:-1]
            expected = [getattr(g, field)[etype] + s for g, s in zip(parts, starts, strict=True)]
            np.testing.assert_array_equal(getattr(batch, field)[etype], np.concatenate(expected))
            assert getattr(batch, field)[etype].dtype == np.int32
    assert_same(tree.unbatch(batch), parts)
    assert hetero.batch is tree.batch
    assert hetero.unbatch is tree.unbatch


@pytest.mark.parametrize("backend", BACKENDS)
def test_arrays_keep_their_backend(backend):
    array = array_of(backend)
    batch = tree.batch([convert(array, g) for g in graphs()])
    kind = type(array(np.ones(1, np.float32)))
    assert all(type(leaf) is kind for leaf in tree.leaves(batch))
    assert_same(batch, tree.batch(graphs()))
    apart = tree.unbatch(batch)
    assert all(type(leaf) is kind for leaf in tree.leaves(apart))
    assert_same(apart, graphs())


def test_batches_of_batches_and_nested_features():
    parts = [
        g._replace(nodes={**g.nodes, "paper": {"h": g.nodes["paper"], "no": [g.nodes["paper"][:, 0]]}})
        for g in graphs()
    ]
    inner = tree.batch(parts[:2])
    assert_same(tree.batch([inner, *parts[2:]]), tree.batch(parts))
    assert_same(tree.unbatch(tree.batch(parts)), parts)
    assert_same(tree.batch([{"g": parts[0]}, {"g": parts[2]}])["g"], tree.batch([parts[0], parts[2]]))


def test_what_is_missing_stays_missing():
    bare = [g._replace(edges={WRITES: g.edges[WRITES]}, globals=None) for g in graphs()]
    bare = [
        g._replace(
            senders={**g.senders, HOLDS: None},
            receivers={**g.receivers, HOLDS: None},
            n_edge={**g.n_edge, HOLDS: np.array([0])},
        )
        for g in bare
    ]
    batch = tree.batch(bare)
    assert batch.globals is None
    assert batch.edges[CITES] is None
    assert batch.senders[HOLDS] is None
    assert [g.senders[HOLDS] for g in tree.unbatch(batch)] == [None] * 4
    some = [bare[0], graphs()[3]._replace(edges=bare[3].edges, globals=None)]
    assert tree.batch(some).receivers[HOLDS].tolist() == (graphs()[3].receivers[HOLDS] + 5).tolist()


def test_small_indices_reach_into_a_large_batch():
    # 200 fits an unsigned byte, and so does the shift of 100: their sum does not.
    large = one_graph(0, (4, 250, 2), (6, 300, 0))
    parts = [one_graph(1, (4, 100, 2), (6, 3, 0)), large]
    parts = [
        g._replace(
            senders={e: ids.astype(np.uint8) for e, ids in g.senders.items()},
            receivers={e: ids.astype(np.uint8) for e, ids in g.receivers.items()},
        )
        for g in parts
    ]
    batch = tree.batch(parts)
    np.testing.assert_array_equal(batch.senders[CITES][3:], large.senders[CITES] + np.int64(100))
    assert batch.senders[WRITES].dtype == np.uint8


def test_a_batch_inside_a_compiled_function():
    parts = [g._replace(globals=None) for g in graphs()[::2]]

    def batched(one, other):
        batch = tree.batch([one, other])
        box = at.segment_sum(
            at.take(batch.nodes["author"], batch.senders[WRITES]), batch.receivers[WRITES], 13
        )
        return {"box": box, "senders": batch.senders, "receivers": batch.receivers, "nodes": batch.nodes}

    assert_portable(batched, *parts, modes=("readonly", "jit", "compile", "function-none"))


def test_keys_must_match():
    one, other = graphs()[:2]
    less = other._replace(n_node={t: n for t, n in other.n_node.items() if t != "venue"})
    fewer = other._replace(senders={e: s for e, s in other.senders.items() if e != CITES})
    for lacking in (0, 1):
        has = rf"which graphs\[{1 - lacking}\] has; there are"
        pair = (one, less) if lacking else (less, one)
        no = rf"graphs\[{lacking}\] has no node type 'venue', {has} 'author', 'paper'$"
        with pytest.raises(ValueError, match=no):
            tree.batch(pair)
        pair = (one, fewer) if lacking else (fewer, one)
        no = rf"graphs\[{lacking}\] has no edge type \('paper', 'cites', 'paper'\), {has} \('author'"
        with pytest.raises(ValueError, match=no):
            tree.batch(pair)
    for field in ("receivers", "n_edge"):
        broken = one._replace(**{field: {WRITES: getattr(one, field)[WRITES]}})
        with pytest.raises(
            ValueError, match=rf"`{field} of graphs\[1\]` has no \('paper', 'cites', 'paper'\)"
        ):
            tree.batch([one, broken])
    with pytest.raises(TypeError, match="objects of one type"):
        tree.batch([one, {}])
    with pytest.raises(ValueError, match=r"nodes\['paper'\]` of the graphs must have one structure"):
        tree.batch([one, other.update(nodes={"paper": [other.nodes["paper"]]})])


def test_counts_must_agree():
    one = one_graph()
    with pytest.raises(
        ValueError, match=r"`nodes\['paper'\]` of graphs\[1\] has 5 rows, and the sum .* is 3"
    ):
        tree.batch([one, one.update(n_node={"paper": np.array([3])})])
    with pytest.raises(ValueError, match=r"of graphs\[0\] has 6 rows, and the sum of its `n_edge` is 9"):
        tree.batch([one.update(n_edge={WRITES: np.array([9])}), one])
    with pytest.raises(ValueError, match=r"`n_node\['venue'\]` of graphs\[0\] has 2 entries, .* 1 graphs"):
        tree.batch([one.update(n_node={"venue": np.array([1, 1])})])
    with pytest.raises(ValueError, match=r"`globals` of graphs\[0\] has 2 rows"):
        tree.batch([one.update(globals=np.ones((2, 1)))])
    with pytest.raises(
        ValueError, match=r"senders and receivers of \('paper', 'cites', 'paper'\) in graphs\[0\]"
    ):
        tree.batch([one.update(senders={CITES: None})])
    with pytest.raises(ValueError, match=r"unbatch: `n_edge.*cites.*2 for 1 graphs"):
        tree.unbatch(one.update(n_edge={CITES: np.array([2, 2])}))
    with pytest.raises(
        ValueError, match=r"unbatch: `nodes\['paper'\]` has 5 rows .* `n_node\['paper'\]` is 4"
    ):
        tree.unbatch(one.update(n_node={"paper": np.array([4])}))
    with pytest.raises(ValueError, match="no node type"):
        tree.unbatch(hetero.HeteroGraphsTuple({}, {}, {}, {}, {}, {}))
    with pytest.raises(TypeError, match="integers"):
        tree.batch([one.update(n_node={"paper": np.array([5.0])})])


def test_nothing_is_written():
    def frozen(x):
        x = np.array(x)
        x.flags.writeable = False
        return x

    parts = [convert(frozen, g) for g in graphs()]
    tree.unbatch(convert(frozen, tree.batch(parts)))
    assert_same(parts, graphs())
