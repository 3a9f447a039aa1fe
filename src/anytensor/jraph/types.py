"""Names for the annotations of graphs and of the functions that the layers take."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

__all__ = [
    "AggregateEdgesToGlobalsFn",
    "AggregateEdgesToNodesFn",
    "AggregateNodesToGlobalsFn",
    "ArrayTree",
    "AttentionLogitFn",
    "AttentionNormalizeFn",
    "AttentionReduceFn",
    "EdgeFeatures",
    "EmbedEdgeFn",
    "EmbedGlobalFn",
    "EmbedNodeFn",
    "GATAttentionLogitFn",
    "GATAttentionQueryFn",
    "GATNodeUpdateFn",
    "GNUpdateEdgeFn",
    "GNUpdateGlobalFn",
    "GNUpdateNodeFn",
    "Globals",
    "InteractionUpdateEdgeFn",
    "InteractionUpdateNodeFn",
    "InteractionUpdateNodeFnNoSentEdges",
    "NodeFeatures",
    "ReceiverFeatures",
    "SenderFeatures",
]

# Recursive in spirit: an array of any backend, or a nest of them. Type checkers see Any at the leaves.
ArrayTree: TypeAlias = Any | Iterable[Any] | Mapping[Any, Any]

NodeFeatures: TypeAlias = ArrayTree
EdgeFeatures: TypeAlias = ArrayTree
SenderFeatures: TypeAlias = ArrayTree
ReceiverFeatures: TypeAlias = ArrayTree
Globals: TypeAlias = ArrayTree

# (rows, segment ids, number of segments) -> one row for each segment
AggregateEdgesToNodesFn: TypeAlias = Callable[[EdgeFeatures, Any, Any], NodeFeatures]
AggregateNodesToGlobalsFn: TypeAlias = Callable[[NodeFeatures, Any, Any], Globals]
AggregateEdgesToGlobalsFn: TypeAlias = Callable[[EdgeFeatures, Any, Any], Globals]

# (edges, sender nodes, receiver nodes, globals), all of one row for each edge -> logits
AttentionLogitFn: TypeAlias = Callable[[EdgeFeatures, SenderFeatures, ReceiverFeatures, Globals], ArrayTree]
# (logits, segment_ids=, num_segments=) -> weights
AttentionNormalizeFn: TypeAlias = Callable[..., EdgeFeatures]
# (edges, weights) -> edges
AttentionReduceFn: TypeAlias = Callable[[EdgeFeatures, ArrayTree], EdgeFeatures]

# (edges, sender nodes, receiver nodes, globals), all of one row for each edge -> edges
GNUpdateEdgeFn: TypeAlias = Callable[[EdgeFeatures, SenderFeatures, ReceiverFeatures, Globals], EdgeFeatures]
# (nodes, edges that leave them, edges that reach them, globals), one row for each node -> nodes
GNUpdateNodeFn: TypeAlias = Callable[[NodeFeatures, SenderFeatures, ReceiverFeatures, Globals], NodeFeatures]
# (nodes, edges, globals), one row for each graph -> globals
GNUpdateGlobalFn: TypeAlias = Callable[[NodeFeatures, EdgeFeatures, Globals], Globals]

InteractionUpdateNodeFn: TypeAlias = Callable[[NodeFeatures, SenderFeatures, ReceiverFeatures], NodeFeatures]
InteractionUpdateNodeFnNoSentEdges: TypeAlias = Callable[[NodeFeatures, ReceiverFeatures], NodeFeatures]
InteractionUpdateEdgeFn: TypeAlias = Callable[[EdgeFeatures, SenderFeatures, ReceiverFeatures], EdgeFeatures]

EmbedEdgeFn: TypeAlias = Callable[[EdgeFeatures], EdgeFeatures]
EmbedNodeFn: TypeAlias = Callable[[NodeFeatures], NodeFeatures]
EmbedGlobalFn: TypeAlias = Callable[[Globals], Globals]

GATAttentionQueryFn: TypeAlias = Callable[[NodeFeatures], NodeFeatures]
GATAttentionLogitFn: TypeAlias = Callable[[SenderFeatures, ReceiverFeatures, EdgeFeatures], EdgeFeatures]
GATNodeUpdateFn: TypeAlias = Callable[[NodeFeatures], NodeFeatures]
