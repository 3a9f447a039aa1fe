"""Function transformations on TensorFlow tensors."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

__all__ = ["stop_gradient"]


def stop_gradient(x: Any) -> Any:
    """Return x as a constant for tapes and forward accumulators."""
    return tf.stop_gradient(x)
