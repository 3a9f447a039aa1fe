"""Running sums and products along an axis, and differences, their inverse."""

from __future__ import annotations

from typing import Any

from anytensor import errors
from anytensor.backends import HOST, TYPES, Backend
from anytensor.ops.arguments import axis_in_range
from anytensor.ops.dispatch import operand, own_dtype
from anytensor.ops.kinds import not_a_number, numeric
from anytensor.ops.plain import flag, whole
from anytensor.promotion import promote
from anytensor.typing import ArrayT, Shaped

__all__ = ["cumsum", "cumulative_prod", "cumulative_sum", "diff"]


def cumulative_sum(
    x: Shaped[ArrayT, " ..."],
    /,
    *,
    axis: int | None = None,
    dtype: Any = None,
    include_initial: bool = False,
) -> Shaped[ArrayT, " ..."]:
    """Add up the elements along an axis, step by step.

    Args:
        x: Array of one dimension or more, any dtype; bool counts as integers.
        axis: The axis; may be None for a vector only.
        dtype: Dtype to sum in and to return, any backend's or a name; None as for ``sum``.
        include_initial: Put a zero before the first sum.

    Returns:
        Shape of x, one longer along the axis with ``include_initial``, on its device; dtype as for ``sum``.
        An empty axis stays empty.

    Raises:
        TypeError: If x has an unknown type, ``axis`` is not an int, or the backend has no such ``dtype``, or
            ``include_initial`` is no bool.
        ValueError: If x is 0-d, ``axis`` is None for an array of more dimensions, or out of range.

    Notes:
        float16 and bfloat16 accumulate in float32. ``cumsum`` takes the axis by position and flattens.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.cumulative_sum(np.array([1, 2, 3]), include_initial=True)
        array([0, 1, 3, 6])
    """
    flag("cumulative_sum", include_initial, "include_initial")
    return _summed("cumulative_sum", x, axis, dtype, include_initial)  # type: ignore[no-any-return]


def _summed(function: str, x: Any, axis: Any, dtype: Any, include_initial: bool) -> Any:
    backend, axis = _one_axis(function, x, axis)
    if backend is HOST:
        numeric(function, backend, x)
    if dtype is not None:
        dtype = own_dtype(function, backend, dtype)
    return backend.ops.cumulative_sum(x, axis=axis, dtype=dtype, include_initial=include_initial)


def cumulative_prod(
    x: Shaped[ArrayT, " ..."],
    /,
    *,
    axis: int | None = None,
    dtype: Any = None,
    include_initial: bool = False,
) -> Shaped[ArrayT, " ..."]:
    """Multiply the elements along an axis, step by step.

    Args:
        x: Array of one dimension or more, any dtype; bool counts as integers.
        axis: The axis; may be None for a vector only.
        dtype: Dtype to multiply in and to return, any backend's or a name; None as for ``prod``.
        include_initial: Put a one before the first product.

    Returns:
        Shape of x, one longer along the axis with ``include_initial``, on its device; dtype as for ``prod``.
        An empty axis stays empty.

    Raises:
        TypeError: If x has an unknown type, ``axis`` is not an int, or the backend has no such ``dtype``, or
            ``include_initial`` is no bool.
        ValueError: If x is 0-d, ``axis`` is None for an array of more dimensions, or out of range.

    Notes:
        float16 and bfloat16 accumulate in float32.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.cumulative_prod(np.array([1, 2, 3]))
        array([1, 2, 6])
    """
    backend, axis = _one_axis("cumulative_prod", x, axis)
    flag("cumulative_prod", include_initial, "include_initial")
    if dtype is not None:
        dtype = own_dtype("cumulative_prod", backend, dtype)
    return backend.ops.cumulative_prod(  # type: ignore[no-any-return]
        x, axis=axis, dtype=dtype, include_initial=include_initial
    )


def _one_axis(function: str, x: Any, axis: Any) -> tuple[Backend, int]:
    """Return the backend of x, and its one axis for None."""
    backend = TYPES.get(type(x))
    if backend is None:
        backend, x = operand(function, "x", x)
    rank = backend.rank(x)
    if rank == 0:
        raise ValueError(f"{function}: `x` must have at least one dimension, got {errors.describe(x)}")
    if axis is None:
        if rank not in (1, None):
            raise ValueError(f"{function}: `axis` is required for an array of {rank} dimensions")
        return backend, 0
    return backend, axis_in_range(function, axis, rank)


def cumsum(
    x: Shaped[ArrayT, " ..."], /, axis: int | None = None, dtype: Any = None
) -> Shaped[ArrayT, " ..."]:
    """Add up the elements step by step, as ``jax.numpy.cumsum``.

    Args:
        x: Array of one dimension or more, any dtype; bool counts as integers.
        axis: The axis; None flattens x first, in row-major order.
        dtype: Dtype to sum in and to return, any backend's or a name; None as for ``sum``.

    Returns:
        Shape of x (one dimension for ``axis=None``), on its device; dtype as for ``sum``. An empty axis
        stays empty.

    Raises:
        TypeError: If x has an unknown type, ``axis`` is not an int, or the backend has no such ``dtype``.
        ValueError: If x is 0-d and has an axis named, or ``axis`` is out of range.

    Notes:
        Not in the standard, which has ``cumulative_sum``.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.cumsum(np.array([[1, 2], [3, 4]]), 1)
        array([[1, 3],
               [3, 7]])
    """
    if axis is not None:
        return _summed("cumsum", x, axis, dtype, False)  # type: ignore[no-any-return]
    backend, x = operand("cumsum", "x", x)
    return _summed("cumsum", backend.ops.reshape(x, (-1,)), 0, dtype, False)  # type: ignore[no-any-return]


@promote(x="data", prepend="data", append="data")
def diff(
    x: Shaped[ArrayT, " ..."],
    /,
    *,
    axis: int = -1,
    n: int = 1,
    prepend: Shaped[ArrayT, " ..."] | None = None,
    append: Shaped[ArrayT, " ..."] | None = None,
) -> Shaped[ArrayT, " ..."]:
    """Subtract each element from the next one along an axis.

    Args:
        x: Array of one dimension or more, numeric.
        axis: The axis.
        n: How many times to take differences; 0 returns x.
        prepend: Elements to put before x along the axis first; same shape but for the axis.
        append: Elements to put behind x along the axis first; same shape but for the axis.

    Returns:
        Shape of x with the axis (with what is joined to it) n shorter, at least 0; the shared dtype.

    Raises:
        TypeError: If an operand has an unknown type, two frameworks meet, x is bool, or ``axis`` or ``n`` is
            not an int.
        ValueError: If x is 0-d, ``axis`` is out of range, or n is negative.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.diff(np.array([1, 4, 9, 16]))
        array([3, 5, 7])
    """
    backend, axis = _one_axis("diff", x, axis)
    if backend.is_no_number(x):
        raise not_a_number(x, "diff", "x")
    whole("diff", n, "n", 0)
    for name, end in (("prepend", prepend), ("append", append)):
        if end is not None:
            _joins(backend, axis, x, end, name)
    ends = [end for end in (prepend, x, append) if end is not None]
    if len(ends) > 1:
        x = backend.ops.concat(ends, axis=axis)
    if n > 1:
        length = backend.shape(x)[axis]
        n = min(n, length) if isinstance(length, int) else n  # nothing is left of so few, in fewer steps
    return backend.ops.diff(x, axis=axis, n=n) if n else x


def _joins(backend: Backend, axis: int, x: Any, end: Any, argument: str) -> None:
    """Raise ValueError if an end has not the shape of x but for the axis, as far as lengths are known."""
    if None in (backend.rank(x), backend.rank(end)):
        return
    shape, own = backend.shape(x), backend.shape(end)
    fits = len(own) == len(shape) and all(
        i == axis or not (isinstance(a, int) and isinstance(b, int)) or a == b
        for i, (a, b) in enumerate(zip(own, shape, strict=False))
    )
    if not fits:
        raise ValueError(
            f"diff: `{argument}` must have the shape of `x` but for axis {axis}, got {errors.describe(end)} "
            f"and x of shape {shape}"
        )
