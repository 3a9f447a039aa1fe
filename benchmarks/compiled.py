"""torch.compile: a portable attention layer beside the same body in plain torch, both compiled by Inductor.

Forward and backward, dynamic shapes; the row also counts compilations over several numbers of edges.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from typing import Any

import anytensor as at
from benchmarks.rows import HEADER, row
from benchmarks.timing import interleave, table

NODES, FEATURES, HEADS = 5_000, 32, 4
EDGES = (40_000, 50_000, 60_000, 70_001)


def portable(nodes: Any, weights: Any, attention: Any, senders: Any, receivers: Any) -> Any:
    """Weigh each node's incoming messages by the softmax of their logits, in four heads."""
    n = at.shape(nodes)[0]
    projected = at.einsum(nodes, weights, "n f, f h d -> n h d")
    sent = at.take(projected, senders, axis=0)
    logits = at.leaky_relu(at.sum(sent * attention, axis=-1), 0.2)
    share = at.segment_softmax(logits, receivers, n)
    return at.segment_sum(sent * share[..., None], receivers, n)


def plain(nodes: Any, weights: Any, attention: Any, senders: Any, receivers: Any) -> Any:
    """The same by torch's own functions, as one writes it who needs no clause of the contract."""
    import torch

    n = nodes.shape[0]
    projected = torch.einsum("nf,fhd->nhd", nodes, weights)
    sent = projected.index_select(0, senders)
    logits = torch.nn.functional.leaky_relu((sent * attention).sum(-1), 0.2)
    wide = receivers[:, None].expand_as(logits)
    top = logits.new_full((n, logits.shape[1]), -torch.inf).scatter_reduce(0, wide, logits.detach(), "amax")
    e = (logits - top.index_select(0, receivers)).exp()
    total = e.new_zeros((n, e.shape[1])).index_add(0, receivers, e)
    share = e / total.index_select(0, receivers)
    return sent.new_zeros((n, *sent.shape[1:])).index_add(0, receivers, sent * share[..., None])


def measure(rounds: int = 15, only: str | None = None) -> list[dict[str, Any]]:
    """Return a record for each number of edges, and the number of compilations."""
    if only not in (None, "torch"):
        return []
    if importlib.util.find_spec("torch") is None:
        return [{"operation": "-", "note": "torch is not installed"}]
    import torch
    from torch._dynamo.testing import CompileCounterWithBackend

    torch.manual_seed(0)
    nodes = torch.randn(NODES, FEATURES, requires_grad=True)
    weights = torch.randn(FEATURES, HEADS, FEATURES // HEADS, requires_grad=True)
    attention = torch.randn(HEADS, FEATURES // HEADS, requires_grad=True)
    edges = {m: torch.randint(0, NODES, (2, m)) for m in EDGES}
    counters = {name: CompileCounterWithBackend("inductor") for name in ("ours", "plain")}
    compiled = {
        name: torch.compile(body, backend=counters[name], fullgraph=True, dynamic=True)
        for name, body in (("ours", portable), ("plain", plain))
    }

    def training(name: str, m: int) -> Callable[[], None]:
        def call() -> None:
            out = compiled[name](nodes, weights, attention, edges[m][0], edges[m][1])
            torch.autograd.grad(out.sum(), (nodes, weights, attention))

        return call

    for m in EDGES:
        for name in compiled:
            training(name, m)()
    records: list[dict[str, Any]] = []
    for m in EDGES[:2]:
        times = interleave({name: training(name, m) for name in compiled}, rounds, 0.03)
        ours, own = times["ours"], times["plain"]
        records.append(
            {
                "operation": f"attention, forward + backward, {m:,} edges",
                "ours": ours.median,
                "peer": own.median,
                "quartiles": [ours.low, ours.high],
                "ratio": ours.median / own.median,
                "goal": 1.05,
            }
        )
    made = counters["ours"].frame_count
    records.append(
        {"operation": f"{len(EDGES)} numbers of edges", "note": f"{made} compilation(s), goal <= 2"}
    )
    return records


def report(records: list[dict[str, Any]]) -> str:
    """Lay the records out."""
    return (
        table("torch.compile, Inductor, dynamic shapes", HEADER, [row(r) for r in records]) if records else ""
    )
