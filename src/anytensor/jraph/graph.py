"""``GraphsTuple``: a batch of graphs as seven arrays or nests of arrays."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import Any, NamedTuple

from anytensor.jraph.joining import join, split
from anytensor.jraph.types import ArrayTree
from anytensor.tree import keystr, leaves_with_path

__all__ = ["GraphsTuple"]


class GraphsTuple(NamedTuple):
    """Hold one or more graphs in sparse form.

    Attributes:
        nodes: Features of the nodes: an array of shape (sum(n_node), ...), a nest of such arrays, or None.
        edges: Features of the edges: an array of shape (sum(n_edge), ...), a nest, or None.
        receivers: Shape (sum(n_edge),), integer: the node that each edge points to, counted over all nodes of
            the batch; None for graphs without edges.
        senders: Shape (sum(n_edge),), integer: the node that each edge comes from; None with ``receivers``.
        globals: Features of the graphs: an array of shape (n_graph, ...), a nest, or None.
        n_node: Shape (n_graph,), integer: the number of nodes of each graph. Never inferred.
        n_edge: Shape (n_graph,), integer: the number of edges of each graph.

    Notes:
        A named tuple, so every tree library takes it for a node as it is, and ``jax.vmap``, ``torch.export``
        and ``tf.function`` accept it. ``repr`` shows shapes and dtypes, never data. ``anytensor.tree.batch``
        and ``unbatch`` join and cut graphs with their indices shifted.

    Example:
        >>> import numpy as np
        >>> from anytensor import jraph
        >>> jraph.GraphsTuple(
        ...     nodes={"mass": np.ones((3, 1))}, edges=None, globals=None,
        ...     senders=np.array([0, 1]), receivers=np.array([1, 2]),
        ...     n_node=np.array([3]), n_edge=np.array([2]),
        ... )
        GraphsTuple(nodes={'mass': float64[3,1]}, edges=None, receivers=int64[2], senders=int64[2],
            globals=None, n_node=int64[1], n_edge=int64[1])

    References:
        Battaglia et al., "Relational inductive biases, deep learning, and graph networks", 2018,
        arXiv:1806.01261.
    """

    nodes: ArrayTree | None
    edges: ArrayTree | None
    receivers: Any
    senders: Any
    globals: ArrayTree | None
    n_node: Any
    n_edge: Any

    def __repr__(self) -> str:
        fields = [f"{name}={_outline(value)}" for name, value in zip(self._fields, self, strict=True)]
        return f"{type(self).__name__}({', '.join(fields)})"

    def _repr_html_(self) -> str:
        """Return a table of the fields, their dtypes and shapes, for notebooks."""
        rows = []
        for name, value in zip(self._fields, self, strict=True):
            arrays = leaves_with_path(value)
            if not arrays:
                rows.append((name, _outline(value), ""))
            for path, leaf in arrays:
                dtype, shape = _dtype_and_shape(leaf)
                rows.append((name + keystr(path), dtype, shape))
        cells = ["".join([f"<td>{html.escape(cell)}</td>" for cell in row]) for row in rows]
        body = "".join([f"<tr>{row}</tr>" for row in cells])
        head = "<tr><th>field</th><th>dtype</th><th>shape</th></tr>"
        name = type(self).__name__
        return f"<table><caption>{name}</caption><thead>{head}</thead><tbody>{body}</tbody></table>"

    @classmethod
    def __tree_batch__(cls, graphs: Sequence[GraphsTuple]) -> GraphsTuple:
        """Join graphs for ``anytensor.tree.batch``."""
        return cls(*join(graphs))

    def __tree_unbatch__(self) -> list[GraphsTuple]:
        """Return the graphs one by one for ``anytensor.tree.unbatch``."""
        return [type(self)(*fields) for fields in split(self)]


def _dtype_and_shape(leaf: Any) -> tuple[str, str]:
    dtype, shape = getattr(leaf, "dtype", None), getattr(leaf, "shape", None)
    if dtype is None or shape is None:
        return type(leaf).__name__, ""
    name = getattr(dtype, "name", None) or str(dtype).removeprefix("torch.")
    try:
        sizes = ["?" if size is None else str(size) for size in shape]
    except ValueError:  # TensorFlow: unknown rank
        return name, "[...]"
    return name, f"[{','.join(sizes)}]"


def _outline(value: Any) -> str:
    """Write a nest with each array as its dtype and shape."""
    if value is None:
        return "None"
    if isinstance(value, dict):
        return "{" + ", ".join([f"{key!r}: {_outline(entry)}" for key, entry in value.items()]) + "}"
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        fields = zip(value._fields, value, strict=True)
        return f"{type(value).__name__}({', '.join([f'{name}={_outline(entry)}' for name, entry in fields])})"
    if type(value) in (list, tuple):
        inner = ", ".join([_outline(entry) for entry in value])
        if type(value) is list:
            return f"[{inner}]"
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    return "".join(_dtype_and_shape(value))
