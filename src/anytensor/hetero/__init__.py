"""Graphs with several types of nodes and edges, and their layers, on any backend.

``HeteroGraphsTuple`` holds such graphs, ``multi_update_all`` passes messages along their relations, and the
layers are plain functions that take the learnable parts as callables.
"""

from anytensor.hetero.graph import HeteroGraphsTuple, schemas_equal
from anytensor.hetero.message import RelationSpec, copy_u_message, gat_attention_logit, relation_mailbox
from anytensor.hetero.models import comp_gcn, han, hetero_sage, hgt, relational_graph_convolution
from anytensor.hetero.relations import add_reverse_edges
from anytensor.hetero.schema import reverse_canonical_etype
from anytensor.hetero.update import multi_update_all
from anytensor.hetero.views import SendRecvTuple, graphs_tuple_as_send_recv
from anytensor.tree import batch, unbatch

__all__ = [
    "HeteroGraphsTuple",
    "RelationSpec",
    "SendRecvTuple",
    "add_reverse_edges",
    "batch",
    "comp_gcn",
    "copy_u_message",
    "gat_attention_logit",
    "graphs_tuple_as_send_recv",
    "han",
    "hetero_sage",
    "hgt",
    "multi_update_all",
    "relation_mailbox",
    "relational_graph_convolution",
    "reverse_canonical_etype",
    "schemas_equal",
    "unbatch",
]
