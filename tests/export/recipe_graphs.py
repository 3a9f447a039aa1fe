"""A small task for the recipes: graphs in, one number for each out; portable layers that read their sizes."""

import numpy as np

import anytensor as at
from anytensor import jraph

WIDTH = 4


def batch_of(graphs, seed):
    """Return a batch of random graphs, as arrays by name, and the target: the mean of the nodes' squares."""
    rng = np.random.default_rng(seed)
    n_node = rng.integers(1, 5, graphs).astype(np.int32)
    total = int(n_node.sum())
    edges = 2 * total
    nodes = rng.normal(size=(total, 3)).astype(np.float32)
    starts = np.repeat(np.cumsum(n_node) - n_node, n_node)
    sizes = np.repeat(n_node, n_node)
    senders = np.concatenate([np.arange(total)] * 2)
    receivers = np.concatenate([np.arange(total), starts + rng.integers(0, 99, total) % sizes])
    owner = np.repeat(np.arange(graphs), n_node)
    target = at.segment_mean(np.sum(nodes**2, axis=1), owner, graphs)[:, None]
    assert senders.shape == (edges,)
    inputs = {
        "nodes": nodes,
        "senders": senders.astype(np.int32),
        "receivers": receivers.astype(np.int32),
        "n_node": n_node,
    }
    return inputs, target.astype(np.float32)


def predict(dense, nodes, senders, receivers, n_node):
    """Run two rounds of messages and read out each graph; ``dense(name, x)`` is the framework's own layer."""
    for layer in ("first", "second"):
        net = jraph.GraphConvolution(lambda x, layer=layer: dense(layer, x), jraph.segment_mean)
        graph = jraph.GraphsTuple(nodes, None, receivers, senders, None, n_node, None)
        nodes = at.tanh(net(graph).nodes)
    pooled = at.partition_mean(nodes, n_node, at.shape(nodes)[0])
    return dense("readout", pooled)
