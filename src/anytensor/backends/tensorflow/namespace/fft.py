"""The ``fft`` extension, along any axis; TensorFlow transforms the last one only.

float64 goes with complex128; every other floating dtype with complex64 (half floats are transformed
in float32).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tensorflow as tf

from anytensor.backends.tensorflow.namespace import promotion, shapes
from anytensor.backends.tensorflow.namespace.data_types import as_dtype, complex_dtype, real_dtype
from anytensor.backends.tensorflow.namespace.shapes import Size

_NORMS = ("backward", "ortho", "forward")


def _scale(x: tf.Tensor, n: Size, norm: str, inverse: bool) -> tf.Tensor:
    # TensorFlow's inverse transforms divide by n already, as "backward" does.
    if norm not in _NORMS:
        raise ValueError(f"norm must be one of {', '.join(_NORMS)}, got {norm!r}")
    if norm == "backward":
        return x
    factor = tf.cast(n, real_dtype(x.dtype))
    if norm == "ortho":
        factor = tf.sqrt(factor)
    factor = factor if inverse else 1 / factor
    return x * tf.cast(factor, x.dtype)


def _fitted(x: tf.Tensor, n: Size | None) -> tf.Tensor:
    length = shapes.size(x, -1)
    if n is None or (isinstance(n, int) and isinstance(length, int) and n == length):
        return x
    x = x[..., : tf.minimum(n, length) if not isinstance(n, int) else n]
    missing = tf.maximum(n - shapes.size(x, -1), 0)
    padded = tf.pad(x, [[0, 0]] * (shapes.rank(x) - 1) + [[0, missing]])
    return tf.ensure_shape(padded, (*x.shape[:-1], n if isinstance(n, int) else None))


def _complex(x: tf.Tensor) -> tf.Tensor:
    return tf.cast(x, complex_dtype(x.dtype))


def _real(x: tf.Tensor) -> tf.Tensor:
    return tf.cast(x, tf.float64 if x.dtype is tf.float64 else tf.float32)


def fft(x: tf.Tensor, /, *, n: Size | None = None, axis: int = -1, norm: str = "backward") -> tf.Tensor:
    """Discrete Fourier transform along an axis.

    Args:
        x: Floating tensor.
        n: Length to cut or zero-pad the axis to.
        axis: Axis.
        norm: Which direction divides: ``"backward"``, ``"forward"``, or both by roots (``"ortho"``).

    Returns:
        Complex tensor of the same shape but for ``n``.
    """
    moved = _fitted(_complex(shapes.move_last(x, axis)), n)
    out = _scale(tf.signal.fft(moved), shapes.size(moved, -1), norm, inverse=False)
    return shapes.move_back(out, axis)


def ifft(x: tf.Tensor, /, *, n: Size | None = None, axis: int = -1, norm: str = "backward") -> tf.Tensor:
    """Inverse of :func:`fft`."""
    moved = _fitted(_complex(shapes.move_last(x, axis)), n)
    out = _scale(tf.signal.ifft(moved), shapes.size(moved, -1), norm, inverse=True)
    return shapes.move_back(out, axis)


def rfft(x: tf.Tensor, /, *, n: Size | None = None, axis: int = -1, norm: str = "backward") -> tf.Tensor:
    """Fourier transform of real data; arguments as in :func:`fft`.

    Returns:
        Complex tensor; the axis has ``n // 2 + 1`` entries.
    """
    moved = _fitted(_real(shapes.move_last(x, axis)), n)
    out = _scale(tf.signal.rfft(moved), shapes.size(moved, -1), norm, inverse=False)
    return shapes.move_back(out, axis)


def irfft(x: tf.Tensor, /, *, n: Size | None = None, axis: int = -1, norm: str = "backward") -> tf.Tensor:
    """Inverse of :func:`rfft`.

    Args:
        x: Complex tensor, half of a Hermitian spectrum.
        n: Length of the result along the axis; ``2 * (m - 1)`` for ``m`` entries by default.
        axis: Axis.
        norm: As in :func:`fft`.

    Returns:
        Real tensor.
    """
    moved = _complex(shapes.move_last(x, axis))
    length = 2 * (shapes.size(moved, -1) - 1) if n is None else n
    moved = _fitted(moved, length // 2 + 1)
    out = tf.signal.irfft(moved, tf.reshape(tf.cast(length, tf.int32), (1,)))
    out = _scale(out, length, norm, inverse=True)
    return shapes.move_back(out, axis)


def hfft(x: tf.Tensor, /, *, n: Size | None = None, axis: int = -1, norm: str = "backward") -> tf.Tensor:
    """Real spectrum of a signal that is Hermitian in time; arguments as in :func:`irfft`."""
    swapped = {"backward": "forward", "ortho": "ortho", "forward": "backward"}.get(norm, norm)
    return irfft(tf.math.conj(_complex(x)), n=n, axis=axis, norm=swapped)


def ihfft(x: tf.Tensor, /, *, n: Size | None = None, axis: int = -1, norm: str = "backward") -> tf.Tensor:
    """Inverse of :func:`hfft`; arguments as in :func:`rfft`."""
    swapped = {"backward": "forward", "ortho": "ortho", "forward": "backward"}.get(norm, norm)
    return tf.math.conj(rfft(x, n=n, axis=axis, norm=swapped))


def _plan(
    x: tf.Tensor, s: Sequence[Size] | None, axes: Sequence[int] | None
) -> list[tuple[int, Size | None]]:
    ndim = shapes.rank(x)
    if axes is None:
        axes = range(ndim) if s is None else range(ndim - len(s), ndim)
    along = shapes.axes(tuple(axes), ndim)
    lengths = (None,) * len(along) if s is None else tuple(s)
    if len(lengths) != len(along):
        raise ValueError(f"s has {len(lengths)} sizes for {len(along)} axes")
    return list(zip(along, lengths, strict=True))


def fftn(
    x: tf.Tensor,
    /,
    *,
    s: Sequence[Size] | None = None,
    axes: Sequence[int] | None = None,
    norm: str = "backward",
) -> tf.Tensor:
    """Fourier transform along several axes.

    Args:
        x: Floating tensor.
        s: Lengths to cut or zero-pad these axes to.
        axes: The axes; all by default, or the last ``len(s)``.
        norm: As in :func:`fft`.

    Returns:
        Complex tensor.
    """
    for axis, n in _plan(x, s, axes):
        x = fft(x, n=n, axis=axis, norm=norm)
    return _complex(x)


def ifftn(
    x: tf.Tensor,
    /,
    *,
    s: Sequence[Size] | None = None,
    axes: Sequence[int] | None = None,
    norm: str = "backward",
) -> tf.Tensor:
    """Inverse of :func:`fftn`."""
    for axis, n in _plan(x, s, axes):
        x = ifft(x, n=n, axis=axis, norm=norm)
    return _complex(x)


def rfftn(
    x: tf.Tensor,
    /,
    *,
    s: Sequence[Size] | None = None,
    axes: Sequence[int] | None = None,
    norm: str = "backward",
) -> tf.Tensor:
    """Fourier transform of real data along several axes, real on the last of them."""
    *others, (last, length) = _plan(x, s, axes)
    x = rfft(x, n=length, axis=last, norm=norm)
    for axis, n in others:
        x = fft(x, n=n, axis=axis, norm=norm)
    return x


def irfftn(
    x: tf.Tensor,
    /,
    *,
    s: Sequence[Size] | None = None,
    axes: Sequence[int] | None = None,
    norm: str = "backward",
) -> tf.Tensor:
    """Inverse of :func:`rfftn`."""
    *others, (last, length) = _plan(x, s, axes)
    for axis, n in others:
        x = ifft(x, n=n, axis=axis, norm=norm)
    return irfft(x, n=length, axis=last, norm=norm)


def _frequencies(index: tf.Tensor, n: Size, d: float, dtype: Any, device: str | None) -> tf.Tensor:
    target = promotion.DEFAULT_FLOAT if dtype is None else as_dtype(dtype)
    step = tf.cast(n, tf.float64) * tf.cast(d, tf.float64)
    out = tf.cast(tf.cast(index, tf.float64) / step, target)
    if device is None:
        return out
    with tf.device(device):
        return tf.identity(out)


def fftfreq(n: Size, /, *, d: float = 1.0, dtype: Any = None, device: str | None = None) -> tf.Tensor:
    """Frequencies of the entries of :func:`fft`.

    Args:
        n: Length of the transform.
        d: Distance of the samples.
        dtype: Floating dtype, float32 by default.
        device: Device to place it on.

    Returns:
        Vector of ``n`` frequencies: zero, the positive ones, the negative ones.
    """
    index = tf.range(n)
    return _frequencies(tf.where(index < (n + 1) // 2, index, index - n), n, d, dtype, device)


def rfftfreq(n: Size, /, *, d: float = 1.0, dtype: Any = None, device: str | None = None) -> tf.Tensor:
    """Frequencies of the entries of :func:`rfft`: ``n // 2 + 1`` from zero up."""
    return _frequencies(tf.range(n // 2 + 1), n, d, dtype, device)


def fftshift(x: tf.Tensor, /, *, axes: int | Sequence[int] | None = None) -> tf.Tensor:
    """Move the zero frequency to the middle of axes, of all by default."""
    along = shapes.axes(axes, shapes.rank(x))
    return tf.roll(x, [shapes.size(x, a) // 2 for a in along], list(along)) if along else x


def ifftshift(x: tf.Tensor, /, *, axes: int | Sequence[int] | None = None) -> tf.Tensor:
    """Undo :func:`fftshift`."""
    along = shapes.axes(axes, shapes.rank(x))
    return tf.roll(x, [-(shapes.size(x, a) // 2) for a in along], list(along)) if along else x
