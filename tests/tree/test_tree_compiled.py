"""The same under jax.jit, tf.function and torch.compile with one whole graph."""

from collections import OrderedDict, defaultdict, deque

import jax
import numpy as np
import pytest
import tensorflow as tf
import torch
from nests import Point, dynamo_is_new

from anytensor import tree


class Hooked:
    def __init__(self, value):
        self.value = value

    def __tree_flatten__(self):
        return (self.value,), None

    @classmethod
    def __tree_unflatten__(cls, _, children):
        return cls(*children)


class ForTorch(Hooked):
    __tree_flatten__ = None


class ForOptree(ForTorch):
    pass


def nest_of(x):
    return {
        "list": [x, None, (x,)],
        "named": Point(x, {"z": x, "a": 2.0}),
        "ordered": OrderedDict(z=x, a=x),
        "default": defaultdict(list, k=x),
    }


def add(nest, other):
    """Go through most of the interface."""
    leaves, structure = tree.flatten(nest)
    again = tree.unflatten(structure, leaves)
    total = tree.map(lambda x, y: x + y, again, other)
    return tree.map_with_path(lambda path, x: x * len(path), total)


def check(result):
    x = np.array([2.0, 4.0])
    expected = nest_of(x)
    expected["list"] = [x * 2, None, (x * 3,)]
    expected["named"] = Point(x * 2, {"z": x * 3, "a": 12.0})
    expected["ordered"] = OrderedDict(z=x * 2, a=x * 2)
    expected["default"] = defaultdict(list, k=x * 2)
    assert type(result["ordered"]) is OrderedDict
    tree.map(lambda a, b: np.testing.assert_array_equal(np.asarray(a), b), result, expected)


def test_jax_jit():
    nest = nest_of(jax.numpy.array([1.0, 2.0]))
    check(jax.jit(add)(nest, nest))


def test_tf_function():
    x = tf.constant([1.0, 2.0])

    @tf.function
    def run(x):
        return add(nest_of(x), nest_of(x))

    result = run(x)
    result["default"] = defaultdict(list, result["default"])  # tf.function returns a plain dict
    check(result)


def compiled(function):
    torch.compiler.reset()
    return torch.compile(function, fullgraph=True, backend="eager")


@dynamo_is_new
def test_torch_compile():
    nest = nest_of(torch.tensor([1.0, 2.0]))
    result = compiled(add)(nest, nest)
    check(result)
    assert list(result["named"].y) == ["z", "a"]


def test_torch_compile_keeps_insertion_order_out_of_the_structure():
    x = torch.ones(2)
    result = compiled(lambda a, b: tree.map(lambda p, q: p - q, a, b))({"a": x, "b": 2 * x}, {"b": x, "a": x})
    assert result["a"].tolist() == [0.0, 0.0]
    assert result["b"].tolist() == [1.0, 1.0]


def test_torch_compile_maps_over_constants_and_prefixes():
    x = torch.ones(2)

    def run(nest, other):
        pairs = tree.map(lambda a, b: a + b[0], nest, other)
        flags = tree.map(lambda v: v > 1, {"n": 3, "m": [0]})
        return pairs, flags

    pairs, flags = compiled(run)({"a": x, "q": deque([x])}, {"q": deque([(x, 5)]), "a": [x]})
    assert pairs["q"][0].tolist() == [2.0, 2.0]
    assert flags == {"n": True, "m": [False]}


def test_torch_compile_sees_classes_it_has_not_met_before():
    torch.utils._pytree.register_pytree_node(
        ForTorch, lambda obj: ([obj.value], None), lambda children, _: ForTorch(*children)
    )
    tree.register_pytree_node(ForOptree, lambda obj: ((obj.value,), None), lambda _, c: ForOptree(*c))
    nest = [Hooked(ForTorch({"a": torch.ones(2)})), ForOptree(torch.ones(2))]
    result = compiled(lambda nest: tree.map(lambda x: x + 1, nest))(nest)
    assert result[0].value.value["a"].tolist() == [2.0, 2.0]
    assert type(result[1]) is ForOptree


def test_torch_compile_of_the_rest_of_the_interface():
    def run(nest):
        total = tree.reduce(lambda a, b: a + b, nest)
        selected, rest = tree.split(nest, {"a": True, "b": False})
        merged = tree.merge(selected, rest)
        outer, inner = tree.structure([0, 0]), tree.structure({"x": 0})
        turned = tree.transpose(outer, inner, [{"x": merged["a"]}, {"x": merged["b"]}])
        return total, turned, [tree.keystr(path) for path, _ in tree.leaves_with_path(nest)]

    total, turned, paths = compiled(run)({"b": 2 * torch.ones(1), "a": torch.ones(1)})
    assert total.tolist() == [3.0]
    assert [x.tolist() for x in turned["x"]] == [[1.0], [2.0]]
    assert paths == ["['a']", "['b']"]


def test_torch_compile_backward():
    def loss(nest):
        return tree.reduce(lambda a, b: a + b, tree.map(lambda x: (x * x).sum(), nest))

    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = torch.tensor([3.0], requires_grad=True)
    compiled(loss)({"a": x, "b": [y]}).backward()
    assert x.grad.tolist() == [2.0, 4.0]
    assert y.grad.tolist() == [6.0]


def test_torch_compile_does_not_recompile_when_only_values_change():
    torch.compiler.reset()
    count = torch._dynamo.testing.CompileCounter()
    run = torch.compile(lambda nest: tree.map(lambda x: x + 1, nest), fullgraph=True, backend=count)
    run({"a": torch.zeros(2)})
    tree.leaves([Hooked(1)])
    run({"a": torch.ones(2)})
    assert count.frame_count == 1


def test_a_structure_from_outside_of_torch_compile_is_refused_by_name():
    outside = tree.structure({"a": 0})
    with pytest.raises(torch._dynamo.exc.Unsupported, match="made outside"):
        compiled(lambda x: tree.unflatten(outside, [x]))(torch.ones(1))
