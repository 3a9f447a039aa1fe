"""GraphSAGE on several relations."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from anytensor.hetero.graph import HeteroGraphsTuple, checked
from anytensor.hetero.message import RelationSpec
from anytensor.hetero.schema import part_of
from anytensor.hetero.update import summed
from anytensor.ops.manipulation import concat
from anytensor.ops.plain import functions
from anytensor.ops.transforms import relu
from anytensor.tree import map as map_tree

__all__ = ["hetero_sage"]

Apply = Callable[[Any], Any]


def hetero_sage(
    graph: HeteroGraphsTuple,
    relation_apply: Mapping[Any, Apply] | Apply,
    combine_apply: Mapping[Any, Apply] | Apply,
    *,
    activation: Apply = relu,
) -> HeteroGraphsTuple:
    """Combine each node with the mean of its neighbours, summed over relations.

    Args:
        graph: The graph, any backend.
        relation_apply: Source nodes -> messages, such as ``h -> h @ W_r``, applied once to each node: a
            mapping by edge type or by its relation, or one callable for all. A mapping may hold relations
            that the graph does not have.
        combine_apply: (nodes of the type, d_self + d_messages), a node's own features beside its mailbox, ->
            nodes: a mapping by node type, or one callable for all.
        activation: Applied to what ``combine_apply`` returns.

    Returns:
        The graph with new features of shape (nodes of the type, ...) for every node type that a relation runs
        into; the mailbox of a node without neighbours is 0. Other types keep their features.

    Raises:
        TypeError: If an argument is of the wrong type.
        ValueError: If a mapping lacks a type of the graph, or node features are missing.

    Notes:
        Where features are a nest, the messages are one of the same structure, and are concatenated array by
        array. Differentiable, and traced whole by every compiler.

    Example:
        >>> import numpy as np
        >>> from anytensor import hetero
        >>> cites = ("paper", "cites", "paper")
        >>> graph = hetero.HeteroGraphsTuple(
        ...     nodes={"paper": np.array([[1.0], [3.0], [5.0]])}, edges={},
        ...     senders={cites: np.array([0, 1])}, receivers={cites: np.array([2, 2])},
        ...     n_node={"paper": np.array([3])}, n_edge={cites: np.array([2])},
        ... )
        >>> hetero.hetero_sage(graph, {cites: lambda h: 10 * h}, lambda h: h).nodes["paper"]
        array([[ 1.,  0.],
               [ 3.,  0.],
               [ 5., 20.]])

    References:
        Hamilton et al., "Inductive representation learning on large graphs", 2017, arXiv:1706.02216,
        algorithm 1.
    """
    name = "hetero_sage"
    graph = checked(name, graph)
    functions(name, optional=False, activation=activation)
    specs, combine = {}, {}
    for etype in graph.canonical_etypes:
        apply = part_of(name, "relation_apply", relation_apply, (etype, etype[1]))
        specs[etype] = RelationSpec(src_apply=apply, reduce="mean")
        combine[etype[2]] = part_of(name, "combine_apply", combine_apply, (etype[2],))
    nodes = {}
    for ntype, box in summed(name, graph, specs).items():
        both = map_tree(lambda own, got: concat([own, got], axis=-1), graph.nodes[ntype], box)
        nodes[ntype] = map_tree(activation, combine[ntype](both))
    return graph.update(nodes=nodes)
