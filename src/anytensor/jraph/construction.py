"""Graphs made from sizes or matrices, and the decorator that joins an update function's arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from anytensor import errors
from anytensor.backends import TYPES, backend_of
from anytensor.compiling import is_compiling, named_after
from anytensor.jraph.graph import GraphsTuple
from anytensor.jraph.host import is_known, to_host
from anytensor.jraph.joining import first_leaf
from anytensor.jraph.types import ArrayTree
from anytensor.ops.creation import arange, asarray, full
from anytensor.ops.elementwise import add, multiply, remainder
from anytensor.ops.manipulation import broadcast_to, concat, repeat, reshape, shape
from anytensor.ops.plain import flag
from anytensor.promotion import as_size
from anytensor.tree import leaves

__all__ = ["concatenated_args", "get_fully_connected_graph", "sparse_matrix_to_graphs_tuple"]


def get_fully_connected_graph(
    n_node_per_graph: int,
    n_graph: int,
    node_features: ArrayTree | None = None,
    global_features: ArrayTree | None = None,
    add_self_edges: bool = True,
) -> GraphsTuple:
    """Make graphs in which every node sends to every node.

    Args:
        n_node_per_graph: Number of nodes of each graph.
        n_graph: Number of graphs.
        node_features: Features of the nodes of all graphs, (n_node_per_graph * n_graph, ...), or a nest.
        global_features: Features of the graphs, (n_graph, ...), or a nest.
        add_self_edges: Whether a node sends to itself.

    Returns:
        The batch, on the backend and device of the features, NumPy without any. ``edges`` is None; edges are
        in order of their receiver.

    Raises:
        ValueError: If the number of nodes or globals is not that of the features.

    Notes:
        Sizes may be symbolic, as from ``at.shape``. For no graphs ``n_edge`` is empty, like ``n_node``;
        official jraph gives ``[0]``.

    Example:
        >>> from anytensor import jraph
        >>> graph = jraph.get_fully_connected_graph(3, 1, add_self_edges=False)
        >>> graph.senders.tolist(), graph.receivers.tolist()
        ([1, 2, 2, 0, 0, 1], [0, 0, 1, 1, 2, 2])
    """
    n_node_per_graph = as_size(n_node_per_graph, "get_fully_connected_graph", "n_node_per_graph")
    n_graph = as_size(n_graph, "get_fully_connected_graph", "n_graph")
    flag("get_fully_connected_graph", add_self_edges, "add_self_edges")
    nodes, globals_ = first_leaf(node_features), first_leaf(global_features)
    _expect(
        nodes, n_node_per_graph * n_graph, "Number of nodes is not equal to num_nodes_per_graph * n_graph."
    )
    _expect(globals_, n_graph, "The number of globals is not equal to n_graph.")
    like = nodes if nodes is not None else globals_
    known = isinstance(n_node_per_graph, int) and isinstance(n_graph, int)
    if known and not is_compiling():  # TorchDynamo traces NumPy's arrays as tensors
        senders, receivers = _connect(_Host, n_node_per_graph, n_graph, add_self_edges)
        # JAX's index dtype is int32 unless x64 is on, which asarray sees to.
        senders, receivers = asarray(senders, like=like), asarray(receivers, like=like)
    else:
        senders, receivers = _connect(_Traced(like), n_node_per_graph, n_graph, add_self_edges)
    per_node = n_node_per_graph if add_self_edges else n_node_per_graph - 1
    n_edge = n_node_per_graph * per_node
    dtype = senders.dtype
    return GraphsTuple(
        nodes=node_features,
        edges=None,
        receivers=receivers,
        senders=senders,
        globals=global_features,
        n_node=full((n_graph,), n_node_per_graph, dtype=dtype, like=like),
        n_edge=full((n_graph,), n_edge, dtype=dtype, like=like),
    )


class _Host:
    """Arrays of known sizes: NumPy's, at no cost for a compiler."""

    arange = staticmethod(np.arange)
    add, multiply, remainder = staticmethod(np.add), staticmethod(np.multiply), staticmethod(np.remainder)
    broadcast_to, reshape = staticmethod(np.broadcast_to), staticmethod(np.reshape)
    number = staticmethod(np.int64)


class _Traced:
    """Arrays of symbolic sizes."""

    add, multiply, remainder = staticmethod(add), staticmethod(multiply), staticmethod(remainder)
    broadcast_to, reshape = staticmethod(broadcast_to), staticmethod(reshape)

    def __init__(self, like: Any) -> None:
        self.like = like

    def arange(self, length: Any) -> Any:
        return arange(length, dtype="int32", like=self.like)

    def number(self, size: Any) -> Any:
        # JAX's symbolic sizes are no operands of arithmetic with arrays.
        return full((), size, dtype="int32", like=self.like)


def _connect(xp: Any, nodes: Any, graphs: Any, self_edges: bool) -> tuple[Any, Any]:
    """Return senders and receivers; row i of a (nodes, nodes) table holds the edges that node i receives."""
    index, each = xp.arange(nodes), xp.number(nodes)
    receivers = xp.broadcast_to(xp.reshape(index, (nodes, 1)), (nodes, nodes))
    if self_edges:
        senders = xp.broadcast_to(xp.reshape(index, (1, nodes)), (nodes, nodes))
    else:
        # Node i receives from i + 1, i + 2, ..., around the end, and not from itself, which is first.
        around = xp.add(xp.reshape(index, (nodes, 1)), xp.reshape(index, (1, nodes)))
        senders = xp.remainder(around, each)[:, 1:]
        receivers = receivers[:, 1:]
    first = xp.reshape(xp.multiply(xp.arange(graphs), each), (graphs, 1, 1))
    return xp.reshape(xp.add(senders, first), (-1,)), xp.reshape(xp.add(receivers, first), (-1,))


def _expect(leaf: Any, expected: Any, message: str) -> None:
    if leaf is None:
        return
    rows = shape(leaf)[0]
    if isinstance(rows, int) and isinstance(expected, int) and rows != expected:
        raise ValueError(
            f"get_fully_connected_graph: {message} Expected {expected}, got {errors.describe(leaf)}"
        )


def sparse_matrix_to_graphs_tuple(senders: Any, receivers: Any, values: Any, n_node: Any) -> GraphsTuple:
    """Make one graph from a sparse adjacency matrix in coordinate form.

    Args:
        senders: Shape (entries,), integer: the row of each entry.
        receivers: Shape (entries,), integer: the column of each entry.
        values: Shape (entries,), integer: how many edges each entry stands for.
        n_node: Shape (1,), integer: the number of nodes.

    Returns:
        A graph without features, on the backend of ``senders``: each edge as often as its value says.

    Raises:
        TypeError: If the values are not integers or not known while a compiler traces.
        ValueError: If a value is negative or the lengths differ.

    Example:
        >>> import numpy as np
        >>> from anytensor import jraph
        >>> graph = jraph.sparse_matrix_to_graphs_tuple(
        ...     np.array([0, 1]), np.array([1, 0]), np.array([2, 1]), np.array([2]))
        >>> graph.senders, graph.n_edge
        (array([0, 0, 1]), array([3]))
    """
    function = "sparse_matrix_to_graphs_tuple"
    for name, x in (("senders", senders), ("receivers", receivers), ("values", values), ("n_node", n_node)):
        if type(x) not in TYPES:
            backend_of(x, function, name)
    if not is_known(values):
        raise TypeError(
            f"{function}: `values` must be known, since the number of edges depends on them; got "
            f"{errors.describe(values)}. Build the graph outside the traced function"
        )
    times = np.asarray(to_host(values))
    if times.dtype.kind not in "iu":
        raise errors.not_an_index(values, function, "values")
    lengths = [tuple(shape(x)) for x in (senders, receivers, values)]
    if len(set(lengths)) != 1 or len(lengths[0]) != 1:
        raise ValueError(
            f"{function}: `senders`, `receivers` and `values` must be 1-D and of one length, got shapes "
            f"{lengths[0]}, {lengths[1]} and {lengths[2]}"
        )
    if times.size and times.min() < 0:
        raise errors.negative_length(times.min(), function, "values")
    edges = full((1,), int(times.sum()), dtype=n_node.dtype, like=senders)
    return GraphsTuple(
        nodes=None,
        edges=None,
        receivers=repeat(receivers, values, axis=0),
        senders=repeat(senders, values, axis=0),
        globals=None,
        n_node=n_node,
        n_edge=edges,
    )


def concatenated_args(update: Callable[..., Any] | None = None, *, axis: int = -1) -> Callable[..., Any]:
    """Decorate an update function of one array so that it takes many, which are concatenated.

    Args:
        update: A function of one array. Without it, a decorator is returned.
        axis: The axis to concatenate along.

    Returns:
        A function of any arguments: the arrays in them, nests by sorted key and keywords in the order given
        last, are concatenated along ``axis``. None adds nothing.

    Raises:
        TypeError: On decoration, if ``update`` is not callable.

    Example:
        >>> import numpy as np
        >>> from anytensor import jraph
        >>> @jraph.concatenated_args
        ... def update(features):
        ...     return features
        >>> update(np.ones((2, 3)), {"a": np.ones((2, 1))}, None).shape
        (2, 4)
    """

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        if not callable(function):
            raise TypeError(f"concatenated_args: `update` must be callable, got {errors.describe(function)}")

        @named_after(function)
        def joined(*args: Any, **kwargs: Any) -> Any:
            return function(concat(leaves(args) + leaves(kwargs), axis=axis))

        return joined

    return decorate if update is None else decorate(update)
