"""Ordinary operations, and where ``at`` follows the framework."""

from __future__ import annotations

import numpy as np

from differences.case import Case

__all__ = ["CASES"]

X3 = ([1.0, 2.0, 4.0], "float32")

CASES = (
    Case(
        "full-reduction",
        "arrays",
        "is a full sum an array of the framework?",
        {"x": X3},
        "is_array(at.sum(x))",
        {
            "numpy": "is_array(np.sum(x))",
            "jax": "is_array(jnp.sum(x))",
            "torch": "is_array(torch.sum(x))",
            "tensorflow": "is_array(tf.reduce_sum(x))",
        },
    ),
    Case(
        "scalar-operand",
        "arrays",
        "the maximum of float32 `[0, 1]` and the Python number 0.5",
        {"x": ([0.0, 1.0], "float32")},
        "at.maximum(x, 0.5)",
        {
            "numpy": "np.maximum(x, 0.5)",
            "jax": "jnp.maximum(x, 0.5)",
            "torch": "torch.maximum(x, 0.5)",
            "tensorflow": "tf.maximum(x, 0.5)",
        },
    ),
    Case(
        "numpy-operand",
        "arrays",
        "a tensor `[1, 2]` plus a NumPy array `[1, 1]` of the same dtype",
        {"x": ([1.0, 2.0], "float32")},
        "at.add(x, np.ones(2, np.float32))",
        {
            "jax": "jnp.add(x, np.ones(2, np.float32))",
            "torch": "torch.add(x, np.ones(2, np.float32))",
            "tensorflow": "tf.add(x, np.ones(2, np.float32))",
        },
    ),
    Case(
        "take-from-the-end",
        "arrays",
        "the entry -1 of `[1, 2, 4]`",
        {"x": X3, "i": ([-1], "int64")},
        "at.take(x, i)",
        {
            "numpy": "np.take(x, i)",
            "jax": "jnp.take(x, i)",
            "torch": {"index_select": "torch.index_select(x, 0, i)", "take": "torch.take(x, i)"},
            "tensorflow": "tf.gather(x, i)",
        },
    ),
    Case(
        "argmax-of-nan",
        "arrays",
        "the place of the maximum of `[1, nan, 2]`",
        {"x": ([1.0, np.nan, 2.0], "float32")},
        "at.argmax(x)",
        {
            "numpy": "np.argmax(x)",
            "jax": "jnp.argmax(x)",
            "torch": "torch.argmax(x)",
            "tensorflow": "tf.argmax(x)",
        },
    ),
    Case(
        "sign-of-nan",
        "arrays",
        "the sign of NaN",
        {"x": ([np.nan], "float32")},
        "at.sign(x)",
        {"numpy": "np.sign(x)", "jax": "jnp.sign(x)", "torch": "torch.sign(x)", "tensorflow": "tf.sign(x)"},
    ),
    Case(
        "std-divisor",
        "arrays",
        "the standard deviation of `[1, 3]`",
        {"x": ([1.0, 3.0], "float32")},
        "at.std(x)",
        {
            "numpy": "np.std(x)",
            "jax": "jnp.std(x)",
            "torch": "torch.std(x)",
            "tensorflow": "tf.math.reduce_std(x)",
        },
    ),
    Case(
        "repeat",
        "arrays",
        "`[1, 2]` repeated twice",
        {"x": ([1.0, 2.0], "float32")},
        "at.repeat(x, 2, axis=0)",
        {
            "numpy": "np.repeat(x, 2)",
            "jax": "jnp.repeat(x, 2)",
            "torch": "x.repeat(2)",
            "tensorflow": "tf.repeat(x, 2)",
        },
    ),
    Case(
        "zeros-dtype",
        "arrays",
        "the dtype of new zeros beside a bfloat16 `x`",
        {"x": ([1.0], "bfloat16")},
        "name(at.zeros((2,), like=x))",
        {
            "numpy": "name(np.zeros(2))",
            "jax": "name(jnp.zeros(2))",
            "torch": "name(torch.zeros(2))",
            "tensorflow": "name(tf.zeros(2))",
        },
    ),
    Case(
        "max-over-axes",
        "arrays",
        "the maximum of `[[1, 2], [3, 4]]` over both axes",
        {"x": ([[1.0, 2.0], [3.0, 4.0]], "float32")},
        "at.max(x, axis=(0, 1))",
        {
            "numpy": "np.max(x, (0, 1))",
            "jax": "jnp.max(x, (0, 1))",
            "torch": "torch.max(x, (0, 1))",
            "tensorflow": "tf.reduce_max(x, (0, 1))",
        },
    ),
    Case(
        "max-of-nothing",
        "arrays",
        "the maximum of no entries",
        {"x": ([], "float32")},
        "at.max(x)",
        {
            "numpy": "np.max(x)",
            "jax": "jnp.max(x)",
            "torch": "torch.max(x)",
            "tensorflow": "tf.reduce_max(x)",
        },
    ),
    Case(
        "where-mixed",
        "arrays",
        "`where` between uint8 `[1, 2]` and float32 `[1.5, 2.5]`",
        {"c": ([True, False], "bool"), "x": ([1, 2], "uint8"), "y": ([1.5, 2.5], "float32")},
        "at.where(c, x, y)",
        {
            "numpy": "np.where(c, x, y)",
            "jax": "jnp.where(c, x, y)",
            "torch": "torch.where(c, x, y)",
            "tensorflow": "tf.where(c, x, y)",
        },
    ),
    Case(
        "any-of-integers",
        "arrays",
        "`any` of uint8 `[0, 2]`",
        {"x": ([0, 2], "uint8")},
        "at.any(x)",
        {
            "numpy": "np.any(x)",
            "jax": "jnp.any(x)",
            "torch": "torch.any(x)",
            "tensorflow": "tf.reduce_any(x)",
        },
    ),
    Case(
        "search-for-nan",
        "arrays",
        "where NaN belongs in `[1, 2]`",
        {"x": ([1.0, 2.0], "float32"), "v": ([np.nan], "float32")},
        "at.searchsorted(x, v)",
        {
            "numpy": "np.searchsorted(x, v)",
            "jax": "jnp.searchsorted(x, v)",
            "torch": "torch.searchsorted(x, v)",
            "tensorflow": "tf.searchsorted(x, v)",
        },
    ),
    Case(
        "squeeze-of-two",
        "arrays",
        "`squeeze` of an axis of length 2",
        {"x": ([[1.0, 2.0]], "float32")},
        "at.squeeze(x, axis=1)",
        {
            "numpy": "np.squeeze(x, 1)",
            "jax": "jnp.squeeze(x, 1)",
            "torch": "torch.squeeze(x, 1)",
            "tensorflow": "tf.squeeze(x, 1)",
        },
    ),
    Case(
        "integer-beside-float",
        "own",
        "the dtype of int32 `[1]` plus float32 `[1.5]`",
        {"x": ([1], "int32"), "y": ([1.5], "float32")},
        "name(at.add(x, y))",
        follows="Mixed dtypes take the framework's own rule; NumPy keeps every int32.",
    ),
    Case(
        "integer-beside-half",  # pytorch/pytorch/issues/179845
        "own",
        "int32 `[257]` plus bfloat16 `[0]`",
        {"x": ([257], "int32"), "y": ([0.0], "bfloat16")},
        "at.add(x, y)",
        follows="JAX's and PyTorch's rule is bfloat16, which has no 257; cast with `at.astype` first.",
    ),
    Case(
        "numpy-scalar",
        "own",
        "the dtype of float32 `[1]` times `np.float64(0.5)`",
        {"x": ([1.0], "float32")},
        "name(at.multiply(x, np.float64(0.5)))",
        follows="A NumPy scalar counts as an array; JAX has float64 only with `jax_enable_x64`.",
    ),
    Case(
        "default-integer",
        "own",
        "the dtype of the sum of uint8 entries",
        {"x": ([1, 2], "uint8")},
        "name(at.sum(x))",
        follows="The framework's default integer.",
    ),
    Case(
        "take-past-the-end",
        "own",
        "the entry 5 of `[1, 2, 4]`",
        {"x": X3, "i": ([5], "int64")},
        "at.take(x, i)",
        follows="JAX cannot raise on a value; a compiler neither. No backend reads other memory.",
    ),
    Case(
        "division-by-zero",
        "own",
        "integers `[1]` floor-divided by `[0]`",
        {"x": ([1], "int32"), "y": ([0], "int32")},
        "at.floor_divide(x, y)",
        follows="The standard leaves it open, and a check would cost every call.",
    ),
)
