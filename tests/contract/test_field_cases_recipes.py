"""Faults of the field that a short recipe of portable functions avoids: run on every variant."""

import numpy as np
import pytest
from harness import for_each_variant, run

import anytensor as at
from anytensor import hetero, jraph, tree
from anytensor.testing import prepare

EAGER = ("numpy", "jax", "torch", "tensorflow")


def ints(*values):
    return np.array(values, dtype=np.int32)


def floats(*values):
    return np.array(values, dtype=np.float32)


def sort_within(scores, ids):
    """Return the rows by group and, in a group, by score; and the rank of each row in its group."""
    by_score = at.argsort(scores)
    order = at.take(by_score, at.argsort(at.take(ids, by_score)))
    together = at.take(ids, order)
    places = at.arange(at.shape(ids)[0], like=ids)
    ranks = at.subtract(places, at.astype(at.searchsorted(together, together), "int32"))
    return order, at.take(ranks, at.argsort(order))


@for_each_variant()
@pytest.mark.parametrize(
    ("scores", "ids", "order", "ranks"),
    [
        ((0, 1, 10, 2, 7), (0, 0, 0, 0, 0), [0, 1, 3, 4, 2], [0, 1, 4, 2, 3]),
        ((5, 5, 5, 5), (0, 1, 0, 1), [0, 2, 1, 3], [0, 0, 1, 1]),
        ((2, 1, 1, 2), (5_000_001, 5_000_000, 5_000_001, 5_000_000), [1, 3, 2, 0], [1, 0, 0, 1]),
    ],
    ids=["one-group", "constant-scores", "large-ids"],
)
def test_sorting_within_groups(variant, scores, ids, order, ranks):
    """pyg-team/pytorch_geometric/issues/9209, /pull/10799."""
    got = run(sort_within, variant, floats(*scores), ints(*ids)).outputs
    assert [part.tolist() for part in got] == [order, ranks]


def places_of(labels, ends):
    """Return where the labels of edges' ends stand among the labels of nodes, which are in any order."""
    order = at.argsort(labels)
    return at.take(order, at.searchsorted(labels, ends, sorter=order))


@for_each_variant()
def test_labels_of_nodes_are_no_indices(variant):
    """pyg-team/pytorch_geometric/issues/830, dmlc/dgl/issues/466: nodes keep their order."""
    labels, edges = ints(4, 2, 6), ints(4, 6, 2, 6)
    got = run(places_of, variant, labels, edges).outputs
    assert got.tolist() == [0, 2, 1, 2]
    assert labels[got].tolist() == edges.tolist()


def sums_without_scatter(x, ids, segments):
    """Sum the rows of each segment by a sort and running sums, for engines whose scatter is narrow."""
    n = at.shape(segments)[0]
    order = at.argsort(ids)
    running = at.cumulative_sum(at.take(x, order), axis=0, include_initial=True)
    bounds = at.searchsorted(at.take(ids, order), at.arange(n + 1, like=ids))
    return at.diff(at.take(running, bounds), axis=0)


@for_each_variant()
def test_sums_by_sorting(variant):
    """NVIDIA/TensorRT/issues/3650: its scatter takes no more indices than there are results."""
    x, ids, segments = np.arange(12.0, dtype=np.float32).reshape(6, 2), ints(2, 0, 2, 4, 0, 2), np.zeros(5)
    got = run(sums_without_scatter, variant, x, ids, segments).outputs
    np.testing.assert_allclose(got, at.segment_sum(x, ids, 5))


def masked_shares(logits, mask, ids):
    return at.segment_softmax(at.where(mask, logits, at.ninf), ids, 1)


@for_each_variant()
@pytest.mark.parametrize(("mask", "expected"), [((1, 0), [1, 0]), ((0, 0), [0, 0])], ids=["one", "all"])
def test_a_masked_huge_logit(variant, mask, expected):
    """deepmodeling/deepmd-kit/pull/5717, /5715."""
    outcome = run(masked_shares, variant, floats(0, 1000), np.array(mask, bool), ints(0, 0), gradients=True)
    assert outcome.outputs.tolist() == expected
    assert all(np.isfinite(gradient).all() for gradient in outcome.gradients.values())


PLAYS, SELLS = ("user", "plays", "game"), ("shop", "sells", "game")


def crossed(ones, senders, plays, sells, lengths):
    graph = hetero.HeteroGraphsTuple(
        nodes={"user": ones, "shop": ones, "game": ones[:2]},
        edges={},
        senders={PLAYS: senders, SELLS: senders},
        receivers={PLAYS: plays, SELLS: sells},
        n_node={"user": lengths, "shop": lengths, "game": lengths - 1},
        n_edge={PLAYS: lengths, SELLS: lengths},
        globals=None,
    )
    specs = {PLAYS: hetero.RelationSpec(), SELLS: hetero.RelationSpec()}
    boxes = hetero.multi_update_all(graph, specs, "stack").nodes["game"]
    present = at.stack([at.segment_count(ids, 2) > 0 for ids in (plays, sells)], axis=1)
    number = at.astype(at.maximum(at.sum(present, axis=1), 1), "float32")
    return {
        "mean": hetero.multi_update_all(graph, specs, "mean").nodes["game"][:, 0],
        "mean of those present": at.divide(at.sum(boxes[:, :, 0], axis=1), number),
    }


@pytest.mark.parametrize("variant", EAGER)
def test_the_mean_of_the_relations_that_brought_something(variant):
    """dmlc/dgl/issues/3321: our mean divides by all relations; the other one is a recipe."""
    ones, three = np.ones((3, 1), np.float32), ints(3)
    outcome = prepare(crossed, variant)(ones, ints(0, 1, 2), ints(0, 1, 1), ints(0, 0, 0), three)
    assert outcome.error is None, outcome.error
    got = {name: value.tolist() for name, value in outcome.outputs.items()}
    assert got == {"mean": [2, 1], "mean of those present": [2, 2]}


@pytest.mark.parametrize("variant", EAGER)
def test_isolated_nodes_and_other_features_survive(variant):
    """pyg-team/pytorch_geometric/issues/9171, /1221: each way from a graph to another form and back."""

    def round_trips(x, pos, none, two, zero):
        graph = jraph.GraphsTuple({"x": x, "pos": pos}, None, none, none, None, two, zero)
        view = hetero.graphs_tuple_as_send_recv(graph)
        return {
            "batched": jraph.unbatch(jraph.batch([graph, graph]))[1],
            "padded": jraph.unpad_with_graphs(jraph.pad_with_graphs(graph, 5, 4, 3)),
            "leaves": tree.unflatten(*reversed(tree.flatten(graph))),
            "relation": {"x": view.src_nodes["x"], "pos": view.dst_nodes["pos"]},
        }

    x, pos = floats(1, 2), np.array([[0.0, 1.0], [2.0, 3.0]], np.float32)
    outcome = prepare(round_trips, variant)(x, pos, np.zeros(0, np.int32), ints(2), ints(0))
    assert outcome.error is None, outcome.error
    for name in ("batched", "padded", "leaves"):
        graph = outcome.outputs[name]
        np.testing.assert_array_equal(graph.nodes["x"], x)
        np.testing.assert_array_equal(graph.nodes["pos"], pos)
        assert [len(graph.senders), graph.n_node.tolist(), graph.n_edge.tolist()] == [0, [2], [0]]
    np.testing.assert_array_equal(outcome.outputs["relation"]["pos"], pos)


def test_nested_dicts_are_refilled_by_key():
    """pytorch/pytorch/issues/114392, /183060; keras-team/keras/pull/23201."""
    nest = {"b": {"d": 4, "c": 3}, "a": 1}
    assert tree.unflatten(tree.structure(nest), [10, 30, 40]) == {"a": 10, "b": {"c": 30, "d": 40}}
    assert tree.structure(nest) == tree.structure({"a": 0, "b": {"c": 0, "d": 0}})
