"""Weights within segments under official jraph's names: softmax and the z-score."""

from __future__ import annotations

from typing import Any

from anytensor import partition, segment
from anytensor.jraph.segment import applied, one_for_each, renamed
from anytensor.ops.creation import full, zeros
from anytensor.ops.elementwise import greater_equal, less, logical_and, maximum, multiply, rsqrt, subtract
from anytensor.ops.indexing import take
from anytensor.ops.manipulation import concat, shape
from anytensor.ops.plain import number
from anytensor.ops.searching import where
from anytensor.typing import Partitions, SegmentIds, Shaped, SizeLike

__all__ = ["partition_softmax", "segment_normalize", "segment_softmax"]


def segment_softmax(
    logits: Shaped[Any, ...],
    segment_ids: SegmentIds,
    num_segments: SizeLike = None,
    indices_are_sorted: bool = False,
    unique_indices: bool = False,
) -> Shaped[Any, ...]:
    """Take the softmax over the rows of each segment.

    Args:
        logits: Logits of shape (rows, ...), real; 0-d logits counts once for each row.
        segment_ids: Shape (rows,), any integer dtype. A row whose id lies outside [0, num_segments) takes no
            part.
        num_segments: Number of segments, required: a Python int, a symbolic size or a 0-d integer array.
        indices_are_sorted: Promise that the ids do not decrease; faster.
        unique_indices: Promise that no id comes twice; unused.

    Returns:
        One row for each row of the logits; 0 where the id is out of range. As ``anytensor.segment_softmax``.

    Raises:
        TypeError: If an operand has an unknown type, two frameworks meet, the ids are not integers, or
            ``num_segments`` is missing, None, bool, floating or a value that a JAX trace does not know.
        ValueError: If ``segment_ids`` is not 1-D or not one for each row, or ``num_segments`` is negative.

    Example:
        >>> import numpy as np
        >>> from anytensor import jraph
        >>> jraph.segment_softmax(np.array([1.0, 1.0, 5.0]), np.array([0, 0, 2]), 3)
        array([0.5, 0.5, 1. ])
    """
    return applied(
        segment.segment_softmax, logits, segment_ids, num_segments, indices_are_sorted, name="logits"
    )


def segment_normalize(
    data: Shaped[Any, ...],
    segment_ids: SegmentIds,
    num_segments: SizeLike = None,
    indices_are_sorted: bool = False,
    unique_indices: bool = False,
    eps: float = 1e-8,
) -> Shaped[Any, ...]:
    """Bring the rows of each segment to mean 0 and variance 1.

    Args:
        data: Data of shape (rows, ...), real; 0-d data counts once for each row.
        segment_ids: Shape (rows,), any integer dtype. A row whose id lies outside [0, num_segments) takes no
            part.
        num_segments: Number of segments, required: a Python int, a symbolic size or a 0-d integer array.
        indices_are_sorted: Promise that the ids do not decrease; faster.
        unique_indices: Promise that no id comes twice; unused.
        eps: The least variance to divide by, a Python number.

    Returns:
        One row for each row of data: its distance from the mean of its segment over the standard deviation;
        0 where the id is out of range. Floating.

    Raises:
        TypeError: If an operand has an unknown type, two frameworks meet, the ids are not integers, or
            ``num_segments`` is missing, None, bool, floating or a value that a JAX trace does not know.
        ValueError: If ``segment_ids`` is not 1-D or not one for each row, or ``num_segments`` is negative.

    Notes:
        ``anytensor.segment_normalize`` is another thing: it divides by the segment's sum.

    Example:
        >>> import numpy as np
        >>> from anytensor import jraph
        >>> jraph.segment_normalize(np.array([1.0, 3.0, 5.0]), np.array([0, 0, 2]), 3)
        array([-1.,  1.,  0.])
    """
    eps = number("segment_normalize", eps, "eps")
    try:
        data = one_for_each(data, segment_ids)
        variance = applied(segment.segment_variance, data, segment_ids, num_segments, indices_are_sorted)
    except (TypeError, ValueError) as error:
        raise renamed(
            error, {"segment_variance": "segment_normalize", "jraph:": "segment_normalize:"}
        ) from error.__cause__
    mean = applied(segment.segment_mean, data, segment_ids, num_segments, indices_are_sorted)
    scale = rsqrt(maximum(variance, eps))
    place = _place(segment_ids, shape(mean)[0])
    # A row more, of zeros, for the rows of no segment: their scale is 0.
    mean, scale = (concat([x, zeros((1, *shape(x)[1:]), dtype=x.dtype, like=x)]) for x in (mean, scale))
    return multiply(subtract(data, take(mean, place)), take(scale, place))


def partition_softmax(
    logits: Shaped[Any, ...], partitions: Partitions, sum_partitions: SizeLike = None
) -> Shaped[Any, ...]:
    """Take the softmax over the rows of each partition.

    Args:
        logits: Shape (rows, ...), real; the rows of one partition stand together, in order.
        partitions: Shape (num_partitions,), any integer dtype: the number of rows of each partition.
        sum_partitions: The number of rows, required: ``at.shape(logits)[0]``.

    Returns:
        Shape of the logits; rows past the last partition are 0. As ``anytensor.partition_softmax``.

    Raises:
        TypeError: If an operand has an unknown type, two frameworks meet, ``partitions`` are not integers, or
            ``sum_partitions`` is missing, None, bool, floating or a value that a JAX trace does not know.
        ValueError: If ``partitions`` is not 1-D or has a negative entry, or ``sum_partitions`` is not the
            number of rows.

    Example:
        >>> import numpy as np
        >>> from anytensor import jraph
        >>> jraph.partition_softmax(np.array([1.0, 1.0, 5.0]), np.array([2, 1]), 3)
        array([0.5, 0.5, 1. ])
    """
    try:
        return partition.partition_softmax(logits, partitions, sum_partitions)
    except (TypeError, ValueError) as error:
        raise renamed(error, {"`x`": "`logits`", "`total_length`": "`sum_partitions`"}) from error.__cause__


def _place(segment_ids: Any, num_segments: Any) -> Any:
    """Return the ids, with num_segments for those out of range."""
    limit = full((), num_segments, dtype="int64", like=segment_ids)
    inside = logical_and(greater_equal(segment_ids, 0), less(segment_ids, limit))
    return where(inside, segment_ids, limit)
