"""Registrations: one for all libraries, and those that were made with any of them, before or after."""

import dataclasses
import subprocess
import sys
import textwrap
from collections import namedtuple

import jax
import optree
import pytest
import torch
import torch._dynamo  # now, and not in the midst of a test: it hands all registrations on to optree
import torch.utils._pytree as torch_pytree
from nests import oracle_is_new

from anytensor import tree

GLOBAL = vars(optree.registry)["__GLOBAL_NAMESPACE"]


def new_class():
    class Box:
        def __init__(self, value):
            self.value = value

    return Box


def children_and_none(obj):
    return (obj.value,), None


def register_with_jax(cls):
    jax.tree_util.register_pytree_node(cls, children_and_none, lambda _, children: cls(*children))


def register_with_jax_keys(cls):
    jax.tree_util.register_pytree_with_keys(
        cls,
        lambda obj: (((jax.tree_util.GetAttrKey("value"), obj.value),), None),
        lambda _, children: cls(*children),
    )


def register_with_torch(cls):
    torch_pytree.register_pytree_node(
        cls, lambda obj: ([obj.value], None), lambda children, _: cls(*children)
    )


def register_with_torch_keys(cls):
    torch_pytree.register_pytree_node(
        cls,
        lambda obj: ([obj.value], None),
        lambda children, _: cls(*children),
        flatten_with_keys_fn=lambda obj: ([(torch_pytree.GetAttrKey("value"), obj.value)], None),
    )


def register_with_optree(cls):
    optree.register_pytree_node(
        cls, children_and_none, lambda _, children: cls(*children), namespace="elsewhere"
    )


def register_with_optree_keys(cls):
    optree.register_pytree_node(
        cls,
        lambda obj: ((obj.value,), None, ("value",)),
        lambda _, children: cls(*children),
        path_entry_type=optree.GetAttrEntry,
        namespace="elsewhere",
    )


def register_with_optree_for_all(cls):
    optree.register_pytree_node(cls, children_and_none, lambda _, children: cls(*children), namespace=GLOBAL)


def define_hooks(cls):
    cls.__tree_flatten__ = children_and_none
    cls.__tree_unflatten__ = classmethod(lambda cls, _, children: cls(*children))


def define_hooks_with_names(cls):
    cls.__tree_flatten__ = lambda self: ((self.value,), None, ("value",))
    cls.__tree_unflatten__ = classmethod(lambda cls, _, children: cls(*children))


INDEX, NAME = "['k'][<flat index 0>][0]", "['k'].value[0]"


@pytest.mark.parametrize("seen_before", [False, True], ids=["registered first", "met as a leaf first"])
@pytest.mark.parametrize(
    ("register", "path"),
    [
        (register_with_jax, INDEX),
        (register_with_jax_keys, NAME),
        (register_with_torch, INDEX),
        (register_with_torch_keys, NAME),
        (register_with_optree, INDEX),
        (register_with_optree_keys, NAME),
        (register_with_optree_for_all, INDEX),
        (define_hooks, INDEX),
        (define_hooks_with_names, NAME),
    ],
)
def test_a_registration_made_elsewhere_is_seen_here(register, path, seen_before):
    cls = new_class()
    nest = {"k": cls([1, None])}
    if seen_before:
        assert tree.leaves(nest) == [nest["k"]]
    register(cls)
    assert tree.leaves(nest) == [1]
    mapped = tree.map(lambda x, y: x + y, nest, nest)
    assert type(mapped["k"]) is cls
    assert mapped["k"].value == [2, None]
    assert [tree.keystr(p) for p, _ in tree.leaves_with_path(nest)] == [path]
    assert tree.leaves(nest, is_leaf=lambda node: type(node) is cls) == [nest["k"]]


@pytest.mark.parametrize("register", [register_with_jax, register_with_torch, define_hooks])
def test_a_registered_class_within_another_one(register):
    outer, inner = new_class(), new_class()
    register_with_jax(outer)
    register(inner)
    nest = outer([inner(1), {"a": inner(2)}])
    assert tree.leaves(nest) == [1, 2]
    assert tree.map(lambda x: -x, nest).value[1]["a"].value == -2


@pytest.mark.filterwarnings("ignore:PyTree type .* is a class of `collections.namedtuple`:UserWarning")
@pytest.mark.filterwarnings("ignore:PyTree type .* is a subclass of `collections.namedtuple`:UserWarning")
@pytest.mark.parametrize("register", [register_with_jax, register_with_torch])
def test_a_registration_of_a_named_tuple_counts(register):
    cls = namedtuple("Named", "value tag")
    nest = [cls([1], "t")]
    assert tree.leaves(nest) == [1, "t"]
    if register is register_with_jax:
        jax.tree_util.register_pytree_node(cls, lambda x: ((x.value,), x.tag), lambda t, c: cls(*c, t))
    else:
        torch_pytree.register_pytree_node(
            cls, lambda x: ([x.value], x.tag), lambda children, tag: cls(*children, tag)
        )
    assert tree.leaves(nest) == [1]
    assert tree.map(lambda x: x + 1, nest) == [cls([2], "t")]


@oracle_is_new
def test_dataclasses_of_each_library():
    @dataclasses.dataclass
    class ForJax:
        x: int
        name: str = dataclasses.field(default="n", metadata={"static": True})

    @dataclasses.dataclass
    class ForTorch:
        x: int

    ForOptree = optree.dataclasses.make_dataclass("ForOptree", ["x"], namespace="elsewhere")
    jax.tree_util.register_dataclass(ForJax)
    torch_pytree.register_dataclass(ForTorch)
    nest = [ForJax(1), ForTorch(2), ForOptree(3)]
    assert tree.map(lambda x: x * 10, nest) == [ForJax(10), ForTorch(20), ForOptree(30)]
    assert [tree.keystr(path) for path, _ in tree.leaves_with_path(nest)] == ["[0].x", "[1].x", "[2].x"]


def test_an_unregistered_dataclass_is_a_leaf():
    @dataclasses.dataclass
    class Plain:
        x: int

    assert tree.leaves([Plain(1)]) == [Plain(1)]


def register_node(cls):
    tree.register_pytree_node(cls, children_and_none, lambda _, children: cls(*children))


def register_node_with_keys(cls):
    tree.register_pytree_node(
        cls,
        children_and_none,
        lambda _, children: cls(*children),
        lambda obj: (((tree.GetAttrKey("value"), obj.value),), None),
    )


def register_hooked(cls):
    define_hooks_with_names(cls)
    assert tree.register_pytree_node_class(cls) is cls


def register_old_hooks(cls):
    cls.tree_flatten = children_and_none
    cls.tree_unflatten = classmethod(lambda cls, _, children: cls(*children))
    tree.register_pytree_node_class(cls)


def register_fields(cls):
    assert tree.register_dataclass(cls, ["value"], []) is cls


@oracle_is_new
@pytest.mark.parametrize(
    ("register", "path"),
    [
        (register_node, INDEX),
        (register_node_with_keys, NAME),
        (register_hooked, NAME),
        (register_old_hooks, INDEX),
        (register_fields, NAME),
    ],
)
def test_one_registration_is_seen_by_all(register, path):
    cls = new_class()
    register(cls)
    nest = {"k": cls([1, None])}
    for leaves in (tree.leaves, jax.tree.leaves, optree.tree_leaves):
        assert leaves(nest) == [1]
    assert torch_pytree.tree_leaves(nest) == [1, None]
    for mapped in (
        tree.map(lambda x: x + 1, nest),
        jax.tree.map(lambda x: x + 1, nest),
        optree.tree_map(lambda x: x + 1, nest),
    ):
        assert type(mapped["k"]) is cls
        assert mapped["k"].value == [2, None]
    assert [tree.keystr(p) for p, _ in tree.leaves_with_path(nest)] == [path]
    jax_pairs = jax.tree_util.tree_leaves_with_path(nest)
    assert [jax.tree_util.keystr(p) for p, _ in jax_pairs] == [path]
    assert [jax.tree_util.keystr(p, simple=True, separator="/") for p, _ in jax_pairs] == [
        tree.keystr(p, simple=True, separator="/") for p, _ in tree.leaves_with_path(nest)
    ]
    if path == NAME:
        torch_pairs, _ = torch_pytree.tree_flatten_with_path(nest)
        assert torch_pytree.keystr(torch_pairs[0][0]) == path


def test_our_registration_replaces_one_taken_over_and_leaves_the_others():
    cls = new_class()
    register_with_jax(cls)
    assert tree.leaves(cls(1)) == [1]
    tree.register_pytree_node(cls, lambda obj: ((obj.value, "more"), None), lambda _, c: cls(c[0]))
    assert tree.leaves(cls(1)) == [1, "more"]
    assert jax.tree.leaves(cls(1)) == [1]


def test_registering_twice_is_an_error():
    cls = new_class()
    register_node(cls)
    with pytest.raises(ValueError, match="is already registered"):
        register_node(cls)


def test_builtin_containers_cannot_be_registered():
    with pytest.raises(ValueError, match="dict"):
        register_node(dict)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((3, len, len), "`cls` must be a class, got 3"),
        ((new_class(), 3, len), "`flatten` must be callable, got 3"),
        ((new_class(), len, None), "`unflatten` must be callable, got None"),
        ((new_class(), len, len, 3), "`flatten_with_keys` must be callable or None, got 3"),
    ],
)
def test_bad_registrations_name_the_argument(arguments, message):
    with pytest.raises(TypeError, match=message):
        tree.register_pytree_node(*arguments)


def test_a_class_without_methods_cannot_register_by_them():
    with pytest.raises(TypeError, match="must define `__tree_flatten__` and `__tree_unflatten__`"):
        tree.register_pytree_node_class(new_class())


@dataclasses.dataclass
class Fields:
    a: int
    b: int = 0
    c: int = dataclasses.field(default=3, metadata={"static": True})


def test_a_dataclass_has_static_and_dropped_fields():
    cls = dataclasses.make_dataclass("Cls", [], bases=(Fields,))
    tree.register_dataclass(cls, drop_fields=["b"])
    assert tree.leaves(cls(1, 2, 4)) == [1]
    assert tree.map(lambda x: -x, cls(1, 2, 4)) == cls(-1, 0, 4)
    assert tree.structure(cls(1, 2, 4)) != tree.structure(cls(1, 2, 5))


@pytest.mark.parametrize(
    ("cls", "arguments", "error", "message"),
    [
        (Fields, {"data_fields": ["a"]}, TypeError, "must be given together"),
        (int, {}, TypeError, "is no dataclass: `data_fields` and `meta_fields` are required"),
        (Fields, {"data_fields": ["a"], "meta_fields": ["a", "b", "c"]}, ValueError, "named twice"),
        (Fields, {"data_fields": ["a"], "meta_fields": ["b"]}, ValueError, r"missing \['c'\], unknown \[\]"),
        (
            Fields,
            {"data_fields": ["a", "z"], "meta_fields": ["b", "c"]},
            ValueError,
            r"missing \[\], unknown \['z'\]",
        ),
    ],
)
def test_bad_dataclass_registrations(cls, arguments, error, message):
    with pytest.raises(error, match=message):
        tree.register_dataclass(cls, **arguments)


def test_libraries_loaded_later_learn_of_earlier_registrations():
    script = """
        import sys
        from anytensor import tree
        assert not {"jax", "torch", "tensorflow"} & set(sys.modules), "a framework was imported"

        class Box:
            def __init__(self, value):
                self.value = value

        tree.register_pytree_node(Box, lambda b: ((b.value,), None), lambda _, children: Box(*children))
        assert tree.leaves(Box([1])) == [1]
        import jax
        assert jax.tree.leaves(Box([1])) == [1]
        selected, _ = tree.split([1, 2], lambda x: x == 1)
        assert jax.tree.leaves(selected) == [1]
        import torch
        assert torch.utils._pytree.tree_leaves(Box([1])) == [1]
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_registered_objects_pass_through_jit():
    cls = new_class()
    register_node_with_keys(cls)
    doubled = jax.jit(lambda box: tree.map(lambda x: x * 2, box))(cls(jax.numpy.ones(2)))
    assert type(doubled) is cls
    assert doubled.value.tolist() == [2.0, 2.0]


def test_structures_of_torch_results_are_nodes():
    result = torch.max(torch.eye(2), dim=0)
    assert len(tree.leaves(result)) == 2
    assert type(tree.map(lambda x: x, result)) is type(result)
