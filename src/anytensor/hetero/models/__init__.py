"""Layers for heterogeneous graphs, each in the room of its paper."""

from anytensor.hetero.models.comp_gcn import comp_gcn
from anytensor.hetero.models.han import han
from anytensor.hetero.models.hgt import hgt
from anytensor.hetero.models.rgcn import relational_graph_convolution
from anytensor.hetero.models.sage import hetero_sage

__all__ = ["comp_gcn", "han", "hetero_sage", "hgt", "relational_graph_convolution"]
