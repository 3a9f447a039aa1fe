"""Heterogeneous layers against PyTorch Geometric's on torch: time side by side, and how memory grows.

Time: R-GCN forward on one node type and eight relations; the peer is ``HeteroConv`` of ``SAGEConv`` (mean of
each relation, then its weight, sum over relations) and a linear map of the node itself.

Memory: the most that torch holds at once in a forward pass, in numbers of 4 bytes for each edge and feature.
Weights gathered for edges would take 64, one for each output feature, and not a few.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from typing import Any

import numpy as np

from anytensor import hetero
from benchmarks.rows import HEADER, row
from benchmarks.timing import interleave, table

NODES, RELATIONS, EDGES, FEATURES = 10_000, 8, 200_000, 64
GROWTH = (200_000, 400_000, 800_000)
# Numbers for each edge and feature: the messages of one relation at a time, and what sums them.
MEMORY_GOAL = 2.0
ETYPES = [("node", f"r{i}", "node") for i in range(RELATIONS)]


def layers(edges: int) -> dict[str, Any]:
    """Return our layer and the peer, as calls without arguments, with the same weights."""
    import torch
    from torch_geometric.nn import HeteroConv, SAGEConv

    torch.manual_seed(0)
    rng = np.random.default_rng(0)
    nodes = torch.randn(NODES, FEATURES)
    index = {e: torch.from_numpy(rng.integers(0, NODES, (2, edges // RELATIONS))) for e in ETYPES}
    convolutions = {
        e: SAGEConv(FEATURES, FEATURES, aggr="mean", root_weight=False, bias=False) for e in ETYPES
    }
    peer = HeteroConv(convolutions, aggr="sum").requires_grad_(False)
    own = torch.nn.Linear(FEATURES, FEATURES, bias=False).requires_grad_(False)
    graph = hetero.HeteroGraphsTuple(
        nodes={"node": nodes},
        edges={},
        senders={e: pair[0].clone() for e, pair in index.items()},
        receivers={e: pair[1].clone() for e, pair in index.items()},
        n_node={"node": torch.tensor([NODES])},
        n_edge={e: torch.tensor([pair.shape[1]]) for e, pair in index.items()},
    )
    relations = {e: convolutions[e].lin_l for e in ETYPES}

    def ours() -> Any:
        return hetero.relational_graph_convolution(graph, relations, own, activation=torch.relu).nodes["node"]

    def theirs() -> Any:
        return torch.relu(peer({"node": nodes}, index)["node"] + own(nodes))

    torch.testing.assert_close(ours(), theirs(), rtol=1e-4, atol=1e-4)
    return {"ours": ours, "peer": theirs}


def peak(call: Callable[[], object]) -> int:
    """Return the most bytes that torch holds at once during a call, beyond what it held before."""
    from torch.profiler import ProfilerActivity, profile

    call()
    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as profiler:
        call()
    # torch 2.13 shows allocations one by one in its raw events only.
    events = [e for e in profiler.profiler.kineto_results.events() if e.name() == "[memory]"]
    sizes = [e.nbytes() for e in sorted(events, key=lambda e: e.start_ns())]
    return int(max(np.cumsum(sizes), default=0))


def measure(rounds: int = 15, only: str | None = None) -> list[dict[str, Any]]:
    """Return a record for the time, and one for the memory of each size."""
    if only not in (None, "torch"):
        return []
    missing = [name for name in ("torch", "torch_geometric") if importlib.util.find_spec(name) is None]
    if missing:
        return [{"backend": "torch", "operation": "-", "note": f"{missing[0]} is not installed"}]
    times = interleave(layers(EDGES), rounds)
    records = [
        {
            "backend": "torch",
            "operation": "relational_graph_convolution",
            "ours": times["ours"].median,
            "peer": times["peer"].median,
            "quartiles": [times["ours"].low, times["ours"].high],
            "ratio": times["ours"].median / times["peer"].median,
            "goal": 1.0,
        }
    ]
    for edges in GROWTH:
        grown = {which: peak(call) for which, call in layers(edges).items()}
        records.append({"backend": "torch", "operation": "memory", "edges": edges, **grown})
    return records


def report(records: list[dict[str, Any]]) -> str:
    """Lay the records out: a table of times and one of memory."""
    title = f"torch: {NODES} nodes, {RELATIONS} relations, {EDGES} edges, {FEATURES} features"
    times = [row(record) for record in records if record["operation"] != "memory"]
    rows = []
    for record in (record for record in records if record["operation"] == "memory"):
        entries = record["edges"] * FEATURES * 4
        ours, peer = record["ours"] / entries, record["peer"] / entries
        met = "yes" if ours <= MEMORY_GOAL else "no"
        cells = (f"{record['edges']}", f"{record['ours'] / 2**20:.0f} MiB", f"{ours:.2f}", f"{peer:.2f}")
        rows.append((*cells, f"{MEMORY_GOAL}", met))
    header = ("edges", "ours", "ours, per edge and feature", "peer, the same", "goal", "met")
    return "\n".join([table(title, HEADER, times), table("torch: peak memory of one pass", header, rows)])
