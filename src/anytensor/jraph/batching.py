"""Graphs in one batch and back, with the tensors that came or as NumPy arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from anytensor import errors
from anytensor.jraph.graph import GraphsTuple, check_graph
from anytensor.jraph.host import to_host
from anytensor.tree import batch, unbatch
from anytensor.tree import map as map_tree

__all__ = ["batch", "batch_np", "unbatch", "unbatch_np"]

# ``batch`` and ``unbatch`` are those of ``anytensor.tree``: a GraphsTuple owns the work by its hooks.


def batch_np(graphs: Sequence[GraphsTuple]) -> GraphsTuple:
    """Join graphs into one batch of NumPy arrays.

    Args:
        graphs: At least one ``GraphsTuple`` of arrays of any backend, all of one structure.

    Returns:
        The batch, as ``batch`` makes it, its arrays on the host.

    Raises:
        TypeError: If an array has an unknown type, or its values are not known while a compiler traces.
        ValueError: If the list is empty, structures or shapes do not agree, or counts do not fit.

    Example:
        >>> import numpy as np
        >>> from anytensor import jraph
        >>> one = jraph.get_fully_connected_graph(2, 1, node_features=np.ones((2, 3)))
        >>> jraph.batch_np([one, one]).senders
        array([0, 1, 0, 1, 2, 3, 2, 3])
    """
    if not isinstance(graphs, (list, tuple)) or hasattr(graphs, "n_node"):
        raise TypeError(f"batch_np: `graphs` must be a list of graphs, got {errors.describe(graphs)}")
    return _as_numpy(batch(graphs))  # type: ignore[no-any-return]


def unbatch_np(graph: GraphsTuple) -> list[GraphsTuple]:
    """Cut a batch into its graphs, as NumPy arrays.

    Args:
        graph: A batch of arrays of any backend.

    Returns:
        One ``GraphsTuple`` for each entry of ``n_node``. Features are views of the batch's memory; indices
        are new arrays, and the batch is never written to.

    Raises:
        TypeError: If the counts are not integers or not known while a compiler traces.
        ValueError: If the counts do not fit the arrays.

    Example:
        >>> import numpy as np
        >>> from anytensor import jraph
        >>> both = jraph.get_fully_connected_graph(2, 2, node_features=np.ones((4, 3)))
        >>> [g.senders.tolist() for g in jraph.unbatch_np(both)]
        [[0, 1, 0, 1], [0, 1, 0, 1]]
    """
    check_graph("unbatch_np", graph)
    return unbatch(_as_numpy(graph))


def _as_numpy(graph: Any) -> Any:
    return type(graph)(*map_tree(to_host, tuple(graph)))
