"""Graphs: batching, and layers, against official jraph on JAX and NumPy and PyTorch Geometric on torch.

The goal of a row is the largest ratio of ours to the peer's that the project allows itself; a row with a goal
in seconds has no peer.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from typing import Any

import numpy as np

from anytensor import jraph
from benchmarks.rows import by_backend, compared
from benchmarks.segment_small import Case

GRAPHS, FEATURES = 256, 16


def some_graphs(array: Callable[[Any], Any], kind: Any, number: int = GRAPHS) -> list[Any]:
    """Return graphs of 10 to 40 nodes and three edges for each node."""
    rng = np.random.default_rng(0)
    graphs = []
    for _ in range(number):
        nodes = int(rng.integers(10, 41))
        edges = 3 * nodes
        graphs.append(
            kind(
                nodes=array(rng.normal(size=(nodes, FEATURES)).astype(np.float32)),
                edges=array(rng.normal(size=(edges, FEATURES)).astype(np.float32)),
                senders=array(rng.integers(0, nodes, edges).astype(np.int32)),
                receivers=array(rng.integers(0, nodes, edges).astype(np.int32)),
                globals=array(rng.normal(size=(1, FEATURES)).astype(np.float32)),
                n_node=array(np.array([nodes], np.int32)),
                n_edge=array(np.array([edges], np.int32)),
            )
        )
    return graphs


def numpy_cases() -> list[Case]:
    """Pair batching of NumPy arrays with official jraph's."""
    import jraph as official

    ours = some_graphs(np.asarray, jraph.GraphsTuple)
    theirs = some_graphs(np.asarray, official.GraphsTuple)
    batch = jraph.batch_np(ours)
    # Official unbatch_np writes into the indices of its argument, so it gets fresh ones.
    their_batch = official.batch_np(theirs)

    def fresh() -> Any:
        return their_batch._replace(
            senders=their_batch.senders.copy(), receivers=their_batch.receivers.copy()
        )

    return [
        ("batch_np, 256 graphs", lambda: jraph.batch_np(ours), lambda: official.batch_np(theirs), 1.0),
        (
            "unbatch_np, 256 graphs",
            lambda: jraph.unbatch_np(batch),
            lambda: official.unbatch_np(fresh()),
            1.0,
        ),
    ]


def jax_cases() -> list[Case]:
    """Pair batching and layers on JAX arrays with official jraph's."""
    import jax
    import jax.numpy as jnp
    import jraph as official

    ours = some_graphs(jnp.asarray, jraph.GraphsTuple)
    theirs = some_graphs(jnp.asarray, official.GraphsTuple)
    batch, their_batch = jraph.batch(ours[:16]), official.batch(theirs[:16])
    two = jraph.batch(
        [
            jraph.GraphsTuple(
                nodes=jnp.ones((10_000, FEATURES)),
                edges=None,
                senders=jnp.zeros(1000, jnp.int32),
                receivers=jnp.zeros(1000, jnp.int32),
                globals=None,
                n_node=jnp.array([10_000]),
                n_edge=jnp.array([1000]),
            )
        ]
        * 2
    )

    def network(package: Any) -> Callable[[Any], Any]:
        join = package.concatenated_args(lambda x: jnp.tanh(x[:, :FEATURES]))
        return package.GraphNetwork(join, join, join)

    def done(call: Callable[[], object]) -> Callable[[], object]:
        return lambda: jax.block_until_ready(call())

    our_net, their_net = network(jraph), network(official)
    our_jit, their_jit = jax.jit(our_net), jax.jit(their_net)
    # Training shuffles: official jraph, and not this library, compiles a program for each order of the sizes.
    order = np.random.default_rng(0)
    pairs: list[Case] = [
        (
            "batch, 256 shuffled graphs",
            lambda: jraph.batch([ours[i] for i in order.permutation(GRAPHS)]),
            lambda: official.batch([theirs[i] for i in order.permutation(GRAPHS)]),
            0.1,
        ),
        ("batch, 256 graphs in one order", lambda: jraph.batch(ours), lambda: official.batch(theirs), 0.1),
        ("unbatch 2 x 10k nodes", lambda: jraph.unbatch(two), lambda: official.unbatch(two), 1.0),
        ("GraphNetwork eager", lambda: our_net(batch), lambda: their_net(their_batch), 0.5),
        ("GraphNetwork jitted", lambda: our_jit(batch), lambda: their_jit(their_batch), 1.0),
    ]
    return [(name, done(a), done(b), goal) for name, a, b, goal in pairs]


def torch_cases() -> list[Case]:
    """Pair layers on torch tensors with PyTorch Geometric's, at the sizes of Cora."""
    import torch
    from torch_geometric.nn import GATConv, GCNConv

    number, features, edges = 2708, 1433, 10556
    rng = torch.Generator().manual_seed(0)
    nodes = torch.rand(number, features, generator=rng)
    edge_index = torch.randint(0, number, (2, edges), generator=rng)
    graph = jraph.GraphsTuple(
        nodes=nodes,
        edges=None,
        senders=edge_index[0].clone(),
        receivers=edge_index[1].clone(),
        globals=None,
        n_node=torch.tensor([number]),
        n_edge=torch.tensor([edges]),
    )
    hidden, heads, width = 16, 8, 8
    # Weights lie as those of torch.nn.Linear, which PyTorch Geometric's layers use: the product is the same.
    kernel, weight = torch.randn(hidden, features), torch.randn(heads * width, features)
    linear = torch.nn.functional.linear
    to_sender, to_receiver = torch.randn(heads, width), torch.randn(heads, width)
    gcn = jraph.GraphConvolution(lambda x: linear(x, kernel), add_self_edges=True)
    peer_gcn = GCNConv(features, hidden).requires_grad_(False)
    peer_gat = GATConv(features, width, heads, add_self_loops=False).requires_grad_(False)

    # As the peer does, a node's part in the logits is computed once, not for each edge: it goes along as two
    # more columns of the query.
    ends = torch.zeros(heads, width, heads, 2)
    for head in range(heads):
        ends[head, :, head] = torch.stack([to_sender[head], to_receiver[head]], dim=-1)
    ends = ends.reshape(heads * width, heads * 2)

    def query(x: Any) -> Any:
        h = linear(x, weight)
        parts = (h @ ends).reshape(-1, heads, 2)
        return torch.cat([h.reshape(-1, heads, width), parts], dim=-1)

    def logit(sent: Any, received: Any, _: Any) -> Any:
        return torch.nn.functional.leaky_relu(sent[..., -2:-1] + received[..., -1:], 0.2)

    gat = jraph.GAT(query, logit, lambda x: x[..., :width].reshape(-1, heads * width))
    return [
        ("GraphConvolution", lambda: gcn(graph), lambda: peer_gcn(nodes, edge_index), 1.0),
        ("GAT", lambda: gat(graph), lambda: peer_gat(nodes, edge_index), 1.0),
    ]


CASES: dict[str, Callable[[], list[Case]]] = {
    "numpy": numpy_cases,
    "jax": jax_cases,
    "torch": torch_cases,
}


SIZES = {
    "numpy": f"graphs of 10 to 40 nodes, {FEATURES} features",
    "jax": f"graphs of 10 to 40 nodes, {FEATURES} features",
    "torch": "one graph of the size of Cora: 2708 nodes, 1433 features, 10556 edges",
}


def measure(rounds: int = 15, only: str | None = None) -> list[dict[str, Any]]:
    """Return one record for each backend and case."""
    records: list[dict[str, Any]] = []
    for backend, cases in CASES.items():
        if only not in (None, backend):
            continue
        peers = ("jraph",) if backend != "torch" else ("torch", "torch_geometric")
        missing = [name for name in peers if importlib.util.find_spec(name) is None]
        if missing:
            note = f"{missing[0]} is not installed"
            records.append({"backend": backend, "operation": "-", "note": note})
            continue
        for operation, ours, peer, goal in cases():
            records.append(compared(backend, operation, ours, peer, goal, rounds))
    return records


def report(records: list[dict[str, Any]]) -> str:
    """Lay the records out, a table for each backend."""
    return by_backend(records, lambda name: f"{name}: {SIZES[name]}")
