"""NumPy arrays inside a TorchDynamo trace, where they are tensors whose dtype cannot be read."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

import anytensor as at
from anytensor import jraph

X = torch.tensor([1.0, 2.0, 4.0])
IDS = np.array([0, 0, 1])
MASK = np.array([True, False, True])
TWO = np.int64(2)
HOST = np.array([3.0, 1.0, 2.0])


@at.promote(x="data", y="data", i="index")
def users_own(x: Any, i: Any, y: Any = None) -> Any:
    """Gather by indices, as a library author may."""
    return at.take(x if y is None else at.add(x, y), i)


@at.promote(x="data", y="data")
def users_sum(x: Any, y: Any) -> Any:
    """Add without an index, so that nothing asks for a kind."""
    return {"sum": x + y, "pair": (x, [y])}


def graph(nodes: Any, senders: Any) -> Any:
    made = jraph.GraphsTuple(
        nodes=nodes,
        edges=None,
        senders=senders,
        receivers=np.array([1, 2, 0]),
        n_node=np.array([3]),
        n_edge=np.array([3]),
        globals=None,
    )
    return jraph.GraphConvolution(lambda x: x)(made).nodes


CASES = {
    "argument": (lambda x, i: at.segment_sum(x, i, 2), X, IDS),
    "closure": (lambda x: at.segment_sum(x, IDS, 2), X),
    "made inside": (lambda x: at.segment_sum(x, np.array([0, 0, 1]), 2), X),
    "narrow ids": (lambda x, i: at.segment_sum(x, i, 2), X, IDS.astype(np.uint8)),
    "host data": (lambda x, i: at.segment_mean(x, i, 2), HOST, torch.from_numpy(IDS)),
    "softmax": (lambda x, i: at.segment_softmax(x, i, 2), X, IDS),
    "take": (lambda x, i: at.take(x, i), X, IDS),
    "repeat": (lambda x, i: at.repeat(x, i, total_repeat_length=3), X, np.array([1, 0, 2])),
    "partition": (lambda x, p: at.partition_sum(x, p, 3), X, np.array([1, 2])),
    "convolution": (graph, torch.eye(3), np.array([0, 1, 2])),
    "where": (lambda m, x: at.where(m, x, 0.0), MASK, X),
    "stack": (lambda a, x: at.stack([a, x]), HOST, X),
    "wider host data": (lambda a, x: at.add(a, x), HOST, X),
    "asarray like": (lambda a, x: at.asarray(a, like=x), HOST, X),
    "size in a closure": (lambda x, i: at.segment_sum(x, i, TWO), X, torch.from_numpy(IDS)),
    "size made inside": (lambda x, i: at.segment_sum(x, i, np.int64(2)), X, torch.from_numpy(IDS)),
    "size as argument": (lambda x, i, n: at.segment_sum(x, i, n), X, IDS, TWO),
    "size as array": (lambda x, i, n: at.segment_sum(x, i, n), X, IDS, np.array(2)),
    "own function": (users_own, X, IDS),
    "host: own function": (users_own, HOST, IDS, HOST),
    "host: own function without index": (users_sum, HOST, HOST),
    "host: segments": (lambda x, i: at.segment_max(x, i, 3), HOST, IDS),
    "host: partition ids": (lambda p: at.partition_ids(p, 3), np.array([1, 2])),
    "host: scalar": (lambda x: at.maximum(x, 1.5), HOST),
    "host: two": (lambda x, y: at.less(at.add(x, y), x), HOST, HOST[::-1].copy()),
    "host: reduction": (lambda x: at.sum(x, axis=0), HOST),
    "host: where": (lambda m, x, y: at.where(m, x, y), MASK, HOST, HOST),
    "host: list": (lambda x, y: at.unstack(at.stack([x, y])), HOST, HOST),
    "host: linear algebra": (lambda x: at.linalg.vector_norm(x), HOST),
    "host: creation": (lambda x: at.zeros((2,), like=x), HOST.astype(np.float32)),
    "host: asarray": (lambda x: at.asarray(x, dtype="float32"), HOST),
    "host: astype": (lambda x: at.astype(x, "float32"), HOST),
    "host: NaN": (lambda x: at.fill_nan(x), np.array([1.0, np.nan])),
    "host: align": (lambda x: at.align_arrays(x, 0.5), HOST),
}


def leaves(tree: Any) -> list[Any]:
    if isinstance(tree, dict):
        return [leaf for entry in tree.values() for leaf in leaves(entry)]
    if isinstance(tree, (tuple, list)):
        return [leaf for entry in tree for leaf in leaves(entry)]
    return [tree]


@pytest.mark.parametrize("dynamic", [False, True], ids=["static", "dynamic"])
@pytest.mark.parametrize("case", list(CASES))
def test_a_trace_gives_what_an_eager_call_gives(case: str, dynamic: bool) -> None:
    function, *operands = CASES[case]

    def whole(*xs: Any) -> Any:  # a lambda's code object would be shared by two parameters
        return function(*xs)

    torch._dynamo.reset()
    got = leaves(torch.compile(whole, fullgraph=True, dynamic=dynamic, backend="aot_eager")(*operands))
    want = leaves(function(*operands))
    assert [(type(x), x.dtype) for x in got] == [(type(x), x.dtype) for x in want]
    for a, b in zip(got, want, strict=True):
        np.testing.assert_allclose(np.asarray(a), np.asarray(b), rtol=1e-6)


def test_a_gradient_flows_beside_host_ids() -> None:
    x = X.clone().requires_grad_()
    compiled = torch.compile(lambda x, i: at.segment_max(x, i, 2), fullgraph=True, backend="aot_eager")
    compiled(x, IDS).sum().backward()
    assert x.grad is not None
    assert x.grad.tolist() == [0.0, 1.0, 1.0]


def test_host_ids_that_are_no_integers_are_refused_in_a_trace() -> None:
    compiled = torch.compile(lambda x, i: at.segment_sum(x, i, 2), backend="aot_eager")
    with pytest.raises(TypeError, match="segment_sum: `segment_ids` must hold integers"):
        compiled(X, HOST)


def test_new_values_of_host_ids_do_not_recompile() -> None:
    count = []

    def counting(graph: Any, inputs: Any) -> Any:
        count.append(1)
        return graph.forward

    compiled = torch.compile(lambda x, i: at.segment_sum(x, i, 2), fullgraph=True, backend=counting)
    for ids in (IDS, IDS[::-1].copy(), np.zeros(3, dtype=int)):
        assert compiled(X, ids).tolist() == at.segment_sum(X, ids, 2).tolist()
    assert len(count) == 1
