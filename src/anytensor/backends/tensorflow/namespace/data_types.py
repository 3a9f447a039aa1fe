"""Data types and their functions; the dtype objects are TensorFlow's own."""

from __future__ import annotations

import builtins
from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np
import tensorflow as tf

from anytensor.backends.tensorflow.namespace import promotion

bool = tf.bool  # the standard's name
int8, int16, int32, int64 = tf.int8, tf.int16, tf.int32, tf.int64
uint8, uint16, uint32, uint64 = tf.uint8, tf.uint16, tf.uint32, tf.uint64
float16, bfloat16, float32, float64 = tf.float16, tf.bfloat16, tf.float32, tf.float64
complex64, complex128 = tf.complex64, tf.complex128

KINDS: dict[str, frozenset[tf.DType]] = {
    "bool": frozenset([tf.bool]),
    "signed integer": promotion.SIGNED,
    "unsigned integer": promotion.UNSIGNED,
    "integral": promotion.INTEGER,
    "real floating": promotion.REAL,
    "complex floating": promotion.COMPLEX,
    "numeric": promotion.INTEGER | promotion.FLOATING,
}


@dataclass(frozen=True)
class FloatInfo:
    """Machine limits of a floating-point dtype, as Python numbers."""

    bits: int
    eps: float
    max: float
    min: float
    smallest_normal: float
    dtype: tf.DType


@dataclass(frozen=True)
class IntegerInfo:
    """Machine limits of an integer dtype, as Python numbers."""

    bits: int
    max: int
    min: int
    dtype: tf.DType


def as_dtype(dtype: Any) -> tf.DType:
    """A dtype argument (TensorFlow's, NumPy's or a name) as TensorFlow's."""
    return dtype if isinstance(dtype, tf.DType) else tf.as_dtype(dtype)


def real_dtype(dtype: tf.DType) -> tf.DType:
    """Dtype of the components of a complex dtype; a real dtype is its own."""
    return {tf.complex64: tf.float32, tf.complex128: tf.float64}.get(dtype, dtype)


def complex_dtype(dtype: tf.DType) -> tf.DType:
    """Complex dtype that holds a floating dtype; half floats go to complex64."""
    return tf.complex128 if dtype in (tf.float64, tf.complex128) else tf.complex64


def _dtype_or_own(x: Any) -> tf.DType:
    return promotion.dtype_of(x) if hasattr(x, "shape") else as_dtype(x)


def astype(
    x: tf.Tensor, dtype: Any, /, *, copy: builtins.bool = True, device: str | None = None
) -> tf.Tensor:
    """Cast to a dtype.

    Args:
        x: Any tensor.
        dtype: The dtype to cast to.
        copy: Accepted for the standard's sake: tensors are immutable, so none is ever needed.
        device: Device to place the result on; ``None`` stays.

    Returns:
        ``x`` in ``dtype``, same shape; nonzero (NaN too) becomes True.
    """
    dtype = as_dtype(dtype)
    if device is not None:
        with tf.device(device):
            return astype(tf.identity(x), dtype)
    return promotion.truth(x) if dtype is tf.bool else tf.cast(x, dtype)


def can_cast(from_: Any, to: Any, /) -> builtins.bool:
    """Whether ``from_`` (a dtype or an array) promotes to ``to`` without leaving it."""
    to = as_dtype(to)
    try:
        return promotion.join(_dtype_or_own(from_), to) is to
    except TypeError:
        return False


def finfo(type: Any, /) -> FloatInfo:
    """Machine limits of a floating-point dtype or array; of the components when complex."""
    dtype = real_dtype(_dtype_or_own(type))
    if dtype not in promotion.REAL:
        raise TypeError(f"type must be a floating-point dtype or array, got {dtype.name}")
    info: Any = (ml_dtypes if dtype is tf.bfloat16 else np).finfo(dtype.as_numpy_dtype)
    return FloatInfo(
        bits=int(info.bits),
        eps=float(info.eps),
        max=float(info.max),
        min=float(info.min),
        smallest_normal=float(info.smallest_normal),
        dtype=dtype,
    )


def iinfo(type: Any, /) -> IntegerInfo:
    """Machine limits of an integer dtype or array."""
    dtype = _dtype_or_own(type)
    if dtype not in promotion.INTEGER:
        raise TypeError(f"type must be an integer dtype or array, got {dtype.name}")
    return IntegerInfo(8 * dtype.size, int(dtype.max), int(dtype.min), dtype)


def isdtype(dtype: Any, kind: Any) -> builtins.bool:
    """Whether a dtype is of a kind.

    Args:
        dtype: A dtype.
        kind: A dtype, a kind's name (``"real floating"``; half floats count), or a tuple of those.

    Returns:
        True if any entry of ``kind`` covers ``dtype``.

    Raises:
        ValueError: If a name is no kind of the standard's.
    """
    dtype = as_dtype(dtype)
    if isinstance(kind, tuple):
        return any(isdtype(dtype, k) for k in kind)
    if isinstance(kind, str):
        if kind not in KINDS:
            raise ValueError(f"kind {kind!r} is unknown; allowed: {', '.join(KINDS)}")
        return dtype in KINDS[kind]
    return dtype is as_dtype(kind)


def result_type(*arrays_and_dtypes: Any) -> tf.DType:
    """Dtype that the arguments promote to together.

    Args:
        arrays_and_dtypes: Tensors, dtypes and weak Python scalars, at least one.

    Returns:
        The common dtype, by the rules of :mod:`.promotion`.
    """
    if not arrays_and_dtypes:
        raise ValueError("result_type needs at least one argument")
    scalars = [a for a in arrays_and_dtypes if promotion.is_scalar(a)]
    strong = [_dtype_or_own(a) for a in arrays_and_dtypes if not promotion.is_scalar(a)]
    out = promotion.join_all(strong) if strong else tf.bool
    for scalar in scalars:
        out = promotion.join_scalar(out, scalar)
    return out
