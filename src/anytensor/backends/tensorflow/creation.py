"""Creation on TensorFlow: what ``at.*`` needs beside the namespace."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

__all__ = ["device_of", "from_python"]

_ONLY_CPU = not tf.config.list_physical_devices("GPU")


def device_of(like: Any) -> str | None:
    """Return the device of a tensor, None where a new tensor would land there anyway or a graph decides."""
    device: str = getattr(like, "device", "") or ""
    if not device or (_ONLY_CPU and device.endswith("CPU:0")):
        return None
    return device


def from_python(obj: Any, *, dtype: Any, device: Any = None) -> Any:
    """Return an array of Python numbers or of a nest of them."""
    host = np.asarray(obj, dtype=dtype.as_numpy_dtype)  # tf.constant refuses bools among numbers
    if device is None:
        return tf.constant(host)
    with tf.device(device):
        return tf.constant(host)
