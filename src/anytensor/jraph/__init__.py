"""Graph networks on any backend: official jraph's names, signatures and values.

``GraphsTuple`` holds graphs, ``batch`` and ``pad_with_graphs`` prepare them, and layers such as
``GraphNetwork`` map graphs to graphs on the caller's own arrays.
"""

from anytensor.jraph.batching import batch, batch_np, unbatch, unbatch_np
from anytensor.jraph.buckets import PaddingBuckets, fit_buckets, pad_to_bucket
from anytensor.jraph.construction import (
    concatenated_args,
    get_fully_connected_graph,
    sparse_matrix_to_graphs_tuple,
)
from anytensor.jraph.graph import GraphsTuple
from anytensor.jraph.masks import (
    get_edge_padding_mask,
    get_graph_padding_mask,
    get_node_padding_mask,
    get_number_of_padding_with_graphs_edges,
    get_number_of_padding_with_graphs_graphs,
    get_number_of_padding_with_graphs_nodes,
    with_zero_out_padding_outputs,
    zero_out_padding,
)
from anytensor.jraph.models import (
    GAT,
    DeepSets,
    GraphConvolution,
    GraphMapFeatures,
    GraphNetGAT,
    GraphNetwork,
    InteractionNetwork,
    RelationNetwork,
)
from anytensor.jraph.padding import pad_with_graphs, unpad_with_graphs
from anytensor.jraph.segment import (
    segment_max,
    segment_max_or_constant,
    segment_mean,
    segment_min,
    segment_min_or_constant,
    segment_sum,
    segment_variance,
)
from anytensor.jraph.segment_weights import partition_softmax, segment_normalize, segment_softmax
from anytensor.jraph.streaming import dynamically_batch
from anytensor.jraph.types import (
    AggregateEdgesToGlobalsFn,
    AggregateEdgesToNodesFn,
    AggregateNodesToGlobalsFn,
    ArrayTree,
    AttentionLogitFn,
    AttentionNormalizeFn,
    AttentionReduceFn,
    EmbedEdgeFn,
    EmbedGlobalFn,
    EmbedNodeFn,
    GATAttentionLogitFn,
    GATAttentionQueryFn,
    GATNodeUpdateFn,
    GNUpdateEdgeFn,
    GNUpdateGlobalFn,
    GNUpdateNodeFn,
    InteractionUpdateEdgeFn,
    InteractionUpdateNodeFn,
    NodeFeatures,
)

__all__ = [
    "GAT",
    "AggregateEdgesToGlobalsFn",
    "AggregateEdgesToNodesFn",
    "AggregateNodesToGlobalsFn",
    "ArrayTree",
    "AttentionLogitFn",
    "AttentionNormalizeFn",
    "AttentionReduceFn",
    "DeepSets",
    "EmbedEdgeFn",
    "EmbedGlobalFn",
    "EmbedNodeFn",
    "GATAttentionLogitFn",
    "GATAttentionQueryFn",
    "GATNodeUpdateFn",
    "GNUpdateEdgeFn",
    "GNUpdateGlobalFn",
    "GNUpdateNodeFn",
    "GraphConvolution",
    "GraphMapFeatures",
    "GraphNetGAT",
    "GraphNetwork",
    "GraphsTuple",
    "InteractionNetwork",
    "InteractionUpdateEdgeFn",
    "InteractionUpdateNodeFn",
    "NodeFeatures",
    "PaddingBuckets",
    "RelationNetwork",
    "batch",
    "batch_np",
    "concatenated_args",
    "dynamically_batch",
    "fit_buckets",
    "get_edge_padding_mask",
    "get_fully_connected_graph",
    "get_graph_padding_mask",
    "get_node_padding_mask",
    "get_number_of_padding_with_graphs_edges",
    "get_number_of_padding_with_graphs_graphs",
    "get_number_of_padding_with_graphs_nodes",
    "pad_to_bucket",
    "pad_with_graphs",
    "partition_softmax",
    "segment_max",
    "segment_max_or_constant",
    "segment_mean",
    "segment_min",
    "segment_min_or_constant",
    "segment_normalize",
    "segment_softmax",
    "segment_sum",
    "segment_variance",
    "sparse_matrix_to_graphs_tuple",
    "unbatch",
    "unbatch_np",
    "unpad_with_graphs",
    "with_zero_out_padding_outputs",
    "zero_out_padding",
]
