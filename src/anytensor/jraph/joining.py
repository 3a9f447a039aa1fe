"""Many graphs' fields as one graph's, and one as many: the work behind ``batch`` and ``unbatch``.

Whole fields are joined and cut at once, so the cost grows with the number of graphs, not of nodes.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from anytensor import errors
from anytensor.backends import HOST, TYPES, backend_of
from anytensor.jraph.host import concat_rows, counts, is_known, lift, on_host, rows_of, slices, to_host
from anytensor.ops.creation import asarray, zeros
from anytensor.ops.cumulative import cumulative_sum
from anytensor.ops.elementwise import add, subtract
from anytensor.ops.manipulation import shape, stack
from anytensor.ops.reduction import sum as sum_of
from anytensor.tree import flatten, leaves
from anytensor.tree import map as map_tree

__all__ = [
    "Fields",
    "arrays_of",
    "bounds_of",
    "check_rows",
    "first_leaf",
    "join",
    "join_features",
    "join_integers",
    "map_arrays",
    "shifted",
    "split",
    "split_features",
    "split_indices",
]

Fields = tuple[Any, ...]
"""nodes, edges, receivers, senders, globals, n_node, n_edge."""


def join(graphs: Sequence[Any]) -> Fields:
    """Return the fields of the graph that holds all graphs of a list, one after the other."""
    hosted = _on_the_host(graphs)
    if hosted is not None:
        return _lifted(join(hosted), graphs[0])
    n_node = join_integers("n_node", [g.n_node for g in graphs])
    n_edge = join_integers("n_edge", [g.n_edge for g in graphs])
    for g in graphs:
        if (g.senders is None) is not (g.receivers is None):
            raise ValueError(
                "batch: `senders` and `receivers` of a graph must both be arrays or both be None"
            )
    # A graph that says "no edges" with None beside others that have edges has no row to add.
    edges = [g.edges for g in graphs if g.senders is not None or g.edges is not None]
    nodes = join_features("nodes", [g.nodes for g in graphs])
    joined_edges = join_features("edges", edges) if edges else None
    globals_ = join_features("globals", [g.globals for g in graphs])
    with_edges = [i for i, g in enumerate(graphs) if g.senders is not None]
    if is_known(n_node) and is_known(n_edge):
        starts = _check_and_count(graphs, n_node, n_edge)
        senders, receivers = (
            _join_known_indices(
                field, [getattr(graphs[i], field) for i in with_edges], starts[with_edges], int(starts[-1])
            )
            for field in ("senders", "receivers")
        )
    else:
        senders, receivers = _join_traced_indices(graphs, with_edges)
    return nodes, joined_edges, receivers, senders, globals_, n_node, n_edge


class _Hosted(NamedTuple):
    """A graph's fields as NumPy arrays."""

    nodes: Any
    edges: Any
    receivers: Any
    senders: Any
    globals: Any
    n_node: Any
    n_edge: Any


def _on_the_host(graphs: Sequence[Any]) -> list[_Hosted] | None:
    """Return graphs of known JAX arrays as graphs of NumPy arrays; None for all others."""
    eager = type(graphs[0].n_node)
    if eager is np.ndarray or not on_host(graphs[0].n_node):
        return None
    hosted = []
    for graph in graphs:
        fields = []
        for x in graph:
            if type(x) is eager:
                x = np.asarray(x)
            elif x is not None and type(x) is not np.ndarray:
                flat = arrays_of(x)
                if not all(on_host(leaf) for leaf in flat):
                    return None
                x = map_arrays(to_host, x)
            fields.append(x)
        hosted.append(_Hosted(*fields))
    return hosted


def _lifted(fields: Fields, like: Any) -> Fields:
    """Return joined fields on the devices of a graph's."""
    lifted = []
    for host, own in zip(fields, like, strict=True):
        beside = first_leaf(own)
        if beside is None or type(beside) is np.ndarray:
            beside = like.n_node
        lifted.append(map_arrays(functools.partial(lift, like=beside), host))
    return tuple(lifted)


def split(graph: Any) -> Iterator[Fields]:
    """Yield the fields of each graph of a batch."""
    n_node, n_edge = counts("unbatch", "n_node", graph.n_node), counts("unbatch", "n_edge", graph.n_edge)
    number = len(n_node)
    if len(n_edge) != number:
        raise ValueError(
            f"unbatch: `n_node` and `n_edge` must have one entry for each graph, got {number} and "
            f"{len(n_edge)}"
        )
    node_bounds, edge_bounds = bounds_of(n_node), bounds_of(n_edge)
    check_rows("unbatch", "nodes", graph.nodes, int(node_bounds[-1]), "n_node")
    check_rows("unbatch", "edges", graph.edges, int(edge_bounds[-1]), "n_edge")
    check_rows("unbatch", "globals", graph.globals, number, None)
    shift = np.repeat(node_bounds[:-1], n_edge)
    indices = []
    for field in ("receivers", "senders"):
        check_rows("unbatch", field, getattr(graph, field), int(edge_bounds[-1]), "n_edge")
        indices.append(split_indices(getattr(graph, field), shift, edge_bounds.tolist()))
    one_each = list(range(number + 1))
    return zip(
        split_features(graph.nodes, node_bounds.tolist()),
        split_features(graph.edges, edge_bounds.tolist()),
        *indices,
        split_features(graph.globals, one_each),
        slices(graph.n_node, one_each),
        slices(graph.n_edge, one_each),
        strict=True,
    )


def check_rows(function: str, field: str, tree: Any, expected: int, counted_by: str | None) -> None:
    """Check that every array of a field has as many rows as the counts of its graph say.

    Raises:
        ValueError: If one has not; the counts are never inferred.
    """
    for leaf in arrays_of(tree):
        rows = rows_of(leaf)
        if isinstance(rows, int) and rows != expected:
            said = (
                f"the sum of `{counted_by}` is {expected}" if counted_by else f"there are {expected} graphs"
            )
            raise ValueError(f"{function}: `{field}` has {rows} rows ({errors.describe(leaf)}), and {said}")


def arrays_of(tree: Any) -> list[Any]:
    """Return the arrays of a field, without a walk where the field is one array."""
    return [tree] if TYPES.get(type(tree)) is not None else leaves(tree)


def map_arrays(function: Callable[[Any], Any], tree: Any) -> Any:
    """Apply a function to the arrays of a field, without a walk where the field is one array."""
    return function(tree) if TYPES.get(type(tree)) is not None else map_tree(function, tree)


def first_leaf(tree: Any) -> Any:
    """Return the first array of a nest, None if there is none."""
    found = arrays_of(tree)
    return found[0] if found else None


def bounds_of(lengths: Any) -> Any:
    """Return where each of several runs of rows begins, and where the last ends."""
    bounds = np.zeros(len(lengths) + 1, np.int64)
    np.asarray(lengths, np.int64).cumsum(out=bounds[1:])
    return bounds


def join_features(field: str, trees: list[Any]) -> Any:
    """Join the nests of several graphs array by array; None if all are None."""
    first = trees[0]
    if first is None and all(tree is None for tree in trees):
        return None
    if TYPES.get(type(first)) is not None and all(TYPES.get(type(tree)) is not None for tree in trees):
        return concat_rows(trees)
    flat, spec = flatten(first)
    columns = [flat]
    for number, tree in enumerate(trees[1:]):
        column, other = flatten(tree)
        if other != spec:
            raise ValueError(
                f"batch: `{field}` of the graphs must have one structure, got {spec} for the first "
                f"and {other} for number {number + 2}"
            )
        columns.append(column)
    return spec.unflatten([concat_rows(row) for row in zip(*columns, strict=True)])


def _is_integer(x: Any) -> bool:
    return (TYPES.get(type(x)) or backend_of(x, "batch", "graphs")).is_integer(x)


def join_integers(field: str, vectors: list[Any]) -> Any:
    """Join vectors of counts; one that is empty and floating, as made without a dtype, does not count.

    Raises:
        TypeError: If one is no array, or holds anything but integers.
        ValueError: If one is not 1-D.
    """
    for v in vectors:
        if not (type(v) is np.ndarray and v.ndim == 1):  # quick for what is most often there
            _check_vector(field, v)
    joined = concat_rows(vectors)
    if _is_integer(joined):
        return joined
    # An empty vector made without a dtype is floating, and would make all the others so.
    whole = [v for v in vectors if _is_integer(v)]
    for v in vectors:
        rows = rows_of(v)
        if not (_is_integer(v) or (isinstance(rows, int) and rows == 0)):
            raise errors.not_an_index(v, "batch", field)
    if whole:
        return concat_rows(whole)
    if is_known(joined):
        return asarray(np.zeros(0, np.int32), like=vectors[0])
    return zeros((0,), dtype="int32", like=vectors[0])


def _check_vector(field: str, v: Any) -> None:
    backend = TYPES.get(type(v)) or backend_of(v, "batch", field)
    if not hasattr(v, "shape"):
        raise errors.not_an_index(v, "batch", field)
    if backend.rank(v) not in (1, None):
        raise errors.not_a_vector(backend.shape(v), "batch", field)


def _check_and_count(graphs: Sequence[Any], n_node: Any, n_edge: Any) -> Any:
    """Return the number of nodes before each graph tuple, and of all, after checking all counts."""
    of_nodes, of_edges = to_host(n_node), to_host(n_edge)
    for field, host in (("n_node", of_nodes), ("n_edge", of_edges)):
        if host.size and host.min() < 0:
            raise ValueError(f"batch: `{field}` must hold no negative number, got {int(host.min())}")
    tuples = bounds_of([rows_of(g.n_node) for g in graphs])
    node_starts = bounds_of(of_nodes)[tuples]
    edge_starts = bounds_of(of_edges)[bounds_of([rows_of(g.n_edge) for g in graphs])]
    nodes, edges, number = np.diff(node_starts), np.diff(edge_starts), np.diff(tuples)
    expected = {
        "nodes": nodes,
        "edges": edges,
        "senders": edges,
        "receivers": edges,
        "globals": number,
        "n_edge": number,
    }
    for field, count in expected.items():
        wanted = count.tolist()
        trees = [getattr(g, field) for g in graphs]
        rows = [
            tree.shape[0] if type(tree) is np.ndarray and tree.ndim else _rows_or(tree, rows)
            for tree, rows in zip(trees, wanted, strict=True)
        ]
        if rows != wanted:
            at = next(i for i, (a, b) in enumerate(zip(rows, wanted, strict=True)) if a != b)
            sums = {"nodes": "sum of `n_node`", "globals": "number of graphs", "n_edge": "length of `n_node`"}
            said = sums.get(field, "sum of `n_edge`")
            raise ValueError(
                f"batch: `{field}` of graphs[{at}] has {rows[at]} rows, and its {said} is {wanted[at]}"
            )
    return node_starts


def _rows_or(tree: Any, expected: int) -> int:
    if tree is None:
        return expected
    for leaf in arrays_of(tree):
        rows = rows_of(leaf)
        if isinstance(rows, int) and rows != expected:
            return rows
    return expected


def _join_known_indices(field: str, vectors: list[Any], starts: Any, total: int) -> Any:
    if not vectors:
        return None
    shift = np.repeat(starts, [rows_of(v) for v in vectors])
    joined = join_integers(field, vectors)
    return shifted(joined, shift, add, total)


def shifted(indices: Any, shift: Any, operation: Any, total: int = 0) -> Any:
    """Return indices plus or minus host integers, in the indices' dtype if it can count to ``total``."""
    backend = TYPES.get(type(indices)) or backend_of(indices, "batch", "graphs")
    dtype = backend.numpy_dtype(indices.dtype)
    if total > np.iinfo(dtype).max:
        dtype = np.dtype(np.int64)  # uint8 indices, say, do not reach into a large batch
    if backend is HOST or (backend.NAME == "jax" and not backend.is_traced(indices)):
        host = to_host(indices).astype(dtype, copy=False)
        ours = np.add if operation is add else np.subtract
        result = ours(host, shift.astype(dtype))
        return result if backend is HOST else asarray(result, like=indices)
    return operation(indices, asarray(shift.astype(dtype), like=indices, dtype=dtype))


def _join_traced_indices(graphs: Sequence[Any], with_edges: list[int]) -> tuple[Any, Any]:
    """Return joined senders and receivers where the counts are symbols: one addition for each graph."""
    if not with_edges:
        return None, None
    totals = stack([sum_of(g.n_node) for g in graphs])
    before = subtract(cumulative_sum(totals), totals)
    joined = []
    for field in ("senders", "receivers"):
        parts = []
        for i in with_edges:
            vector = getattr(graphs[i], field)
            parts.append(add(vector, asarray(before[i], dtype=vector.dtype)))
        joined.append(join_integers(field, parts))
    return joined[0], joined[1]


def split_features(tree: Any, bounds: list[int]) -> list[Any]:
    """Cut a nest between each pair of neighbouring bounds."""
    if tree is None:
        return [None] * (len(bounds) - 1)
    if TYPES.get(type(tree)) is not None:
        return slices(tree, bounds)
    flat, spec = flatten(tree)
    columns = [slices(leaf, bounds) for leaf in flat]
    if not columns:
        return [spec.unflatten([]) for _ in bounds[1:]]
    return [spec.unflatten(list(row)) for row in zip(*columns, strict=True)]


def split_indices(indices: Any, shift: Any, bounds: list[int]) -> list[Any]:
    """Cut indices, less a host integer each, between each pair of neighbouring bounds."""
    if indices is None:
        return [None] * (len(bounds) - 1)
    if not _is_integer(indices):
        if shape(indices)[0] != 0:
            raise errors.not_an_index(indices, "unbatch", "senders")
        return slices(indices, bounds)
    return slices(shifted(indices, shift, subtract), bounds)
