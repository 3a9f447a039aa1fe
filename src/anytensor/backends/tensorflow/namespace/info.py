"""Inspection: what ``__array_namespace_info__`` answers."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from anytensor.backends.tensorflow.namespace import promotion
from anytensor.backends.tensorflow.namespace.data_types import KINDS

_STANDARD = (
    *("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    *("float32", "float64", "complex64", "complex128"),
)


class Info:
    """The inspection namespace. Defaults are int64, float32 and complex64 on every device."""

    def capabilities(self) -> dict[str, Any]:
        """What the namespace can do; a tf.Tensor takes no boolean mask as an index."""
        return {"boolean indexing": False, "data-dependent shapes": True, "max dimensions": 8}

    def default_device(self) -> str:
        """Device that a new tensor is placed on."""
        with tf.init_scope():
            return str(tf.constant(0.0).device)

    def devices(self) -> list[str]:
        """Devices of this process, named as ``tensor.device`` names them."""
        names = []
        with tf.init_scope():
            for device in tf.config.list_logical_devices():
                if device.device_type in ("CPU", "GPU", "TPU"):
                    with tf.device(device.name):
                        names.append(str(tf.constant(0.0).device))
        return names

    def default_dtypes(self, *, device: str | None = None) -> dict[str, tf.DType]:
        """Default dtypes by kind; indices (argmax, argsort, nonzero) are int64."""
        return {
            "real floating": promotion.DEFAULT_FLOAT,
            "complex floating": promotion.DEFAULT_COMPLEX,
            "integral": promotion.DEFAULT_INT,
            "indexing": tf.int64,
        }

    def dtypes(
        self, *, device: str | None = None, kind: str | tuple[str, ...] | None = None
    ) -> dict[str, tf.DType]:
        """The standard's dtypes by name, of all kinds or of some."""
        kinds = tuple(KINDS) if kind is None else (kind,) if isinstance(kind, str) else kind
        unknown = [k for k in kinds if k not in KINDS]
        if unknown:
            raise ValueError(f"kind {unknown[0]!r} is unknown; allowed: {', '.join(KINDS)}")
        allowed = frozenset().union(*(KINDS[k] for k in kinds))
        return {name: tf.as_dtype(name) for name in _STANDARD if tf.as_dtype(name) in allowed}


def __array_namespace_info__() -> Info:  # noqa: N807 # the standard's name
    """Return the inspection namespace of the standard."""
    return Info()
