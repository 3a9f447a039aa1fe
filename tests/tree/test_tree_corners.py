"""Keys of optree's entries, keys of one's own, leaves of unregistered classes, errors of frameworks."""

from collections import deque
from types import SimpleNamespace

import jax
import numpy as np
import optree
import pytest

from anytensor import tree
from anytensor.tree import batching, mismatch, nodes, walking
from anytensor.tree.keys import DictKey, FlattenedIndexKey, GetAttrKey, SequenceKey
from anytensor.tree.levels import level


def entry(kind, value):
    return kind(value, dict, optree.PyTreeKind.CUSTOM)


@pytest.mark.parametrize(
    ("made", "key"),
    [
        (entry(optree.MappingEntry, "a"), DictKey("a")),
        (entry(optree.GetAttrEntry, "a"), GetAttrKey("a")),
        (entry(optree.GetItemEntry, 1), SequenceKey(1)),
        (entry(optree.FlattenedEntry, 1), FlattenedIndexKey(1)),
        (entry(optree.FlattenedEntry, "a"), GetAttrKey("a")),
        ("one's own", "one's own"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_entries_become_keys(made, key):
    assert nodes._key_from_entry(made) == key


def test_a_framework_without_the_class_of_eager_arrays_adds_none():
    before = set(nodes.SURE_LEAVES)
    nodes._add_eager("no_such_module", "Array")
    nodes._add_eager("jax", "no_such_class")
    assert before == nodes.SURE_LEAVES


class Own:
    """A key of a class that JAX does not know."""

    def __init__(self, value):
        self.value = value

    def __str__(self):
        return f"<{self.value}>"


def test_a_key_of_ones_own_reaches_jax_as_it_is():
    class Box:
        def __init__(self, x):
            self.x = x

    tree.register_pytree_node(
        Box,
        lambda box: ((box.x,), None),
        lambda metadata, children: Box(*children),
        lambda box: (((Own("x"), box.x),), None),
    )
    ((path, leaf),), _ = jax.tree_util.tree_flatten_with_path(Box(3))
    assert leaf == 3
    assert type(path[0]) is Own


def test_objects_of_unregistered_classes_are_leaves():
    one = SimpleNamespace(x=1)
    assert level(one) is None
    assert tree.leaves([one, {"a": one}]) == [one, one]


def test_a_structure_deeper_than_the_tree_is_named():
    with pytest.raises(ValueError, match="a tree has the leaf int 1 where its structure has list"):
        mismatch.leaf_paths(tree.structure([[1], 2]), [1, 2])


def test_the_missing_initializer_reads_as_such():
    assert repr(walking._MISSING) == "<no initializer>"


def test_an_error_of_a_frameworks_own_class_comes_out_as_it_is():
    class StrangeError(ValueError):
        def __init__(self, one, two):
            super().__init__(one, two)

    def split(leaf):
        raise StrangeError(1, 2)

    x = [np.ones(2)]
    with pytest.raises(StrangeError):
        batching._named("unbatch", "leaf", tree.structure(x), x, 0, split, x[0])


def test_a_subtree_that_differs_in_a_deques_limit_is_transposed():
    outer, inner = tree.structure([0, 0]), tree.structure(deque([0]))
    assert tree.transpose(outer, inner, [deque([1], maxlen=3), deque([2])]) == deque([[1, 2]])
