"""Moments of segments: mean, variance, standard deviation."""

from __future__ import annotations

from anytensor.promotion import promote
from anytensor.segment.checks import backend_of_rows, real
from anytensor.typing import ArrayT, SegmentIds, Shaped, SizeLike

__all__ = ["segment_mean", "segment_std", "segment_variance"]


@promote(x="data", segment_ids="index", num_segments="shape")
def segment_mean(
    x: Shaped[ArrayT, " rows *features"],
    segment_ids: SegmentIds,
    num_segments: SizeLike,
    sorted: bool = False,
) -> Shaped[ArrayT, " segments *features"]:
    """Average the rows of each segment.

    Args:
        x: Data of shape (rows, ...), any dtype.
        segment_ids: Shape (rows,), any integer dtype. A row whose id lies outside [0, num_segments),
            negative ones too, takes no part and has gradient zero.
        num_segments: Number of segments: a Python int, a symbolic size or a 0-d integer array. Required;
            never inferred from the ids.
        sorted: Promise that the ids do not decrease; faster. A broken promise may give a wrong value.

    Returns:
        Shape (num_segments, ...), on the device of x; an empty segment is 0. Floating dtype of x (the
        default float for integers and bool).

    Raises:
        TypeError: If an operand has an unknown type, two frameworks meet, ids are not integers, or
            ``num_segments`` is missing, None, bool, floating or a value that a JAX trace does not know.
        ValueError: If ``segment_ids`` is not 1-D, its length is not the number of rows, x is 0-d, or
            ``num_segments`` is negative or not 0-d.

    Notes:
        float16 and bfloat16 accumulate in float32. A NaN makes its segment NaN.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.segment_mean(np.array([2.0, 3.0, 4.0]), np.array([0, 0, 2]), 3)
        array([2.5, 0. , 4. ])
    """
    backend = backend_of_rows("segment_mean", x, segment_ids, sorted)
    return backend.segment_mean(x, segment_ids, num_segments, sorted)  # type: ignore[no-any-return]


@promote(x="data", segment_ids="index", num_segments="shape")
def segment_variance(
    x: Shaped[ArrayT, " rows *features"],
    segment_ids: SegmentIds,
    num_segments: SizeLike,
    sorted: bool = False,
) -> Shaped[ArrayT, " segments *features"]:
    """Average the squared distance of the rows from their segment's mean.

    Args:
        x: Data of shape (rows, ...), real.
        segment_ids: Shape (rows,), any integer dtype. A row whose id lies outside [0, num_segments),
            negative ones too, takes no part and has gradient zero.
        num_segments: Number of segments: a Python int, a symbolic size or a 0-d integer array. Required;
            never inferred from the ids.
        sorted: Promise that the ids do not decrease; faster. A broken promise may give a wrong value.

    Returns:
        Shape (num_segments, ...), on the device of x; an empty or one-row segment is 0. Floating dtype of x
        (the default float for integers and bool).

    Raises:
        TypeError: If an operand has an unknown type, two frameworks meet, ids are not integers, x is
            complex, or ``num_segments`` is missing, None, bool, floating or a value that a JAX trace does
            not know.
        ValueError: If ``segment_ids`` is not 1-D, its length is not the number of rows, x is 0-d, or
            ``num_segments`` is negative or not 0-d.

    Notes:
        The population variance (divided by the count), computed in two passes: a large mean loses no
        digits.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.segment_variance(np.array([1.0, 3.0, 4.0]), np.array([0, 0, 2]), 3)
        array([1., 0., 0.])
    """
    backend = backend_of_rows("segment_variance", x, segment_ids, sorted)
    real("segment_variance", backend, x)
    return backend.segment_variance(x, segment_ids, num_segments, sorted)  # type: ignore[no-any-return]


@promote(x="data", segment_ids="index", num_segments="shape")
def segment_std(
    x: Shaped[ArrayT, " rows *features"],
    segment_ids: SegmentIds,
    num_segments: SizeLike,
    sorted: bool = False,
) -> Shaped[ArrayT, " segments *features"]:
    """Take the root of each segment's variance.

    Args:
        x: Data of shape (rows, ...), real.
        segment_ids: Shape (rows,), any integer dtype. A row whose id lies outside [0, num_segments),
            negative ones too, takes no part and has gradient zero.
        num_segments: Number of segments: a Python int, a symbolic size or a 0-d integer array. Required;
            never inferred from the ids.
        sorted: Promise that the ids do not decrease; faster. A broken promise may give a wrong value.

    Returns:
        Shape (num_segments, ...), on the device of x; an empty or one-row segment is 0. Floating dtype of x
        (the default float for integers and bool).

    Raises:
        TypeError: If an operand has an unknown type, two frameworks meet, ids are not integers, x is
            complex, or ``num_segments`` is missing, None, bool, floating or a value that a JAX trace does
            not know.
        ValueError: If ``segment_ids`` is not 1-D, its length is not the number of rows, x is 0-d, or
            ``num_segments`` is negative or not 0-d.

    Notes:
        The gradient is 0, not NaN, where the variance is 0.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.segment_std(np.array([1.0, 3.0, 4.0]), np.array([0, 0, 2]), 3)
        array([1., 0., 0.])
    """
    backend = backend_of_rows("segment_std", x, segment_ids, sorted)
    real("segment_std", backend, x)
    return backend.segment_std(x, segment_ids, num_segments, sorted)  # type: ignore[no-any-return]
