"""Discrete Fourier transforms of complex samples."""

from __future__ import annotations

from collections.abc import Sequence

from anytensor.ops.fft.operands import along_many, along_one
from anytensor.typing import ArrayT, Shaped

__all__ = ["fft", "fftn", "ifft", "ifftn"]


def fft(
    x: Shaped[ArrayT, " ..."], /, *, n: int | None = None, axis: int = -1, norm: str = "backward"
) -> Shaped[ArrayT, " ..."]:
    """Transform along one axis: from samples to frequencies.

    Args:
        x: Array of one dimension or more, numeric; integers count as the default float, float16 and bfloat16
            as float32.
        n: Number of points along the axis; None for its size; longer pads with zeros, shorter cuts.
        axis: The axis.
        norm: Where to divide by the number of points: ``"backward"`` in the inverse transform, ``"forward"``
            in the forward one, ``"ortho"`` by its root in both.

    Returns:
        Shape of x with n points along the axis, complex of the precision of x, on its device.

    Raises:
        TypeError: If x has an unknown type, or an axis or a length is not an int.
        ValueError: If an axis is out of range or comes twice, a length is less than 1, or ``norm`` is none
            of the three.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.fft.fft(np.array([1.0, 0.0, 0.0]))
        array([1.+0.j, 1.+0.j, 1.+0.j])
    """
    backend, x, axis = along_one("fft.fft", x, n, axis, norm)
    return backend.ops.fft.fft(x, n=n, axis=axis, norm=norm)  # type: ignore[no-any-return]


def ifft(
    x: Shaped[ArrayT, " ..."], /, *, n: int | None = None, axis: int = -1, norm: str = "backward"
) -> Shaped[ArrayT, " ..."]:
    """Transform back along one axis: from frequencies to samples.

    Args:
        x: Array of one dimension or more, numeric; integers count as the default float, float16 and bfloat16
            as float32.
        n: Number of points along the axis; None for its size; longer pads with zeros, shorter cuts.
        axis: The axis.
        norm: Where to divide by the number of points: ``"backward"`` in the inverse transform, ``"forward"``
            in the forward one, ``"ortho"`` by its root in both.

    Returns:
        Shape of x with n points along the axis, complex of the precision of x, on its device.

    Raises:
        TypeError: If x has an unknown type, or an axis or a length is not an int.
        ValueError: If an axis is out of range or comes twice, a length is less than 1, or ``norm`` is none
            of the three.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.fft.ifft(np.array([3.0, 0.0, 0.0]))
        array([1.+0.j, 1.+0.j, 1.+0.j])
    """
    backend, x, axis = along_one("fft.ifft", x, n, axis, norm)
    return backend.ops.fft.ifft(x, n=n, axis=axis, norm=norm)  # type: ignore[no-any-return]


def fftn(
    x: Shaped[ArrayT, " ..."],
    /,
    *,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: str = "backward",
) -> Shaped[ArrayT, " ..."]:
    """Transform along several axes: from samples to frequencies.

    Args:
        x: Array of one dimension or more, numeric; integers count as the default float, float16 and bfloat16
            as float32.
        s: Number of points along each axis; None for its size; longer pads with zeros, shorter cuts.
        axes: The axes, in order; None for the last ones, as many as ``s`` has, or all.
        norm: Where to divide by the number of points: ``"backward"`` in the inverse transform, ``"forward"``
            in the forward one, ``"ortho"`` by its root in both.

    Returns:
        Shape of x with ``s`` points along the axes, complex of the precision of x, on its device.

    Raises:
        TypeError: If x has an unknown type, or an axis or a length is not an int.
        ValueError: If an axis is out of range or comes twice, a length is less than 1, or ``norm`` is none
            of the three.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.fft.fftn(np.array([[1.0, 0.0], [0.0, 0.0]]))
        array([[1.+0.j, 1.+0.j],
               [1.+0.j, 1.+0.j]])
    """
    backend, x, points, axes = along_many("fft.fftn", x, s, axes, norm)
    return backend.ops.fft.fftn(x, s=points, axes=axes, norm=norm)  # type: ignore[no-any-return]


def ifftn(
    x: Shaped[ArrayT, " ..."],
    /,
    *,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: str = "backward",
) -> Shaped[ArrayT, " ..."]:
    """Transform back along several axes: from frequencies to samples.

    Args:
        x: Array of one dimension or more, numeric; integers count as the default float, float16 and bfloat16
            as float32.
        s: Number of points along each axis; None for its size; longer pads with zeros, shorter cuts.
        axes: The axes, in order; None for the last ones, as many as ``s`` has, or all.
        norm: Where to divide by the number of points: ``"backward"`` in the inverse transform, ``"forward"``
            in the forward one, ``"ortho"`` by its root in both.

    Returns:
        Shape of x with ``s`` points along the axes, complex of the precision of x, on its device.

    Raises:
        TypeError: If x has an unknown type, or an axis or a length is not an int.
        ValueError: If an axis is out of range or comes twice, a length is less than 1, or ``norm`` is none
            of the three.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.fft.ifftn(np.array([[4.0, 0.0], [0.0, 0.0]]))
        array([[1.+0.j, 1.+0.j],
               [1.+0.j, 1.+0.j]])
    """
    backend, x, points, axes = along_many("fft.ifftn", x, s, axes, norm)
    return backend.ops.fft.ifftn(x, s=points, axes=axes, norm=norm)  # type: ignore[no-any-return]
