"""Weights within segments: normalize, softmax, log-sum-exp, attention."""

from __future__ import annotations

from typing import Any

from anytensor.promotion import promote
from anytensor.segment.checks import backend_of_rows, both_real, real, weights_match
from anytensor.typing import ArrayT, SegmentIds, Shaped, SizeLike

__all__ = ["segment_attention", "segment_logsumexp", "segment_normalize", "segment_softmax"]


@promote(x="data", segment_ids="index", num_segments="shape")
def segment_normalize(
    x: Shaped[ArrayT, " rows *features"],
    segment_ids: SegmentIds,
    num_segments: SizeLike,
    sorted: bool = False,
) -> Shaped[ArrayT, " rows *features"]:
    """Divide each row by the sum of its segment.

    Args:
        x: Data of shape (rows, ...), any dtype.
        segment_ids: Shape (rows,), any integer dtype. A row whose id lies outside [0, num_segments),
            negative ones too, takes no part and has gradient zero.
        num_segments: Number of segments: a Python int, a symbolic size or a 0-d integer array. Required;
            never inferred from the ids.
        sorted: Promise that the ids do not decrease; faster. A broken promise may give a wrong value.

    Returns:
        Shape and device of x; 0/0 is 0, and so is a row whose id is out of range. Floating dtype of x (the
        default float for integers and bool).

    Raises:
        TypeError: If an operand has an unknown type, two frameworks meet, ids are not integers, or
            ``num_segments`` is missing, None, bool, floating or a value that a JAX trace does not know.
        ValueError: If ``segment_ids`` is not 1-D, its length is not the number of rows, x is 0-d, or
            ``num_segments`` is negative or not 0-d.

    Notes:
        For weights that shall sum to one within each segment; entries of a sum of zero that are not zero
        themselves divide to infinities, as in IEEE arithmetic.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.segment_normalize(np.array([1.0, 3.0, 4.0]), np.array([0, 0, 2]), 3)
        array([0.25, 0.75, 1.  ])
    """
    backend = backend_of_rows("segment_normalize", x, segment_ids, sorted)
    return backend.segment_normalize(x, segment_ids, num_segments, sorted)  # type: ignore[no-any-return]


@promote(x="data", segment_ids="index", num_segments="shape")
def segment_softmax(
    x: Shaped[ArrayT, " rows *features"],
    segment_ids: SegmentIds,
    num_segments: SizeLike,
    sorted: bool = False,
) -> Shaped[ArrayT, " rows *features"]:
    """Take the softmax over the rows of each segment.

    Args:
        x: Data of shape (rows, ...), real.
        segment_ids: Shape (rows,), any integer dtype. A row whose id lies outside [0, num_segments),
            negative ones too, takes no part and has gradient zero.
        num_segments: Number of segments: a Python int, a symbolic size or a 0-d integer array. Required;
            never inferred from the ids.
        sorted: Promise that the ids do not decrease; faster. A broken promise may give a wrong value.

    Returns:
        Shape and device of x; a row whose id is out of range is 0. Floating dtype of x (the default float
        for integers and bool).

    Raises:
        TypeError: If an operand has an unknown type, two frameworks meet, ids are not integers, x is
            complex, or ``num_segments`` is missing, None, bool, floating or a value that a JAX trace does
            not know.
        ValueError: If ``segment_ids`` is not 1-D, its length is not the number of rows, x is 0-d, or
            ``num_segments`` is negative or not 0-d.

    Notes:
        The segment's maximum is subtracted first, so large logits do not overflow. An entry of -inf gets
        weight 0 and gradient 0, a segment of only -inf is all 0: masking a neighbour out with -inf is safe.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.segment_softmax(np.array([0.0, 0.0, 7.0]), np.array([0, 0, 2]), 3)
        array([0.5, 0.5, 1. ])

    References:
        Velickovic et al., "Graph Attention Networks", 2018, arXiv:1710.10903, equation 2.
    """
    backend = backend_of_rows("segment_softmax", x, segment_ids, sorted)
    real("segment_softmax", backend, x)
    return backend.segment_softmax(x, segment_ids, num_segments, sorted)  # type: ignore[no-any-return]


@promote(x="data", segment_ids="index", num_segments="shape")
def segment_logsumexp(
    x: Shaped[ArrayT, " rows *features"],
    segment_ids: SegmentIds,
    num_segments: SizeLike,
    sorted: bool = False,
) -> Shaped[ArrayT, " segments *features"]:
    """Take the logarithm of the sum of exponentials of each segment.

    Args:
        x: Data of shape (rows, ...), real.
        segment_ids: Shape (rows,), any integer dtype. A row whose id lies outside [0, num_segments),
            negative ones too, takes no part and has gradient zero.
        num_segments: Number of segments: a Python int, a symbolic size or a 0-d integer array. Required;
            never inferred from the ids.
        sorted: Promise that the ids do not decrease; faster. A broken promise may give a wrong value.

    Returns:
        Shape (num_segments, ...), on the device of x; -inf where a segment is empty or holds only -inf.
        Floating dtype of x (the default float for integers and bool).

    Raises:
        TypeError: If an operand has an unknown type, two frameworks meet, ids are not integers, x is
            complex, or ``num_segments`` is missing, None, bool, floating or a value that a JAX trace does
            not know.
        ValueError: If ``segment_ids`` is not 1-D, its length is not the number of rows, x is 0-d, or
            ``num_segments`` is negative or not 0-d.

    Notes:
        The segment's maximum is subtracted first. A segment of -inf has gradient 0.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.segment_logsumexp(np.array([0.0, 0.0, 7.0]), np.array([0, 0, 1]), 2)
        array([0.69314718, 7.        ])
    """
    backend = backend_of_rows("segment_logsumexp", x, segment_ids, sorted)
    real("segment_logsumexp", backend, x)
    return backend.segment_logsumexp(x, segment_ids, num_segments, sorted)  # type: ignore[no-any-return]


@promote(messages="data", logits="data", segment_ids="index", num_segments="shape")
def segment_attention(
    messages: Shaped[ArrayT, " rows *features"],
    logits: Shaped[Any, " rows *heads"],
    segment_ids: SegmentIds,
    num_segments: SizeLike,
    sorted: bool = False,
) -> Shaped[ArrayT, " segments *features"]:
    """Sum the messages of each segment, weighted by the softmax of their logits.

    Args:
        messages: Shape (rows, ...), real.
        logits: Shape (rows, *k), real, where the shape of messages starts with (rows, *k) up to
            broadcasting: (rows,) weights whole messages, (rows, heads) beside (rows, heads, d) weights each
            head.
        segment_ids: Shape (rows,), any integer dtype. A row whose id lies outside [0, num_segments) takes
            no part.
        num_segments: Number of segments: a Python int, a symbolic size or a 0-d integer array. Required.
        sorted: Promise that the ids do not decrease; faster.

    Returns:
        Shape (num_segments, ...) of messages, on their device; an empty segment is 0. Floating dtype of the
        operands (the default float for integers and bool).

    Raises:
        TypeError: If an operand has an unknown type, two frameworks meet, ids are not integers, messages
            or logits are complex, or ``num_segments`` is missing, None, bool, floating or a value that a
            JAX trace does not know.
        ValueError: If ``segment_ids`` is not 1-D, its length is not the number of rows, logits have more
            axes than messages, or ``num_segments`` is negative or not 0-d.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> messages = np.array([[2.0, 0.0], [4.0, 8.0], [1.0, 1.0]])
        >>> at.segment_attention(messages, np.array([0.0, 0.0, 5.0]), np.array([0, 0, 1]), 2)
        array([[3., 4.],
               [1., 1.]])

    References:
        Velickovic et al., "Graph Attention Networks", 2018, arXiv:1710.10903, equations 3-4.
    """
    backend = backend_of_rows("segment_attention", messages, segment_ids, sorted)
    both_real("segment_attention", backend, messages)
    weights_match("segment_attention", backend, messages, logits)
    return backend.segment_attention(  # type: ignore[no-any-return]
        messages, logits, segment_ids, num_segments, sorted
    )
