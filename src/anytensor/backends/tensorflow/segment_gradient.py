"""A fast value with the derivatives of a slower, smooth expression of the same function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from anytensor.backends.tensorflow.segment_guard import recording, tangents

__all__ = ["dense", "with_gradient"]

Function = Callable[[Any], Any]


def dense(upstream: Any, n: Any) -> Any:
    """Return an upstream gradient as a tensor: a gather of segments sends tf.IndexedSlices back."""
    if isinstance(upstream, tf.IndexedSlices):
        return tf.math.unsorted_segment_sum(upstream.values, upstream.indices, n)
    return upstream


def with_gradient(
    value: Function, smooth: Function, x: Any, n: Any, backward: Callable[[Any, Any, Any], Any] | None = None
) -> Any:
    """Return value(x), differentiable as smooth(x) to every order and in both modes.

    Args:
        value: The function by its cheapest kernels; its own derivatives do not matter.
        smooth: The same function of operations whose derivatives are right.
        x: The tensor to differentiate by.
        n: The number of segments of the result.
        backward: The gradient as backward(x, value(x), upstream); None takes it from ``smooth`` by a tape.

    Returns:
        The value.
    """
    if not x.dtype.is_floating and not x.dtype.is_complex:
        return value(x)
    if not recording():
        if tf.executing_eagerly():
            return value(x)
    elif tangents(x):
        # A forward accumulator looks into a custom gradient's forward pass and ignores its gradient
        # (TensorFlow 2.16 to 2.21), so there the smooth expression is the value.
        return smooth(x)

    @tf.custom_gradient  # type: ignore[untyped-decorator]  # TensorFlow is untyped
    def differentiable(x: Any) -> Any:
        result = value(x)

        def gradient(upstream: Any) -> Any:
            upstream = dense(upstream, n)
            if backward is not None:
                return backward(x, result, upstream)
            with tf.GradientTape() as tape:
                tape.watch(x)
                again = smooth(x)
            return tape.gradient(again, x, output_gradients=upstream)

        return result, gradient

    return differentiable(x)
