"""Each layer, small, made from any jraph: ours on any backend, or the official one as the oracle."""

import numpy as np

import anytensor as at


def _sum_of_columns(x):
    return at.sum(x, axis=-1, keepdims=True)


def graph_network(package):
    join = package.concatenated_args(lambda x: at.concat([at.tanh(x[:, :2]), _sum_of_columns(x)], axis=-1))
    return package.GraphNetwork(join, join, join)


def graph_network_of_means(package):
    join = package.concatenated_args(lambda x: at.sin(x[:, :3]))
    mean, most = package.segment_mean, package.segment_max_or_constant
    return package.GraphNetwork(join, join, join, mean, most, mean)


def edges_only(package):
    return package.GraphNetwork(package.concatenated_args(at.sin), None)


def attention(package):
    return package.GraphNetwork(
        update_edge_fn=lambda e, s, r, g: at.concat([s, r], axis=-1),
        update_node_fn=lambda n, s, r, g: at.concat([s, r], axis=-1),
        attention_logit_fn=lambda e, s, r, g: _sum_of_columns(s * r),
        attention_reduce_fn=lambda e, w: e * w,
    )


def net_gat(package):
    return package.GraphNetGAT(
        lambda e, s, r, g: s - r,
        lambda n, s, r, g: n + r,
        lambda e, s, r, g: _sum_of_columns(e),
        lambda e, w: e * w,
        lambda n, e, g: at.concat([n, e, g], axis=-1),
    )


def interaction(package):
    return package.InteractionNetwork(
        lambda e, s, r: at.concat([s, r], axis=-1), lambda n, r: at.concat([n, r], axis=-1)
    )


def interaction_with_sent(package):
    return package.InteractionNetwork(
        lambda e, s, r: s * r,
        lambda n, s, r: at.concat([n, s, r], axis=-1),
        include_sent_messages_in_node_update=True,
    )


def relation(package):
    return package.RelationNetwork(lambda s, r: at.concat([s, r], axis=-1), at.tanh)


def deep_sets(package):
    return package.DeepSets(lambda n, g: at.concat([n, g], axis=-1), at.tanh)


def map_features(package):
    return package.GraphMapFeatures(at.sin, at.cos, at.tanh)


def convolution(package):
    return package.GraphConvolution(lambda n: 2 * n)


def convolution_with_self_edges(package):
    return package.GraphConvolution(at.sin, package.segment_sum, True)


def convolution_without_normalization(package):
    return package.GraphConvolution(at.sin, package.segment_mean, True, False)


def two_heads(n):
    return at.stack([n, at.sin(n)], axis=1)


def gat(package):
    return package.GAT(two_heads, lambda s, r, e: _sum_of_columns(s * r))


def gat_with_update(package):
    return package.GAT(lambda n: n, lambda s, r, e: s - r, at.tanh)


LAYERS = {
    f.__name__: f
    for f in (
        graph_network,
        graph_network_of_means,
        edges_only,
        attention,
        net_gat,
        interaction,
        interaction_with_sent,
        relation,
        deep_sets,
        map_features,
        convolution,
        convolution_with_self_edges,
        convolution_without_normalization,
        gat,
        gat_with_update,
    )
}

OUTPUTS = ("nodes", "edges", "globals")


def outputs(graph):
    """Return what a layer may have changed."""
    return {name: getattr(graph, name) for name in OUTPUTS}


def features(seed, shape):
    return np.random.default_rng(seed).normal(size=shape).astype(np.float32)
