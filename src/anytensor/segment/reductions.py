"""Reductions over segments: sum, product, least, greatest, count."""

from __future__ import annotations

from typing import Any

from anytensor.promotion import promote
from anytensor.promotion.decorator import promote_or_shorten
from anytensor.segment.checks import backend_of_ids, backend_of_rows, constant_of, real
from anytensor.typing import ArrayT, SegmentIds, Shaped, SizeLike

__all__ = [
    "segment_count",
    "segment_max",
    "segment_max_or_constant",
    "segment_min",
    "segment_min_or_constant",
    "segment_prod",
    "segment_sum",
]


@promote_or_shorten(x="data", segment_ids="index", num_segments="shape")
def segment_sum(
    x: Shaped[ArrayT, " rows *features"],
    segment_ids: SegmentIds,
    num_segments: SizeLike,
    sorted: bool = False,
) -> Shaped[ArrayT, " segments *features"]:
    """Sum the rows of each segment.

    Args:
        x: Data of shape (rows, ...), any dtype; bool counts as integers.
        segment_ids: Shape (rows,), any integer dtype. A row whose id lies outside [0, num_segments),
            negative ones too, takes no part and has gradient zero.
        num_segments: Number of segments: a Python int, a symbolic size or a 0-d integer array. Required;
            never inferred from the ids.
        sorted: Promise that the ids do not decrease; faster. A broken promise may give a wrong value.

    Returns:
        Shape (num_segments, ...), on the device of x; an empty segment is 0. Dtype of x, except that bool
        and integers narrower than the backend's default integer come back as that integer.

    Raises:
        TypeError: If an operand has an unknown type, two frameworks meet, ids are not integers, or
            ``num_segments`` is missing, None, bool, floating or a value that a JAX trace does not know.
        ValueError: If ``segment_ids`` is not 1-D, its length is not the number of rows, x is 0-d, or
            ``num_segments`` is negative or not 0-d.

    Notes:
        float16 and bfloat16 accumulate in float32. A NaN makes its segment NaN. Differentiable any number
        of times.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> x = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
        >>> at.segment_sum(x, np.array([0, 0, 2]), 3)
        array([[4., 6.],
               [0., 0.],
               [5., 6.]])
    """
    backend = backend_of_rows("segment_sum", x, segment_ids, sorted)
    return backend.segment_sum(x, segment_ids, num_segments, sorted)  # type: ignore[no-any-return]


@promote(x="data", segment_ids="index", num_segments="shape")
def segment_prod(
    x: Shaped[ArrayT, " rows *features"],
    segment_ids: SegmentIds,
    num_segments: SizeLike,
    sorted: bool = False,
) -> Shaped[ArrayT, " segments *features"]:
    """Multiply the rows of each segment.

    Args:
        x: Data of shape (rows, ...), any dtype; bool counts as integers.
        segment_ids: Shape (rows,), any integer dtype. A row whose id lies outside [0, num_segments),
            negative ones too, takes no part and has gradient zero.
        num_segments: Number of segments: a Python int, a symbolic size or a 0-d integer array. Required;
            never inferred from the ids.
        sorted: Promise that the ids do not decrease; faster. A broken promise may give a wrong value.

    Returns:
        Shape (num_segments, ...), on the device of x; an empty segment is 1. Dtype as for ``segment_sum``.

    Raises:
        TypeError: If an operand has an unknown type, two frameworks meet, ids are not integers, or
            ``num_segments`` is missing, None, bool, floating or a value that a JAX trace does not know.
        ValueError: If ``segment_ids`` is not 1-D, its length is not the number of rows, x is 0-d, or
            ``num_segments`` is negative or not 0-d.

    Notes:
        The gradient is right with zeros among the factors. A NaN makes its segment NaN.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.segment_prod(np.array([2.0, 3.0, 4.0]), np.array([0, 0, 2]), 3)
        array([6., 1., 4.])
    """
    backend = backend_of_rows("segment_prod", x, segment_ids, sorted)
    return backend.segment_prod(x, segment_ids, num_segments, sorted)  # type: ignore[no-any-return]


@promote_or_shorten(x="data", segment_ids="index", num_segments="shape")
def segment_min(
    x: Shaped[ArrayT, " rows *features"],
    segment_ids: SegmentIds,
    num_segments: SizeLike,
    sorted: bool = False,
) -> Shaped[ArrayT, " segments *features"]:
    """Take the least entry of each segment.

    Args:
        x: Data of shape (rows, ...), real; bool is all.
        segment_ids: Shape (rows,), any integer dtype. A row whose id lies outside [0, num_segments),
            negative ones too, takes no part and has gradient zero.
        num_segments: Number of segments: a Python int, a symbolic size or a 0-d integer array. Required;
            never inferred from the ids.
        sorted: Promise that the ids do not decrease; faster. A broken promise may give a wrong value.

    Returns:
        Shape (num_segments, ...), dtype and device of x; an empty segment is +inf (the dtype's greatest
        value for integers, True for bool).

    Raises:
        TypeError: If an operand has an unknown type, two frameworks meet, ids are not integers, x is
            complex, or ``num_segments`` is missing, None, bool, floating or a value that a JAX trace does
            not know.
        ValueError: If ``segment_ids`` is not 1-D, its length is not the number of rows, x is 0-d, or
            ``num_segments`` is negative or not 0-d.

    Notes:
        A NaN anywhere in a segment makes it NaN. Tied winners share the gradient evenly.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.segment_min(np.array([2.0, 3.0, 4.0]), np.array([0, 0, 2]), 3)
        array([ 2., inf,  4.])
    """
    backend = backend_of_rows("segment_min", x, segment_ids, sorted)
    real("segment_min", backend, x)
    return backend.segment_min(x, segment_ids, num_segments, sorted)  # type: ignore[no-any-return]


@promote_or_shorten(x="data", segment_ids="index", num_segments="shape")
def segment_max(
    x: Shaped[ArrayT, " rows *features"],
    segment_ids: SegmentIds,
    num_segments: SizeLike,
    sorted: bool = False,
) -> Shaped[ArrayT, " segments *features"]:
    """Take the greatest entry of each segment.

    Args:
        x: Data of shape (rows, ...), real; bool is any.
        segment_ids: Shape (rows,), any integer dtype. A row whose id lies outside [0, num_segments),
            negative ones too, takes no part and has gradient zero.
        num_segments: Number of segments: a Python int, a symbolic size or a 0-d integer array. Required;
            never inferred from the ids.
        sorted: Promise that the ids do not decrease; faster. A broken promise may give a wrong value.

    Returns:
        Shape (num_segments, ...), dtype and device of x; an empty segment is -inf (the dtype's least value
        for integers, False for bool).

    Raises:
        TypeError: If an operand has an unknown type, two frameworks meet, ids are not integers, x is
            complex, or ``num_segments`` is missing, None, bool, floating or a value that a JAX trace does
            not know.
        ValueError: If ``segment_ids`` is not 1-D, its length is not the number of rows, x is 0-d, or
            ``num_segments`` is negative or not 0-d.

    Notes:
        A NaN anywhere in a segment makes it NaN. Tied winners share the gradient evenly.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.segment_max(np.array([2.0, 3.0, 4.0]), np.array([0, 0, 2]), 3)
        array([  3., -inf,   4.])
    """
    backend = backend_of_rows("segment_max", x, segment_ids, sorted)
    real("segment_max", backend, x)
    return backend.segment_max(x, segment_ids, num_segments, sorted)  # type: ignore[no-any-return]


@promote(x="data", segment_ids="index", num_segments="shape")
def segment_min_or_constant(
    x: Shaped[ArrayT, " rows *features"],
    segment_ids: SegmentIds,
    num_segments: SizeLike,
    sorted: bool = False,
    constant: float = 0.0,
) -> Shaped[ArrayT, " segments *features"]:
    """Take the least entry of each segment, a constant where it is empty.

    Args:
        x: Data of shape (rows, ...), real.
        segment_ids: Shape (rows,), any integer dtype. A row whose id lies outside [0, num_segments),
            negative ones too, takes no part and has gradient zero.
        num_segments: Number of segments: a Python int, a symbolic size or a 0-d integer array. Required;
            never inferred from the ids.
        sorted: Promise that the ids do not decrease; faster. A broken promise may give a wrong value.
        constant: A number, cast to the dtype of x.

    Returns:
        Shape (num_segments, ...), dtype and device of x; an empty segment is ``constant``. An occupied
        infinity stays.

    Raises:
        TypeError: If an operand has an unknown type, two frameworks meet, ids are not integers, x is
            complex, or ``num_segments`` is missing, None, bool, floating or a value that a JAX trace does
            not know.
        ValueError: If ``segment_ids`` is not 1-D, its length is not the number of rows, x is 0-d, or
            ``num_segments`` is negative or not 0-d.
        OverflowError: If x is integer and its dtype does not hold ``constant`` (NaN or infinity, too).

    Notes:
        As ``segment_min``; an empty segment has gradient zero.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.segment_min_or_constant(np.array([2.0, 3.0, 4.0]), np.array([0, 0, 2]), 3)
        array([2., 0., 4.])
    """
    backend = backend_of_rows("segment_min_or_constant", x, segment_ids, sorted)
    real("segment_min_or_constant", backend, x)
    value = constant_of("segment_min_or_constant", backend, x, constant)
    return backend.segment_min_or_constant(x, segment_ids, num_segments, sorted, value)  # type: ignore[no-any-return]


@promote(x="data", segment_ids="index", num_segments="shape")
def segment_max_or_constant(
    x: Shaped[ArrayT, " rows *features"],
    segment_ids: SegmentIds,
    num_segments: SizeLike,
    sorted: bool = False,
    constant: float = 0.0,
) -> Shaped[ArrayT, " segments *features"]:
    """Take the greatest entry of each segment, a constant where it is empty.

    Args:
        x: Data of shape (rows, ...), real.
        segment_ids: Shape (rows,), any integer dtype. A row whose id lies outside [0, num_segments),
            negative ones too, takes no part and has gradient zero.
        num_segments: Number of segments: a Python int, a symbolic size or a 0-d integer array. Required;
            never inferred from the ids.
        sorted: Promise that the ids do not decrease; faster. A broken promise may give a wrong value.
        constant: A number, cast to the dtype of x.

    Returns:
        Shape (num_segments, ...), dtype and device of x; an empty segment is ``constant``. An occupied
        infinity stays.

    Raises:
        TypeError: If an operand has an unknown type, two frameworks meet, ids are not integers, x is
            complex, or ``num_segments`` is missing, None, bool, floating or a value that a JAX trace does
            not know.
        ValueError: If ``segment_ids`` is not 1-D, its length is not the number of rows, x is 0-d, or
            ``num_segments`` is negative or not 0-d.
        OverflowError: If x is integer and its dtype does not hold ``constant`` (NaN or infinity, too).

    Notes:
        As ``segment_max``; an empty segment has gradient zero.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.segment_max_or_constant(np.array([2.0, 3.0, 4.0]), np.array([0, 0, 2]), 3)
        array([3., 0., 4.])
    """
    backend = backend_of_rows("segment_max_or_constant", x, segment_ids, sorted)
    real("segment_max_or_constant", backend, x)
    value = constant_of("segment_max_or_constant", backend, x, constant)
    return backend.segment_max_or_constant(x, segment_ids, num_segments, sorted, value)  # type: ignore[no-any-return]


@promote(segment_ids="index", num_segments="shape")
def segment_count(
    segment_ids: SegmentIds, num_segments: SizeLike, sorted: bool = False
) -> Shaped[Any, " segments"]:
    """Count the rows of each segment.

    Args:
        segment_ids: Shape (rows,), any integer dtype. Ids outside [0, num_segments) are not counted.
        num_segments: Number of segments: a Python int, a symbolic size or a 0-d integer array. Required.
        sorted: Promise that the ids do not decrease; faster.

    Returns:
        Shape (num_segments,), integer, on the device of the ids; an empty segment is 0.

    Raises:
        TypeError: If ids are not integers or have an unknown type, or ``num_segments`` is missing, None,
            bool, floating or a value that a JAX trace does not know.
        ValueError: If ``segment_ids`` is not 1-D, or ``num_segments`` is negative or not 0-d.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.segment_count(np.array([0, 0, 2, -1]), 3)
        array([2, 0, 1])
    """
    backend = backend_of_ids("segment_count", segment_ids, sorted)
    return backend.segment_count(segment_ids, num_segments, sorted)
