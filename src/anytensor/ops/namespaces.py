"""The Array API namespace of an operand."""

from __future__ import annotations

from typing import Any

from anytensor import errors
from anytensor.backends import HOST, TYPES, backend_of

__all__ = ["array_namespace"]


def array_namespace(*xs: Any) -> Any:
    """Return the namespace that conforms to the Array API standard for some operands.

    Args:
        *xs: Arrays and scalars, at least one; arrays of at most one framework.

    Returns:
        A module: array_api_compat's for NumPy and PyTorch, ``jax.numpy``, and AnyTensor's own for TensorFlow.
        NumPy arrays and scalars go along with a framework; alone they give NumPy's.

    Raises:
        TypeError: If there is no operand, one has an unknown type, or two frameworks meet.

    Notes:
        Traces under every compiler: the namespace comes from a table of types. Unlike the functions of
        ``anytensor`` those of the namespace take arrays of its own framework only.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> xp = at.array_namespace(np.zeros(3))
        >>> xp.permute_dims(np.zeros((2, 3)), (1, 0)).shape
        (3, 2)
    """
    if not xs:
        raise TypeError("array_namespace: at least one array is needed, got none")
    backend, first = HOST, None
    for x in xs:
        own = TYPES.get(type(x))
        if own is None:
            own = backend_of(x, "array_namespace")
        if own is HOST or own is backend:
            continue
        if backend is not HOST:
            raise errors.mixed_frameworks(first, x, "array_namespace")
        backend, first = own, x
    return backend.xp
