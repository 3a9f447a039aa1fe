"""The distinct elements of an array."""

from __future__ import annotations

from typing import Any, NamedTuple

from anytensor.backends import HOST, TYPES, Backend
from anytensor.ops.dispatch import operand
from anytensor.ops.kinds import numeric
from anytensor.typing import ArrayT, Scalar, Shaped

__all__ = [
    "UniqueAllResult",
    "UniqueCountsResult",
    "UniqueInverseResult",
    "unique_all",
    "unique_counts",
    "unique_inverse",
    "unique_values",
]


class UniqueAllResult(NamedTuple):
    """What ``unique_all`` returns."""

    values: Any
    indices: Any
    inverse_indices: Any
    counts: Any


class UniqueCountsResult(NamedTuple):
    """What ``unique_counts`` returns."""

    values: Any
    counts: Any


class UniqueInverseResult(NamedTuple):
    """What ``unique_inverse`` returns."""

    values: Any
    inverse_indices: Any


def unique_all(x: Shaped[ArrayT, " ..."] | Scalar, /) -> UniqueAllResult:
    """Find the distinct elements, where they first stand, how to rebuild x, and how often each occurs.

    Args:
        x: Array of any shape and dtype; it is flattened in row-major order.

    Returns:
        A named tuple of ``values`` (in ascending order on every backend), ``indices`` of their first
        occurrences in the flattened array, ``inverse_indices`` in the shape of x with values[inverse] = x,
        and ``counts``. Vectors as long as there are distinct elements, empty for an empty x. Each NaN is
        distinct, and NaNs stand last; -0.0 equals 0.0.

    Raises:
        TypeError: If x has an unknown type.

    Notes:
        The length depends on the data: it does not compile under ``jax.jit``, XLA or
        ``torch.compile(fullgraph=True)``. Not differentiable.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.unique_all(np.array([3, 1, 3])).indices
        array([1, 0])
    """
    backend, x = _backend("unique_all", x)
    return UniqueAllResult(*backend.ops.unique_all(x))


def unique_counts(x: Shaped[ArrayT, " ..."] | Scalar, /) -> UniqueCountsResult:
    """Find the distinct elements, and how often each occurs.

    Args:
        x: Array of any shape and dtype; it is flattened.

    Returns:
        A named tuple of ``values`` (in ascending order on every backend) and ``counts``: vectors as long as
        there are distinct elements, empty for an empty x. Each NaN is distinct, and NaNs stand last.

    Raises:
        TypeError: If x has an unknown type.

    Notes:
        The length depends on the data: it does not compile under ``jax.jit``, XLA or
        ``torch.compile(fullgraph=True)``. Not differentiable.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.unique_counts(np.array([3, 1, 3]))
        UniqueCountsResult(values=array([1, 3]), counts=array([1, 2]))
    """
    backend, x = _backend("unique_counts", x)
    return UniqueCountsResult(*backend.ops.unique_counts(x))


def unique_inverse(x: Shaped[ArrayT, " ..."] | Scalar, /) -> UniqueInverseResult:
    """Find the distinct elements, and how to rebuild x of them.

    Args:
        x: Array of any shape and dtype; it is flattened.

    Returns:
        A named tuple of ``values`` (in ascending order on every backend; empty for an empty x) and
        ``inverse_indices`` in the shape of x with values[inverse] = x. Each NaN is distinct, and NaNs stand
        last.

    Raises:
        TypeError: If x has an unknown type.

    Notes:
        The length depends on the data: it does not compile under ``jax.jit``, XLA or
        ``torch.compile(fullgraph=True)``. Not differentiable.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.unique_inverse(np.array([[3, 1], [3, 3]])).inverse_indices
        array([[1, 0],
               [1, 1]])
    """
    backend, x = _backend("unique_inverse", x)
    return UniqueInverseResult(*backend.ops.unique_inverse(x))


def unique_values(x: Shaped[ArrayT, " ..."] | Scalar, /) -> Shaped[ArrayT, " distinct"]:
    """Find the distinct elements.

    Args:
        x: Array of any shape and dtype; it is flattened.

    Returns:
        A vector in ascending order on every backend, dtype and device of x; empty for an empty x. Each NaN
        is distinct, and NaNs stand last.

    Raises:
        TypeError: If x has an unknown type.

    Notes:
        The length depends on the data: it does not compile under ``jax.jit``, XLA or
        ``torch.compile(fullgraph=True)``. Not differentiable.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.unique_values(np.array([3, 1, 3]))
        array([1, 3])
    """
    backend, x = _backend("unique_values", x)
    return backend.ops.unique_values(x)  # type: ignore[no-any-return]


def _backend(function: str, x: Any) -> tuple[Backend, Any]:
    backend = TYPES.get(type(x))
    if backend is None:
        return operand(function, "x", x)
    if backend is HOST:
        numeric(function, backend, x)
    return backend, x
