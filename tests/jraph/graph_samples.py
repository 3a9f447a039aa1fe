"""Small graphs with the corner cases that ports get wrong, for any backend."""

import numpy as np
import optree

from anytensor import jraph

# (nodes, edges) of each graph of a batch.
ARRANGEMENTS = {
    "edgeless first": ((2, 0), (3, 4), (1, 1)),
    "edgeless in the middle": ((3, 4), (2, 0), (1, 1)),
    "edgeless last": ((3, 4), (1, 1), (2, 0)),
    "empty first": ((0, 0), (3, 2)),
    "empty last": ((3, 2), (0, 0), (0, 0)),
    "edgeless all": ((2, 0), (1, 0)),
    "empty all": ((0, 0), (0, 0)),
}


def one_graph(nodes, edges, rng, nested=False, kind=jraph.GraphsTuple):
    def features(rows, width):
        plain = rng.normal(size=(rows, width)).astype(np.float32)
        return {"b": plain, "a": [rng.integers(0, 9, (rows, 1)), {"c": plain[:, :1]}]} if nested else plain

    return kind(
        nodes=features(nodes, 3),
        edges=features(edges, 2),
        senders=rng.integers(0, max(nodes, 1), edges).astype(np.int32),
        receivers=rng.integers(0, max(nodes, 1), edges).astype(np.int32),
        globals=features(1, 2),
        n_node=np.array([nodes], np.int32),
        n_edge=np.array([edges], np.int32),
    )


def graphs_of(arrangement, nested=False, seed=0):
    rng = np.random.default_rng(seed)
    return [one_graph(nodes, edges, rng, nested) for nodes, edges in ARRANGEMENTS[arrangement]]


def convert(array, graph, kind=jraph.GraphsTuple):
    """Return the graph with every array converted."""
    return kind(*[optree.tree_map(array, field) for field in graph])


def assert_same(got, expected, dtypes=False):
    """Compare two graphs (or lists of graphs): structure, shapes, values."""
    got_leaves, got_spec = optree.tree_flatten([tuple(g) for g in got] if type(got) is list else tuple(got))
    leaves, spec = optree.tree_flatten(
        [tuple(g) for g in expected] if type(expected) is list else tuple(expected)
    )
    assert got_spec == spec
    for a, b in zip(got_leaves, leaves, strict=True):
        np.testing.assert_allclose(np.asarray(a), np.asarray(b), rtol=1e-5, atol=1e-6)
        assert np.asarray(a).dtype == np.asarray(b).dtype or not dtypes


def frozen(graph):
    """Return the graph with every array read-only: a write raises."""

    def freeze(x):
        x = np.array(x)
        x.flags.writeable = False
        return x

    return convert(freeze, graph)
