"""The cache: off by default, by identity, weak, by context, and never across a trace."""

from __future__ import annotations

import asyncio
import gc
import sys
import threading
import tracemalloc
from collections.abc import Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import tensorflow as tf
import torch

import anytensor as at
from anytensor import cache as module  # the object; its room is reached through sys.modules

MAKERS = {
    "numpy": np.asarray,
    "torch": lambda a: torch.from_numpy(np.array(a)),
    "jax": jnp.asarray,
    "tensorflow": tf.constant,
}
every_backend = pytest.mark.parametrize("backend", list(MAKERS))

room = sys.modules["anytensor.cache"]
assert module is at.cache


@pytest.fixture(autouse=True)
def off() -> Iterator[None]:
    yield
    at.cache.disable()
    assert room._active == [0]
    assert room._dynamo == []


def lengths(backend: str) -> Any:
    return MAKERS[backend](np.array([2, 1], dtype=np.int32))


@every_backend
def test_it_is_off_by_default(backend: str) -> None:
    p = lengths(backend)
    assert at.partition_ids(p, 3) is not at.partition_ids(p, 3)
    at.cache.store("mine", p, 1)
    assert at.cache.lookup("mine", p) is None


@every_backend
def test_a_hit_is_the_same_object_in_a_scope_and_gone_after_it(backend: str) -> None:
    p = lengths(backend)
    with at.cache():
        ids = at.partition_ids(p, 3)
        assert at.partition_ids(p, 3) is ids
        assert at.cache.lookup("partition", p) is ids
    assert at.cache.lookup("partition", p) is None
    with at.cache():
        assert at.cache.lookup("partition", p) is None


@every_backend
def test_the_decorator_is_sticky(backend: str) -> None:
    p = lengths(backend)

    @at.cache
    def apply(p: Any) -> Any:
        """Words."""
        return at.partition_ids(p, 3)

    assert apply.__doc__ == "Words."
    ids = apply(p)
    assert apply(p) is ids
    assert at.partition_ids(p, 3) is ids
    at.cache.disable()
    assert at.partition_ids(p, 3) is not ids


def test_scopes_nest_and_an_exception_closes_them() -> None:
    p = lengths("numpy")

    def failing() -> None:
        with at.cache():
            at.partition_ids(p, 3)
            raise RuntimeError

    with at.cache():
        ids = at.partition_ids(p, 3)
        with at.cache():
            assert at.partition_ids(p, 3) is ids
        with pytest.raises(RuntimeError):
            failing()
        assert at.partition_ids(p, 3) is ids
    assert at.cache.lookup("partition", p) is None


def test_disable_inside_a_scope_leaves_the_scope_on() -> None:
    p = lengths("numpy")
    with at.cache():
        at.cache.enable()
        at.cache.disable()
        assert at.partition_ids(p, 3) is at.partition_ids(p, 3)


def test_a_scope_inside_a_sticky_cache_keeps_the_entries() -> None:
    p = lengths("numpy")
    at.cache.enable()
    with at.cache():
        ids = at.partition_ids(p, 3)
    assert at.cache.lookup("partition", p) is ids


def test_extra_and_namespace_tell_entries_apart_and_purge_drops_all_of_one() -> None:
    p, q = lengths("numpy"), lengths("numpy")
    with at.cache():
        at.cache.store("a", p, "plain")
        at.cache.store("a", p, "with", (True, 1))
        at.cache.store("b", p, "other room")
        at.cache.store("a", q, "other object")
        assert at.cache.lookup("a", p, (True, 1)) == "with"
        assert at.cache.lookup("a", p, (False, 1)) is None
        at.cache.purge("a", p)
        assert at.cache.lookup("a", p) is None
        assert at.cache.lookup("a", p, (True, 1)) is None
        assert at.cache.lookup("b", p) == "other room"
        assert at.cache.lookup("a", q) == "other object"


@every_backend
def test_an_entry_dies_with_its_object_even_if_the_value_holds_it(backend: str) -> None:
    at.cache.enable()
    p = lengths(backend)
    at.cache.store("structure", p, (p, {"again": [p]}, 3))
    kept = at.cache.lookup("structure", p)
    assert kept[0] is p
    assert kept[1]["again"][0] is p
    table = room._current().entries.table
    assert len(table) == 1
    del p, kept
    gc.collect()
    assert len(table) == 0


def test_a_reused_id_is_no_hit() -> None:
    at.cache.enable()
    hits = 0
    for i in range(200):
        p = np.array([2, 1 + i % 3], dtype=np.int32)
        hits += at.cache.lookup("mine", p) is not None
        at.cache.store("mine", p, i)
        assert at.cache.lookup("mine", p) == i
    assert hits == 0


def test_memory_stays_flat_over_many_vectors() -> None:
    at.cache.enable()
    for _ in range(1000):
        at.partition_ids(np.array([2, 1], dtype=np.int32), 3)
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        for _ in range(20_000):
            at.partition_ids(np.array([2, 1], dtype=np.int32), 3)
        grown = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    assert grown < 20_000
    assert len(room._current().entries.table) <= 1


def test_a_hit_of_the_wrong_size_warns_and_is_expanded_anew() -> None:
    p = lengths("numpy")
    with at.cache():
        at.partition_ids(p, 3)
        with pytest.warns(UserWarning, match="ids of length 3 for these partitions"):
            assert at.partition_ids(p, 5).tolist() == [0, 0, 1, 2, 2]
        assert at.partition_ids(p, 5).shape == (5,)


def test_threads_do_not_share() -> None:
    p = lengths("numpy")
    seen: list[Any] = []

    def other() -> None:
        seen.append(at.cache.lookup("partition", p))
        with at.cache():
            seen.append(at.partition_ids(p, 3))

    with at.cache():
        ids = at.partition_ids(p, 3)
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
        assert at.partition_ids(p, 3) is ids
    assert seen[0] is None
    assert seen[1] is not ids


def test_asyncio_tasks_do_not_share() -> None:
    p = lengths("numpy")

    async def task() -> Any:
        assert at.cache.lookup("partition", p) is None
        with at.cache():
            ids = at.partition_ids(p, 3)
            await asyncio.sleep(0)
            assert at.partition_ids(p, 3) is ids
        return ids

    async def main() -> Any:
        with at.cache():
            own = at.partition_ids(p, 3)
            return own, await asyncio.gather(task(), task())

    own, (one, other) = asyncio.run(main())
    assert len({id(own), id(one), id(other)}) == 3


# --- traces ---


def stack(x: Any, p: Any) -> Any:
    """Three layers that expand the same lengths."""
    for _ in range(3):
        x = at.partition_softmax(x, p, at.shape(x)[0])
    return x


cached_stack = at.cache(stack)


def scoped_stack(x: Any, p: Any) -> Any:
    with at.cache():
        return stack(x, p)


@pytest.mark.parametrize("form", [cached_stack, scoped_stack], ids=["decorator", "scope"])
def test_one_expansion_in_a_dynamo_graph_whole(form: Any) -> None:
    counted: list[int] = []

    def counting(graph: Any, inputs: Any) -> Any:
        expansions = [n for n in graph.graph.nodes if "repeat_interleave" in str(n.target)]
        searches = [
            n for n in graph.graph.nodes if "bucketize" in str(n.target) or "searchsorted" in str(n.target)
        ]
        cumulated = [n for n in graph.graph.nodes if "cumsum" in str(n.target)]
        counted.append(max(len(expansions), len(searches), len(cumulated)))
        return graph.forward

    x, p = torch.tensor([1.0, 2.0, 3.0]), torch.tensor([2, 1])
    plain = torch.compile(stack, fullgraph=True, backend=counting)(x, p)
    shared = torch.compile(form, fullgraph=True, backend=counting)(x, p)
    assert torch.equal(plain, shared)
    assert counted[0] == 3 * counted[1] > 0


@pytest.mark.parametrize("form", [cached_stack, scoped_stack], ids=["decorator", "scope"])
def test_no_jax_tracer_is_kept(form: Any) -> None:
    x, p = jnp.array([1.0, 2.0, 3.0]), jnp.array([2, 1])
    with jax.checking_leaks():
        first = jax.jit(form)(x, p)
        jax.grad(lambda x: form(x, p).sum())(x)
        jax.jit(jax.grad(lambda x, p: form(x, p).sum()))(x, p)
    assert np.allclose(first, stack(x, p))
    state = room._current()
    assert not any(
        isinstance(v, jax.core.Tracer) for _, v, _ in (state.entries.table.values() if state else ())
    )


def test_a_jax_trace_inside_a_scope_takes_nothing_out_of_it() -> None:
    p = jnp.array([2, 1])
    kept: list[Any] = []

    def inner(x: Any) -> Any:
        ids = at.partition_ids(p, 3)  # concrete lengths: yet the ids are of the trace
        kept.append(at.cache.lookup("partition", p))
        return x + ids

    with at.cache(), jax.checking_leaks():
        jax.jit(inner)(jnp.ones(3))
        ids = at.partition_ids(p, 3)
        assert not isinstance(ids, jax.core.Tracer)
    assert kept == [None]


def test_a_scope_inside_a_jax_trace_shares_one_expansion() -> None:
    seen: list[bool] = []

    def f(x: Any, p: Any) -> Any:
        with at.cache():
            seen.append(at.partition_ids(p, 3) is at.partition_ids(p, 3))
        return x

    jax.jit(f)(jnp.ones(3), jnp.array([2, 1]))
    assert seen == [True]


def test_a_tensorflow_graph_holds_one_expansion_and_leaves_nothing() -> None:
    def expansions(form: Any) -> int:
        spec = [tf.TensorSpec([None], tf.float32), tf.TensorSpec([None], tf.int32)]
        graph = tf.function(form, input_signature=spec).get_concrete_function().graph
        return sum(
            op.type in ("Cumsum", "RaggedRange", "SearchSorted", "UpperBound")
            for op in graph.get_operations()
        )

    assert expansions(stack) == 3 * expansions(scoped_stack)
    assert expansions(cached_stack) == expansions(scoped_stack) > 0
    p = tf.constant([2, 1])
    at.cache.enable()
    tf.function(lambda x: stack(x, p))(tf.constant([1.0, 2.0, 3.0]))
    assert at.cache.lookup("partition", p) is None
    assert isinstance(at.partition_ids(p, 3), tf.Tensor)


def test_vmap_of_torch_keeps_nothing() -> None:
    at.cache.enable()
    p = torch.tensor([2, 1])
    out = torch.func.vmap(lambda x: at.partition_sum(x, p, 3))(torch.ones(4, 3))
    assert out.tolist() == [[2.0, 1.0]] * 4
    assert at.partition_ids(p, 3).tolist() == [0, 0, 1]


# --- writes ---


def test_kept_ids_cannot_be_written_to_on_numpy() -> None:
    p = np.array([2, 1])
    with at.cache():
        ids = at.partition_ids(p, 3)
        with pytest.raises(ValueError, match="read-only"):
            ids[0] = 1
        assert at.partition_sum(np.ones(3), p, 3).tolist() == [2.0, 1.0]
    at.partition_ids(p, 3)[0] = 1  # one's own, while the cache is off


def test_a_write_to_a_tensor_drops_the_entry() -> None:
    p, x = torch.tensor([2, 1]), torch.ones(3)
    with at.cache():
        ids = at.partition_ids(p, 3)
        assert at.partition_ids(p, 3) is ids
        ids[0] = 1
        assert at.partition_sum(x, p, 3).tolist() == [2.0, 1.0]
        p.copy_(torch.tensor([1, 2]))
        assert at.partition_sum(x, p, 3).tolist() == [1.0, 2.0]
        assert at.partition_ids(p, 3) is at.partition_ids(p, 3)
        at.cache.store("own", p, (p, 1))
        assert at.cache.lookup("own", p)[0] is p
    with torch.inference_mode(), at.cache():  # such a tensor counts no writes
        p = torch.tensor([2, 1])
        assert at.partition_ids(p, 3) is at.partition_ids(p, 3)


# --- bad arguments ---


@pytest.mark.parametrize("call", ["lookup", "store"])
def test_bad_arguments_name_themselves(call: str) -> None:
    p = lengths("numpy")
    rest = (1,) if call == "store" else ()
    with at.cache():
        with pytest.raises(TypeError, match="`namespace` must be a string"):
            getattr(at.cache, call)(1, p, *rest)
        with pytest.raises(TypeError, match="`extra` must be a tuple"):
            getattr(at.cache, call)("a", p, *rest, [1])


def test_an_object_without_weak_references_is_refused() -> None:
    with at.cache(), pytest.raises(TypeError, match="`obj` of type int"):
        at.cache.store("a", 3, "value")


def test_decorating_something_else_is_refused() -> None:
    with pytest.raises(TypeError, match="`function` must be callable, got int 3"):
        at.cache(3)
