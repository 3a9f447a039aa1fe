"""Left shifts on TensorFlow, whose kernel clamps an amount to the width less one and leaves a bit."""

import numpy as np
import pytest
import tensorflow as tf

import anytensor as at


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int32", "int64"])
@pytest.mark.parametrize("amounts", [[0, 1, 3], [0, 1, 8], [64, 1, 100], []], ids=str)
@pytest.mark.parametrize("traced", [False, True])
def test_a_shift_by_the_width_or_more_is_zero(dtype, amounts, traced):
    x1, x2 = tf.constant([1, 3, 5][: len(amounts)], dtype), tf.constant(amounts, dtype)
    width = 8 * x1.dtype.size
    expected = [a << b if b < width else 0 for a, b in zip([1, 3, 5], amounts, strict=False)]
    function = tf.function(at.bitwise_left_shift) if traced else at.bitwise_left_shift
    got = function(x1, x2)
    assert got.dtype == x1.dtype
    assert got.numpy().tolist() == np.array(expected, np.int64).astype(dtype).tolist()
