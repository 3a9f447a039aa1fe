"""Composition-based graph convolution."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from anytensor.hetero.graph import HeteroGraphsTuple, checked
from anytensor.hetero.message import REDUCERS, RelationSpec, copy_u_message
from anytensor.hetero.schema import EdgeType, part_of
from anytensor.hetero.update import summed
from anytensor.ops.creation import arange, full
from anytensor.ops.data_types import astype
from anytensor.ops.elementwise import add, cos, divide, multiply, remainder, sin, subtract
from anytensor.ops.linalg import matmul
from anytensor.ops.manipulation import reshape, shape
from anytensor.ops.plain import functions, option
from anytensor.ops.transforms import relu
from anytensor.tree import map as map_tree

__all__ = ["COMPOSITIONS", "circular_correlation", "comp_gcn"]

Apply = Callable[[Any], Any]


def comp_gcn(
    graph: HeteroGraphsTuple,
    relation_apply: Mapping[Any, Apply] | Apply,
    self_apply: Mapping[Any, Apply] | Apply | None,
    *,
    composition: str = "mult",
    activation: Apply = relu,
    reducer: str = "sum",
) -> HeteroGraphsTuple:
    """Compose each neighbour with the embedding of the relation it stands in, and sum over relations.

    Args:
        graph: The graph, any backend. The features of its edges are the relations' embeddings, of the width d
            of the source nodes: one row for each edge, (n_edges, d), or one for all, (1, d) or (d,).
        relation_apply: Composed features -> messages, such as ``h -> h @ W_r``: a mapping by edge type or by
            its relation, or one callable for all. A mapping may hold relations that the graph does not have.
        self_apply: Nodes -> nodes, of the shape of the messages: a mapping by node type, or one callable for
            all; None leaves the node itself out. The paper composes the node with the embedding of a self
            loop here.
        composition: Of a neighbour h and an embedding z: ``"sub"``, h - z; ``"mult"``, h * z; ``"corr"``,
            their circular correlation; ``"sum"``, h + z.
        activation: Applied to the sum.
        reducer: How the messages of one relation are reduced at a node: ``"sum"``, ``"mean"``, ``"max"`` or
            ``"min"``.

    Returns:
        The graph with new features of shape (nodes of the type, ...) for every node type that a relation runs
        into; a node without messages has the activation of ``self_apply`` alone. Other types, and the edges,
        keep theirs.

    Raises:
        TypeError: If an argument is of the wrong type.
        ValueError: If an edge type has no embedding, a mapping lacks a type, node features are missing, or
            ``composition`` or ``reducer`` is unknown.

    Notes:
        With one embedding for all edges of a relation, composition and ``relation_apply`` run on the source
        nodes, before the gather: their cost grows with nodes, and else with edges. The paper shares weights
        by direction: give one callable for all relations and another for the reverse ones. Differentiable,
        and traced whole by every compiler.

    Example:
        >>> import numpy as np
        >>> from anytensor import hetero
        >>> cites = ("paper", "cites", "paper")
        >>> graph = hetero.HeteroGraphsTuple(
        ...     nodes={"paper": np.array([[1.0, 2.0], [3.0, 4.0]])}, edges={cites: np.array([[10.0, 1.0]])},
        ...     senders={cites: np.array([0])}, receivers={cites: np.array([1])},
        ...     n_node={"paper": np.array([2])}, n_edge={cites: np.array([1])},
        ... )
        >>> hetero.comp_gcn(graph, lambda h: h, lambda h: h).nodes["paper"]
        array([[ 1.,  2.],
               [13.,  6.]])

    References:
        Vashishth et al., "Composition-based multi-relational graph convolutional networks", 2020,
        arXiv:1911.03082, equation 2; Nickel et al., "Holographic embeddings of knowledge graphs", 2016,
        arXiv:1510.04935 (circular correlation).
    """
    name = "comp_gcn"
    graph = checked(name, graph)
    functions(name, optional=False, activation=activation)
    option(name, composition, "composition", tuple(COMPOSITIONS))
    option(name, reducer, "reducer", tuple(REDUCERS))
    compose = COMPOSITIONS[composition]
    edges = dict(graph.iter_edges())
    specs, own = {}, {}
    for etype in graph.canonical_etypes:
        apply = part_of(name, "relation_apply", relation_apply, (etype, etype[1]))
        specs[etype] = _spec(etype, edges, compose, apply, reducer)
        if self_apply is not None:
            own[etype[2]] = part_of(name, "self_apply", self_apply, (etype[2],))
    nodes = {}
    for ntype, total in summed(name, graph, specs).items():
        if ntype in own:
            total = map_tree(add, own[ntype](graph.nodes[ntype]), total)
        nodes[ntype] = map_tree(activation, total)
    return graph.update(nodes=nodes)


def _spec(
    etype: EdgeType, edges: Mapping[EdgeType, Any], compose: Callable[..., Any], apply: Apply, reducer: str
) -> RelationSpec:
    embedding = edges[etype]
    if embedding is None:
        known = [key for key, x in edges.items() if x is not None]
        raise ValueError(
            f"comp_gcn: edges of type {etype!r} have no features, the embedding of the relation; there are "
            f"features of {', '.join(map(repr, known)) or 'none'}"
        )
    sizes = shape(embedding)
    if len(sizes) < 2:
        embedding = reshape(embedding, (1, *sizes))
    if len(sizes) < 2 or (isinstance(sizes[0], int) and sizes[0] == 1):
        return RelationSpec(copy_u_message, lambda h: apply(compose(h, embedding)), reducer)
    return RelationSpec(lambda src, dst, z: apply(compose(src, z)), None, reducer)


def circular_correlation(h: Any, z: Any) -> Any:
    """Return the circular correlation along the last axis: entry k is the sum over i of h[i] z[i + k].

    By the Fourier transform, written as products with its matrix: real arithmetic, at the cost of a linear
    map of the features, and no gather of d x d entries for each row. (A fast transform would need complex
    numbers, which ONNX has not.)
    """
    d = shape(h)[-1]
    k = arange(d, like=h, dtype="int32")
    turns = remainder(multiply(reshape(k, (-1, 1)), k), d)
    angle = multiply(astype(turns, h.dtype), divide(2 * math.pi, astype(full((), d, like=h), h.dtype)))
    even, odd = cos(angle), sin(angle)
    h_even, h_odd, z_even, z_odd = (matmul(x, basis) for x in (h, z) for basis in (even, odd))
    real = add(multiply(h_even, z_even), multiply(h_odd, z_odd))
    imaginary = subtract(multiply(h_odd, z_even), multiply(h_even, z_odd))
    return divide(subtract(matmul(real, even), matmul(imaginary, odd)), d)


COMPOSITIONS: dict[str, Callable[[Any, Any], Any]] = {
    "sub": subtract,
    "mult": multiply,
    "corr": circular_correlation,
    "sum": add,
}
