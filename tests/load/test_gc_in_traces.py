"""The garbage collector runs at every allocation while compilers trace, and entries of the cache die."""

from __future__ import annotations

import gc
import sys
import weakref
from collections.abc import Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import tensorflow as tf
import torch

import anytensor as at

room = sys.modules["anytensor.cache"]


class Cycle:
    """What only the collector frees, and lengths with it."""

    def __init__(self, lengths: Any) -> None:
        self.me, self.lengths = self, lengths


@pytest.fixture
def eager_collector() -> Iterator[None]:
    thresholds = gc.get_threshold()
    gc.collect()
    gc.freeze()  # only what is made from here on is looked at, else one collection takes a second
    gc.set_threshold(50, 1, 1)
    yield
    gc.set_threshold(*thresholds)
    gc.unfreeze()


def traced(x: Any, p: Any) -> Any:
    with at.cache():
        for _ in range(3):
            x = at.add(at.partition_softmax(x, p, 4), at.partition_ids(p, 4))
        return x


COMPILERS = {
    "jax": (jnp.asarray, jax.jit),
    "tensorflow": (tf.constant, tf.function),
    "torch": (torch.from_numpy, lambda f: torch.compile(f, fullgraph=True, backend="eager")),
}


@pytest.mark.parametrize("backend", list(COMPILERS))
def test_a_trace_under_constant_collection(backend: str, eager_collector: None) -> None:
    make, compiler = COMPILERS[backend]
    collections = []
    gc.callbacks.append(lambda phase, info: collections.append(phase))
    try:
        with at.cache():
            dead = Cycle(np.array([1, 1]))
            at.partition_ids(dead.lengths, 2)
            gone = weakref.ref(dead.lengths)
            del dead
            x, p = make(np.ones(4, np.float32)), make(np.array([3, 1], np.int32))
            got = compiler(traced)(x, p)
            gc.collect()
            assert gone() is None
            assert list(room._current().entries.table) == []
    finally:
        gc.callbacks.pop()
    assert len(collections) > 20
    np.testing.assert_allclose(got, traced(np.ones(4, np.float32), np.array([3, 1])), rtol=1e-6)


class Dropping(str):
    """A namespace whose comparison drops the last reference to an object that has an entry."""

    __slots__ = ("kept",)

    def __eq__(self, other: object) -> bool:
        self.kept.clear()
        return str.__eq__(self, other)

    __hash__ = str.__hash__


def test_an_entry_that_dies_while_another_is_purged() -> None:
    p = np.array([2, 1])
    namespace = Dropping("mine")
    namespace.kept = [np.array([i]) for i in range(3)]
    with at.cache():
        at.cache.store("mine", p, 1)
        for one in namespace.kept:
            at.cache.store("other", one, 2)
        del one
        at.cache.purge(namespace, p)
        assert at.cache.lookup("mine", p) is None
        assert list(room._current().entries.table) == []
