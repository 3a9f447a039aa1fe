"""Which TensorFlow graph is being built."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

__all__ = ["trace_token"]


def trace_token() -> Any:
    """Return the graph under construction, compared by identity; None when eager."""
    return None if tf.executing_eagerly() else tf.compat.v1.get_default_graph()
