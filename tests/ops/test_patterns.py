"""einops' functions under at.*, on every backend, eager and compiled."""

import einops
import numpy as np
import pytest

import anytensor as at
from anytensor.testing import assert_portable


def test_they_are_einops_own():
    assert at.rearrange is einops.rearrange
    assert at.einops_repeat is einops.repeat
    assert at.repeat is not einops.repeat


def test_repeat_is_the_array_function():
    assert at.repeat(np.array([1, 2]), 2).tolist() == [1, 1, 2, 2]


def test_traces_whole_with_gradients():
    def traced(x, w):
        packed, shapes = at.pack([x, at.rearrange(x, "a b -> b a")], "*")
        return {
            "rearrange": at.rearrange(x, "(a k) b -> a (k b)", k=2),
            "reduce": at.reduce(x, "a b -> a", "max"),
            "repeat": at.einops_repeat(x, "a b -> a b k", k=2),
            "einsum": at.einsum(x, w, "a b, b c -> a c"),
            "unpack": at.unpack(packed, shapes, "*"),
        }

    x = np.arange(12.0, dtype=np.float32).reshape(4, 3)
    w = np.arange(6.0, dtype=np.float32).reshape(3, 2)
    # Sizes unknown to a trace have no place in what pack returns, which are sizes of the shapes.
    assert_portable(traced, x, w, modes=["eager", "readonly", "jit", "compile", "function", "xla"])


@pytest.mark.parametrize("mode", ["compile-dynamic", "function-none"])
def test_patterns_of_unknown_sizes(mode):
    def traced(x, w):
        return (
            at.rearrange(x, "a b -> (b a)"),
            at.reduce(x, "a b -> b", "mean"),
            at.einsum(x, w, "a b, b c -> c a"),
        )

    x = np.arange(12.0, dtype=np.float32).reshape(4, 3)
    w = np.arange(6.0, dtype=np.float32).reshape(3, 2)
    assert_portable(traced, x, w, modes=mode)
