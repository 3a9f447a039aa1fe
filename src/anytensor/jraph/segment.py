"""Segment operations under official jraph's names and signatures, with this library's rules.

Unlike in ``anytensor.segment_*``, data of no axis stands for one value in every row. Unlike in official
jraph, ``num_segments`` is required: it is never inferred from the ids.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from anytensor import segment
from anytensor.backends import TYPES, backend_of
from anytensor.ops.manipulation import broadcast_to, shape
from anytensor.typing import SegmentIds, Shaped, SizeLike

__all__ = [
    "applied",
    "one_for_each",
    "renamed",
    "segment_max",
    "segment_max_or_constant",
    "segment_mean",
    "segment_min",
    "segment_min_or_constant",
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
        unique_indices: Promise that no id comes twice; unused.

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
    return applied(segment.segment_sum, data, segment_ids, num_segments, indices_are_sorted)


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
        unique_indices: Promise that no id comes twice; unused.

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
    return applied(segment.segment_mean, data, segment_ids, num_segments, indices_are_sorted)


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
        unique_indices: Promise that no id comes twice; unused.

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
    return applied(segment.segment_variance, data, segment_ids, num_segments, indices_are_sorted)


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
        unique_indices: Promise that no id comes twice; unused.

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
    return applied(segment.segment_max, data, segment_ids, num_segments, indices_are_sorted)


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
        unique_indices: Promise that no id comes twice; unused.

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
    return applied(segment.segment_min, data, segment_ids, num_segments, indices_are_sorted)


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
        unique_indices: Promise that no id comes twice; unused.
        constant: A number, cast to the dtype of data.

    Returns:
        One row for each segment; an empty one is ``constant`` and has gradient 0. As
        ``anytensor.segment_max_or_constant``.

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
    operation = segment.segment_max_or_constant
    return applied(operation, data, segment_ids, num_segments, indices_are_sorted, constant)


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
        unique_indices: Promise that no id comes twice; unused.
        constant: A number, cast to the dtype of data.

    Returns:
        One row for each segment; an empty one is ``constant`` and has gradient 0. As
        ``anytensor.segment_min_or_constant``.

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
    operation = segment.segment_min_or_constant
    return applied(operation, data, segment_ids, num_segments, indices_are_sorted, constant)


def one_for_each(data: Any, segment_ids: Any, name: str = "data") -> Any:
    """Return data with an axis of rows: 0-d data once for each id, as JAX's own operations take it."""
    backend = TYPES.get(type(data)) or backend_of(data, "jraph", name)
    return broadcast_to(data, shape(segment_ids)) if backend.rank(data) == 0 else data


def applied(
    operation: Callable[..., Any],
    data: Any,
    segment_ids: Any,
    num_segments: Any,
    flag: Any,
    *more: Any,
    name: str = "data",
) -> Any:
    """Apply an operation of ``anytensor.segment`` to data; its errors name the arguments as jraph does."""
    try:
        return operation(one_for_each(data, segment_ids, name), segment_ids, num_segments, flag, *more)
    except (TypeError, ValueError) as error:
        names = {
            "jraph:": f"{operation.__name__}:",
            "`x`": f"`{name}`",
            "got x of": f"got {name} of",
            "`sorted`": "`indices_are_sorted`",
        }
        raise renamed(error, names) from error.__cause__


def renamed(error: Exception, names: dict[str, str]) -> Exception:
    """Return an error whose text calls the arguments what the caller calls them.

    One of a class of its own, as JAX's and the frameworks' are, comes back as it is.
    """
    if type(error) not in (TypeError, ValueError):
        return error
    text = str(error)
    for own, theirs in names.items():
        text = text.replace(own, theirs)
    return type(error)(text)
