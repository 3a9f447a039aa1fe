"""Ranges, grids, and triangles of matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from anytensor import errors
from anytensor.compiling import is_compiling
from anytensor.ops.arguments import aligned_list, axis_in_range
from anytensor.ops.creation.target import number_kind, target
from anytensor.ops.dispatch import operand
from anytensor.ops.plain import near, number, option
from anytensor.promotion import as_size
from anytensor.typing import ArrayT, Scalar, Shaped

__all__ = ["arange", "linspace", "meshgrid", "tril", "triu"]


def _bound(function: str, x: Any, argument: str) -> Any:
    """Return a bound of a range as a Python number, or a symbolic size as it is."""
    if isinstance(x, np.generic) or (isinstance(x, np.ndarray) and x.ndim == 0):
        x = x.item()
    if x is None or isinstance(x, (bool, complex)):
        raise TypeError(f"{function}: `{argument}` must be an integer or a float, got {errors.describe(x)}")
    if isinstance(x, int) and not is_compiling() and not -(2**63) <= x < 2**63:
        raise errors.out_of_range(x, "int64", function, argument)
    return x if isinstance(x, (int, float)) else as_size(x, function, argument)


def arange(
    start: Any,
    /,
    stop: Any = None,
    step: Any = 1,
    *,
    dtype: Any = None,
    device: Any = None,
    like: Any = None,
) -> Shaped[Any, " entries"]:
    """Make evenly spaced values within a half-open interval.

    Args:
        start: The first value, or, if ``stop`` is not given, the end, and 0 is first. A Python or NumPy
            number or a symbolic size.
        stop: The end, which is not part of it.
        step: The distance, not 0.
        dtype: A NumPy dtype, a name or the backend's own dtype. By default that of ``like`` if it is integer
            or floating and can hold the bounds, else the default of their kind.
        device: A device of the backend; that of ``like`` by default.
        like: An array of the backend to make it on; NumPy by default.

    Returns:
        Shape (ceil((stop - start) / step),); empty where the step leads away from the end.

    Raises:
        TypeError: If a bound is a bool, complex or no number, or ``like`` has an unknown type.
        ValueError: If ``step`` is 0.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.arange(3, like=np.ones(2, dtype=np.float32))
        array([0., 1., 2.], dtype=float32)
        >>> at.arange(5, 0, -2)
        array([5, 3, 1])
    """
    to = target("arange", dtype, device, like)
    if stop is None:
        bounds = (0, _bound("arange", start, "start"), _bound("arange", step, "step"))
    else:
        bounds = (
            _bound("arange", start, "start"),
            _bound("arange", stop, "stop"),
            _bound("arange", step, "step"),
        )
    if isinstance(bounds[2], (int, float)) and bounds[2] == 0:
        raise ValueError("arange: `step` must not be 0")
    kind = 2 if any(isinstance(b, float) for b in bounds) else 1
    if to.like_dtype is not None and to.backend.dtype_kind(to.like_dtype) in "bc":
        to = to._replace(like_dtype=None)
    return to.backend.ops.arange(*bounds, dtype=to.default(kind), device=to.device)


def linspace(
    start: Scalar,
    stop: Scalar,
    /,
    num: Any,
    *,
    dtype: Any = None,
    device: Any = None,
    endpoint: bool = True,
    like: Any = None,
) -> Shaped[Any, " num"]:
    """Make a number of evenly spaced values.

    Args:
        start: The first value, a Python or NumPy number.
        stop: The last value, or the end that is not part of it.
        num: Number of values, a size.
        dtype: A NumPy dtype, a name or the backend's own dtype. By default that of ``like`` if it is floating
            (or complex), else the default one.
        device: A device of the backend; that of ``like`` by default.
        endpoint: Whether ``stop`` is the last value.
        like: An array of the backend to make it on; NumPy by default.

    Returns:
        Shape (num,). An integer dtype gets the values rounded down.

    Raises:
        TypeError: If a bound is no number, ``num`` no size, ``endpoint`` no bool, or ``like`` has an unknown
            type.
        ValueError: If ``num`` is negative.

    Example:
        >>> import anytensor as at
        >>> at.linspace(0.0, 1.0, 5)
        array([0.  , 0.25, 0.5 , 0.75, 1.  ])
    """
    to = target("linspace", dtype, device, like)
    bounds = [x.item() if isinstance(x, np.generic) else x for x in (start, stop)]
    kinds = [number_kind("linspace", x, name) for x, name in zip(bounds, ("start", "stop"), strict=True)]
    if 3 not in kinds:
        bounds = [number("linspace", x, name) for x, name in zip(bounds, ("start", "stop"), strict=True)]
    num = as_size(num, "linspace", "num")
    if not isinstance(endpoint, bool):
        raise errors.not_a_bool(endpoint, "linspace", "endpoint")
    kind = to.default(3 if 3 in kinds else 2)
    return to.backend.ops.linspace(*bounds, num, dtype=kind, device=to.device, endpoint=endpoint)


def meshgrid(*arrays: Shaped[ArrayT, ...] | Scalar, indexing: str = "xy") -> list[Shaped[ArrayT, ...]]:
    """Spread vectors over the grid of all their combinations.

    Args:
        *arrays: Vectors, or scalars for vectors of one entry. Mixed dtypes promote.
        indexing: ``"ij"`` gives the grid an axis for each vector, in their order; ``"xy"`` swaps the first
            two.

    Returns:
        A list of as many arrays, all of the grid's shape; empty if there are none.

    Raises:
        TypeError: If an array has an unknown type or two frameworks meet.
        ValueError: If an array has more than one axis, or ``indexing`` is another word.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.meshgrid(np.array([1, 2]), np.array([3, 4]), indexing="ij")
        [array([[1, 1],
               [2, 2]]), array([[3, 4],
               [3, 4]])]
    """
    option("meshgrid", indexing, "indexing", ("xy", "ij"))
    if not arrays:
        return []
    backend, parts = aligned_list("meshgrid", arrays)
    for i, x in enumerate(parts):
        if backend.rank(x) == 0:
            parts[i] = backend.ops.reshape(x, (1,))
        elif backend.rank(x) not in (1, None):
            raise errors.not_a_vector(backend.shape(x), "meshgrid", f"arrays[{i}]")
    return list(backend.ops.meshgrid(*parts, indexing=indexing))


def _matrices(function: str, x: Any, k: Any) -> Any:
    backend, x = operand(function, "x", x)
    ndim = backend.rank(x)
    if ndim is not None and ndim < 2:
        raise ValueError(f"{function}: `x` must have at least 2 axes, got {errors.describe(x)}")
    return backend, x, near(axis_in_range(function, k, None, "k"))


def tril(x: Shaped[ArrayT, ...], /, *, k: int = 0) -> Shaped[ArrayT, ...]:
    """Keep the lower triangle of matrices, with zeros above.

    Args:
        x: Shape (..., rows, columns), any dtype.
        k: The last diagonal that is kept: 0 the main one, above it positive, below it negative.

    Returns:
        Shape, dtype and device of x.

    Raises:
        TypeError: If x has an unknown type or ``k`` is not an integer.
        ValueError: If x has fewer than two axes.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.tril(np.array([[1, 2], [3, 4]]))
        array([[1, 0],
               [3, 4]])
    """
    backend, x, k = _matrices("tril", x, k)
    return backend.ops.tril(x, k=k)  # type: ignore[no-any-return]  # framework types are Any


def triu(x: Shaped[ArrayT, ...], /, *, k: int = 0) -> Shaped[ArrayT, ...]:
    """Keep the upper triangle of matrices, with zeros below.

    Args:
        x: Shape (..., rows, columns), any dtype.
        k: The first diagonal that is kept: 0 the main one, above it positive, below it negative.

    Returns:
        Shape, dtype and device of x.

    Raises:
        TypeError: If x has an unknown type or ``k`` is not an integer.
        ValueError: If x has fewer than two axes.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.triu(np.array([[1, 2], [3, 4]]))
        array([[1, 2],
               [0, 4]])
    """
    backend, x, k = _matrices("triu", x, k)
    return backend.ops.triu(x, k=k)  # type: ignore[no-any-return]  # as above
