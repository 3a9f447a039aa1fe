"""Hypothesis strategies for nests, of what JAX knows and of what optree knows."""

import inspect
from collections import OrderedDict, defaultdict, deque, namedtuple

import jax
import pytest
import torch
from hypothesis import strategies as st

oracle_is_new = pytest.mark.skipif(
    "simple" not in inspect.signature(jax.tree_util.keystr).parameters,
    reason="what this compares with is not in JAX 0.4.35, the floor",
)
# PyTorch 2.10, the floor, traces neither hasattr of a class nor a defaultdict's factory.
DYNAMO_IS_OLD = torch.__version__.startswith("2.10.")
dynamo_is_new = pytest.mark.skipif(DYNAMO_IS_OLD, reason="TorchDynamo of PyTorch 2.10 cannot trace it")

Point = namedtuple("Point", "x y")


@jax.tree_util.register_pytree_node_class
class Boxed:
    def __init__(self, value, tag=0):
        self.value, self.tag = value, tag

    def tree_flatten(self):
        return (self.value,), self.tag

    @classmethod
    def tree_unflatten(cls, tag, children):
        return cls(*children, tag)

    def __eq__(self, other):
        return type(other) is Boxed and (self.value, self.tag) == (other.value, other.tag)


names = st.text("abc", max_size=2)
integers = st.integers(0, 9)


def nests(leaves, keys, more=()):
    def grow(inner):
        return st.one_of(
            st.lists(inner, max_size=3),
            st.lists(inner, max_size=3).map(tuple),
            st.dictionaries(keys, inner, max_size=3),
            st.dictionaries(keys, inner, max_size=3).map(OrderedDict),
            st.dictionaries(keys, inner, max_size=3).map(lambda d: defaultdict(list, d)),
            st.tuples(inner, inner).map(lambda pair: Point(*pair)),
            *[make(inner) for make in more],
        )

    return st.recursive(st.none() | leaves, grow, max_leaves=8)


jax_nests = nests(integers, names, [lambda inner: st.builds(Boxed, inner, integers)])
optree_nests = nests(
    integers,
    names | integers | st.tuples(integers),
    [lambda inner: st.lists(inner, max_size=3).map(lambda items: deque(items, maxlen=5))],
)
