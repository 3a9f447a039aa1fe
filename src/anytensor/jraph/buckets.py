"""A few fixed sizes to pad graphs to, chosen for the sizes that occur: as many compilations, and no more."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from anytensor import errors
from anytensor.jraph.graph import GraphsTuple, check_graph
from anytensor.jraph.padding import pad_with_graphs, sizes_of

__all__ = ["PaddingBuckets", "fit_buckets", "pad_to_bucket"]

Size = tuple[int, int, int]

# The choice costs the square of the number of places where one bucket may end and the next begin.
_MOST_PLACES = 256


class PaddingBuckets(NamedTuple):
    """Sizes to pad to.

    Attributes:
        sizes: (n_node, n_edge, n_graph) of each bucket, the padding's own node and graph included; in order
            of nodes.
        waste: The share of padding among the nodes and edges, over the sizes that the buckets were fitted to.
    """

    sizes: tuple[Size, ...]
    waste: float


def fit_buckets(sizes: Iterable[Size], budget: int) -> PaddingBuckets:
    """Choose a few sizes to pad to that waste the least.

    Args:
        sizes: (n_node, n_edge, n_graph) of each batch that occurs, or of a sample of them.
        budget: The greatest number of buckets, and so of compilations.

    Returns:
        At most ``budget`` buckets; each of the sizes fits into one.

    Raises:
        TypeError: If ``budget`` is no integer or ``sizes`` are not integers.
        ValueError: If there are no sizes, one is no triple or is negative, or ``budget`` is below 1.

    Notes:
        Batches are ordered by their nodes, and the order is cut where the sum of padded nodes and edges is
        least (exactly, for up to 256 different sizes).

    Example:
        >>> from anytensor import jraph
        >>> jraph.fit_buckets([(9, 20, 1), (10, 18, 1), (90, 200, 1)], budget=2)
        PaddingBuckets(sizes=((11, 20, 2), (91, 200, 2)), waste=0.0169...)
    """
    if not isinstance(budget, int) or isinstance(budget, bool):
        raise TypeError(f"fit_buckets: `budget` must be an integer, got {errors.describe(budget)}")
    if budget < 1:
        raise ValueError(f"fit_buckets: `budget` must be at least 1, got {budget}")
    if not hasattr(type(sizes), "__iter__"):
        raise TypeError(f"fit_buckets: `sizes` must be a list of triples, got {errors.describe(sizes)}")
    table = np.array(list(sizes))
    if table.ndim != 2 or table.shape[1] != 3:
        raise ValueError(
            "fit_buckets: `sizes` must hold at least one triple (n_node, n_edge, n_graph), got an array of "
            f"shape {table.shape}"
        )
    if table.dtype.kind not in "iu":
        raise TypeError(f"fit_buckets: `sizes` must hold integers, got {errors.describe(table)}")
    if table.min() < 0:
        raise errors.negative_length(table.min(), "fit_buckets", "sizes")
    unique, times = np.unique(table, axis=0, return_counts=True)
    needed = unique + np.array([1, 0, 1])
    ends = np.unique(np.linspace(1, len(needed), min(len(needed), _MOST_PLACES)).round().astype(int))
    cuts = _cheapest_cuts(needed, times, ends, min(budget, len(ends)))
    buckets = [needed[start:end].max(0) for start, end in itertools.pairwise(cuts)]
    padded = sum(
        int(times[start:end].sum()) * int(bucket[:2].sum())
        for bucket, start, end in zip(buckets, cuts, cuts[1:], strict=False)
    )
    waste = 1 - float((unique[:, :2].sum(1) * times).sum()) / padded
    return PaddingBuckets(tuple([(int(b[0]), int(b[1]), int(b[2])) for b in buckets]), waste)


def pad_to_bucket(graph: GraphsTuple, buckets: PaddingBuckets | Iterable[Size]) -> GraphsTuple:
    """Pad a batch to the smallest of a few sizes that it fits into.

    Args:
        graph: The batch.
        buckets: What ``fit_buckets`` chose, or sizes (n_node, n_edge, n_graph).

    Returns:
        The padded batch, as ``pad_with_graphs`` makes it.

    Raises:
        RuntimeError: If it fits into none.

    Example:
        >>> from anytensor import jraph
        >>> graph = jraph.get_fully_connected_graph(3, 1)
        >>> jraph.pad_to_bucket(graph, [(8, 8, 2), (5, 9, 2), (90, 90, 2)]).n_node
        array([3, 2])
    """
    check_graph("pad_to_bucket", graph)
    if not hasattr(type(buckets), "__iter__"):
        raise TypeError(
            "pad_to_bucket: `buckets` must be PaddingBuckets or a list of triples, got "
            f"{errors.describe(buckets)}"
        )
    sizes = list(buckets.sizes if isinstance(buckets, PaddingBuckets) else buckets)
    nodes, edges, graphs = sizes_of(graph)
    fitting = [s for s in sizes if s[0] > nodes and s[1] >= edges and s[2] > graphs]
    if not fitting:
        raise RuntimeError(
            f"pad_to_bucket: a graph of n_node {nodes}, n_edge {edges}, n_graph {graphs} fits into none of "
            f"the buckets {sizes}; a bucket has one node and one graph more than its graphs"
        )
    return pad_with_graphs(graph, *min(fitting, key=lambda size: size[0] + size[1]))


def _cheapest_cuts(needed: Any, times: Any, ends: Any, budget: int) -> list[int]:
    """Return where to cut rows in order, 0 and their number included, into at most so many groups.

    A group costs its rows times the nodes and edges of its bucket: dynamic programming over the last group.
    """
    places = [0, *ends.tolist()]
    count = len(places)
    cost = np.full((count, count), np.inf)
    totals = np.concatenate([[0], np.cumsum(times)])
    for i, start in enumerate(places[:-1]):
        most = np.maximum.accumulate(needed[start:, :2], axis=0)
        stops = np.array(places[i + 1 :])
        cost[i, i + 1 :] = most[stops - start - 1].sum(1) * (totals[stops] - totals[start])
    best = cost[0]
    origins = []
    for _ in range(budget - 1):
        through = best[:, None] + cost
        origin = through.argmin(0)
        better = np.take_along_axis(through, origin[None], 0)[0]
        origins.append(np.where(better < best, origin, -1))
        best = np.minimum(best, better)
    cuts, last = [places[-1]], count - 1
    for origin in reversed(origins):
        if origin[last] >= 0:
            last = int(origin[last])
            cuts.append(places[last])
    return [0, *cuts[::-1]]
