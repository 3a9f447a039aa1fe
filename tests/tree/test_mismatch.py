"""Trees that do not match raise a ValueError that names the path and both structures."""

from collections import OrderedDict, defaultdict, namedtuple

import pytest

from anytensor import tree

Point = namedtuple("Point", "x y")
Pair = namedtuple("Pair", "x y")


@pytest.mark.parametrize(
    ("one", "two", "message"),
    [
        ({"a": [1, 2]}, {"a": [1, 2, 3]}, r"at ['a']: expected list of length 2, got list of length 3"),
        ({"a": [1, 2]}, {"a": (1, 2)}, r"at ['a']: expected list of length 2, got tuple of length 2"),
        ([{"a": 1}], [{"b": 1}], r"at [0]: expected dict with keys ['a'], got dict with keys ['b']"),
        (
            {"p": {"a": 1}},
            {"p": OrderedDict(a=1)},
            r"at ['p']: expected dict with keys ['a'], got OrderedDict with keys ['a']",
        ),
        (
            OrderedDict(a=1, b=2),
            OrderedDict(b=1, a=2),
            r"at the root: expected OrderedDict with keys ['a', 'b'], got OrderedDict with keys ['b', 'a']",
        ),
        ({"a": 1}, defaultdict(int, a=1), r"expected dict with keys ['a'], got defaultdict with keys ['a']"),
        ([1, None], [1, 2], r"at [1]: expected None, got the leaf int 2"),
        ([1, [2]], [1, None], r"at [1]: expected list of length 1, got None"),
        (Point(1, [2]), Point(1, 2), r"at .y: expected list of length 1, got the leaf int 2"),
        (
            Point(1, 2),
            Pair(1, 2),
            r"expected Point with fields ['x', 'y'], got Pair with fields ['x', 'y']",
        ),
    ],
)
def test_the_message_names_the_place_and_what_is_there(one, two, message):
    """metaopt/optree/issues/27."""
    with pytest.raises(ValueError, match="differs in structure") as caught:
        tree.map(lambda x, y: x, one, two)
    assert message in str(caught.value)


def test_the_message_shows_both_structures_and_which_tree_it_was():
    good = {"a": [1, Point(2, None)]}
    with pytest.raises(ValueError, match="differs") as caught:
        tree.map(lambda *xs: xs, good, good, {"a": [1, {"k": 2}]})
    assert str(caught.value) == (
        "tree.map: tree number 3 differs in structure at ['a'][1]: "
        "expected Point with fields ['x', 'y'], got dict with keys ['k'].\n"
        "  expected: {'a': [*, Point(x=*, y=None)]}\n"
        "  got:      {'a': [*, {'k': *}]}"
    )


def test_metadata_of_a_registered_class_is_part_of_the_structure():
    @tree.register_pytree_node_class
    class Tagged:
        def __init__(self, tag, value):
            self.tag, self.value = tag, value

        def __tree_flatten__(self):
            return [self.value], self.tag

        @classmethod
        def __tree_unflatten__(cls, tag, children):
            return cls(tag, *children)

    assert tree.leaves(tree.map(lambda x, y: x + y, [Tagged("a", 1)], [Tagged("a", 2)])) == [3]
    with pytest.raises(ValueError, match=r"at \[0\]: Tagged objects with different metadata"):
        tree.map(lambda x, y: x, [Tagged("a", 1)], [Tagged("b", 1)])


def test_map_with_path_names_itself():
    with pytest.raises(ValueError, match=r"tree.map_with_path: tree number 2 differs in structure at \[0\]"):
        tree.map_with_path(lambda path, x, y: x, [[1]], [(1,)])
