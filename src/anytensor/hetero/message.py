"""Messages along one relation, from its source nodes to a mailbox for each destination node."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from anytensor import errors
from anytensor.hetero.views import SendRecvTuple, incidence, number_of_rows
from anytensor.jraph.joining import map_arrays
from anytensor.jraph.types import ArrayTree
from anytensor.ops.creation import full, zeros
from anytensor.ops.data_types import astype
from anytensor.ops.elementwise import add, clip, multiply
from anytensor.ops.indexing import take
from anytensor.ops.manipulation import concat, reshape, shape
from anytensor.ops.plain import option
from anytensor.ops.transforms import leaky_relu
from anytensor.segment import (
    segment_attention,
    segment_max_or_constant,
    segment_mean,
    segment_min_or_constant,
    segment_softmax,
    segment_sum,
)
from anytensor.typing import Shaped

__all__ = [
    "REDUCERS",
    "RelationSpec",
    "check_spec",
    "copy_u_message",
    "gat_attention_logit",
    "mailbox",
    "messages_of",
    "relation_mailbox",
]

REDUCERS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "sum": segment_sum,
    "mean": segment_mean,
    # A node without a message has 0 in its mailbox.
    "max": segment_max_or_constant,
    "min": segment_min_or_constant,
}


def copy_u_message(src: ArrayTree, dst: ArrayTree, edges: ArrayTree) -> ArrayTree:
    """Send the features of the source node as they are.

    Args:
        src: Features of each edge's source node, (n_edges, ...), or a nest.
        dst: Features of each edge's destination node; unused, and not even gathered.
        edges: Features of the edges; unused.

    Returns:
        ``src``.

    Example:
        >>> from anytensor import hetero
        >>> hetero.copy_u_message("src", "dst", "edges")
        'src'

    References:
        Wang et al., "Deep Graph Library: a graph-centric, highly-performant package for graph neural
        networks", 2019, arXiv:1909.01315 (``copy_u`` is its name for this message).
    """
    return src


class RelationSpec(NamedTuple):
    """Say how messages pass along one relation.

    Attributes:
        message_fn: (src, dst, edges) -> messages, all with one row for each edge: an array or a nest.
        src_apply: nodes -> nodes, applied to the source nodes before they are gathered for the edges, so that
            a linear map costs nodes and not edges; None applies nothing.
        reduce: ``"sum"``, ``"mean"``, ``"max"`` or ``"min"`` of the messages that reach a node. A node that
            none reaches has 0.
        attention_logit_fn: (src, dst, edges) -> logits, (n_edges,) or (n_edges, heads), on the arguments that
            ``message_fn`` gets. Their softmax over the edges that reach a node weighs the messages. None
            weighs nothing.
        attention_reduce_fn: (messages, weights) -> weighted messages, which are then reduced. None multiplies
            them, the weights' axes being the first ones of the messages'.

    Example:
        >>> from anytensor import hetero
        >>> hetero.RelationSpec(src_apply=lambda h: 2 * h, reduce="mean").reduce
        'mean'
    """

    message_fn: Callable[[Any, Any, Any], Any] = copy_u_message
    src_apply: Callable[[Any], Any] | None = None
    reduce: str = "sum"
    attention_logit_fn: Callable[[Any, Any, Any], Any] | None = None
    attention_reduce_fn: Callable[[Any, Any], Any] | None = None


def check_spec(function: str, argument: str, spec: Any) -> RelationSpec:
    """Return a specification if it is one and its parts are what they must be.

    Raises:
        TypeError: If it is no RelationSpec or a part is not callable.
        ValueError: If the reduction is unknown, or weighted messages have no weights.
    """
    if not isinstance(spec, RelationSpec):
        raise TypeError(
            f"{function}: `{argument}` must be a hetero.RelationSpec, got {errors.describe(spec)}"
        )
    for part in ("message_fn", "src_apply", "attention_logit_fn", "attention_reduce_fn"):
        value = getattr(spec, part)
        if not callable(value) and (value is not None or part == "message_fn"):
            raise TypeError(
                f"{function}: `{part}` of {argument} must be callable, got {errors.describe(value)}"
            )
    option(function, spec.reduce, f"reduce of {argument}", tuple(REDUCERS))
    if spec.attention_logit_fn is None and spec.attention_reduce_fn is not None:
        raise ValueError(
            f"{function}: `attention_reduce_fn` of {argument} needs `attention_logit_fn`, which is None"
        )
    return spec


def relation_mailbox(relation: SendRecvTuple, spec: RelationSpec) -> ArrayTree:
    """Pass messages along one relation and reduce those that reach each node.

    Args:
        relation: The relation: ``graph.relation_view(etype)``, or ``graphs_tuple_as_send_recv(graph)``.
        spec: How.

    Returns:
        What each destination node got: a nest like the messages, its arrays of shape (n_dst, ...) with dtypes
        as of ``segment_sum`` and the like. 0 for a node that no message reached, all 0 without edges.

    Raises:
        TypeError: If an argument is of the wrong type, or indices are not integers.
        ValueError: If node features are missing, arrays do not have a row for each edge, or ``reduce`` is
            unknown.

    Notes:
        An edge whose receiver lies outside [0, n_dst) is dropped; ``message_fn`` sees some node's features,
        or zeros, for it. Senders must be in range, as for ``take``. Differentiable, and traced whole by every
        compiler; sizes come from the features' shapes. The default message with attention is one fused
        operation.

    Example:
        >>> import numpy as np
        >>> from anytensor import hetero
        >>> relation = hetero.SendRecvTuple(
        ...     src_nodes=np.array([[1.0], [3.0]]), dst_nodes=np.zeros((2, 1)),
        ...     edges=np.array([[1.0], [2.0]]), senders=np.array([0, 1]), receivers=np.array([1, 1]),
        ...     n_src_node=np.array([2]), n_dst_node=np.array([2]), n_edge=np.array([2]), globals=None,
        ... )
        >>> spec = hetero.RelationSpec(lambda src, dst, edges: src * edges, reduce="max")
        >>> hetero.relation_mailbox(relation, spec)
        array([[0.],
               [6.]])
    """
    if not isinstance(relation, SendRecvTuple):
        raise TypeError(
            f"relation_mailbox: `relation` must be a hetero.SendRecvTuple, got {errors.describe(relation)}"
        )
    return mailbox("relation_mailbox", "relation", relation, check_spec("relation_mailbox", "spec", spec))


def mailbox(function: str, what: str, relation: SendRecvTuple, spec: RelationSpec) -> Any:
    """Return the mailbox of a relation; ``what`` names it in errors."""
    messages, logits, receivers, total = messages_of(function, what, relation, spec)
    if logits is None:
        return map_arrays(lambda x: REDUCERS[spec.reduce](x, receivers, total), messages)
    if spec.attention_reduce_fn is None and spec.reduce == "sum":
        return map_arrays(lambda x: segment_attention(x, logits, receivers, total), messages)
    weights = map_arrays(lambda x: segment_softmax(x, receivers, total), logits)
    weigh = spec.attention_reduce_fn or _weighted
    return map_arrays(lambda x: REDUCERS[spec.reduce](x, receivers, total), weigh(messages, weights))


def messages_of(
    function: str, what: str, relation: SendRecvTuple, spec: RelationSpec
) -> tuple[Any, Any, Any, Any]:
    """Return the messages of a relation, their logits (None without), the receivers, and how many nodes."""
    total = number_of_rows(function, f"the destination of {what}", relation.dst_nodes)
    number_of_rows(function, f"the source of {what}", relation.src_nodes)
    senders, receivers = incidence(function, what, relation)
    nodes = relation.src_nodes if spec.src_apply is None else spec.src_apply(relation.src_nodes)
    src = map_arrays(lambda x: take(x, senders), nodes)
    dst = None
    if spec.message_fn is not copy_u_message or spec.attention_logit_fn is not None:
        dst = _of_receivers(relation.dst_nodes, receivers, total)
    messages = spec.message_fn(src, dst, relation.edges)
    logits = None if spec.attention_logit_fn is None else spec.attention_logit_fn(src, dst, relation.edges)
    return messages, logits, receivers, total


def _of_receivers(nodes: Any, receivers: Any, total: Any) -> Any:
    """Return the features of each edge's destination node.

    An edge whose receiver is out of range is dropped by the reduction: here it gets the features of any node,
    for a gather would raise, or give NaN, which spoils the gradient of what it meets.
    """
    # The default integer dtype holds `total`; an unsigned id past it wraps to a negative one, as far out.
    ids = astype(receivers, int)
    # An array, for a symbolic size as a bound would be compared with what a dtype holds, and get a guard.
    last = full((), total - 1, dtype=int, like=receivers)
    if isinstance(total, int) and total != 0:
        ids = clip(ids, 0, last)
        return map_arrays(lambda x: take(x, ids), nodes)
    # There is no node, or a trace does not know: a row of zeros behind the nodes.
    ids = clip(ids, 0, add(last, 1))

    def gather(x: Any) -> Any:
        return take(concat([x, zeros((1, *shape(x)[1:]), dtype=x.dtype, like=x)]), ids)

    return map_arrays(gather, nodes)


def _weighted(messages: Any, weights: Any) -> Any:
    """Multiply messages by weights whose axes are their first ones."""

    def weigh(x: Any) -> Any:
        missing = len(shape(x)) - len(shape(weights))
        return multiply(x, reshape(weights, (*shape(weights), *[1] * missing)))

    return map_arrays(weigh, messages)


def gat_attention_logit(
    src: Shaped[Any, " edges *heads features"],
    dst: Shaped[Any, " edges *heads features"],
    attn_vec_apply: Callable[[Any], Any],
    negative_slope: int | float = 0.2,
) -> Shaped[Any, " edges *heads"]:
    """Score edges as graph attention networks do.

    Args:
        src: Projected features of each edge's source node, (n_edges, ..., d), floating.
        dst: Projected features of its destination node, of the same axes.
        attn_vec_apply: The attention vector: features (n_edges, ..., 2 d), source beside destination, to
            logits (n_edges, ...), as ``lambda h: at.sum(h * a, axis=-1)``.
        negative_slope: The slope of the leaky ReLU for logits below 0.

    Returns:
        The logits, as ``attn_vec_apply`` shapes them: (n_edges,), or (n_edges, heads).

    Raises:
        TypeError: If an operand has an unknown type, or ``attn_vec_apply`` is not callable.

    Example:
        >>> import numpy as np
        >>> from anytensor import hetero
        >>> src, dst, a = np.array([[1.0], [2.0]]), np.array([[3.0], [-9.0]]), np.array([1.0, 1.0])
        >>> hetero.gat_attention_logit(src, dst, lambda h: h @ a)
        array([ 4. , -1.4])

    References:
        Velickovic et al., "Graph attention networks", 2018, arXiv:1710.10903, equation 3.
    """
    if not callable(attn_vec_apply):
        raise TypeError(
            f"gat_attention_logit: `attn_vec_apply` must be callable, got {errors.describe(attn_vec_apply)}"
        )
    return leaky_relu(attn_vec_apply(concat([src, dst], axis=-1)), negative_slope)
