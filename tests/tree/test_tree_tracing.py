"""The walk that TorchDynamo traces, run by hand: optree's own walk has the last word on every nest."""

from collections import OrderedDict, defaultdict, deque

import optree
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nests import Boxed, Point, jax_nests, optree_nests

from anytensor import tree
from anytensor.tree import walking
from anytensor.tree.tracing import TracedStructure, flatten_traced

ANY = st.one_of(jax_nests, optree_nests)


@given(ANY, st.sampled_from([None, lambda node: isinstance(node, (list, OrderedDict))]))
@settings(max_examples=100, deadline=None)
def test_leaves_and_nest_are_those_of_the_walk_outside(nest, is_leaf):
    flat, spec = tree.flatten(nest, is_leaf)
    traced, structure = flatten_traced(nest, is_leaf)
    assert traced == flat
    assert (structure.num_leaves, structure.num_nodes) == (spec.num_leaves, spec.num_nodes)
    assert structure.unflatten(traced) == spec.unflatten(flat) == nest
    assert len(structure.children()) == len(spec.children())
    if flat != [nest]:
        assert list(structure.entries()) == list(spec.entries())


@given(ANY, ANY)
@settings(max_examples=100, deadline=None)
def test_structures_are_equal_where_optree_says_so(one, two):
    for other in (one, two):
        outside = tree.structure(one) == tree.structure(other)
        traced, second = flatten_traced(one, None)[1], flatten_traced(other, None)[1]
        assert (traced == second) is outside
        assert not outside or hash(traced) == hash(second)


DIFFERENT = {
    "another class": ([1, 2], (1, 2)),
    "another length": ([1], [1, 2]),
    "other keys": ({"a": 1}, {"b": 1}),
    "deeper": ([1, [2]], [1, 2]),
    "other metadata": (Boxed(1, 2), Boxed(1, 3)),
    "a leaf within": ([1, [2], 3], [[1], 2, 3]),
    "limit of a deque": (deque([1]), deque([1], maxlen=3)),
    "factory of a defaultdict": (defaultdict(list, a=1), defaultdict(dict, a=1)),
    "no structure": ([1], "x"),
}
SAME = {
    "order of insertion": ({"a": 1, "b": 2}, {"b": 1, "a": 2}),
    "values": (Point(1, 2), Point(3, 4)),
}


@pytest.mark.parametrize("case", DIFFERENT)
def test_what_makes_structures_differ(case):
    one, two = DIFFERENT[case]
    assert tree.structure(one) != tree.structure(two)
    assert flatten_traced(one, None)[1] != flatten_traced(two, None)[1]


@pytest.mark.parametrize("case", SAME)
def test_what_does_not(case):
    one, two = SAME[case]
    assert tree.structure(one) == tree.structure(two)
    assert flatten_traced(one, None)[1] == flatten_traced(two, None)[1]


def test_no_other_object_equals_a_structure():
    structure = flatten_traced([1], None)[1]
    assert structure != tree.structure([1])
    assert structure != [1]


@pytest.fixture
def traced(monkeypatch):
    """Have the public functions believe that Dynamo reads them."""
    monkeypatch.setattr(walking, "is_traced", lambda: True)


def test_public_functions_take_the_walk(traced):
    nest = {"b": [1, None], "a": Point(2, 3)}
    flat, structure = tree.flatten(nest)
    assert flat == [2, 3, 1]
    assert type(structure) is TracedStructure
    assert tree.unflatten(structure, [20, 30, 10]) == {"a": Point(20, 30), "b": [10, None]}
    assert tree.map(lambda x, y: x + y, nest, nest) == {"a": Point(4, 6), "b": [2, None]}
    with pytest.raises(ValueError, match=r"tree\.unflatten: `leaves` has 1 items, the structure has 3"):
        tree.unflatten(structure, [1])


def test_a_structure_of_outside_is_refused_inside(traced):
    outside = optree.tree_structure([1, 2], namespace="anytensor")
    with pytest.raises(TypeError, match=r"`structure` was made outside of torch\.compile"):
        tree.unflatten(outside, [1, 2])


@pytest.mark.parametrize("case", [name for name in DIFFERENT if " of a " not in name])
def test_a_mismatch_is_named_inside_as_outside(traced, monkeypatch, case):
    one, two = DIFFERENT[case]
    messages = []
    for inside in (True, False):
        monkeypatch.setattr(walking, "is_traced", lambda inside=inside: inside)
        with pytest.raises(ValueError, match="differs in structure") as error:
            tree.map(lambda x, y: x, one, two)
        messages.append(str(error.value))
    assert messages[0] == messages[1]
