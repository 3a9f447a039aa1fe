"""Flatten, map, reduce and transpose against jax.tree_util and optree, on generated nests."""

from collections import defaultdict, deque

import jax
import numpy as np
import optree
import pytest
import tensorflow as tf
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from nests import Boxed, Point, integers, jax_nests, optree_nests

from anytensor import tree


@given(jax_nests)
def test_flatten_and_unflatten_equal_jax(nest):
    expected, jax_structure = jax.tree.flatten(nest)
    leaves, structure = tree.flatten(nest)
    assert leaves == expected
    assert (structure.num_leaves, structure.num_nodes) == (jax_structure.num_leaves, jax_structure.num_nodes)
    assert tree.unflatten(structure, leaves) == nest
    new = [leaf * 10 for leaf in leaves]
    assert tree.unflatten(structure, new) == jax.tree.unflatten(jax_structure, new)


@given(optree_nests)
def test_flatten_and_unflatten_equal_optree(nest):
    expected, optree_structure = optree.tree_flatten(nest)
    leaves, structure = tree.flatten(nest)
    assert leaves == expected
    assert structure == optree_structure
    rebuilt = tree.unflatten(structure, leaves)
    assert rebuilt == nest
    assert repr(rebuilt) == repr(nest)  # the order of every dict's keys included


@given(jax_nests)
def test_map_of_two_trees_equals_jax(nest):
    other = tree.map(lambda x: x + 100, nest)
    assert tree.map(lambda x, y: (x, y), nest, other) == jax.tree.map(lambda x, y: (x, y), nest, other)


@given(jax_nests)
def test_subtrees_in_the_place_of_leaves_equal_jax(nest):
    other = tree.map(lambda x: {"n": [x, None]}, nest)
    assert tree.map(lambda x, y: (x, y), nest, other) == jax.tree.map(lambda x, y: (x, y), nest, other)


@given(jax_nests, st.sampled_from([list, Point, Boxed, type(None), dict]))
def test_is_leaf_equals_jax(nest, kind):
    def is_leaf(node):
        return isinstance(node, kind)

    expected, jax_structure = jax.tree.flatten(nest, is_leaf)
    leaves, structure = tree.flatten(nest, is_leaf)
    assert leaves == expected
    assert structure.num_nodes == jax_structure.num_nodes
    assert tree.map(lambda x: [x], nest, is_leaf=is_leaf) == jax.tree.map(
        lambda x: [x], nest, is_leaf=is_leaf
    )


@given(jax_nests, jax_nests)
@settings(max_examples=200, deadline=None)
def test_trees_match_exactly_when_they_match_in_jax(one, two):
    try:
        expected = jax.tree.map(lambda x, y: (x, y), one, two)
    except ValueError:
        with pytest.raises(ValueError, match=r"tree number 2 differs in structure at"):
            tree.map(lambda x, y: (x, y), one, two)
    else:
        assert tree.map(lambda x, y: (x, y), one, two) == expected


@given(jax_nests)
def test_structures_are_equal_exactly_when_jax_says_so(nest):
    shuffled = tree.map(lambda x: -x, nest)
    assert tree.structure(nest) == tree.structure(shuffled)
    assert hash(tree.structure(nest)) == hash(tree.structure(shuffled))


@given(jax_nests, integers)
def test_reduce_equals_jax(nest, start):
    def fold(total, x):
        return total * 3 + x

    assert tree.reduce(fold, nest, start) == jax.tree.reduce(fold, nest, start)
    if jax.tree.leaves(nest):
        assert tree.reduce(fold, nest) == jax.tree.reduce(fold, nest)


@given(jax_nests)
def test_all_equals_jax(nest):
    assert tree.all(nest) is jax.tree.all(nest)


@given(jax_nests.filter(jax.tree.leaves), jax_nests.filter(jax.tree.leaves))
def test_transpose_equals_jax(outer, inner):
    nest = tree.map(lambda x: tree.map(lambda y: (x + 1) * 100 + y, inner), outer)
    expected = jax.tree.transpose(jax.tree.structure(outer), jax.tree.structure(inner), nest)
    assert tree.transpose(tree.structure(outer), tree.structure(inner), nest) == expected
    assert tree.transpose(tree.structure(outer), None, nest) == expected


def test_transpose_without_outer_leaves_gives_empty_outer_trees():
    assert tree.transpose(tree.structure([]), tree.structure({"a": 0}), []) == {"a": []}


def test_transpose_without_outer_leaves_cannot_infer_the_inner_structure():
    with pytest.raises(ValueError, match="`inner` is required"):
        tree.transpose(tree.structure([]), None, [])


def test_transpose_names_the_path_of_a_subtree_that_is_not_the_inner_one():
    outer, inner = tree.structure({"p": 0, "q": 0}), tree.structure([0, 0])
    with pytest.raises(ValueError, match=r"at \['q'\]: expected list of length 2, got list of length 3"):
        tree.transpose(outer, inner, {"p": [1, 2], "q": [1, 2, 3]})


def test_transpose_refuses_a_subtree_in_the_place_of_an_inner_leaf():
    with pytest.raises(ValueError, match=r"at \[0\]\[1\]: expected a leaf, got tuple of length 2"):
        tree.transpose(tree.structure([0]), tree.structure([0, 0]), [[1, (2, 3)]])


def test_none_is_an_empty_subtree():
    assert tree.map(lambda x: x, None) is None
    assert tree.leaves(None) == []
    assert tree.leaves([None, {}, (), 0]) == [0]


def test_reduce_of_nothing_says_what_is_missing():
    with pytest.raises(TypeError, match="`tree` has no leaves and there is no `initializer`"):
        tree.reduce(lambda x, y: x, [None])


def test_reduce_takes_none_as_initializer():
    assert tree.reduce(lambda total, x: x, [], None) is None


def test_dicts_go_by_sorted_key_and_keep_their_own_order():
    leaves, structure = tree.flatten({"b": {"d": 2, "c": 1}, "a": 0})
    assert leaves == [0, 1, 2]
    refilled = tree.unflatten(structure, [10, 30, 40])
    assert refilled == {"a": 10, "b": {"c": 30, "d": 40}}
    assert list(refilled) == ["b", "a"]
    assert list(refilled["b"]) == ["d", "c"]


def test_equal_dicts_have_equal_structures_in_any_order():
    """pytorch/pytorch/issues/114392, /183060; keras-team/keras/pull/23201."""
    one, two = tree.structure({"a": 1, "b": 2, 3: 3}), tree.structure({3: 3, "b": 2, "a": 1})
    assert one == two
    assert hash(one) == hash(two)


def test_keys_that_cannot_be_compared_are_no_obstacle():
    """jax-ml/jax/issues/15358, /40026, /27300."""
    assert tree.map(lambda x: x + 1, {1: 7, "y": 42}) == {1: 8, "y": 43}
    assert tree.leaves({"y": 42, 1: 7}) == tree.leaves({1: 7, "y": 42})


def test_keys_without_any_order_pair_by_key():
    class Key:
        pass

    a, b = Key(), Key()
    assert tree.map(lambda x, y: (x, y), {a: 1, b: 2}, {b: 20, a: 10}) == {a: (1, 10), b: (2, 20)}


def test_a_defaultdict_keeps_its_factory_and_a_deque_its_limit():
    made = tree.map(lambda x: x, {"d": defaultdict(list, a=1), "q": deque([1, 2], maxlen=2)})
    assert made["d"].default_factory is list
    assert made["q"].maxlen == 2


def test_the_argument_is_not_changed():
    nest = {"b": [1, 2], "a": deque([3])}
    tree.map(lambda x: x + 1, nest)
    assert nest == {"b": [1, 2], "a": deque([3])}


@pytest.mark.parametrize(
    "tensor",
    [np.arange(3.0), jax.numpy.arange(3.0), torch.arange(3.0), tf.range(3.0), tf.Variable([0.0, 1.0, 2.0])],
    ids=["numpy", "jax", "torch", "tensorflow", "tf.Variable"],
)
def test_tensors_of_every_framework_are_leaves(tensor):
    nest = {"a": tensor, "b": (tensor, None)}
    assert all(leaf is tensor for leaf in tree.leaves(nest))
    doubled = tree.map(lambda x, y: x + y, nest, nest)
    np.testing.assert_array_equal(np.asarray(doubled["b"][0]), [0.0, 2.0, 4.0])


def test_unflatten_counts_the_leaves():
    with pytest.raises(ValueError, match="`leaves` has 1 items, the structure has 2 leaves"):
        tree.unflatten(tree.structure([0, 0]), [1])


def test_unflatten_wants_a_structure():
    with pytest.raises(
        TypeError, match=r"`structure` must be a structure of this library, got <class 'list'>"
    ):
        tree.unflatten([0, 0], [1, 2])


NAMES = [
    *("all", "flatten", "leaves", "map", "reduce", "structure", "transpose", "unflatten"),
    *("flatten_with_path", "leaves_with_path", "map_with_path"),
]


@pytest.mark.parametrize("name", NAMES)
def test_the_long_names_are_the_same_functions(name):
    assert getattr(tree, f"tree_{name}") is getattr(tree, name)
    assert hasattr(jax.tree_util, f"tree_{name}")


@pytest.mark.parametrize("ones", [jax.numpy.ones, torch.ones, tf.ones], ids=["jax", "torch", "tensorflow"])
def test_eager_arrays_are_known_for_leaves(ones, monkeypatch):
    def search(kind):
        raise AssertionError(f"four registries were searched for {kind}")

    array = ones(2)
    monkeypatch.setattr("anytensor.tree.walking.adopt", search)
    first, second = tree.leaves({"a": array, "b": [array]})
    assert first is array
    assert second is array
