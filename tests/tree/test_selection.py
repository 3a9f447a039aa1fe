"""Split and merge."""

import copy
import pickle

import jax
import numpy as np
import optree
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nests import Point, jax_nests, optree_nests

from anytensor import tree


@given(optree_nests, st.integers(0, 9))
def test_merge_undoes_split_by_a_predicate(nest, bound):
    parts = tree.split(nest, lambda leaf: leaf < bound)
    assert tree.merge(*parts) == nest
    assert tree.merge(parts) == nest
    assert tree.merge(*reversed(parts)) == nest
    assert tree.leaves(parts.selected) == [leaf for leaf in tree.leaves(nest) if leaf < bound]
    assert tree.leaves(parts.rest) == [leaf for leaf in tree.leaves(nest) if leaf >= bound]


@given(jax_nests, st.data())
def test_merge_undoes_split_by_a_mask(nest, data):
    """jax-ml/jax/issues/7828."""
    mask = tree.map(lambda _: data.draw(st.booleans()), nest)
    parts = tree.split(nest, mask)
    assert tree.merge(parts) == nest
    assert tree.leaves(parts.selected) == [
        leaf for leaf, flag in zip(tree.leaves(nest), tree.leaves(mask), strict=True) if flag
    ]


@given(jax_nests)
def test_a_part_has_the_same_leaves_for_every_library(nest):
    selected, _ = tree.split(nest, lambda leaf: leaf % 2)
    assert jax.tree.leaves(selected) == tree.leaves(selected)


def test_a_bool_speaks_for_a_subtree():
    nest = {"a": [1, {"b": 2}], "c": Point(3, None)}
    parts = tree.split(nest, {"a": True, "c": False})
    assert tree.leaves(parts.selected) == [1, 2]
    assert tree.split(nest, True) == (nest, tree.map(lambda _: tree.HOLE, nest))


def test_none_is_no_hole():
    selected, rest = tree.split([None, 1, 2], [None, True, False])
    assert selected == [None, 1, tree.HOLE]
    assert rest == [None, tree.HOLE, 2]
    assert tree.merge(selected, rest) == [None, 1, 2]
    assert optree.tree_leaves(selected) == [1]


def test_three_parts_merge_and_open_holes_stay():
    one, rest = tree.split({"a": 1, "b": 2, "c": 3}, lambda leaf: leaf == 1)
    two, three = tree.split(rest, lambda leaf: leaf == 2)
    assert tree.merge(one, two) == {"a": 1, "b": 2, "c": tree.HOLE}
    assert tree.merge(three, one, two) == {"a": 1, "b": 2, "c": 3}


def test_is_leaf_takes_subtrees_whole():
    parts = tree.split(
        [Point(1, 2), 3], lambda leaf: isinstance(leaf, Point), is_leaf=lambda n: isinstance(n, Point)
    )
    assert parts.selected == [Point(1, 2), tree.HOLE]
    assert tree.merge(parts) == [Point(1, 2), 3]


def test_numpy_bools_are_bools():
    assert tree.split([1, 2], [np.True_, np.False_]).selected == [1, tree.HOLE]


def test_the_gradient_goes_to_one_part_only():
    weights = {"w": jax.numpy.ones(2), "steps": 7}
    trained, frozen = tree.split(weights, lambda leaf: not isinstance(leaf, int))

    def loss(part):
        merged = tree.merge(part, frozen)
        return (merged["w"] * merged["steps"]).sum()

    gradient = jax.grad(loss)(trained)
    assert gradient["w"].tolist() == [7.0, 7.0]
    assert gradient["steps"] is tree.HOLE


def test_a_leaf_in_two_parts_is_an_error_that_names_the_path():
    with pytest.raises(
        ValueError, match=r"tree number 2 has a leaf that another one has too, at \['a'\]\[0\]"
    ):
        tree.merge({"a": [1]}, {"a": [2]})


def test_a_leaf_and_a_subtree_in_one_place_are_an_error():
    with pytest.raises(ValueError, match=r"at \['a'\]: list"):
        tree.merge({"a": 1}, {"a": [2]})


def test_keys_without_any_order_merge_by_key():
    class Key:
        pass

    a, b = Key(), Key()
    assert tree.merge({a: 1, b: tree.HOLE}, {b: 2, a: tree.HOLE}) == {a: 1, b: 2}


def test_parts_of_other_structure_are_an_error_that_names_the_path():
    with pytest.raises(ValueError, match=r"tree.merge: tree number 2 differs in structure at \['a'\]"):
        tree.merge({"a": [1]}, {"a": (tree.HOLE,)})


def test_a_mask_of_other_structure_is_an_error_that_names_the_path():
    with pytest.raises(ValueError, match=r"structure of `mask`, differs in structure at \['a'\]"):
        tree.split({"a": [1]}, {"a": (True,)})


def test_a_mask_holds_bools_only():
    with pytest.raises(TypeError, match=r"`mask` must hold bools, got int 1 at \['a'\]"):
        tree.split({"a": [1]}, {"a": 1})


def test_merge_needs_a_tree():
    with pytest.raises(TypeError, match="at least one tree is required"):
        tree.merge()


def test_the_hole_is_one_object():
    assert copy.deepcopy([tree.HOLE])[0] is tree.HOLE
    assert pickle.loads(pickle.dumps(tree.HOLE)) is tree.HOLE
    assert repr(tree.HOLE) == "HOLE"
