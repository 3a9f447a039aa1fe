"""batch, unbatch, stack and unstack on every backend."""

from collections import namedtuple

import jax
import jraph
import numpy as np
import pytest
import tensorflow as tf
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from nests import DYNAMO_IS_OLD

from anytensor import tree

Point = namedtuple("Point", "x y")
MAKERS = {
    "numpy": np.asarray,
    "jax": jax.numpy.asarray,
    "torch": torch.asarray,
    "tensorflow": tf.constant,
}


@pytest.fixture(params=MAKERS)
def make(request):
    return MAKERS[request.param]


def nest_of(make, rows, start=0.0):
    x = np.arange(rows * 2, dtype=np.float32).reshape(rows, 2) + start
    return {"x": make(x), "more": [None, Point(make(x[:, 0]), make(np.arange(rows)))]}


def equal(one, two):
    assert tree.structure(one) == tree.structure(two)

    def same(a, b):
        assert type(a) is type(b)
        assert a.dtype == b.dtype
        np.testing.assert_array_equal(np.asarray(a), np.asarray(b))

    tree.map(same, one, two)


def test_batch_concatenates_and_unbatch_gives_the_rows(make):
    parts = [nest_of(make, 2), nest_of(make, 1, 10.0), nest_of(make, 0)]
    batched = tree.batch(parts)
    assert np.asarray(batched["x"]).tolist() == [[0.0, 1.0], [2.0, 3.0], [10.0, 11.0]]
    assert np.asarray(batched["more"][1].y).tolist() == [0, 1, 0]
    rows = tree.unbatch(batched)
    assert len(rows) == 3
    equal(rows[2], nest_of(make, 1, 10.0))
    equal(tree.batch(rows), batched)


def test_stack_and_unstack_undo_each_other(make):
    parts = [nest_of(make, 2), nest_of(make, 2, 5.0)]
    stacked = tree.stack(parts)
    assert tuple(stacked["x"].shape) == (2, 2, 2)
    for one, two in zip(tree.unstack(stacked), parts, strict=True):
        equal(one, two)


@pytest.mark.parametrize("axis", [1, -1, -2])
def test_other_axes(make, axis):
    parts = [{"x": make(np.ones((2, 3), np.float32) * i)} for i in range(2)]
    expected = np.concatenate([np.asarray(part["x"]) for part in parts], axis)
    np.testing.assert_array_equal(np.asarray(tree.batch(parts, axis)["x"]), expected)
    equal(tree.batch(tree.unbatch(tree.batch(parts, axis), axis), axis), tree.batch(parts, axis))
    np.testing.assert_array_equal(
        np.asarray(tree.stack(parts, axis)["x"]), np.stack([np.asarray(part["x"]) for part in parts], axis)
    )
    equal(tree.unstack(tree.stack(parts, axis), axis)[1], parts[1])


@given(st.lists(st.integers(0, 3), min_size=1, max_size=4))
@settings(deadline=None, max_examples=30)
def test_batch_equals_concatenation_by_jax_tree(lengths):
    parts = [nest_of(np.asarray, n, 7.0 * i) for i, n in enumerate(lengths)]
    equal(tree.batch(parts), jax.tree.map(lambda *xs: np.concatenate(xs), *parts))
    assert len(tree.unbatch(tree.batch(parts))) == sum(lengths)


def test_no_rows_give_no_trees(make):
    assert tree.unbatch(nest_of(make, 0)) == []
    assert tree.unstack(nest_of(make, 0)) == []


def test_scalars_stack_but_have_no_axis_to_batch_along():
    assert tree.stack([{"a": 1.0}, {"a": 2.0}])["a"].tolist() == [1.0, 2.0]
    with pytest.raises(
        ValueError, match=r"tree.batch: leaves at \['a'\]: concat: `arrays` must have at least one"
    ):
        tree.batch([{"a": np.float32(1)}, {"a": np.float32(2)}])


def test_iterators_are_lists():
    assert tree.stack(x for x in (np.array(1), np.array(2))).tolist() == [1, 2]


def test_trees_without_leaves_batch_to_themselves():
    assert tree.batch([[None], [None]]) == [None]


@pytest.mark.parametrize("function", [tree.batch, tree.stack])
@pytest.mark.parametrize(
    ("trees", "error", "message"),
    [
        ([], ValueError, "`trees` must hold at least one tree, got none"),
        ({"a": np.ones(1)}, TypeError, "`trees` must be a list of trees, got dict"),
        (Point(1, 2), TypeError, "`trees` must be a list of trees, got .*Point"),
        (5, TypeError, "`trees` must be a list of trees, got int 5"),
        ([[np.ones(1)], (np.ones(1),)], ValueError, "tree number 2 differs in structure at the root"),
        ([{"a": np.ones((2, 2))}, {"a": np.ones(2)}], ValueError, r"leaves at \['a'\]: .*shapes must agree"),
        ([{"a": ["text"]}, {"a": ["text"]}], TypeError, r"leaves at \['a'\]\[0\]: "),
    ],
)
def test_bad_lists_of_trees(function, trees, error, message):
    with pytest.raises(error, match=message):
        function(trees)


@pytest.mark.parametrize("function", [tree.unbatch, tree.unstack])
@pytest.mark.parametrize(
    ("nest", "error", "message"),
    [
        ([None, {}], ValueError, "`tree` has no leaves"),
        ({"a": np.ones(2), "b": [np.ones(3)]}, ValueError, r"2 at \['a'\], 3 at \['b'\]\[0\]"),
        ({"a": np.float32(1)}, ValueError, r"leaf at \['a'\]: "),
        ({"a": "text"}, TypeError, r"leaf at \['a'\]: "),
    ],
)
def test_bad_trees_to_take_apart(function, nest, error, message):
    with pytest.raises(error, match=message):
        function(nest)


class Words:
    """Joins by its own rule: the texts one after the other."""

    def __init__(self, *words):
        self.words = words

    @classmethod
    def __tree_batch__(cls, objects):
        return cls(*[word for one in objects for word in one.words])

    def __tree_unbatch__(self):
        return [type(self)(word) for word in self.words]


def test_objects_may_own_their_batches():
    batched = tree.batch([Words("a", "b"), Words("c")])
    assert batched.words == ("a", "b", "c")
    assert [row.words for row in tree.unbatch(batched)] == [("a",), ("b",), ("c",)]


def test_objects_own_their_batches_within_a_tree():
    batched = tree.batch([{"w": Words("a"), "x": np.zeros(1)}, {"w": Words("b"), "x": np.ones(1)}])
    assert batched["w"].words == ("a", "b")
    rows = tree.unbatch(batched)
    assert [(row["w"].words, row["x"].tolist()) for row in rows] == [(("a",), [0.0]), (("b",), [1.0])]


def test_an_owner_has_no_axis_and_one_type():
    with pytest.raises(
        ValueError, match="`axis` must be 0 for objects with `__tree_batch__`, got 1 for Words"
    ):
        tree.batch([Words("a")], axis=1)
    with pytest.raises(ValueError, match="`axis` must be 0"):
        tree.unbatch(Words("a"), axis=1)
    with pytest.raises(TypeError, match="one type, got Words first and list as number 2"):
        tree.batch([Words("a"), ["b"]])


def test_padded_graphs_stack_for_vmap():
    """google-deepmind/jraph/issues/48: vmap over stacked graphs equals a loop."""
    graphs = [
        jraph.pad_with_graphs(
            jraph.GraphsTuple(
                nodes=np.arange(n * 2, dtype=np.float32).reshape(n, 2),
                edges=None,
                senders=np.arange(n) % n,
                receivers=np.zeros(n, int),
                n_node=np.array([n]),
                n_edge=np.array([n]),
                globals=None,
            ),
            5,
            6,
        )
        for n in (2, 4)
    ]

    def net(graph):
        return jax.ops.segment_sum(graph.nodes[graph.senders], graph.receivers, num_segments=5)

    together = jax.vmap(net)(tree.stack(graphs))
    one_by_one = np.stack([net(graph) for graph in graphs])
    np.testing.assert_array_equal(together, one_by_one)


def round_trip(parts):
    batched = tree.batch(parts)
    return tree.stack(tree.unstack(tree.batch(tree.unbatch(batched))))


def test_batching_compiles(make):
    parts = [nest_of(make, 2), nest_of(make, 1, 3.0)]
    if make is np.asarray:
        run = round_trip
    elif make is jax.numpy.asarray:
        run = jax.jit(round_trip)
    elif make is tf.constant:
        run = tf.function(round_trip, autograph=False)
    elif DYNAMO_IS_OLD:
        pytest.skip("TorchDynamo of PyTorch 2.10 cannot trace it")
    else:
        run = torch.compile(round_trip, fullgraph=True, backend="eager")
    equal(run(parts), tree.batch(parts))
