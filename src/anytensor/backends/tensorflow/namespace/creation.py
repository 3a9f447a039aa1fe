"""New tensors. Sizes may be symbolic; defaults are int64, float32 and complex64."""

from __future__ import annotations

import builtins
import math
from typing import Any

import tensorflow as tf

from anytensor.backends.tensorflow.namespace import promotion, shapes
from anytensor.backends.tensorflow.namespace.data_types import as_dtype, complex_dtype
from anytensor.backends.tensorflow.namespace.promotion import is_scalar
from anytensor.backends.tensorflow.namespace.shapes import Size

_RANGE_DTYPES = (tf.int32, tf.int64, tf.float32, tf.float64)


def _placed(make: Any, device: str | None) -> tf.Tensor:
    if device is None:
        return make()
    with tf.device(device):
        return make()


def full(shape: Any, fill_value: Any, *, dtype: Any = None, device: str | None = None) -> tf.Tensor:
    """Fill a new tensor with a value.

    Args:
        shape: Size or sizes; Python ints or 0-d integer tensors.
        fill_value: Python scalar or 0-d tensor.
        dtype: Dtype; ``None`` for the value's own, or the default of its kind.
        device: Device to place it on.

    Returns:
        The tensor, of static shape where the sizes are ints.
    """
    if is_scalar(fill_value):
        target = promotion.default_dtype(fill_value) if dtype is None else as_dtype(dtype)
    else:
        target = promotion.dtype_of(fill_value) if dtype is None else as_dtype(dtype)

    def make() -> tf.Tensor:
        if (
            is_scalar(fill_value)
            and promotion.KIND[target] >= promotion.KIND[promotion.default_dtype(fill_value)]
        ):
            value = promotion.constant(fill_value, target)
        else:
            value = tf.cast(fill_value, target)
        return tf.fill(shapes.pack(shape), value)

    return _placed(make, device)


def zeros(shape: Any, *, dtype: Any = None, device: str | None = None) -> tf.Tensor:
    """New tensor of zeros, float32 unless ``dtype`` says otherwise."""
    target = promotion.DEFAULT_FLOAT if dtype is None else as_dtype(dtype)
    return _placed(lambda: tf.zeros(shapes.pack(shape), target), device)


def ones(shape: Any, *, dtype: Any = None, device: str | None = None) -> tf.Tensor:
    """New tensor of ones, float32 unless ``dtype`` says otherwise."""
    target = promotion.DEFAULT_FLOAT if dtype is None else as_dtype(dtype)
    return _placed(lambda: tf.ones(shapes.pack(shape), target), device)


def empty(shape: Any, *, dtype: Any = None, device: str | None = None) -> tf.Tensor:
    """New tensor of zeros: TensorFlow hands out no uninitialized memory."""
    return zeros(shape, dtype=dtype, device=device)


def full_like(x: tf.Tensor, /, fill_value: Any, *, dtype: Any = None, device: str | None = None) -> tf.Tensor:
    """New tensor of the shape (and dtype, unless given) of ``x``, filled with a value."""
    target = x.dtype if dtype is None else as_dtype(dtype)
    return full(shapes.sizes(x), fill_value, dtype=target, device=device)


def zeros_like(x: tf.Tensor, /, *, dtype: Any = None, device: str | None = None) -> tf.Tensor:
    """Zeros of the shape (and dtype, unless given) of ``x``."""
    target = x.dtype if dtype is None else as_dtype(dtype)
    return _placed(lambda: tf.zeros_like(x, target), device)


def ones_like(x: tf.Tensor, /, *, dtype: Any = None, device: str | None = None) -> tf.Tensor:
    """Ones of the shape (and dtype, unless given) of ``x``."""
    target = x.dtype if dtype is None else as_dtype(dtype)
    return _placed(lambda: tf.ones_like(x, target), device)


def empty_like(x: tf.Tensor, /, *, dtype: Any = None, device: str | None = None) -> tf.Tensor:
    """Zeros of the shape (and dtype, unless given) of ``x``."""
    return zeros_like(x, dtype=dtype, device=device)


def arange(
    start: Any,
    /,
    stop: Any = None,
    step: Any = 1,
    *,
    dtype: Any = None,
    device: str | None = None,
) -> tf.Tensor:
    """Evenly spaced values of a half-open interval.

    Args:
        start: First value, or the end when ``stop`` is not given. Scalars or 0-d tensors.
        stop: End, exclusive.
        step: Distance, not zero.
        dtype: Dtype; ``None`` for int64 of ints, float32 of floats, or the tensors' common dtype.
        device: Device to place it on.

    Returns:
        Vector of ``ceil((stop - start) / step)`` values, empty when the signs disagree.
    """
    if stop is None:
        start, stop = 0, start
    bounds = (start, stop, step)
    if not all(is_scalar(b) for b in bounds):
        return _placed(lambda: _symbolic_range(bounds, dtype), device)
    if step == 0:
        raise ValueError("arange: `step` must not be 0")
    if dtype is None:
        target = promotion.default_dtype(float(step) if float in map(type, bounds) else 1)
    else:
        target = as_dtype(dtype)
    length = builtins.max(math.ceil((stop - start) / step), 0)
    if all(isinstance(b, int) for b in bounds):
        length = len(range(start, stop, step))  # exact where a float quotient is not
    return _placed(lambda: _static_range(start, step, length, target), device)


def _static_range(start: Any, step: Any, length: int, dtype: tf.DType) -> tf.Tensor:
    # Computed wide and cast: TensorFlow has no narrow kernels, and a float32 range drifts.
    index = tf.range(length, dtype=tf.int64)
    if isinstance(start, int) and isinstance(step, int):
        if dtype is tf.uint64:
            return tf.bitcast(_wrap(start) + _wrap(step) * index, tf.uint64)
        return tf.cast(_wrap(start) + _wrap(step) * index, dtype)
    wide = tf.constant(float(start), tf.float64)
    return tf.cast(wide + tf.constant(float(step), tf.float64) * tf.cast(index, tf.float64), dtype)


def _wrap(value: int) -> tf.Tensor:
    return tf.constant((value + 2**63) % 2**64 - 2**63, tf.int64)


def _symbolic_range(bounds: tuple[Any, ...], dtype: Any) -> tf.Tensor:
    from anytensor.backends.tensorflow.namespace.data_types import result_type

    common = result_type(*bounds)
    wide = common if common in _RANGE_DTYPES else tf.int64
    if common in promotion.HALF:
        wide = tf.float32
    out = tf.range(*(promotion.cast(b, wide) for b in bounds))
    return tf.cast(out, common if dtype is None else as_dtype(dtype))


def linspace(
    start: Any,
    stop: Any,
    /,
    num: Size,
    *,
    dtype: Any = None,
    device: str | None = None,
    endpoint: builtins.bool = True,
) -> tf.Tensor:
    """Evenly spaced values of an interval.

    Args:
        start: First value; scalar or 0-d tensor, complex allowed.
        stop: Last value, excluded when ``endpoint`` is False.
        num: Number of values; an int or a 0-d integer tensor.
        dtype: Dtype; ``None`` for float32 (complex64 when a bound is complex), or the tensors' own.
        device: Device to place it on.
        endpoint: Whether ``stop`` is the last value.

    Returns:
        Vector of ``num`` values, computed in double precision and cast.
    """
    from anytensor.backends.tensorflow.namespace.data_types import result_type

    common = promotion.DEFAULT_FLOAT if dtype is None else as_dtype(dtype)
    if dtype is None:
        common = result_type(start, stop)
        common = promotion.DEFAULT_FLOAT if common not in promotion.FLOATING else common
    is_complex = complex in (type(start), type(stop)) or common in promotion.COMPLEX
    wide = tf.complex128 if is_complex else tf.float64

    def make() -> tf.Tensor:
        first, last = promotion.cast(start, wide), promotion.cast(stop, wide)
        index = tf.range(tf.cast(num, tf.int64), dtype=tf.int64)
        if isinstance(num, int):
            index = tf.ensure_shape(index, (num,))
        steps = tf.cast(num, tf.int64) - (1 if endpoint else 0)
        divisor = tf.cast(tf.maximum(steps, 1), tf.float64)
        share = tf.cast(tf.cast(index, tf.float64) / divisor, wide)
        values = first + share * (last - first)
        if endpoint:
            final = tf.equal(index, tf.maximum(steps, 1))
            values = tf.where(final, last, values)
        if common in promotion.INTEGER:
            values = tf.floor(values)
        return tf.cast(
            values, common if common not in promotion.REAL or not is_complex else complex_dtype(common)
        )

    return _placed(make, device)


def _diagonals(rows: Size, columns: Size, k: int) -> tf.Tensor:
    row = tf.range(tf.cast(rows, tf.int64), dtype=tf.int64)
    column = tf.range(tf.cast(columns, tf.int64), dtype=tf.int64)
    # Python ints would be int32 constants beside int64, and a static size must stay static.
    if isinstance(rows, int):
        row = tf.ensure_shape(row, (rows,))
    if isinstance(columns, int):
        column = tf.ensure_shape(column, (columns,))
    limit = 2**62  # an offset beyond any size is as good as this one, and fits
    offset = tf.constant(builtins.max(builtins.min(k, limit), -limit), tf.int64)
    return column[None, :] - row[:, None] - offset


def eye(
    n_rows: Size,
    n_cols: Size | None = None,
    /,
    *,
    k: int = 0,
    dtype: Any = None,
    device: str | None = None,
) -> tf.Tensor:
    """Matrix with ones on a diagonal.

    Args:
        n_rows: Number of rows; an int or a 0-d integer tensor.
        n_cols: Number of columns; as many as rows by default.
        k: Diagonal: 0 the main one, positive above it, negative below.
        dtype: Dtype, float32 by default.
        device: Device to place it on.

    Returns:
        The matrix; all zeros when the diagonal lies outside.
    """
    target = promotion.DEFAULT_FLOAT if dtype is None else as_dtype(dtype)
    columns = n_rows if n_cols is None else n_cols
    return _placed(lambda: tf.cast(tf.equal(_diagonals(n_rows, columns, k), 0), target), device)


def tril(x: tf.Tensor, /, *, k: int = 0) -> tf.Tensor:
    """Lower triangle of each matrix, zeros above diagonal ``k``."""
    kept = tf.less_equal(_diagonals(shapes.size(x, -2), shapes.size(x, -1), k), 0)
    return tf.where(kept, x, promotion.constant(False, x.dtype))


def triu(x: tf.Tensor, /, *, k: int = 0) -> tf.Tensor:
    """Upper triangle of each matrix, zeros below diagonal ``k``."""
    kept = tf.greater_equal(_diagonals(shapes.size(x, -2), shapes.size(x, -1), k), 0)
    return tf.where(kept, x, promotion.constant(False, x.dtype))


def meshgrid(*arrays: tf.Tensor, indexing: str = "xy") -> list[tf.Tensor]:
    """Coordinate matrices of vectors.

    Args:
        arrays: Vectors or 0-d tensors of one dtype.
        indexing: ``"xy"`` swaps the first two dimensions, ``"ij"`` does not.

    Returns:
        One tensor per vector, all of the grid's shape.
    """
    if indexing not in ("xy", "ij"):
        raise ValueError(f"indexing must be 'xy' or 'ij', got {indexing!r}")
    ndim = len(arrays)
    places = list(range(ndim))
    if indexing == "xy" and ndim > 1:
        places[:2] = [1, 0]
    vectors = [shapes.flatten(a) for a in arrays]
    grid: list[Size] = [1] * ndim
    for place, vector in zip(places, vectors, strict=True):
        grid[place] = shapes.size(vector, 0)
    target = shapes.pack(grid)
    out = []
    for place, vector in zip(places, vectors, strict=True):
        line = [shapes.size(vector, 0) if i == place else 1 for i in range(ndim)]
        out.append(tf.broadcast_to(tf.reshape(vector, shapes.pack(line)), target))
    return out
