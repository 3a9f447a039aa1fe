"""The layers: functions that take update functions and return a function from graph to graph.

The update functions hold the learnable parts, so a layer works with the modules of any framework.
"""

from anytensor.jraph.models.attention import GAT, GraphNetGAT
from anytensor.jraph.models.convolution import GraphConvolution
from anytensor.jraph.models.graph_network import GraphNetwork
from anytensor.jraph.models.interaction import InteractionNetwork, RelationNetwork
from anytensor.jraph.models.map_features import GraphMapFeatures
from anytensor.jraph.models.sets import DeepSets

__all__ = [
    "GAT",
    "DeepSets",
    "GraphConvolution",
    "GraphMapFeatures",
    "GraphNetGAT",
    "GraphNetwork",
    "InteractionNetwork",
    "RelationNetwork",
]
