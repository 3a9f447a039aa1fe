"""From other objects to tensors: ``asarray`` and ``from_dlpack``.

TensorFlow aborts the process when a kernel meets memory that is not aligned to 64 bytes
(``Check failed: IsAligned()``, TensorFlow 2.21), and its DLPack import does not look. So memory is
shared only where its address allows, and copied otherwise.
"""

from __future__ import annotations

import builtins
import ctypes
from typing import Any

import numpy as np
import tensorflow as tf
from numpy.typing import NDArray

from anytensor.backends.tensorflow.namespace import promotion
from anytensor.backends.tensorflow.namespace.data_types import as_dtype, astype

_ALIGNMENT = 64
# A small array is copied faster than it is exported, and sharing it saves nothing.
_WORTH_SHARING = 1 << 16
_DEFAULT = {
    np.dtype(np.float64): tf.float32,
    np.dtype(np.complex128): tf.complex64,
    np.dtype(np.intp): tf.int64,
}

_capsule_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_capsule_pointer.restype = ctypes.c_void_p
_capsule_pointer.argtypes = (ctypes.py_object, ctypes.c_char_p)


class _DLTensor(ctypes.Structure):
    # The head of DLPack's DLManagedTensor, a stable ABI.
    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.c_void_p),
        ("strides", ctypes.c_void_p),
        ("byte_offset", ctypes.c_uint64),
    )


def _is_aligned(capsule: Any) -> builtins.bool:
    head = _DLTensor.from_address(_capsule_pointer(capsule, b"dltensor"))
    address: int = (head.data or 0) + head.byte_offset
    return address % _ALIGNMENT == 0


def asarray(
    obj: Any,
    /,
    *,
    dtype: Any = None,
    device: str | None = None,
    copy: builtins.bool | None = None,
) -> tf.Tensor:
    """Convert to a tensor.

    Args:
        obj: Tensor, variable, NumPy array, Python scalar, nested sequence of those, or an object
            with the buffer or DLPack protocol.
        dtype: Dtype of the result; ``None`` keeps an array's and takes the defaults (int64,
            float32, complex64) for Python scalars.
        device: Device to place the result on.
        copy: True always copies; False raises where a copy is needed; ``None`` shares a large NumPy
            array whose memory TensorFlow can use (contiguous, writable, aligned to 64 bytes).

    Returns:
        The tensor. Writing to shared NumPy memory later shows in the tensor.

    Raises:
        ValueError: If ``copy=False`` and a copy would be needed.
        OverflowError: If an integer does not fit ``dtype``.
    """
    if device is not None:
        with tf.device(device):
            return tf.identity(asarray(obj, dtype=dtype, copy=copy))
    target = None if dtype is None else as_dtype(dtype)
    if isinstance(obj, (tf.Tensor, tf.Variable)):
        return _from_tensor(tf.convert_to_tensor(obj), target, copy)
    if isinstance(obj, (np.ndarray, np.generic)):
        return _from_numpy(np.asarray(obj), target, copy)
    if promotion.is_scalar(obj) or isinstance(obj, (list, tuple, range)):
        if copy is False:
            raise ValueError("copy=False: a Python scalar or sequence can only be copied")
        return _from_python(obj, target)
    if hasattr(obj, "__dlpack__"):
        return _from_tensor(from_dlpack(obj, copy=copy), target, copy)
    return _from_numpy(np.asarray(obj), target, copy)


def _from_tensor(x: tf.Tensor, dtype: Any, copy: builtins.bool | None) -> tf.Tensor:
    if dtype is None or dtype is x.dtype:
        return tf.identity(x) if copy else x
    if copy is False:
        raise ValueError(f"copy=False: the cast from {x.dtype.name} to {dtype.name} copies")
    return astype(x, dtype)


def _from_numpy(x: NDArray[Any], dtype: Any, copy: builtins.bool | None) -> tf.Tensor:
    own = tf.as_dtype(x.dtype)
    if dtype is not None and dtype is not own:
        if copy is False:
            raise ValueError(f"copy=False: the cast from {own.name} to {dtype.name} copies")
        return astype(tf.convert_to_tensor(x), dtype)
    if copy or (copy is None and x.nbytes < _WORTH_SHARING):
        return tf.convert_to_tensor(x)
    if x.flags.c_contiguous and x.flags.writeable and x.ctypes.data % _ALIGNMENT == 0:
        try:
            return tf.experimental.dlpack.from_dlpack(x.__dlpack__())
        except (BufferError, TypeError, tf.errors.OpError):
            pass  # a dtype that DLPack has no code for
    if copy is False:
        raise ValueError(
            "copy=False: TensorFlow can share only contiguous, writable memory aligned to 64 bytes"
        )
    return tf.convert_to_tensor(x)


def _holds_arrays(obj: Any) -> builtins.bool:
    if isinstance(obj, (list, tuple)):
        return any(_holds_arrays(entry) for entry in obj)
    return isinstance(obj, (tf.Tensor, tf.Variable, np.ndarray, np.generic))


def _from_python(obj: Any, dtype: Any) -> tf.Tensor:
    if promotion.is_scalar(obj):
        if dtype is None:
            return promotion.constant(obj, promotion.default_dtype(obj))
        if promotion.KIND[dtype] >= promotion.KIND[promotion.default_dtype(obj)]:
            return promotion.constant(obj, dtype)
    elif _holds_arrays(obj):
        parts = [asarray(entry) for entry in obj]
        if dtype is None:
            dtype = promotion.join_all([part.dtype for part in parts])
        return tf.stack([astype(part, dtype) for part in parts])
    values = np.asarray(obj) if dtype is None else np.asarray(obj, dtype.as_numpy_dtype)
    if dtype is None and values.size == 0:
        return tf.constant(values, promotion.DEFAULT_FLOAT)
    return tf.constant(values, dtype or _DEFAULT.get(values.dtype))


def from_dlpack(x: Any, /, *, device: str | None = None, copy: builtins.bool | None = None) -> tf.Tensor:
    """Take over an array of another library by the DLPack protocol.

    Args:
        x: An object with ``__dlpack__``.
        device: Device to place the result on; ``None`` stays on the array's.
        copy: True always copies, False raises where a copy is needed, ``None`` shares where the
            memory allows (contiguous and aligned to 64 bytes).

    Returns:
        The tensor, same shape and dtype.

    Raises:
        ValueError: If ``copy=False`` and a copy would be needed.
    """
    if device is not None:
        with tf.device(device):
            return tf.identity(from_dlpack(x, copy=copy))
    if isinstance(x, (tf.Tensor, tf.Variable)):
        return tf.identity(x)
    if isinstance(x, np.ndarray):
        return _from_numpy(x, None, copy)
    try:
        capsule = x.__dlpack__()
        aligned = _is_aligned(capsule)
        out = tf.experimental.dlpack.from_dlpack(capsule)
    except tf.errors.InvalidArgumentError:
        # Strided memory: TensorFlow takes row-major only.
        return _from_numpy(np.from_dlpack(x), None, copy)
    if aligned:
        return tf.raw_ops.DeepCopy(x=out) if copy else out
    if copy is False:
        raise ValueError("copy=False: TensorFlow can share only memory aligned to 64 bytes")
    return tf.convert_to_tensor(out.numpy())
