"""New arrays of the shape of another."""

from __future__ import annotations

from typing import Any

from anytensor import errors
from anytensor.ops.arguments import together
from anytensor.ops.creation.target import check_fill, number_of
from anytensor.ops.dispatch import operand, own_dtype
from anytensor.ops.kinds import numeric
from anytensor.ops.plain import check_device
from anytensor.typing import ArrayT, Scalar, Shaped

__all__ = ["empty_like", "full_like", "ones_like", "zeros_like"]


def zeros_like(
    x: Shaped[ArrayT, ...] | Scalar, /, *, dtype: Any = None, device: Any = None
) -> Shaped[ArrayT, ...]:
    """Make zeros in the shape of an array.

    Args:
        x: An array, any dtype.
        dtype: A NumPy dtype, a name or the backend's own dtype; that of x by default.
        device: A device of the backend; that of x by default.

    Returns:
        The zeros, in the shape of x.

    Raises:
        TypeError: If x has an unknown type or the backend has no such dtype.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.zeros_like(np.array([1, 2]))
        array([0, 0])
    """
    backend, x = operand("zeros_like", "x", x)
    if device is not None:
        check_device("zeros_like", backend, device)
    if dtype is None:
        numeric("zeros_like", backend, x)
    kind = None if dtype is None else own_dtype("zeros_like", backend, dtype)
    return backend.ops.zeros_like(x, dtype=kind, device=device)  # type: ignore[no-any-return]


def ones_like(
    x: Shaped[ArrayT, ...] | Scalar, /, *, dtype: Any = None, device: Any = None
) -> Shaped[ArrayT, ...]:
    """Make ones in the shape of an array.

    Args:
        x: An array, any dtype.
        dtype: A NumPy dtype, a name or the backend's own dtype; that of x by default.
        device: A device of the backend; that of x by default.

    Returns:
        The ones, in the shape of x.

    Raises:
        TypeError: If x has an unknown type or the backend has no such dtype.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.ones_like(np.array([1.5, 2.0]))
        array([1., 1.])
    """
    backend, x = operand("ones_like", "x", x)
    if device is not None:
        check_device("ones_like", backend, device)
    if dtype is None:
        numeric("ones_like", backend, x)
    kind = None if dtype is None else own_dtype("ones_like", backend, dtype)
    return backend.ops.ones_like(x, dtype=kind, device=device)  # type: ignore[no-any-return]


def empty_like(
    x: Shaped[ArrayT, ...] | Scalar, /, *, dtype: Any = None, device: Any = None
) -> Shaped[ArrayT, ...]:
    """Make an array in the shape of another, its entries whatever the memory held.

    Args:
        x: An array, any dtype.
        dtype: A NumPy dtype, a name or the backend's own dtype; that of x by default.
        device: A device of the backend; that of x by default.

    Returns:
        The array, in the shape of x; zeros on JAX and TensorFlow.

    Raises:
        TypeError: If x has an unknown type or the backend has no such dtype.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.shape(at.empty_like(np.array([1, 2])))
        (2,)
    """
    backend, x = operand("empty_like", "x", x)
    if device is not None:
        check_device("empty_like", backend, device)
    if dtype is None:
        numeric("empty_like", backend, x)
    kind = None if dtype is None else own_dtype("empty_like", backend, dtype)
    return backend.ops.empty_like(x, dtype=kind, device=device)  # type: ignore[no-any-return]


def full_like(
    x: Shaped[ArrayT, ...] | Scalar, /, fill_value: Any, *, dtype: Any = None, device: Any = None
) -> Shaped[ArrayT, ...]:
    """Make an array of one value in the shape of another.

    Args:
        x: An array, any dtype.
        fill_value: A Python or NumPy number or a 0-d array; cast to the dtype.
        dtype: A NumPy dtype, a name or the backend's own dtype; that of x by default.
        device: A device of the backend; that of x by default.

    Returns:
        The array, in the shape of x.

    Raises:
        TypeError: If an operand has an unknown type, two frameworks meet, the backend has no such dtype, or
            the dtype is real and the value complex.
        ValueError: If ``fill_value`` is not 0-d.
        OverflowError: If the dtype is integer and does not hold the number ``fill_value``.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.full_like(np.array([1.0, 2.0]), 7)
        array([7., 7.])
    """
    backend, array = operand("full_like", "x", x)
    if dtype is None:
        numeric("full_like", backend, array)
    fill_value, _ = number_of(fill_value)
    is_number = isinstance(fill_value, (bool, int, float, complex))  # a symbolic one too, in Dynamo's eyes
    if not is_number:
        backend, (array, fill_value) = together("full_like", ("x", "fill_value"), (x, fill_value))
        if backend.rank(fill_value) not in (0, None):
            raise ValueError(f"full_like: `fill_value` must be 0-d, got {errors.describe(fill_value)}")
    kind = array.dtype if dtype is None else own_dtype("full_like", backend, dtype)
    if not is_number and backend.dtype_kind(fill_value.dtype) == "c" != backend.dtype_kind(kind):
        raise TypeError(f"full_like: a complex `fill_value` does not fit dtype {kind}")
    check_fill("full_like", backend, fill_value, kind)
    if device is not None:
        check_device("full_like", backend, device)
    return backend.ops.full_like(array, fill_value, dtype=kind, device=device)  # type: ignore[no-any-return]
