"""What every segment operation checks before it computes, and the way down to its backend."""

from __future__ import annotations

from typing import Any

import numpy as np

from anytensor import errors
from anytensor.backends import TYPES, Backend, backend_of

__all__ = ["backend_of_ids", "backend_of_rows", "both_real", "constant_of", "real", "weights_match"]


def backend_of_rows(function: str, x: Any, segment_ids: Any, sorted: Any) -> Backend:
    """Return the backend of x after checking that the ids are one to a row.

    Args:
        function: Name of the public function, for errors.
        x: The promoted data.
        segment_ids: The promoted ids.
        sorted: The caller's flag.

    Raises:
        ValueError: If x is 0-d, the ids are not 1-D, or their number is not that of the rows.
        TypeError: If ``sorted`` is not a bool.
    """
    backend = TYPES[type(x)]  # promotion has met the type
    if not backend.rows_match(x, segment_ids):
        raise errors.rows_do_not_match(backend.shape(x), backend.shape(segment_ids), function)
    if sorted is not False and sorted is not True:
        raise errors.not_a_bool(sorted, function, "sorted")
    return backend


def real(function: str, backend: Backend, x: Any, argument: str = "x") -> None:
    """Raise TypeError if x is complex or holds no numbers, for an operation that needs an order."""
    kind = backend.dtype_kind(x.dtype)
    if kind not in "biuf":
        raise (errors.is_complex if kind == "c" else errors.not_numeric)(x, function, argument)


def both_real(function: str, backend: Backend, messages: Any) -> None:
    """Raise TypeError if messages and logits, which promotion gave one dtype, are complex or no numbers."""
    if backend.dtype_kind(messages.dtype) == "c":
        raise TypeError(
            f"{function}: `messages` and `logits` must be real (boolean, integer or floating), and come to "
            f"{messages.dtype} together; complex numbers have no order"
        )
    real(function, backend, messages, "messages")


def backend_of_ids(function: str, segment_ids: Any, sorted: Any) -> Backend:
    """Return the backend of the ids after checking that they are a vector.

    Raises:
        ValueError: If the ids are not 1-D.
        TypeError: If ``sorted`` is not a bool.
    """
    backend = backend_of(segment_ids, function, "segment_ids")
    if not backend.rows_match(segment_ids, segment_ids):
        raise errors.not_a_vector(backend.shape(segment_ids), function, "segment_ids")
    if sorted is not False and sorted is not True:
        raise errors.not_a_bool(sorted, function, "sorted")
    return backend


def constant_of(function: str, backend: Backend, x: Any, constant: Any) -> Any:
    """Return a constant as a Python number that the dtype of x holds.

    Raises:
        TypeError: If it is not one real number.
        OverflowError: If the dtype of x is integer and does not hold it.
    """
    is_number = isinstance(constant, (np.generic, np.ndarray)) and np.ndim(constant) == 0
    if is_number and constant.dtype.kind in "biufV":
        constant = constant.item()
    if not isinstance(constant, (bool, int, float)):
        raise errors.not_a_scalar(constant, function, "constant")
    if backend.is_integer(x):
        try:
            whole = int(constant)
            backend.ops.scalar_operand(whole, x.dtype, x)
        except (OverflowError, ValueError):  # ValueError: of NaN
            raise errors.out_of_range(constant, x.dtype, function, "constant") from None
        return whole
    return constant


def weights_match(function: str, backend: Backend, messages: Any, logits: Any) -> None:
    """Check that logits weigh messages row by row.

    Raises:
        ValueError: If their numbers of rows differ, or logits have more axes than messages.
    """
    if backend.NAME == "tensorflow" and None in (backend.rank(messages), backend.rank(logits)):
        return  # TensorFlow of unknown rank: its own kernels check when the graph runs
    shape, weights = backend.shape(messages), backend.shape(logits)
    fits = 0 < len(weights) <= len(shape)
    pairs = zip(shape, weights, strict=False)
    if not fits or any(
        isinstance(a, int) and isinstance(b, int) and a != b and (i == 0 or b != 1)
        for i, (a, b) in enumerate(pairs)
    ):
        raise ValueError(
            f"{function}: `logits` of shape {weights} must weigh `messages` of shape {shape}: the same "
            "rows, and axes that are the first ones of messages (or 1)"
        )
