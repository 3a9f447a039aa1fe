"""Arrays of one value, and of none in particular."""

from __future__ import annotations

from typing import Any

from anytensor import errors
from anytensor.backends import HOST, backend_of
from anytensor.ops.arguments import axis_in_range, sizes, together
from anytensor.ops.creation.target import KINDS, check_fill, number_kind, number_of, target
from anytensor.ops.plain import near
from anytensor.promotion import as_size
from anytensor.typing import Shaped

__all__ = ["empty", "eye", "full", "ones", "zeros"]


def zeros(shape: Any, *, dtype: Any = None, device: Any = None, like: Any = None) -> Shaped[Any, ...]:
    """Make an array of zeros.

    Args:
        shape: A size or a tuple of sizes, which may be symbolic, as from ``at.shape``.
        dtype: A NumPy dtype, a name or the backend's own dtype; that of ``like`` by default, or float64.
        device: A device of the backend; that of ``like`` by default.
        like: An array of the backend to make it on; NumPy by default.

    Returns:
        The array. A size of 0 makes it empty.

    Raises:
        TypeError: If a size is None, a bool or floating, or ``like`` has an unknown type.
        ValueError: If a size is negative.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.zeros((2, 2), like=np.ones(3, dtype=np.float32))
        array([[0., 0.],
               [0., 0.]], dtype=float32)
    """
    to = target("zeros", dtype, device, like)
    return to.backend.ops.zeros(sizes("zeros", shape), dtype=to.plain(), device=to.device)


def ones(shape: Any, *, dtype: Any = None, device: Any = None, like: Any = None) -> Shaped[Any, ...]:
    """Make an array of ones.

    Args:
        shape: A size or a tuple of sizes, which may be symbolic, as from ``at.shape``.
        dtype: A NumPy dtype, a name or the backend's own dtype; that of ``like`` by default, or float64.
        device: A device of the backend; that of ``like`` by default.
        like: An array of the backend to make it on; NumPy by default.

    Returns:
        The array. A size of 0 makes it empty.

    Raises:
        TypeError: If a size is None, a bool or floating, or ``like`` has an unknown type.
        ValueError: If a size is negative.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.ones(3, dtype="int32")
        array([1, 1, 1], dtype=int32)
    """
    to = target("ones", dtype, device, like)
    return to.backend.ops.ones(sizes("ones", shape), dtype=to.plain(), device=to.device)


def empty(shape: Any, *, dtype: Any = None, device: Any = None, like: Any = None) -> Shaped[Any, ...]:
    """Make an array whose entries are whatever the memory held.

    Args:
        shape: A size or a tuple of sizes, which may be symbolic, as from ``at.shape``.
        dtype: A NumPy dtype, a name or the backend's own dtype; that of ``like`` by default, or float64.
        device: A device of the backend; that of ``like`` by default.
        like: An array of the backend to make it on; NumPy by default.

    Returns:
        The array; zeros on JAX and TensorFlow. A size of 0 makes it empty.

    Raises:
        TypeError: If a size is None, a bool or floating, or ``like`` has an unknown type.
        ValueError: If a size is negative.

    Example:
        >>> import anytensor as at
        >>> at.shape(at.empty((2, 0)))
        (2, 0)
    """
    to = target("empty", dtype, device, like)
    return to.backend.ops.empty(sizes("empty", shape), dtype=to.plain(), device=to.device)


def full(
    shape: Any, fill_value: Any, *, dtype: Any = None, device: Any = None, like: Any = None
) -> Shaped[Any, ...]:
    """Make an array of one value.

    Args:
        shape: A size or a tuple of sizes, which may be symbolic, as from ``at.shape``.
        fill_value: A Python number, a symbolic size, or a 0-d array.
        dtype: A NumPy dtype, a name or the backend's own dtype. By default, for a Python number that of
            ``like`` if it can hold that kind, else the kind's default; for an array its own.
        device: A device of the backend; that of ``like`` by default.
        like: An array of the backend to make it on; NumPy by default.

    Returns:
        The array. A size of 0 makes it empty.

    Raises:
        TypeError: If a size is None, a bool or floating, ``like`` has an unknown type, or ``fill_value`` is
            neither a number nor an array.
        ValueError: If a size is negative, or ``fill_value`` is not 0-d.
        OverflowError: If the dtype is integer and does not hold the number ``fill_value``.

    Notes:
        The gradient flows to a 0-d ``fill_value``. ``full((1,), shape(x)[0], dtype="int32", like=x)`` keeps a
        length symbolic under a compiler.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.full((2,), 0.5, like=np.ones(1, dtype=np.float32))
        array([0.5, 0.5], dtype=float32)
    """
    to = target("full", dtype, device, like)
    backend, shape = to.backend, sizes("full", shape)
    if isinstance(fill_value, (bool, int, float, complex)):
        kind = to.default(number_kind("full", fill_value, "fill_value"))
        check_fill("full", backend, fill_value, kind)
        return backend.ops.full(shape, fill_value, dtype=kind, device=to.device)
    fill_value, own = number_of(fill_value)
    if own is not None:
        kind = backend.as_dtype(own) if to.dtype is None else to.dtype
        check_fill("full", backend, fill_value, kind)
        return backend.ops.full(shape, fill_value, dtype=kind, device=to.device)
    if like is None:
        backend = backend_of(fill_value, "full", "fill_value")
        if backend is not HOST:
            to = target("full", dtype, device, fill_value)
        return _full_of_array(to, shape, fill_value, fill_value)
    if backend.as_size(fill_value) is not None and not backend.is_array(fill_value):
        kind = to.default(1)  # a symbolic size that is no array: a SymInt or a JAX dimension
        return backend.ops.full(shape, fill_value, dtype=kind, device=to.device)
    return _full_of_array(to, shape, fill_value, like)


def _full_of_array(to: Any, shape: Any, fill_value: Any, like: Any) -> Any:
    backend, (value, _) = together("full", ("fill_value", "like"), (fill_value, like))
    if backend.rank(value) not in (0, None):
        raise ValueError(f"full: `fill_value` must be 0-d, got {errors.describe(value)}")
    if to.dtype is None:
        kind = value.dtype
    else:
        kind = to.dtype
        if KINDS[backend.dtype_kind(kind)] < KINDS[backend.dtype_kind(value.dtype)] == 3:
            raise TypeError(f"full: a complex `fill_value` does not fit dtype {kind}")
    return backend.ops.full(shape, backend.cast(value, kind), dtype=kind, device=to.device)


def eye(
    n_rows: Any,
    n_cols: Any = None,
    /,
    *,
    k: int = 0,
    dtype: Any = None,
    device: Any = None,
    like: Any = None,
) -> Shaped[Any, "n_rows n_cols"]:
    """Make a matrix with ones on one diagonal.

    Args:
        n_rows: Number of rows, a size.
        n_cols: Number of columns, a size; as many as rows by default.
        k: Which diagonal: 0 the main one, above it positive, below it negative.
        dtype: A NumPy dtype, a name or the backend's own dtype; that of ``like`` by default, or float64.
        device: A device of the backend; that of ``like`` by default.
        like: An array of the backend to make it on; NumPy by default.

    Returns:
        The matrix; zeros if the diagonal lies outside, empty for a size of 0.

    Raises:
        TypeError: If a size is None, a bool or floating, or ``like`` has an unknown type.
        ValueError: If a size is negative.

    Example:
        >>> import anytensor as at
        >>> at.eye(2, 3, k=1)
        array([[0., 1., 0.],
               [0., 0., 1.]])
    """
    to = target("eye", dtype, device, like)
    rows = as_size(n_rows, "eye", "n_rows")
    columns = rows if n_cols is None else as_size(n_cols, "eye", "n_cols")
    k = near(axis_in_range("eye", k, None, "k"))
    return to.backend.ops.eye(rows, columns, k=k, dtype=to.plain(), device=to.device)
