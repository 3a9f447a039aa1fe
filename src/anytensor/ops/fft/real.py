"""Discrete Fourier transforms where one side is real."""

from __future__ import annotations

from collections.abc import Sequence

from anytensor.ops.fft.operands import along_many, along_one
from anytensor.typing import ArrayT, Shaped

__all__ = ["hfft", "ihfft", "irfft", "irfftn", "rfft", "rfftn"]


def rfft(
    x: Shaped[ArrayT, " ..."], /, *, n: int | None = None, axis: int = -1, norm: str = "backward"
) -> Shaped[ArrayT, " ..."]:
    """Transform real samples along one axis; only the frequencies from 0 up.

    Args:
        x: Array of one dimension or more, real; integers count as the default float, float16 and bfloat16 as
            float32.
        n: Number of points along the axis; None for its size; longer pads with zeros, shorter cuts.
        axis: The axis.
        norm: Where to divide by the number of points: ``"backward"`` in the inverse transform, ``"forward"``
            in the forward one, ``"ortho"`` by its root in both.

    Returns:
        Shape of x with n // 2 + 1 frequencies along the axis, complex of the precision of x, on its device.

    Raises:
        TypeError: If x has an unknown type or is complex, or an axis or a length is not an int.
        ValueError: If an axis is out of range or comes twice, a length is less than 1, or ``norm`` is none
            of the three.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.fft.rfft(np.array([1.0, 0.0, 0.0]))
        array([1.+0.j, 1.+0.j])
    """
    backend, x, axis = along_one("fft.rfft", x, n, axis, norm, real=True)
    return backend.ops.fft.rfft(x, n=n, axis=axis, norm=norm)  # type: ignore[no-any-return]


def irfft(
    x: Shaped[ArrayT, " ..."], /, *, n: int | None = None, axis: int = -1, norm: str = "backward"
) -> Shaped[ArrayT, " ..."]:
    """Transform frequencies from 0 up back to real samples along one axis.

    Args:
        x: Array of one dimension or more, numeric; integers count as the default float, float16 and bfloat16
            as float32.
        n: Number of points along the axis; None for 2 * (size - 1); give it for an odd number.
        axis: The axis.
        norm: Where to divide by the number of points: ``"backward"`` in the inverse transform, ``"forward"``
            in the forward one, ``"ortho"`` by its root in both.

    Returns:
        Shape of x with n points along the axis, real, of the precision of x, on its device.

    Raises:
        TypeError: If x has an unknown type, or an axis or a length is not an int.
        ValueError: If an axis is out of range or comes twice, a length is less than 1, or ``norm`` is none
            of the three.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.fft.irfft(np.array([3.0, 0.0]), n=3)
        array([1., 1., 1.])
    """
    backend, x, axis = along_one("fft.irfft", x, n, axis, norm)
    return backend.ops.fft.irfft(x, n=n, axis=axis, norm=norm)  # type: ignore[no-any-return]


def rfftn(
    x: Shaped[ArrayT, " ..."],
    /,
    *,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: str = "backward",
) -> Shaped[ArrayT, " ..."]:
    """Transform real samples along several axes; only the frequencies from 0 up along the last one.

    Args:
        x: Array of one dimension or more, real; integers count as the default float, float16 and bfloat16 as
            float32.
        s: Number of points along each axis; None for its size; longer pads with zeros, shorter cuts.
        axes: The axes, in order; None for the last ones, as many as ``s`` has, or all.
        norm: Where to divide by the number of points: ``"backward"`` in the inverse transform, ``"forward"``
            in the forward one, ``"ortho"`` by its root in both.

    Returns:
        Shape of x with ``s`` points along the axes, n // 2 + 1 frequencies along the last one; complex of
        the precision of x, on its device.

    Raises:
        TypeError: If x has an unknown type or is complex, or an axis or a length is not an int.
        ValueError: If an axis is out of range or comes twice, a length is less than 1, or ``norm`` is none
            of the three.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.fft.rfftn(np.array([[1.0, 0.0], [0.0, 0.0]]))
        array([[1.+0.j, 1.+0.j],
               [1.+0.j, 1.+0.j]])
    """
    backend, x, points, axes = along_many("fft.rfftn", x, s, axes, norm, real=True)
    return backend.ops.fft.rfftn(x, s=points, axes=axes, norm=norm)  # type: ignore[no-any-return]


def irfftn(
    x: Shaped[ArrayT, " ..."],
    /,
    *,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: str = "backward",
) -> Shaped[ArrayT, " ..."]:
    """Transform frequencies back to real samples along several axes.

    Args:
        x: Array of one dimension or more, numeric; integers count as the default float, float16 and bfloat16
            as float32.
        s: Number of points along each axis; None for the sizes, 2 * (size - 1) for the last axis; give it
            for an odd number.
        axes: The axes, in order; None for the last ones, as many as ``s`` has, or all.
        norm: Where to divide by the number of points: ``"backward"`` in the inverse transform, ``"forward"``
            in the forward one, ``"ortho"`` by its root in both.

    Returns:
        Shape of x with ``s`` points along the axes, real, of the precision of x, on its device.

    Raises:
        TypeError: If x has an unknown type, or an axis or a length is not an int.
        ValueError: If an axis is out of range or comes twice, a length is less than 1, or ``norm`` is none
            of the three.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.fft.irfftn(np.array([[4.0, 0.0], [0.0, 0.0]]))
        array([[1., 1.],
               [1., 1.]])
    """
    backend, x, points, axes = along_many("fft.irfftn", x, s, axes, norm)
    return backend.ops.fft.irfftn(x, s=points, axes=axes, norm=norm)  # type: ignore[no-any-return]


def hfft(
    x: Shaped[ArrayT, " ..."], /, *, n: int | None = None, axis: int = -1, norm: str = "backward"
) -> Shaped[ArrayT, " ..."]:
    """Transform samples that mirror their conjugates along one axis: real frequencies.

    Args:
        x: Array of one dimension or more, numeric; integers count as the default float, float16 and bfloat16
            as float32.
        n: Number of points along the axis; None for 2 * (size - 1); give it for an odd number.
        axis: The axis.
        norm: Where to divide by the number of points: ``"backward"`` in the inverse transform, ``"forward"``
            in the forward one, ``"ortho"`` by its root in both.

    Returns:
        Shape of x with n points along the axis, real, of the precision of x, on its device.

    Raises:
        TypeError: If x has an unknown type, or an axis or a length is not an int.
        ValueError: If an axis is out of range or comes twice, a length is less than 1, or ``norm`` is none
            of the three.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.fft.hfft(np.array([1.0, 0.0]), n=3)
        array([1., 1., 1.])
    """
    backend, x, axis = along_one("fft.hfft", x, n, axis, norm)
    return backend.ops.fft.hfft(x, n=n, axis=axis, norm=norm)  # type: ignore[no-any-return]


def ihfft(
    x: Shaped[ArrayT, " ..."], /, *, n: int | None = None, axis: int = -1, norm: str = "backward"
) -> Shaped[ArrayT, " ..."]:
    """Transform real frequencies back along one axis; only the samples from 0 up.

    Args:
        x: Array of one dimension or more, real; integers count as the default float, float16 and bfloat16 as
            float32.
        n: Number of points along the axis; None for its size; longer pads with zeros, shorter cuts.
        axis: The axis.
        norm: Where to divide by the number of points: ``"backward"`` in the inverse transform, ``"forward"``
            in the forward one, ``"ortho"`` by its root in both.

    Returns:
        Shape of x with n // 2 + 1 samples along the axis, complex of the precision of x, on its device.

    Raises:
        TypeError: If x has an unknown type or is complex, or an axis or a length is not an int.
        ValueError: If an axis is out of range or comes twice, a length is less than 1, or ``norm`` is none
            of the three.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.fft.ihfft(np.array([3.0, 0.0, 0.0]))
        array([1.-0.j, 1.-0.j])
    """
    backend, x, axis = along_one("fft.ihfft", x, n, axis, norm, real=True)
    return backend.ops.fft.ihfft(x, n=n, axis=axis, norm=norm)  # type: ignore[no-any-return]
