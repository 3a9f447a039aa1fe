"""Graph convolution."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from anytensor.backends import TYPES, backend_of
from anytensor.cache import cache
from anytensor.jraph.graph import GraphsTuple, check_graph
from anytensor.jraph.joining import map_arrays
from anytensor.jraph.models.message_passing import Layer, incidence, number_of_nodes
from anytensor.jraph.segment import segment_sum
from anytensor.jraph.types import AggregateEdgesToNodesFn, NodeFeatures
from anytensor.ops.creation import arange
from anytensor.ops.data_types import astype
from anytensor.ops.elementwise import maximum, multiply, rsqrt
from anytensor.ops.indexing import take
from anytensor.ops.manipulation import concat, reshape
from anytensor.ops.plain import flag, functions
from anytensor.segment import segment_count

__all__ = ["GraphConvolution"]


def GraphConvolution(  # noqa: N802 - jraph's name
    update_node_fn: Callable[[NodeFeatures], NodeFeatures],
    aggregate_nodes_fn: AggregateEdgesToNodesFn = segment_sum,
    add_self_edges: bool = False,
    symmetric_normalization: bool = True,
) -> Layer:
    """Make a graph convolution layer.

    Args:
        update_node_fn: nodes -> nodes, before the aggregation; in the paper a linear map.
        aggregate_nodes_fn: (rows, segment ids, number of segments) -> a row for each segment.
        add_self_edges: Whether every node sends to itself, as in the paper.
        symmetric_normalization: Whether to divide by the roots of the sender's and the receiver's degree.

    Returns:
        A function from ``GraphsTuple`` to ``GraphsTuple``; edges and globals stay. Nodes keep a floating
        dtype; integers become the default float under the normalization. ``senders`` and ``receivers`` may
        be None, for no edges. It raises IndexError for a graph without node features.

    Notes:
        No activation. The self edges, the number of nodes and the degrees are kept by ``at.cache`` with the
        senders, so stacked layers share them. Otherwise as ``GraphNetwork``.

    Example:
        >>> import numpy as np
        >>> from anytensor import jraph
        >>> graph = jraph.get_fully_connected_graph(2, 1, np.array([[1.0], [3.0]]))
        >>> jraph.GraphConvolution(lambda nodes: nodes, symmetric_normalization=False)(graph).nodes.tolist()
        [[4.0], [4.0]]

    References:
        Kipf and Welling, "Semi-supervised classification with graph convolutional networks", 2017,
        arXiv:1609.02907.
    """
    functions(
        "GraphConvolution",
        optional=False,
        update_node_fn=update_node_fn,
        aggregate_nodes_fn=aggregate_nodes_fn,
    )
    flag("GraphConvolution", add_self_edges, "add_self_edges")
    flag("GraphConvolution", symmetric_normalization, "symmetric_normalization")

    def graph_convolution(graph: GraphsTuple) -> GraphsTuple:
        check_graph("GraphConvolution", graph)
        nodes = update_node_fn(graph.nodes)
        number = number_of_nodes("GraphConvolution", nodes)
        senders, receivers = incidence("GraphConvolution", graph, nodes)
        come_from, go_to, out_degree, in_degree = _structure(
            senders, receivers, number, add_self_edges, symmetric_normalization
        )

        def convolve(x: Any) -> Any:
            if out_degree is not None:
                x = multiply(x, _scale(out_degree, x))
            x = aggregate_nodes_fn(take(x, come_from), go_to, number)
            return x if in_degree is None else multiply(x, _scale(in_degree, x))

        _, edges, receivers, senders, globals_, n_node, n_edge = graph
        return GraphsTuple(map_arrays(convolve, nodes), edges, receivers, senders, globals_, n_node, n_edge)

    return graph_convolution


def _structure(
    senders: Any, receivers: Any, number: Any, add_self_edges: bool, symmetric: bool
) -> tuple[Any, Any, Any, Any]:
    """Return senders, receivers, and their degrees (None without the normalization), cached if it is on."""
    extra = (bool(add_self_edges), bool(symmetric))
    kept = cache.lookup("gcn", senders, extra)
    if kept is not None:
        of_receivers, of_number, structure = kept
        if of_receivers is receivers and _is_same(of_number, number):
            return structure  # type: ignore[no-any-return]
    come_from, go_to = senders, receivers
    if add_self_edges:
        own = arange(number, like=senders)
        come_from, go_to = concat([senders, own]), concat([receivers, own])
    out_degree = segment_count(come_from, number) if symmetric else None
    in_degree = segment_count(go_to, number) if symmetric else None
    structure = (come_from, go_to, out_degree, in_degree)
    cache.store("gcn", senders, (receivers, number, structure), extra)
    return structure


def _is_same(one: Any, other: Any) -> bool:
    # Symbolic sizes are not compared: under a compiler an entry lives in one trace, with one graph.
    return not (isinstance(one, int) and isinstance(other, int)) or one == other


def _scale(degree: Any, x: Any) -> Any:
    """Return one over the root of the degrees, at least 1, as a column for x and in its dtype."""
    backend = TYPES.get(type(x)) or backend_of(x, "GraphConvolution", "nodes")
    degree = maximum(degree, 1)
    if backend.dtype_kind(x.dtype) != "f":
        scale = rsqrt(degree)
    elif backend.numpy_dtype(x.dtype).itemsize < 4:
        scale = astype(rsqrt(astype(degree, "float32")), x.dtype)  # float16 cannot hold large degrees
    else:
        scale = rsqrt(astype(degree, x.dtype))
    return reshape(scale, (-1,) + (1,) * ((backend.rank(x) or 2) - 1))
