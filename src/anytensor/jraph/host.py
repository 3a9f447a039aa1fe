"""What of a graph is known on the host: its counts, and arrays that may be joined and cut there.

Eager JAX compiles a program for every combination of shapes, so to join or cut many small arrays on the host
and bring the result back is 10 to 100 times faster there (``benchmarks/graphs.py``).
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np

from anytensor import errors
from anytensor.backends import HOST, TYPES, backend_of
from anytensor.ops.creation import asarray, zeros
from anytensor.ops.manipulation import concat

__all__ = [
    "concat_rows",
    "counts",
    "is_known",
    "lift",
    "on_host",
    "rows_of",
    "slices",
    "to_host",
    "zero_rows",
]


def is_known(x: Any) -> bool:
    """Return whether an array's entries are known now, outside of any trace."""
    backend = TYPES.get(type(x))
    if backend is HOST:
        return True
    backend = backend or backend_of(x, "jraph", "graph")
    return not backend.is_traced(x)


def to_host(x: Any) -> Any:
    """Return a known array as a NumPy array, by reference where it lies on the host."""
    backend = TYPES.get(type(x)) or backend_of(x, "jraph", "graph")
    return x if backend is HOST else backend.to_numpy(x)


def lift(host: Any, like: Any) -> Any:
    """Return a copy of a NumPy array on the backend and device of another array."""
    if type(like) is np.ndarray:
        return np.array(host)
    # XLA's CPU client takes memory by reference if it is aligned so; jnp.array costs two more copies.
    buffer = np.empty(host.nbytes + 64, np.uint8)
    start = -buffer.ctypes.data % 64
    copy = buffer[start : start + host.nbytes].view(host.dtype).reshape(host.shape)
    copy[...] = host
    return asarray(copy, like=like)


def on_host(x: Any) -> bool:
    """Return whether to join and cut on the host: NumPy arrays, and JAX arrays outside of traces."""
    backend = TYPES.get(type(x))
    return backend is HOST or (backend is not None and backend.NAME == "jax" and not backend.is_traced(x))


def counts(function: str, field: str, x: Any) -> Any:
    """Return a vector of counts as NumPy integers.

    Args:
        function: Name of the public function, for errors.
        field: Name of the field of the graph, for errors.
        x: The field.

    Returns:
        Shape (n_graph,), int64.

    Raises:
        TypeError: If the entries are not integers, or are not known because a compiler traces.
        ValueError: If it is not 1-D.
    """
    backend = TYPES.get(type(x)) or backend_of(x, function, field)
    if backend is not HOST and backend.is_traced(x):
        raise TypeError(
            f"{function}: the shapes of the result depend on the values of `{field}`, which are not known "
            f"while a compiler traces ({errors.describe(x)}); call it outside of the compiled function"
        )
    host = x if backend is HOST else backend.to_numpy(x)
    if host.ndim != 1:
        raise errors.not_a_vector(host.shape, function, field)
    if (
        host.dtype.kind not in "iu" and host.size
    ):  # jnp.array([]) is floating, and has no entry that is not whole
        raise errors.not_an_index(x, function, field)
    return host.astype(np.int64)


def rows_of(x: Any) -> Any:
    """Return the number of rows of an array; a symbolic size under a compiler.

    Raises:
        ValueError: If it has no axis.
    """
    backend = TYPES.get(type(x)) or backend_of(x, "jraph", "graph")
    sizes = backend.shape(x)
    if not sizes:
        raise ValueError(
            f"jraph: the arrays of a graph have a row for each node, edge or graph, got {errors.describe(x)}"
        )
    return sizes[0]


def zero_rows(length: Any, like: Any) -> Any:
    """Return rows of zeros to put behind those of an array."""
    backend = TYPES.get(type(like)) or backend_of(like, "jraph", "graph")
    tail = backend.shape(like)[1:]
    if on_host(like) and isinstance(length, int):
        return np.zeros((length, *tail), backend.numpy_dtype(like.dtype))
    return zeros((length, *tail), dtype=like.dtype, like=like)


def concat_rows(arrays: Sequence[Any]) -> Any:
    """Join arrays along axis 0: the backend's own way, but on the host for known JAX arrays."""
    kinds = set(map(type, arrays))
    if kinds == {np.ndarray}:
        return np.concatenate(arrays)
    if all(on_host(x) for x in arrays):
        like = next(x for x in arrays if type(x) is not np.ndarray)
        return lift(np.concatenate([to_host(x) for x in arrays]), like)
    return concat(list(arrays))


def slices(x: Any, bounds: Sequence[int]) -> list[Any]:
    """Cut an array along axis 0 between each pair of neighbouring bounds."""
    pairs = itertools.pairwise(bounds)
    if type(x) is np.ndarray:
        return [x[start:end] for start, end in pairs]
    if on_host(x):
        host = to_host(x)
        return [lift(host[start:end], x) for start, end in pairs]
    return [x[start:end] for start, end in pairs]
