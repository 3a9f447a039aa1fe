"""Relational graph convolution."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from anytensor.hetero.graph import HeteroGraphsTuple, checked
from anytensor.hetero.message import REDUCERS, RelationSpec
from anytensor.hetero.schema import part_of
from anytensor.hetero.update import summed
from anytensor.ops.elementwise import add
from anytensor.ops.plain import functions, option
from anytensor.ops.transforms import relu
from anytensor.tree import map as map_tree

__all__ = ["relational_graph_convolution"]

Apply = Callable[[Any], Any]


def relational_graph_convolution(
    graph: HeteroGraphsTuple,
    relation_apply: Mapping[Any, Apply] | Apply,
    self_apply: Mapping[Any, Apply] | Apply | None,
    *,
    activation: Apply = relu,
    reducer: str = "mean",
) -> HeteroGraphsTuple:
    """Sum over relations what each one's neighbours send on the average, and the node itself.

    Args:
        graph: The graph, any backend.
        relation_apply: Source nodes -> messages, such as ``h -> h @ W_r``, applied once to each node: a
            mapping by edge type or by its relation, or one callable for all. A mapping may hold relations
            that the graph does not have.
        self_apply: Nodes -> nodes, such as ``h -> h @ W_0``, of the shape of the messages: a mapping by node
            type, or one callable for all; None leaves the node itself out.
        activation: Applied to the sum.
        reducer: How the messages of one relation are reduced at a node: ``"mean"``, the paper's 1/c,
            ``"sum"``, ``"max"`` or ``"min"``.

    Returns:
        The graph with new features of shape (nodes of the type, ...) for every node type that a relation runs
        into; a node without messages has the activation of ``self_apply`` alone. Other types keep theirs.

    Raises:
        TypeError: If an argument is of the wrong type.
        ValueError: If a mapping lacks a type of the graph, node features are missing, or ``reducer`` is
            unknown.

    Notes:
        Memory grows with edges times features: no weights are gathered for edges. Differentiable, and traced
        whole by every compiler. The paper's basis decomposition is a matter of ``relation_apply``.

    Example:
        >>> import numpy as np
        >>> from anytensor import hetero
        >>> cites = ("paper", "cites", "paper")
        >>> graph = hetero.HeteroGraphsTuple(
        ...     nodes={"paper": np.array([[1.0], [3.0], [5.0]])}, edges={},
        ...     senders={cites: np.array([0, 1])}, receivers={cites: np.array([2, 2])},
        ...     n_node={"paper": np.array([3])}, n_edge={cites: np.array([2])},
        ... )
        >>> out = hetero.relational_graph_convolution(graph, {cites: lambda h: 10 * h}, lambda h: h)
        >>> out.nodes["paper"].tolist()
        [[1.0], [3.0], [25.0]]

    References:
        Schlichtkrull et al., "Modeling relational data with graph convolutional networks", 2018,
        arXiv:1703.06103, equation 2.
    """
    name = "relational_graph_convolution"
    graph = checked(name, graph)
    functions(name, optional=False, activation=activation)
    option(name, reducer, "reducer", tuple(REDUCERS))
    specs = {}
    for etype in graph.canonical_etypes:
        apply = part_of(name, "relation_apply", relation_apply, (etype, etype[1]))
        specs[etype] = RelationSpec(src_apply=apply, reduce=reducer)
    own = {}
    for etype in graph.canonical_etypes:
        if self_apply is not None:
            own[etype[2]] = part_of(name, "self_apply", self_apply, (etype[2],))
    nodes = {}
    for ntype, total in summed(name, graph, specs).items():
        if ntype in own:
            total = map_tree(add, own[ntype](graph.nodes[ntype]), total)
        nodes[ntype] = map_tree(activation, total)
    return graph.update(nodes=nodes)
