"""Heterogeneous graph attention network."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from anytensor import errors
from anytensor.hetero.graph import HeteroGraphsTuple, checked
from anytensor.hetero.message import RelationSpec, mailbox
from anytensor.hetero.schema import EdgeType, is_by_type, part_of, resolve_etype
from anytensor.hetero.update import relation_of
from anytensor.hetero.views import SendRecvTuple
from anytensor.ops.creation import full
from anytensor.ops.elementwise import add, divide, greater, multiply, tanh
from anytensor.ops.manipulation import reshape, shape, stack
from anytensor.ops.plain import functions
from anytensor.ops.reduction import mean
from anytensor.ops.reduction import sum as sum_of
from anytensor.ops.searching import where
from anytensor.ops.transforms import relu, softmax

__all__ = ["flatten_heads", "han"]

Apply = Callable[[Any], Any]


def han(
    graph: HeteroGraphsTuple,
    meta_path_etypes: Sequence[EdgeType | str],
    node_message: Mapping[Any, Apply] | Apply,
    node_attention_logit: Mapping[Any, Callable[..., Any]] | Callable[..., Any],
    semantic_project: Apply,
    semantic_query: Apply,
    *,
    node_activation: Apply = relu,
    semantic_activation: Apply = tanh,
) -> HeteroGraphsTuple:
    """Attend over the neighbours of each meta-path, and then over the meta-paths.

    Args:
        graph: The graph, any backend. Each meta-path is an edge type of it, whose edges join the path's ends.
        meta_path_etypes: The meta-paths' edge types. Those into one node type are weighed against each other.
        node_message: Nodes -> projected nodes, (nodes, d) or (nodes, heads, d), applied to source and to
            destination nodes: a mapping by edge type, relation or node type (looked up in this order), or one
            callable for all.
        node_attention_logit: (src, dst, edges) -> logits, (n_edges,) or (n_edges, heads), of the projected
            features at each edge's ends: a mapping by edge type or relation, or one callable for all. See
            ``gat_attention_logit``.
        semantic_project: The features of a meta-path, (nodes, heads * d) -> (nodes, q), such as
            ``h -> h @ W + b``.
        semantic_query: (nodes, q) -> (nodes,) or (nodes, 1), such as ``h -> h @ q`` with q
            of shape (features, 1).
        node_activation: Applied to the attended features of a meta-path.
        semantic_activation: Applied between ``semantic_project`` and ``semantic_query``.

    Returns:
        The graph with new features, (nodes of the type, heads * d), for every node type that a meta-path runs
        into; the activation of 0 from a meta-path without neighbours. Other types keep theirs.

    Raises:
        TypeError: If an argument is of the wrong type.
        ValueError: If an edge type is unknown, a mapping lacks a type, node features are missing, or
            ``semantic_query`` returns another shape.

    Notes:
        The score of a meta-path is averaged over the nodes before the softmax over meta-paths (the paper's
        equations 7 and 8), so all nodes of a type weigh the meta-paths alike. In a batch of graphs the
        average runs over all of them. Differentiable, and traced whole by every compiler.

    Example:
        >>> import numpy as np
        >>> from anytensor import hetero
        >>> by, at_ = ("paper", "same author", "paper"), ("paper", "same venue", "paper")
        >>> graph = hetero.HeteroGraphsTuple(
        ...     nodes={"paper": np.array([[1.0], [3.0]])}, edges={},
        ...     senders={by: np.array([0]), at_: np.array([1])},
        ...     receivers={by: np.array([1]), at_: np.array([0])},
        ...     n_node={"paper": np.array([2])}, n_edge={by: np.array([1]), at_: np.array([1])},
        ... )
        >>> out = hetero.han(
        ...     graph, [by, at_], lambda h: h, lambda src, dst, edges: src[:, 0], lambda h: 0 * h, lambda h: h
        ... )
        >>> out.nodes["paper"].tolist()
        [[1.5], [0.5]]

    References:
        Wang et al., "Heterogeneous graph attention network", 2019, arXiv:1903.07293.
    """
    graph = checked("han", graph)
    functions("han", optional=False, node_activation=node_activation, semantic_activation=semantic_activation)
    if (
        isinstance(meta_path_etypes, str)
        or not isinstance(meta_path_etypes, Sequence)
        or not all(isinstance(etype, (str, tuple)) for etype in meta_path_etypes)
    ):
        raise TypeError(
            "han: `meta_path_etypes` must be a sequence of edge types, got "
            f"{errors.describe(meta_path_etypes)}"
        )
    for argument, part in (("semantic_project", semantic_project), ("semantic_query", semantic_query)):
        part_of("han", argument, part, ())
    known = graph.canonical_etypes
    etypes = [resolve_etype("han", "graph", etype, known) for etype in meta_path_etypes]
    logits = {}
    for etype in etypes:
        logits[etype] = part_of("han", "node_attention_logit", node_attention_logit, (etype, etype[1]))
        for ntype in (etype[0], etype[2]):
            part_of("han", "node_message", node_message, (etype, etype[1], ntype))
    projected: dict[Any, Any] = {}
    attended: dict[str, list[Any]] = {}
    for etype in etypes:
        relation = relation_of("han", graph, etype)
        ends = _projected(projected, node_message, etype, relation)
        got = mailbox("han", f"relation {etype!r}", ends, RelationSpec(attention_logit_fn=logits[etype]))
        attended.setdefault(etype[2], []).append(flatten_heads(node_activation(got)))
    nodes = {}
    for ntype, features in attended.items():
        scores = [
            _score(_checked_query(semantic_query(semantic_activation(semantic_project(z))))) for z in features
        ]
        weights = softmax(stack(scores), axis=0)
        total = multiply(features[0], weights[0])
        for place in range(1, len(features)):
            total = add(total, multiply(features[place], weights[place]))
        nodes[ntype] = total
    return graph.update(nodes=nodes)


def flatten_heads(x: Any) -> Any:
    """Return (nodes, heads, d) as (nodes, heads * d); features of two axes as they are."""
    rows, *tail = shape(x)
    if len(tail) == 1:
        return x
    width = 1
    for size in tail:
        width = width * size
    return reshape(x, (rows, width))


def _projected(
    done: dict[Any, Any], node_message: Any, etype: EdgeType, relation: SendRecvTuple
) -> SendRecvTuple:
    """Return a relation with projected nodes; a projection that serves several paths is computed once."""
    ends = []
    for ntype, features in ((etype[0], relation.src_nodes), (etype[2], relation.dst_nodes)):
        keys = (etype, etype[1], ntype)
        known = list(node_message.keys()) if is_by_type(node_message) else []
        used = next((k for k in keys if k in known), None)
        if (used, ntype) not in done:
            done[used, ntype] = part_of("han", "node_message", node_message, keys)(features)
        ends.append(done[used, ntype])
    return relation._replace(src_nodes=ends[0], dst_nodes=ends[1])


def _score(query: Any) -> Any:
    """Return the mean of a meta-path's scores over the nodes; 0 without nodes."""
    rows = shape(query)[0]
    if isinstance(rows, int):
        # `mean` and not a sum: half precision holds neither the sum over many nodes nor their number.
        return divide(sum_of(query), 1) if rows == 0 else mean(query)
    # The gradient of a mean over nothing is NaN for no entry at all.
    return where(greater(full((), rows, dtype=int, like=query), 0), mean(query), 0)


def _checked_query(query: Any) -> Any:
    """Return the scores of the nodes if there is one for each.

    Raises:
        ValueError: If they are not of shape (nodes,) or (nodes, 1).
    """
    sizes = shape(query)
    if len(sizes) == 1 or (len(sizes) == 2 and (not isinstance(sizes[1], int) or sizes[1] == 1)):
        return query
    raise ValueError(
        f"han: `semantic_query` must return one score for each node, shape (nodes,) or (nodes, 1), got "
        f"{errors.describe(query)}"
    )
