"""The way down for ordinary operations: find the backend of an operand, make scalars NumPy arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from anytensor import errors
from anytensor.backends import HOST, TYPES, Backend, backend_of

__all__ = ["backend_like", "operand", "own_dtype"]


def operand(function: str, argument: str, x: Any) -> tuple[Backend, Any]:
    """Return the backend of one operand and the operand as an array of it.

    Args:
        function: Name of the public function, for errors.
        argument: Name of its argument, for errors.
        x: An array, tensor or scalar.

    Returns:
        The backend, and x itself, or a 0-d NumPy array if x is a scalar.

    Raises:
        TypeError: If no backend knows the type.
        OverflowError: If x is a Python int past NumPy's default integer.
    """
    backend = TYPES.get(type(x))
    if backend is None:
        backend = backend_of(x, function, argument)
        if backend is HOST:
            x = _whole(function, argument, x) if type(x) is int else np.asarray(x)
            if HOST.dtype_kind(x.dtype) not in "biufc":
                raise errors.not_numeric(x, function, argument)
    return backend, x


def _whole(function: str, argument: str, x: int) -> Any:
    try:
        return HOST.from_scalar(x, HOST.default_int(), None)
    except OverflowError:
        raise errors.out_of_range(x, HOST.default_int(), function, argument) from None


def own_dtype(function: str, backend: Backend, dtype: Any, argument: str = "dtype") -> Any:
    """Return a backend's dtype for what a caller gave: a NumPy dtype, a name, or a backend's own.

    Raises:
        TypeError: If it is None or the backend has no such dtype.
    """
    if dtype is None:
        raise TypeError(f"{function}: `{argument}` must be a dtype or its name, got None")
    try:
        return backend.as_dtype(dtype)
    except TypeError as error:
        raise TypeError(f"{function}: `{argument}`: {error}") from None


def backend_like(function: str, like: Any) -> Backend:
    """Return the backend that a created array belongs to: that of ``like``, NumPy for None.

    Raises:
        TypeError: If no backend knows the type of ``like``.
    """
    return HOST if like is None else backend_of(like, function, "like")
