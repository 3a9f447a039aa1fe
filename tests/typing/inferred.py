"""What an editor infers for a user's code; `make typecheck` holds it, nothing here is run.

An ignored error is one that the checker must find: mypy reports an ignore that hides nothing.
"""

from typing import Any

import jax
import numpy as np
import numpy.typing as npt
import torch
from typing_extensions import assert_type

import anytensor as at
from anytensor import hetero, jraph
from anytensor.testing import Report, assert_portable, run_portable

Floats = npt.NDArray[np.float32]
Ids = npt.NDArray[np.int64]


def segments(x: Floats, ids: Ids, t: torch.Tensor, index: torch.Tensor, j: jax.Array, n: int) -> None:
    assert_type(at.segment_sum(x, ids, n), Floats)
    assert_type(at.segment_sum(t, index, n), torch.Tensor)
    assert_type(at.segment_max(j, j, n, sorted=True), jax.Array)
    assert_type(at.segment_softmax(t, index, num_segments=n), torch.Tensor)
    assert_type(at.segment_attention(t, t, index, n), torch.Tensor)
    assert_type(at.partition_sum(j, j, n), jax.Array)
    assert_type(at.segment_logsumexp(x, ids, at.shape(x)[0]), Floats)


def ordinary(x: Floats, t: torch.Tensor, j: jax.Array) -> None:
    assert_type(at.add(t, t), torch.Tensor)
    assert_type(at.maximum(x, 0.5), Floats)
    assert_type(at.sum(t, axis=(0, 1), keepdims=True), torch.Tensor)
    assert_type(at.exp(j), jax.Array)
    assert_type(at.concat([t, t]), torch.Tensor)
    assert_type(at.take(t, t), torch.Tensor)
    assert_type(at.where(at.greater(t, 0), t, 0.0), torch.Tensor)
    assert_type(at.linalg.vector_norm(j), jax.Array)
    assert_type(at.shape(x), tuple[Any, ...])
    assert_type(at.inf, float)
    assert_type(at.newaxis, None)


@at.promote(x="data", ids="index", n="shape")
def promoted(x: Floats, ids: Ids, n: int, scale: float = 1.0) -> Floats:
    return x


@at.cache
def cached(a: int, *, b: str = "") -> str:
    return b * a


def decorators(x: Floats, ids: Ids) -> None:
    assert_type(promoted(x, ids, n=3, scale=0.5), Floats)
    assert_type(cached(2, b="-"), str)
    with at.cache():
        assert_type(cached(1), str)
    promoted(x, ids)  # type: ignore[call-arg]
    cached("2")  # type: ignore[arg-type]


def graphs(nodes: torch.Tensor, ids: torch.Tensor, sizes: torch.Tensor) -> None:
    graph = jraph.GraphsTuple(
        nodes=nodes, edges=None, senders=ids, receivers=ids, globals=None, n_node=sizes, n_edge=sizes
    )
    layer = jraph.GraphConvolution(lambda h: h, add_self_edges=True)
    assert_type(layer(graph), jraph.GraphsTuple)
    assert_type(graph._replace(nodes=nodes), jraph.GraphsTuple)
    assert_type(jraph.unbatch(graph), list[Any])
    jraph.GraphsTuple(nodes=nodes)  # type: ignore[call-arg]


def typed_graphs(graph: hetero.HeteroGraphsTuple) -> None:
    update = hetero.hetero_sage(graph, lambda h: h, lambda h: h)
    assert_type(update, hetero.HeteroGraphsTuple)


def kit(x: Floats) -> None:
    assert_type(run_portable(at.exp, x), Report)
    assert_portable(at.exp, x)


def mistakes(x: Floats, ids: Ids) -> None:
    at.segment_sum(x, ids)  # type: ignore[call-arg]
    at.segment_sum(x, ids, num_segment=3)  # type: ignore[call-arg]
    at.partition_sum(x, ids, total_length=3, num_segments=2)  # type: ignore[call-arg]
    at.segment_sun(x, ids, 3)  # type: ignore[attr-defined]
