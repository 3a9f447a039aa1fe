"""Sizes: Python ints stay ints, symbolic ones stay symbolic, everything else is an error."""

from __future__ import annotations

from typing import Any

import numpy as np

from anytensor import errors
from anytensor.backends import HOST, TYPES, Backend, backend_named, installed_backends
from anytensor.compiling import is_compiling, is_dynamo_tracing

__all__ = ["as_size"]


def as_size(x: Any, function: str, name: str, backend: Backend | None = None) -> Any:
    """Return a size as a Python int, or a symbolic one as it is.

    Args:
        x: A Python int, a symbolic size, or a 0-d integer array.
        function: Name of the public function, for errors.
        name: Name of the argument, for errors.
        backend: Where it is used, which bounds it; None if that is not known yet.

    Returns:
        An int of at least 0, or the backend's symbolic size.

    Raises:
        TypeError: If ``x`` is None, a bool, floating, a value that a JAX trace does not know, or no size.
        ValueError: If ``x`` is negative, past what the backend counts, or not 0-d.
    """
    if x is None:
        raise errors.size_is_missing(function, name)
    if isinstance(x, (bool, np.bool_)):
        raise errors.not_a_size(x, function, name)
    if isinstance(x, int):
        size: Any = x
    elif isinstance(x, (np.ndarray, np.integer)) and is_dynamo_tracing():
        # To Dynamo a NumPy array or scalar is a tensor, and only as one does it have a dtype.
        torch = backend_named("torch")
        size = _symbolic_size(torch.from_host(x, None, False)[0], function, name)
    elif isinstance(x, (np.ndarray, np.integer)):
        if x.dtype.kind not in "iu":
            raise errors.not_a_size(x, function, name)
        if x.ndim != 0:
            raise errors.size_has_rank(x, function, name)
        size = int(x)
    else:
        size = _symbolic_size(x, function, name)
    if isinstance(size, int):
        if size < 0:
            raise errors.size_is_negative(size, function, name)
        # Dynamo traces a symbolic size as an int: a comparison would bind the trace to its outcome.
        greatest = (HOST if backend is None else backend).largest_size()
        if not is_compiling() and size > greatest:
            where = "" if backend is None else f" on {backend.NAME}"
            raise errors.size_is_too_large(size, greatest, where, function, name)
    return size


def _symbolic_size(x: Any, function: str, name: str) -> Any:
    from_array = TYPES.get(type(x))
    for backend in installed_backends()[1:]:
        if from_array is None and backend.is_array(x):
            from_array = backend
        if from_array is backend:
            if not backend.is_integer(x):
                raise errors.not_a_size(x, function, name)
            if backend.rank(x) not in (0, None):
                raise errors.size_has_rank(x, function, name)
        size = backend.as_size(x)
        if size is not None:
            if backend.NAME == "jax" and from_array is backend and backend.is_traced(size):
                raise errors.size_is_traced(x, function, name)
            return size
    raise errors.not_a_size(x, function, name)
