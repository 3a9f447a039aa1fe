"""Heterogeneous graph transformer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from anytensor.backends import TYPES, backend_of
from anytensor.hetero.graph import HeteroGraphsTuple, checked
from anytensor.hetero.message import RelationSpec, messages_of
from anytensor.hetero.models.han import flatten_heads
from anytensor.hetero.schema import part_of, value_of
from anytensor.hetero.update import by_destination, relation_of
from anytensor.ops.elementwise import add, multiply
from anytensor.ops.manipulation import concat
from anytensor.ops.plain import functions
from anytensor.segment import segment_attention
from anytensor.tree import map as map_tree

__all__ = ["hgt"]

Apply = Callable[[Any], Any]


def _identity(x: Any) -> Any:
    return x


def hgt(
    graph: HeteroGraphsTuple,
    message_apply: Mapping[Any, Apply] | Apply,
    attention_logit: Mapping[Any, Callable[..., Any]] | Callable[..., Any],
    target_apply: Mapping[Any, Apply] | Apply,
    *,
    activation: Apply = _identity,
    scale: Mapping[Any, Any] | Any = None,
    skip: Mapping[str, Any] | Any = None,
) -> HeteroGraphsTuple:
    """Attend over all edges that reach a node, those of every relation together.

    Args:
        graph: The graph, any backend.
        message_apply: Source nodes -> messages, (nodes, d) or (nodes, heads, d), applied once to each node: a
            mapping by edge type or relation, or one callable for all. A mapping may hold relations that the
            graph does not have.
        attention_logit: (src, dst, edges) -> logits, (n_edges,) or (n_edges, heads), of the nodes' own
            features at each edge's ends and the edges' features: as ``message_apply``. Where node features
            are a nest, keys and queries that were computed for the nodes may lie in it.
        target_apply: The attended features, (nodes, heads * d) -> nodes: a mapping by node type, or one
            callable for all.
        activation: Applied to what ``target_apply`` returns.
        scale: What to multiply the logits by, such as the paper's mu / sqrt(d): a number or an array of shape
            (), (heads,), a mapping of these by edge type or relation, or None for the logits as they are.
        skip: The share of the new features, in [0, 1], in ``skip * new + (1 - skip) * old``: a number or a
            0-d array, a mapping of these by node type, or None for the new ones alone.

    Returns:
        The graph with new features for every node type that a relation runs into; a node without edges gets
        ``target_apply`` of 0. Other types keep their features.

    Raises:
        TypeError: If an argument is of the wrong type.
        ValueError: If a mapping lacks a type of the graph, node features are missing, or ``skip`` is a Python
            number outside [0, 1].

    Notes:
        The softmax runs over all edges that reach a node, whatever their relation (the paper's equation 3).
        Differentiable, and traced whole by every compiler.

    Example:
        >>> import numpy as np
        >>> from anytensor import hetero
        >>> cites, by = ("paper", "cites", "paper"), ("author", "writes", "paper")
        >>> graph = hetero.HeteroGraphsTuple(
        ...     nodes={"paper": np.array([[1.0], [3.0]]), "author": np.array([[7.0]])}, edges={},
        ...     senders={cites: np.array([0]), by: np.array([0])},
        ...     receivers={cites: np.array([1]), by: np.array([1])},
        ...     n_node={"paper": np.array([2]), "author": np.array([1])},
        ...     n_edge={cites: np.array([1]), by: np.array([1])},
        ... )
        >>> out = hetero.hgt(graph, lambda h: h, lambda src, dst, edges: 0 * src[:, 0], lambda h: h, skip=0.5)
        >>> out.nodes["paper"].tolist()
        [[0.5], [3.5]]

    References:
        Hu et al., "Heterogeneous graph transformer", 2020, arXiv:2003.01332.
    """
    graph = checked("hgt", graph)
    functions("hgt", optional=False, activation=activation)
    specs, logits_of, targets, gates, scales = {}, {}, {}, {}, {}
    for etype in graph.canonical_etypes:
        _, relation, destination = etype
        specs[etype] = RelationSpec(
            src_apply=part_of("hgt", "message_apply", message_apply, (etype, relation))
        )
        # The logits are of the nodes' own features, not of what `message_apply` made of them.
        logit = part_of("hgt", "attention_logit", attention_logit, (etype, relation))
        logits_of[etype] = RelationSpec(message_fn=logit)
        scales[etype] = value_of("hgt", "scale", scale, (etype, relation))
        targets[destination] = part_of("hgt", "target_apply", target_apply, (destination,))
        gates[destination] = _share(destination, value_of("hgt", "skip", skip, (destination,)))
    for argument, values in (("scale", scales), ("skip", gates)):
        for value in values.values():
            _check_factor(argument, value)
    nodes = {}
    for ntype, etypes in by_destination(graph).items():
        messages, logits, receivers, total = [], [], [], None
        for etype in etypes:
            what, relation_view = f"relation {etype!r}", relation_of("hgt", graph, etype)
            sent, _, received, total = messages_of("hgt", what, relation_view, specs[etype])
            scores, *_ = messages_of("hgt", what, relation_view, logits_of[etype])
            messages.append(sent)
            logits.append(scores if scales[etype] is None else multiply(scores, scales[etype]))
            receivers.append(received)
        got = segment_attention(_joined(messages), _joined(logits), _joined(receivers), total)
        attended = flatten_heads(got)
        new = map_tree(activation, targets[ntype](attended))
        nodes[ntype] = new if gates[ntype] is None else _blend(gates[ntype], new, graph.nodes[ntype])
    return graph.update(nodes=nodes)


def _joined(parts: list[Any]) -> Any:
    return parts[0] if len(parts) == 1 else concat(parts)


def _check_factor(argument: str, value: Any) -> None:
    """Raise TypeError if what logits or features are multiplied by is no number, no array and not None."""
    if value is not None and type(value) not in TYPES:
        backend_of(value, "hgt", argument)


def _share(ntype: str, gate: Any) -> Any:
    """Return the share of the new features if it may be one; arrays are not looked into.

    Raises:
        ValueError: If it is a Python number outside [0, 1].
    """
    if isinstance(gate, (int, float)) and not 0 <= gate <= 1:
        raise ValueError(f"hgt: `skip` must be in [0, 1], got {gate!r} for node type {ntype!r}")
    return gate


def _blend(gate: Any, new: Any, old: Any) -> Any:
    rest = 1 - gate  # a Python number stays one, which TorchDynamo asks for
    return map_tree(lambda a, b: add(multiply(a, gate), multiply(b, rest)), new, old)
