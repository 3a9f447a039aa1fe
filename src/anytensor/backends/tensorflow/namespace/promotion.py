"""One dtype for several operands: TensorFlow refuses mixed dtypes, the standard defines them.

Inside a kind the table is the standard's. Across kinds, which the standard leaves open, the higher
kind wins: ints beside floats take the float (float32 where a half float cannot hold the ints), floats
beside complex take a complex that keeps the precision, uint64 beside a signed integer is float64.
Python scalars are weak: they take the tensor's dtype unless their kind is higher, and then the
default of their kind (int64, float32, complex64; complex128 beside float64).
"""

from __future__ import annotations

from functools import reduce
from typing import Any

import numpy as np
import tensorflow as tf

from anytensor.backends.host_scalar import host_scalar

BOOL = tf.bool
SIGNED = frozenset([tf.int8, tf.int16, tf.int32, tf.int64])
UNSIGNED = frozenset([tf.uint8, tf.uint16, tf.uint32, tf.uint64])
INTEGER = SIGNED | UNSIGNED
HALF = frozenset([tf.float16, tf.bfloat16])
REAL = HALF | {tf.float32, tf.float64}
COMPLEX = frozenset([tf.complex64, tf.complex128])
FLOATING = REAL | COMPLEX

DEFAULT_INT = tf.int64
DEFAULT_UINT = tf.uint64
DEFAULT_FLOAT = tf.float32
DEFAULT_COMPLEX = tf.complex64

KIND = {
    tf.bool: 0,
    **dict.fromkeys(INTEGER, 1),
    **dict.fromkeys(REAL, 2),
    **dict.fromkeys(COMPLEX, 3),
}
_SCALAR_KIND: dict[type, int] = {bool: 0, int: 1, float: 2, complex: 3}
_SCALAR_DEFAULT = (tf.bool, DEFAULT_INT, DEFAULT_FLOAT, DEFAULT_COMPLEX)
_SCALAR_TYPE: tuple[type, ...] = (bool, int, float, complex)
_SIGNED_OF_SIZE = {1: tf.int8, 2: tf.int16, 4: tf.int32, 8: tf.int64}


def _join(a: tf.DType, b: tf.DType) -> tf.DType:
    if a is b:
        return a
    low, high = sorted((a, b), key=lambda dtype: KIND[dtype])
    kinds = KIND[low], KIND[high]
    wide = max(a, b, key=lambda dtype: dtype.size)
    if kinds[0] == 0:
        return high
    if kinds == (1, 1):
        if (a in SIGNED) == (b in SIGNED):
            return wide
        signed, unsigned = (a, b) if a in SIGNED else (b, a)
        if signed.size > unsigned.size:
            return signed
        return _SIGNED_OF_SIZE.get(2 * unsigned.size, tf.float64)
    if kinds == (1, 2):
        return tf.float32 if high in HALF and low.size > 1 else high
    if kinds == (2, 2):
        return tf.float32 if a.size == b.size else wide
    if kinds == (2, 3):
        return tf.complex128 if low is tf.float64 else high
    return high if kinds == (1, 3) else wide


_TABLE = {(a, b): _join(a, b) for a in KIND for b in KIND}


def is_scalar(x: Any) -> bool:
    """Whether ``x`` is a weak Python scalar; NumPy's float64 subclasses float but is strong."""
    return type(x) in _SCALAR_KIND


def default_dtype(scalar: int | float | complex) -> tf.DType:
    """Default dtype of a Python scalar's kind."""
    return _SCALAR_DEFAULT[_SCALAR_KIND[type(scalar)]]


def join(a: tf.DType, b: tf.DType) -> tf.DType:
    """Common dtype of two dtypes.

    Args:
        a: A dtype.
        b: A dtype.

    Returns:
        The dtype that both promote to.

    Raises:
        TypeError: If one of them is outside the standard's kinds (strings, quantized, float8).
    """
    if a is b:
        return a
    try:
        return _TABLE[a, b]
    except KeyError:
        raise TypeError(f"no common dtype for {a.name} and {b.name}") from None


def join_scalar(dtype: tf.DType, scalar: int | float | complex) -> tf.DType:
    """Common dtype of a tensor's dtype and a weak Python scalar."""
    kind = _SCALAR_KIND[type(scalar)]
    if kind <= KIND[dtype]:
        return dtype
    if kind == 3 and dtype is tf.float64:
        return tf.complex128
    return _SCALAR_DEFAULT[kind]


def join_all(dtypes: list[tf.DType]) -> tf.DType:
    """Common dtype of many; kinds are joined from low to high, so the order does not matter."""
    return reduce(join, sorted(dtypes, key=lambda dtype: KIND.get(dtype, 4)))


def constant(scalar: int | float | complex, dtype: tf.DType) -> tf.Tensor:
    """0-d tensor of a Python scalar.

    Args:
        scalar: A Python bool, int, float or complex.
        dtype: Dtype of the tensor, of the scalar's kind or a higher one.

    Returns:
        The constant, shape ``()``.

    Raises:
        OverflowError: If an integer dtype cannot hold it; TensorFlow 2.21 wraps without a word.
    """
    if dtype in INTEGER and not dtype.min <= scalar <= dtype.max:
        raise OverflowError(f"{scalar} is out of bounds for {dtype.name}")
    value = _SCALAR_TYPE[KIND[dtype]](scalar)
    if dtype not in INTEGER and scalar and type(value) is float and not -65504 <= value <= 65504:
        return tf.constant(host_scalar(value, np.dtype(dtype.as_numpy_dtype)))  # may become infinite
    if value and type(value) is not complex:
        return tf.constant(value, dtype)
    # TensorFlow 2.21 caches eager constants by value: after tf.constant(-0.0), tf.constant(0.0) is -0.0.
    # Arrays are not cached.
    return tf.constant(host_scalar(value, np.dtype(dtype.as_numpy_dtype)))


def dtype_of(x: Any) -> tf.DType:
    """TensorFlow dtype of a tensor, a variable, a NumPy array or a NumPy scalar."""
    dtype = x.dtype
    return dtype if isinstance(dtype, tf.DType) else tf.as_dtype(dtype)


def cast(x: Any, dtype: tf.DType) -> tf.Tensor:
    """``x`` as a tensor of ``dtype``; a weak Python scalar is checked against its range."""
    if is_scalar(x):
        return constant(x, dtype)
    return x if x.dtype is dtype else tf.cast(x, dtype)


def pair(x1: Any, x2: Any) -> tuple[tf.Tensor, tf.Tensor]:
    """Both operands in their common dtype; untouched where they agree already."""
    if getattr(x1, "dtype", None) is getattr(x2, "dtype", x2):
        return x1, x2
    if is_scalar(x1):
        dtype = _scalars_only(x1, x2) if is_scalar(x2) else join_scalar(dtype_of(x2), x1)
    elif is_scalar(x2):
        dtype = join_scalar(dtype_of(x1), x2)
    else:
        dtype = join(dtype_of(x1), dtype_of(x2))
    return cast(x1, dtype), cast(x2, dtype)


def _scalars_only(x1: complex, x2: complex) -> tf.DType:
    return _SCALAR_DEFAULT[max(_SCALAR_KIND[type(x1)], _SCALAR_KIND[type(x2)])]


def pair_floating(x1: Any, x2: Any) -> tuple[tf.Tensor, tf.Tensor]:
    """Both operands in their common floating dtype; ints widen to the default float."""
    x1, x2 = pair(x1, x2)
    if x1.dtype in FLOATING:
        return x1, x2
    return tf.cast(x1, DEFAULT_FLOAT), tf.cast(x2, DEFAULT_FLOAT)


def floating(x: tf.Tensor) -> tf.Tensor:
    """``x`` itself where it is floating, else widened to the default float."""
    return x if x.dtype in FLOATING else tf.cast(x, DEFAULT_FLOAT)


def truth(x: tf.Tensor) -> tf.Tensor:
    """``x`` as booleans: nonzero is true, NaN included (``tf.cast`` takes 1j for false)."""
    if x.dtype is tf.bool:
        return x
    return tf.raw_ops.NotEqual(x=x, y=tf.constant(0, x.dtype))
