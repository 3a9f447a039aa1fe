"""The way down for ordinary operations: find the backend of an operand, make scalars NumPy arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from anytensor.backends import HOST, TYPES, Backend, backend_of

__all__ = ["backend_like", "operand"]


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
    """
    backend = TYPES.get(type(x))
    if backend is None:
        backend = backend_of(x, function, argument)
        if backend is HOST:
            x = np.asarray(x)
    return backend, x


def backend_like(function: str, like: Any) -> Backend:
    """Return the backend that a created array belongs to: that of ``like``, NumPy for None.

    Raises:
        TypeError: If no backend knows the type of ``like``.
    """
    return HOST if like is None else backend_of(like, function, "like")
