"""Paths and how they print, against jax.tree_util."""

from collections import deque
from types import SimpleNamespace

import jax
import optree
import pytest
import torch.utils._pytree as torch_pytree
from hypothesis import given
from nests import Boxed, Point, jax_nests, oracle_is_new

from anytensor import tree


@oracle_is_new
@given(jax_nests)
def test_paths_print_as_in_jax(nest):
    expected, _ = jax.tree_util.tree_flatten_with_path(nest)
    pairs, structure = tree.flatten_with_path(nest)
    assert [leaf for _, leaf in pairs] == [leaf for _, leaf in expected]
    assert [tree.keystr(path) for path, _ in pairs] == [jax.tree_util.keystr(path) for path, _ in expected]
    assert [repr(path) for path, _ in pairs] == [repr(path) for path, _ in expected]
    assert structure == tree.structure(nest)
    for (path, _), (jax_path, _) in zip(pairs, expected, strict=True):
        short = jax.tree_util.keystr(jax_path, simple=True, separator="/")
        assert tree.keystr(path, simple=True, separator="/") == short
        assert tree.keystr(jax_path, simple=True, separator="/") == short
        assert jax.tree_util.keystr(path) == tree.keystr(path)


@oracle_is_new
@given(jax_nests)
def test_is_leaf_with_a_path_equals_jax(nest):
    def is_leaf(path, node):
        return len(path) == 2 or isinstance(node, Point)

    expected, jax_structure = jax.tree_util.tree_flatten_with_path(nest, is_leaf, is_leaf_takes_path=True)
    pairs, structure = tree.flatten_with_path(nest, is_leaf, is_leaf_takes_path=True)
    assert [(tree.keystr(path), leaf) for path, leaf in pairs] == [
        (jax.tree_util.keystr(path), leaf) for path, leaf in expected
    ]
    assert structure.num_nodes == jax_structure.num_nodes


@oracle_is_new
@given(jax_nests)
def test_map_with_path_equals_jax(nest):
    def by_path(keystr):
        return lambda path, x, y: f"{keystr(path)}={x}+{y}"

    ours = tree.map_with_path(by_path(tree.keystr), nest, nest)
    assert ours == jax.tree_util.tree_map_with_path(by_path(jax.tree_util.keystr), nest, nest)


def test_leaves_with_path_are_the_pairs():
    nest = {"a": [Boxed(1)], "q": deque([2])}
    assert tree.leaves_with_path(nest) == tree.flatten_with_path(nest)[0]
    assert [tree.keystr(path) for path, _ in tree.leaves_with_path(nest)] == [
        "['a'][0][<flat index 0>]",
        "['q'][0]",
    ]


def test_the_path_of_a_lone_leaf_is_empty():
    assert tree.leaves_with_path(5) == [((), 5)]
    assert tree.keystr(()) == ""


def test_keys_reach_the_leaf():
    nest = {"a": [0, Point(1, SimpleNamespace(z=2))]}
    for path, leaf in tree.leaves_with_path(nest):
        node = nest
        for key in path:
            node = key.get(node)
        assert node is leaf


def test_keys_of_torch_print_too():
    path = (torch_pytree.MappingKey("a"), torch_pytree.SequenceKey(0), torch_pytree.GetAttrKey("x"))
    assert tree.keystr(path) == "['a'][0].x"
    assert tree.keystr(path, simple=True, separator=".") == "a.0.x"


@pytest.mark.parametrize("key", [tree.DictKey("a"), tree.SequenceKey(1), tree.GetAttrKey("x")])
def test_keys_are_values(key):
    assert key == type(key)(*vars(key).values())
    assert len({key, type(key)(*vars(key).values())}) == 1


def test_keys_without_any_order_keep_their_paths():
    class Key:
        def __init__(self, name):
            self.name = name

        def __repr__(self):
            return self.name

    nest = {Key("q"): 1, Key("p"): [2]}
    assert [tree.keystr(path) for path, _ in tree.leaves_with_path(nest)] == ["[q]", "[p][0]"]


def test_a_path_predicate_is_required_where_one_is_announced():
    with pytest.raises(TypeError, match="`is_leaf_takes_path` needs `is_leaf`"):
        tree.flatten_with_path([1], is_leaf_takes_path=True)


def test_accessors_of_optree_agree_with_our_keys():
    nest = {"a": (1, [2]), "b": Point(3, {"c": 4})}
    accessors = optree.tree_accessors(nest)
    assert [tree.keystr(path) for path, _ in tree.leaves_with_path(nest)] == [
        accessor.codify("") for accessor in accessors
    ]
