"""Every layer of jraph as a function of the fields of a graph, for the roads to ONNX and to the compilers."""

import numpy as np
from graph_samples import one_graph
from layer_samples import LAYERS, outputs
from segment_cases import Case

import anytensor as at
from anytensor import jraph

# (nodes, edges) of each graph of a batch: of the example, then others.
BATCHES = (
    ((3, 4), (2, 0), (2, 3)),
    ((2, 0), (1, 0)),
    ((5, 9), (1, 2), (3, 0), (4, 11)),
)

GROUPS = {
    "graph networks": ("graph_network", "graph_network_of_means", "edges_only"),
    "attention": ("attention", "net_gat", "gat", "gat_with_update"),
    "special cases": ("interaction", "interaction_with_sent", "relation", "deep_sets", "map_features"),
    "convolutions": (
        "convolution",
        "convolution_with_self_edges",
        "convolution_without_normalization",
    ),
}


def layers(group):
    nets = {name: LAYERS[name](jraph) for name in GROUPS[group]}

    def apply(nodes, edges, receivers, senders, globals_, n_node, n_edge):
        graph = jraph.GraphsTuple(nodes, edges, receivers, senders, globals_, n_node, n_edge)
        return {name: outputs(net(graph)) for name, net in nets.items()}

    return apply


def graph_of(sizes, seed=0):
    rng = np.random.default_rng((seed, len(sizes)))
    return jraph.batch([one_graph(nodes, edges, rng) for nodes, edges in sizes])


def fields_of(sizes):
    graph = graph_of(sizes)
    names = ("nodes", "edges", "receivers", "senders", "globals_", "n_node", "n_edge")
    return dict(zip(names, graph, strict=True))


CASES = {group: Case(layers(group), fields_of) for group in GROUPS}


def segments_of_jraph(x, ids, segments):
    """Return what jraph's own segment functions make, where they differ from ours."""
    n = at.shape(segments)[0]
    return {
        "normalize": jraph.segment_normalize(x, ids, n),
        "softmax": jraph.segment_softmax(x, ids, n),
        "mean": jraph.segment_mean(x, ids, n),
        "variance": jraph.segment_variance(x, ids, n),
    }
