"""AutoGraph leaves the library's source alone: the first trace of a ``tf.function`` would be slow else."""

from __future__ import annotations

import pytest
import tensorflow as tf
from tensorflow.python.autograph.impl import conversion

import anytensor as at


@pytest.mark.parametrize("name", ["segment_sum", "exp", "maximum", "partition_ids", "reshape"])
def test_our_functions_are_called_as_they_are(name: str) -> None:
    assert conversion.is_allowlisted(getattr(at, name))


def test_the_users_own_function_is_still_converted() -> None:
    @tf.function
    def relu_by_branch(x: tf.Tensor) -> tf.Tensor:
        if at.sum(x) > 0:  # a Python branch on a tensor: AutoGraph's part
            return x
        return tf.zeros_like(x)

    assert relu_by_branch(tf.constant([-1.0, -2.0])).numpy().tolist() == [0.0, 0.0]
    assert relu_by_branch(tf.constant([3.0, -2.0])).numpy().tolist() == [3.0, -2.0]
