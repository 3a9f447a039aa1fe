"""Reductions. Narrow integers widen under sum and prod to int64 or uint64, as the standard asks.

Half floats are accumulated in float32 where TensorFlow's kernel would not (cumulative sums, moments).
"""

from __future__ import annotations

import builtins
from typing import Any

import tensorflow as tf

from anytensor.backends.tensorflow.namespace import shapes
from anytensor.backends.tensorflow.namespace.data_types import as_dtype
from anytensor.backends.tensorflow.namespace.promotion import (
    BOOL,
    DEFAULT_FLOAT,
    DEFAULT_INT,
    DEFAULT_UINT,
    FLOATING,
    HALF,
    REAL,
    SIGNED,
    UNSIGNED,
)
from anytensor.backends.tensorflow.namespace.shapes import Axes

raw = tf.raw_ops


def accumulator(x: tf.Tensor, dtype: Any) -> tf.Tensor:
    """``x`` in the dtype that sum, prod and their kin return: ``dtype``, or the widened own one."""
    own = x.dtype
    if dtype is not None:
        target = as_dtype(dtype)
    elif own in FLOATING:
        return tf.convert_to_tensor(x)
    elif own in UNSIGNED:
        target = DEFAULT_UINT
    else:
        target = DEFAULT_INT if own in SIGNED or own is BOOL else own
    return tf.cast(x, target)


def sum(
    x: tf.Tensor, /, *, axis: Axes = None, dtype: Any = None, keepdims: builtins.bool = False
) -> tf.Tensor:
    """Sum over axes.

    Args:
        x: Numeric tensor; booleans count as integers.
        axis: Axis or axes, all by default; ``()`` for none.
        dtype: Dtype to sum in and return; ``None`` for the own one, int64 or uint64 for integers.
        keepdims: Whether reduced axes stay with size one.

    Returns:
        The sums; 0 where nothing is summed.
    """
    return tf.reduce_sum(accumulator(x, dtype), shapes.reduction(axis), keepdims)


def prod(
    x: tf.Tensor, /, *, axis: Axes = None, dtype: Any = None, keepdims: builtins.bool = False
) -> tf.Tensor:
    """Product over axes; arguments and dtypes as in :func:`sum`, 1 where nothing is multiplied."""
    return tf.reduce_prod(accumulator(x, dtype), shapes.reduction(axis), keepdims)


def max(x: tf.Tensor, /, *, axis: Axes = None, keepdims: builtins.bool = False) -> tf.Tensor:
    """Maximum over axes.

    Args:
        x: Real or boolean tensor.
        axis: Axis or axes, all by default.
        keepdims: Whether reduced axes stay with size one.

    Returns:
        The maxima, NaN where one is among the elements; the dtype's minimum (-inf) where empty.
    """
    if x.dtype is BOOL:
        return tf.reduce_any(x, shapes.reduction(axis), keepdims)
    return _with_nan(tf.reduce_max(x, shapes.reduction(axis), keepdims), x, axis, keepdims)


def min(x: tf.Tensor, /, *, axis: Axes = None, keepdims: builtins.bool = False) -> tf.Tensor:
    """Minimum over axes; as :func:`max`, the dtype's maximum (inf) where empty."""
    if x.dtype is BOOL:
        return tf.reduce_all(x, shapes.reduction(axis), keepdims)
    return _with_nan(tf.reduce_min(x, shapes.reduction(axis), keepdims), x, axis, keepdims)


def _with_nan(out: tf.Tensor, x: tf.Tensor, axis: Axes, keepdims: builtins.bool) -> tf.Tensor:
    # XLA on CPU (TensorFlow 2.21, xla_cpu_enable_fast_min_max) drops NaNs; the kernels keep them.
    if tf.executing_eagerly() or x.dtype not in REAL:
        return out
    found = tf.reduce_any(raw.IsNan(x=x), shapes.reduction(axis), keepdims)
    return tf.where(found, tf.constant(float("nan"), out.dtype), out)


def _widened(x: tf.Tensor) -> tf.Tensor:
    if x.dtype in HALF:
        return tf.cast(x, tf.float32)
    # Integers are averaged in double precision: float32 cannot even hold them.
    return tf.convert_to_tensor(x) if x.dtype in FLOATING else tf.cast(x, tf.float64)


def _float_of(x: tf.Tensor) -> tf.DType:
    return x.dtype if x.dtype in FLOATING else DEFAULT_FLOAT


def mean(x: tf.Tensor, /, *, axis: Axes = None, keepdims: builtins.bool = False) -> tf.Tensor:
    """Arithmetic mean over axes.

    Args:
        x: Numeric tensor.
        axis: Axis or axes, all by default.
        keepdims: Whether reduced axes stay with size one.

    Returns:
        The means in the own floating dtype, float32 for integers; NaN where empty.
    """
    out = tf.reduce_mean(_widened(x), shapes.reduction(axis), keepdims)
    return tf.cast(out, _float_of(x))


def _variance(x: tf.Tensor, axis: Axes, correction: int | float, keepdims: builtins.bool) -> tf.Tensor:
    wide = _widened(x)
    along = shapes.reduction(axis)
    deviation = wide - tf.reduce_mean(wide, along, keepdims=True)
    dims = shapes.sizes(wide)
    count = shapes.product(dims[a] for a in shapes.axes(axis, len(dims)))
    if isinstance(count, int):
        freedom = tf.constant(builtins.max(count - correction, 0.0), wide.dtype)
    else:
        freedom = tf.maximum(tf.cast(count, wide.dtype) - correction, 0.0)
    return tf.reduce_sum(tf.square(deviation), along, keepdims) / freedom


def var(
    x: tf.Tensor,
    /,
    *,
    axis: Axes = None,
    correction: int | float = 0.0,
    keepdims: builtins.bool = False,
) -> tf.Tensor:
    """Variance over axes.

    Args:
        x: Real tensor.
        axis: Axis or axes, all by default.
        correction: Taken off the number of elements in the divisor (1 for Bessel's).
        keepdims: Whether reduced axes stay with size one.

    Returns:
        The variances in the own floating dtype, float32 for integers; NaN or inf where the divisor
        is not positive.
    """
    return tf.cast(_variance(x, axis, correction, keepdims), _float_of(x))


def std(
    x: tf.Tensor,
    /,
    *,
    axis: Axes = None,
    correction: int | float = 0.0,
    keepdims: builtins.bool = False,
) -> tf.Tensor:
    """Standard deviation over axes; as :func:`var`. The gradient at zero variance is zero."""
    variance = _variance(x, axis, correction, keepdims)
    flat = tf.equal(variance, tf.constant(0, variance.dtype))
    root = tf.sqrt(tf.where(flat, tf.constant(1, variance.dtype), variance))
    return tf.cast(tf.where(flat, tf.constant(0, variance.dtype), root), _float_of(x))


def cumulative_sum(
    x: tf.Tensor,
    /,
    *,
    axis: int | None = None,
    dtype: Any = None,
    include_initial: builtins.bool = False,
) -> tf.Tensor:
    """Running sums along an axis.

    Args:
        x: Numeric tensor of one dimension or more.
        axis: Axis; needed unless ``x`` is a vector.
        dtype: Dtype to sum in and return; as in :func:`sum`.
        include_initial: Whether to start with a 0, which makes the axis longer by one.

    Returns:
        The running sums, same shape but for ``include_initial``.
    """
    return _cumulative(tf.cumsum, x, axis, dtype, 0 if include_initial else None)


def cumulative_prod(
    x: tf.Tensor,
    /,
    *,
    axis: int | None = None,
    dtype: Any = None,
    include_initial: builtins.bool = False,
) -> tf.Tensor:
    """Running products along an axis; as :func:`cumulative_sum`, starting with a 1."""
    return _cumulative(tf.math.cumprod, x, axis, dtype, 1 if include_initial else None)


def _cumulative(kernel: Any, x: tf.Tensor, axis: int | None, dtype: Any, initial: int | None) -> tf.Tensor:
    ndim = shapes.rank(x)
    if axis is None:
        if ndim > 1:
            raise ValueError(f"axis is needed for x of {ndim} dimensions")
        axis = 0
    if ndim == 0:
        x, ndim = tf.reshape(x, (1,)), 1
    axis = shapes.normalize(axis, ndim)
    x = accumulator(x, dtype)
    target = x.dtype
    # XLA (TensorFlow 2.21) has scans of int32, int64 and floats only; wrapping arithmetic agrees.
    if target is tf.uint64:
        out = tf.bitcast(kernel(tf.bitcast(x, tf.int64), axis), tf.uint64)
    elif target.is_complex and not tf.executing_eagerly():
        out = _complex_scan(kernel, x, axis)
    elif target in FLOATING and target not in HALF:
        out = kernel(x, axis)
    else:
        out = tf.cast(kernel(tf.cast(x, tf.float32 if target in HALF else tf.int64), axis), target)
    if initial is None:
        return out
    dims = [1 if i == axis else n for i, n in enumerate(shapes.sizes(out))]
    return tf.concat([tf.fill(shapes.pack(dims), tf.cast(initial, target)), out], axis)


def _complex_scan(kernel: Any, x: tf.Tensor, axis: int) -> tf.Tensor:
    """Sum by parts, and multiply in as many steps as the length has bits: XLA has neither kernel."""
    if kernel is tf.math.cumsum:
        return tf.complex(*(tf.math.cumsum(part(x), axis) for part in (tf.math.real, tf.math.imag)))
    length = x.shape[axis]
    if length is None:  # and then no XLA
        return kernel(x, axis)
    shift = 1
    while shift < length:
        first, rest = tf.split(x, [shift, length - shift], axis)
        before, _ = tf.split(x, [length - shift, shift], axis)
        x = tf.concat([first, rest * before], axis)
        shift *= 2
    return x
