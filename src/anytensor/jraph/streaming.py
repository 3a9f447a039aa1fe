"""Batches of fixed size from a stream of graphs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from anytensor import errors
from anytensor.jraph.graph import GraphsTuple
from anytensor.jraph.padding import pad_with_graphs, size_of, sizes_of
from anytensor.tree import batch

__all__ = ["dynamically_batch"]


def dynamically_batch(
    graphs_tuple_iterator: Iterable[GraphsTuple], n_node: int, n_edge: int, n_graph: int
) -> Iterator[GraphsTuple]:
    """Fill batches of fixed size with graphs from a stream, and pad them.

    Args:
        graphs_tuple_iterator: Graphs (or batches), in the order in which they are to come out.
        n_node: Number of nodes of each batch, at least those of the largest graph and one more.
        n_edge: Number of edges of each batch, at least those of the largest graph.
        n_graph: Number of graphs of each batch, padding included; at least 2.

    Yields:
        Padded batches, all of the same shapes: as many graphs in each as fit, on the graphs' own backend.

    Raises:
        ValueError: If ``n_graph`` is below 2.
        RuntimeError: If an element is no graph, or is larger than a batch; what was collected before it comes
            out first.

    Example:
        >>> import numpy as np
        >>> from anytensor import jraph
        >>> graph = jraph.get_fully_connected_graph(2, 1, node_features=np.ones((2, 1)))
        >>> batches = jraph.dynamically_batch([graph] * 3, n_node=5, n_edge=8, n_graph=3)
        >>> [b.n_node.tolist() for b in batches]
        [[2, 2, 1], [2, 3, 0]]
    """
    if isinstance(graphs_tuple_iterator, str) or not hasattr(type(graphs_tuple_iterator), "__iter__"):
        raise TypeError(
            "dynamically_batch: `graphs_tuple_iterator` must be an iterable of graphs, got "
            f"{errors.describe(graphs_tuple_iterator)}"
        )
    n_node, n_edge, n_graph = (
        size_of(size, name, "dynamically_batch")
        for size, name in ((n_node, "n_node"), (n_edge, "n_edge"), (n_graph, "n_graph"))
    )
    if n_graph < 2:
        raise ValueError(
            "The number of graphs in a batch size must be greater or equal to `2` for padding with graphs, "
            f"got {n_graph}."
        )
    room = (n_node - 1, n_edge, n_graph - 1)
    waiting: list[GraphsTuple] = []
    filled = (0, 0, 0)
    for element in graphs_tuple_iterator:
        if not hasattr(element, "n_node") or not hasattr(element, "senders"):
            raise RuntimeError(
                f"dynamically_batch: elements must be GraphsTuples, got {errors.describe(element)}"
            )
        size = sizes_of(element)
        together = tuple(a + b for a, b in zip(filled, size, strict=True))
        if waiting and any(a > b for a, b in zip(together, room, strict=True)):
            yield pad_with_graphs(batch(waiting), n_node, n_edge, n_graph)
            waiting, together = [], size
        if any(a > b for a, b in zip(size, room, strict=True)):
            names = ("n_node", "n_edge", "n_graph")
            raise RuntimeError(
                "Found graph bigger than batch size. Valid Batch Size: "
                f"{dict(zip(names, room, strict=True))}, Graph Size: {dict(zip(names, size, strict=True))}"
            )
        waiting.append(element)
        filled = together
    if waiting:
        yield pad_with_graphs(batch(waiting), n_node, n_edge, n_graph)
