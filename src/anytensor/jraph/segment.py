"""Segment operations under official jraph's names and signatures, with this library's rules.

They differ from ``anytensor.segment_*`` in three ways: the flags are ``indices_are_sorted`` and
``unique_indices``, data of no axis stands for one value in every row, and ``segment_normalize`` is a z-score.
Unlike official jraph, ``num_segments`` is required: it is never inferred from the ids.
"""

from __future__ import annotations

from typing import Any

from jaxtyping import Shaped

from anytensor import partition, segment
from anytensor.backends import TYPES, backend_of
from anytensor.ops.creation import full, zeros
from anytensor.ops.elementwise import greater_equal, less, logical_and, maximum, multiply, rsqrt, subtract
from anytensor.ops.indexing import take
from anytensor.ops.manipulation import broadcast_to, concat, shape
from anytensor.ops.searching import where
from anytensor.typing import Partitions, SegmentIds, SizeLike

__all__ = [
    "partition_softmax",
    "segment_max",
    "segment_max_or_constant",
    "segment_mean",
    "segment_min",
    "segment_min_or_constant",
    "segment_normalize",
    "segment_softmax",
    "segment_sum",
    "segment_variance",
]


def segment_sum(
    data: Shaped[Any, ...],
    segment_ids: SegmentIds,
    num_segments: SizeLike = None,
    indices_are_sorted: bool = False,
    unique_indices: bool = False,
) -> Shaped[Any, ...]:
    """Sum the rows of each segment.

    Args:
        data: Data of shape (rows, ...), any dtype; 0-d data counts once for each row.
        segment_ids: Shape (rows,), any integer dtype. A row whose id lies outside [0, num_segments) takes no
            part.
        num_segments: Number of segments, required: a Python int, a symbolic size or a 0-d integer array.
        indices_are_sorted: Promise that the ids do not decrease; faster.
        unique_indices: Promise that no id comes twice; not needed.

    Returns:
        One row for each segment; an empty one is 0. As ``anytensor.segment_sum``.

    Raises:
        TypeError: If an operand has an unknown type, two frameworks meet, the ids are not integers, or
            ``num_segments`` is missing, None, bool, floating or a value that a JAX trace does not know.
        ValueError: If ``segment_ids`` is not 1-D or not one for each row, or ``num_segments`` is negative.

    Example:
        >>> import numpy as np
        >>> from anytensor import jraph
        >>> jraph.segment_sum(np.array([1.0, 2.0, 5.0]), np.array([0, 0, 2]), 3)
        array([3., 0., 5.])
    """
    return segment.segment_sum(_rows(data, segment_ids), segment_ids, num_segments, indices_are_sorted)


def segment_mean(
    data: Shaped[Any, ...],
    segment_ids: SegmentIds,
    num_segments: SizeLike = None,
    indices_are_sorted: bool = False,
    unique_indices: bool = False,
) -> Shaped[Any, ...]:
    """Average the rows of each segment.

    Args:
        data: Data of shape (rows, ...), any dtype; 0-d data counts once for each row.
        segment_ids: Shape (rows,), any integer dtype. A row whose id lies outside [0, num_segments) takes no
            part.
        num_segments: Number of segments, required: a Python int, a symbolic size or a 0-d integer array.
        indices_are_sorted: Promise that the ids do not decrease; faster.
        unique_indices: Promise that no id comes twice; not needed.

    Returns:
        One row for each segment; an empty one is 0. As ``anytensor.segment_mean``.

    Raises:
        TypeError: If an operand has an unknown type, two frameworks meet, the ids are not integers, or
            ``num_segments`` is missing, None, bool, floating or a value that a JAX trace does not know.
        ValueError: If ``segment_ids`` is not 1-D or not one for each row, or ``num_segments`` is negative.

    Example:
        >>> import numpy as np
        >>> from anytensor import jraph
        >>> jraph.segment_mean(np.array([1.0, 2.0, 5.0]), np.array([0, 0, 2]), 3)
        array([1.5, 0. , 5. ])
    """
    return segment.segment_mean(_rows(data, segment_ids), segment_ids, num_segments, indices_are_sorted)


def segment_variance(
    data: Shaped[Any, ...],
    segment_ids: SegmentIds,
    num_segments: SizeLike = None,
    indices_are_sorted: bool = False,
    unique_indices: bool = False,
) -> Shaped[Any, ...]:
    """Average the squared distance of the rows from their segment's mean.

    Args:
        data: Data of shape (rows, ...), real; 0-d data counts once for each row.
        segment_ids: Shape (rows,), any integer dtype. A row whose id lies outside [0, num_segments) takes no
            part.
        num_segments: Number of segments, required: a Python int, a symbolic size or a 0-d integer array.
        indices_are_sorted: Promise that the ids do not decrease; faster.
        unique_indices: Promise that no id comes twice; not needed.

    Returns:
        One row for each segment; an empty one is 0. As ``anytensor.segment_variance``.

    Raises:
        TypeError: If an operand has an unknown type, two frameworks meet, the ids are not integers, or
            ``num_segments`` is missing, None, bool, floating or a value that a JAX trace does not know.
        ValueError: If ``segment_ids`` is not 1-D or not one for each row, or ``num_segments`` is negative.

    Example:
        >>> import numpy as np
        >>> from anytensor import jraph
        >>> jraph.segment_variance(np.array([1.0, 3.0, 5.0]), np.array([0, 0, 2]), 3)
        array([1., 0., 0.])
    """
    return segment.segment_variance(_rows(data, segment_ids), segment_ids, num_segments, indices_are_sorted)


def segment_max(
    data: Shaped[Any, ...],
    segment_ids: SegmentIds,
    num_segments: SizeLike = None,
    indices_are_sorted: bool = False,
    unique_indices: bool = False,
) -> Shaped[Any, ...]:
    """Take the greatest entry of each segment.

    Args:
        data: Data of shape (rows, ...), real; 0-d data counts once for each row.
        segment_ids: Shape (rows,), any integer dtype. A row whose id lies outside [0, num_segments) takes no
            part.
        num_segments: Number of segments, required: a Python int, a symbolic size or a 0-d integer array.
        indices_are_sorted: Promise that the ids do not decrease; faster.
        unique_indices: Promise that no id comes twice; not needed.

    Returns:
        One row for each segment; an empty one is -inf, or the dtype's least. As ``anytensor.segment_max``.

    Raises:
        TypeError: If an operand has an unknown type, two frameworks meet, the ids are not integers, or
            ``num_segments`` is missing, None, bool, floating or a value that a JAX trace does not know.
        ValueError: If ``segment_ids`` is not 1-D or not one for each row, or ``num_segments`` is negative.

    Example:
        >>> import numpy as np
        >>> from anytensor import jraph
        >>> jraph.segment_max(np.array([1.0, 2.0, 5.0]), np.array([0, 0, 2]), 3)
        array([  2., -inf,   5.])
    """
    return segment.segment_max(_rows(data, segment_ids), segment_ids, num_segments, indices_are_sorted)


def segment_min(
    data: Shaped[Any, ...],
    segment_ids: SegmentIds,
    num_segments: SizeLike = None,
    indices_are_sorted: bool = False,
    unique_indices: bool = False,
) -> Shaped[Any, ...]:
    """Take the least entry of each segment.

    Args:
        data: Data of shape (rows, ...), real; 0-d data counts once for each row.
        segment_ids: Shape (rows,), any integer dtype. A row whose id lies outside [0, num_segments) takes no
            part.
        num_segments: Number of segments, required: a Python int, a symbolic size or a 0-d integer array.
        indices_are_sorted: Promise that the ids do not decrease; faster.
        unique_indices: Promise that no id comes twice; not needed.

    Returns:
        One row for each segment; an empty one is +inf, or the dtype's greatest. As ``anytensor.segment_min``.

    Raises:
        TypeError: If an operand has an unknown type, two frameworks meet, the ids are not integers, or
            ``num_segments`` is missing, None, bool, floating or a value that a JAX trace does not know.
        ValueError: If ``segment_ids`` is not 1-D or not one for each row, or ``num_segments`` is negative.

    Example:
        >>> import numpy as np
        >>> from anytensor import jraph
        >>> jraph.segment_min(np.array([1.0, 2.0, 5.0]), np.array([0, 0, 2]), 3)
        array([ 1., inf,  5.])
    """
    return segment.segment_min(_rows(data, segment_ids), segment_ids, num_segments, indices_are_sorted)


def segment_max_or_constant(
    data: Shaped[Any, ...],
    segment_ids: SegmentIds,
    num_segments: SizeLike = None,
    indices_are_sorted: bool = False,
    unique_indices: bool = False,
    constant: float = 0.0,
) -> Shaped[Any, ...]:
    """Take the greatest entry of each segment, a constant where there is none.

    Args:
        data: Data of shape (rows, ...), real; 0-d data counts once for each row.
        segment_ids: Shape (rows,), any integer dtype. A row whose id lies outside [0, num_segments) takes no
            part.
        num_segments: Number of segments, required: a Python int, a symbolic size or a 0-d integer array.
        indices_are_sorted: Promise that the ids do not decrease; faster.
        unique_indices: Promise that no id comes twice; not needed.
        constant: A number, cast to the dtype of data.

    Returns:
        One row for each segment; an empty one is ``constant`` and has gradient 0. As ``anytensor.segment_max_or_constant``.

    Raises:
        TypeError: If an operand has an unknown type, two frameworks meet, the ids are not integers, or
            ``num_segments`` is missing, None, bool, floating or a value that a JAX trace does not know.
        ValueError: If ``segment_ids`` is not 1-D or not one for each row, or ``num_segments`` is negative.

    Example:
        >>> import numpy as np
        >>> from anytensor import jraph
        >>> jraph.segment_max_or_constant(np.array([1.0, 2.0, 5.0]), np.array([0, 0, 2]), 3)
        array([2., 0., 5.])
    """
    return segment.segment_max_or_constant(
        _rows(data, segment_ids), segment_ids, num_segments, indices_are_sorted, constant
    )


def segment_min_or_constant(
    data: Shaped[Any, ...],
    segment_ids: SegmentIds,
    num_segments: SizeLike = None,
    indices_are_sorted: bool = False,
    unique_indices: bool = False,
    constant: float = 0.0,
) -> Shaped[Any, ...]:
    """Take the least entry of each segment, a constant where there is none.

    Args:
        data: Data of shape (rows, ...), real; 0-d data counts once for each row.
        segment_ids: Shape (rows,), any integer dtype. A row whose id lies outside [0, num_segments) takes no
            part.
        num_segments: Number of segments, required: a Python int, a symbolic size or a 0-d integer array.
        indices_are_sorted: Promise that the ids do not decrease; faster.
        unique_indices: Promise that no id comes twice; not needed.
        constant: A number, cast to the dtype of data.

    Returns:
        One row for each segment; an empty one is ``constant`` and has gradient 0. As ``anytensor.segment_min_or_constant``.

    Raises:
        TypeError: If an operand has an unknown type, two frameworks meet, the ids are not integers, or
            ``num_segments`` is missing, None, bool, floating or a value that a JAX trace does not know.
        ValueError: If ``segment_ids`` is not 1-D or not one for each row, or ``num_segments`` is negative.

    Example:
        >>> import numpy as np
        >>> from anytensor import jraph
        >>> jraph.segment_min_or_constant(np.array([1.0, 2.0, 5.0]), np.array([0, 0, 2]), 3)
        array([1., 0., 5.])
    """
    return segment.segment_min_or_constant(
        _rows(data, segment_ids), segment_ids, num_segments, indices_are_sorted, constant
    )


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
        unique_indices: Promise that no id comes twice; not needed.

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
    return segment.segment_softmax(_rows(logits, segment_ids), segment_ids, num_segments, indices_are_sorted)


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
        unique_indices: Promise that no id comes twice; not needed.
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
    data = _rows(data, segment_ids)
    mean = segment.segment_mean(data, segment_ids, num_segments, indices_are_sorted)
    variance = segment.segment_variance(data, segment_ids, num_segments, indices_are_sorted)
    scale = rsqrt(maximum(variance, eps))
    place = _place(segment_ids, shape(mean)[0])
    # A row more, of zeros, for the rows of no segment: their scale is 0.
    mean, scale = (concat([x, zeros((1, *shape(x)[1:]), dtype=x.dtype, like=x)]) for x in (mean, scale))
    return multiply(subtract(data, take(mean, place)), take(scale, place))  # type: ignore[no-any-return]


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
    return partition.partition_softmax(logits, partitions, sum_partitions)  # type: ignore[no-any-return]


def _rows(data: Any, segment_ids: Any) -> Any:
    backend = TYPES.get(type(data)) or backend_of(data, "jraph", "data")
    return broadcast_to(data, shape(segment_ids)) if backend.rank(data) == 0 else data


def _place(segment_ids: Any, num_segments: Any) -> Any:
    """Return the ids, with num_segments for those out of range."""
    limit = full((), num_segments, dtype="int64", like=segment_ids)
    inside = logical_and(greater_equal(segment_ids, 0), less(segment_ids, limit))
    return where(inside, segment_ids, limit)
