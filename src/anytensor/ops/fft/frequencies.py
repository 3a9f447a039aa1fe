"""The frequencies of a transform, and their order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from anytensor.backends import TYPES, Backend
from anytensor.ops.arguments import axes_in_range
from anytensor.ops.creation import arange
from anytensor.ops.dispatch import backend_like, operand, own_dtype
from anytensor.ops.elementwise import divide
from anytensor.ops.linalg.operands import too_few_dimensions
from anytensor.ops.manipulation import concat
from anytensor.ops.plain import check_device, number, whole
from anytensor.typing import ArrayT, Shaped

__all__ = ["fftfreq", "fftshift", "ifftshift", "rfftfreq"]


def fftfreq(
    n: int, /, *, d: float = 1.0, dtype: Any = None, device: Any = None, like: Any = None
) -> Shaped[Any, " n"]:
    """List the frequencies of ``fft``, in its order: from 0 up, then the negative ones.

    Args:
        n: Number of samples.
        d: Distance between samples.
        dtype: Floating dtype, any backend's or a name; None for that of ``like``, or the backend's default.
        device: Device of the backend; None for that of ``like``.
        like: An array whose backend, device and floating dtype the result takes; None for NumPy.

    Returns:
        Shape (n,), floating, in cycles per unit of d.

    Raises:
        TypeError: If n is not an int, ``like`` has an unknown type, or the dtype is not floating.
        ValueError: If n is less than 1.

    Example:
        >>> import anytensor as at
        >>> at.fft.fftfreq(4)
        array([ 0.  ,  0.25, -0.5 , -0.25])
    """
    dtype = _checked("fft.fftfreq", n, d, dtype, device, like)
    # In two parts, since a list or a NumPy array would not go through Dynamo.
    up = arange(0, (n + 1) // 2, dtype=dtype, device=device, like=like)
    down = arange(-(n // 2), 0, dtype=dtype, device=device, like=like)
    return divide(concat([up, down], axis=0), n * d)


def rfftfreq(
    n: int, /, *, d: float = 1.0, dtype: Any = None, device: Any = None, like: Any = None
) -> Shaped[Any, " frequencies"]:
    """List the frequencies of ``rfft``, from 0 up.

    Args:
        n: Number of samples.
        d: Distance between samples.
        dtype: Floating dtype, any backend's or a name; None for that of ``like``, or the backend's default.
        device: Device of the backend; None for that of ``like``.
        like: An array whose backend, device and floating dtype the result takes; None for NumPy.

    Returns:
        Shape (n // 2 + 1,), floating, in cycles per unit of d.

    Raises:
        TypeError: If n is not an int, ``like`` has an unknown type, or the dtype is not floating.
        ValueError: If n is less than 1.

    Example:
        >>> import anytensor as at
        >>> at.fft.rfftfreq(4)
        array([0.  , 0.25, 0.5 ])
    """
    dtype = _checked("fft.rfftfreq", n, d, dtype, device, like)
    return divide(arange(0, n // 2 + 1, dtype=dtype, device=device, like=like), n * d)


def _checked(function: str, n: Any, d: Any, dtype: Any, device: Any, like: Any) -> Any:
    """Return the dtype to make the frequencies in."""
    whole(function, n, "n", 1)
    number(function, d, "d")
    backend = backend_like(function, like)
    check_device(function, backend, device)
    if dtype is not None:
        dtype = own_dtype(function, backend, dtype)
        if backend.dtype_kind(dtype) != "f":
            raise TypeError(f"{function}: `dtype` must be floating, got {dtype}")
        return dtype
    if (
        like is not None
        and not isinstance(like, (int, float, complex))
        and backend.dtype_kind(like.dtype) == "f"
    ):
        return like.dtype
    return backend.default_float()


def fftshift(
    x: Shaped[ArrayT, " ..."], /, *, axes: int | Sequence[int] | None = None
) -> Shaped[ArrayT, " ..."]:
    """Move the zero frequency to the middle.

    Args:
        x: Array of any shape and dtype.
        axes: An axis or several; None for all.

    Returns:
        Shape, dtype and device of x.

    Raises:
        TypeError: If x has an unknown type or an axis is not an int.
        ValueError: If an axis is out of range or comes twice.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.fft.fftshift(np.array([0, 1, -2, -1]))
        array([-2, -1,  0,  1])
    """
    backend, x, axes = _shifted("fft.fftshift", x, axes)
    if axes == ():  # which PyTorch refuses
        return backend.ops.asarray(x, copy=True)  # type: ignore[no-any-return]
    return backend.ops.fft.fftshift(x, axes=axes)  # type: ignore[no-any-return]


def ifftshift(
    x: Shaped[ArrayT, " ..."], /, *, axes: int | Sequence[int] | None = None
) -> Shaped[ArrayT, " ..."]:
    """Undo ``fftshift``.

    Args:
        x: Array of any shape and dtype.
        axes: An axis or several; None for all.

    Returns:
        Shape, dtype and device of x.

    Raises:
        TypeError: If x has an unknown type or an axis is not an int.
        ValueError: If an axis is out of range or comes twice.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.fft.ifftshift(np.array([-2, -1, 0, 1]))
        array([ 0,  1, -2, -1])
    """
    backend, x, axes = _shifted("fft.ifftshift", x, axes)
    if axes == ():  # which PyTorch refuses
        return backend.ops.asarray(x, copy=True)  # type: ignore[no-any-return]
    return backend.ops.fft.ifftshift(x, axes=axes)  # type: ignore[no-any-return]


def _shifted(function: str, x: Any, axes: Any) -> tuple[Backend, Any, Any]:
    backend = TYPES.get(type(x))
    if backend is None:
        backend, x = operand(function, "x", x)
    rank = backend.rank(x)
    if axes is not None:
        axes = axes_in_range(function, axes, rank, "axes")
    elif rank == 0:
        raise too_few_dimensions(function, x, "x", 1)
    elif rank is not None:
        axes = tuple(range(rank))
    return backend, x, axes
