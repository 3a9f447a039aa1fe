"""Sums and products of narrow dtypes, and dtypes that meet."""

from __future__ import annotations

from differences.case import Case

__all__ = ["CASES"]

ONE_SEGMENT = ([0, 0], "int64")

CASES = (
    Case(
        "bfloat16-sum",
        "dtypes",
        "1000 bfloat16 ones in one segment",
        {"x": ([1.0] * 1000, "bfloat16"), "ids": ([0] * 1000, "int64")},
        "at.segment_sum(x, ids, 1)",
        {
            "numpy": "add_at(np.zeros(1, x.dtype), ids, x)",
            "jax": "jax.ops.segment_sum(x, ids, 1)",
            "torch": "torch.zeros(1, dtype=x.dtype).index_add(0, ids, x)",
            "tensorflow": "tf.math.unsorted_segment_sum(x, ids, 1)",
        },
    ),
    Case(
        "uint8-segment-sum",
        "dtypes",
        "uint8 200 and 100 in one segment",
        {"x": ([200, 100], "uint8"), "ids": ONE_SEGMENT},
        "at.segment_sum(x, ids, 1)",
        {
            "numpy": "add_at(np.zeros(1, x.dtype), ids, x)",
            "jax": "jax.ops.segment_sum(x, ids, 1)",
            "torch": "torch.zeros(1, dtype=x.dtype).index_add(0, ids, x)",
            "tensorflow": "tf.math.unsorted_segment_sum(x, ids, 1)",
        },
    ),
    Case(
        "bool-segment-sum",
        "dtypes",
        "True and True in one segment, summed",
        {"x": ([True, True], "bool"), "ids": ONE_SEGMENT},
        "at.segment_sum(x, ids, 1)",
        {
            "numpy": "add_at(np.zeros(1, bool), ids, x)",
            "jax": "jax.ops.segment_sum(x, ids, 1)",
            "torch": "torch.zeros(1, dtype=x.dtype).index_add(0, ids, x)",
            "tensorflow": "tf.math.unsorted_segment_sum(x, ids, 1)",
        },
    ),
    Case(
        "uint8-sum",
        "dtypes",
        "the sum of uint8 `[200, 100]`",
        {"x": ([200, 100], "uint8")},
        "at.sum(x)",
        {
            "numpy": "np.sum(x)",
            "jax": "jnp.sum(x)",
            "torch": "torch.sum(x)",
            "tensorflow": "tf.reduce_sum(x)",
        },
    ),
    Case(
        "uint8-cumulative",
        "dtypes",
        "the running sum of uint8 `[200, 100]`",
        {"x": ([200, 100], "uint8")},
        "at.cumulative_sum(x)",
        {
            "numpy": "np.cumsum(x)",
            "jax": "jnp.cumsum(x)",
            "torch": "torch.cumsum(x, 0)",
            "tensorflow": "tf.cumsum(x)",
        },
    ),
    Case(
        "integer-mean",
        "dtypes",
        "the mean of integers `[1, 2]`",
        {"x": ([1, 2], "int64")},
        "at.mean(x)",
        {
            "numpy": "np.mean(x)",
            "jax": "jnp.mean(x)",
            "torch": "torch.mean(x)",
            "tensorflow": "tf.reduce_mean(x)",
        },
    ),
    Case(
        "half-beside-single",
        "dtypes",
        "bfloat16 `[1]` plus float32 `[2]`",
        {"x": ([1.0], "bfloat16"), "y": ([2.0], "float32")},
        "at.add(x, y)",
        {"numpy": "x + y", "jax": "x + y", "torch": "x + y", "tensorflow": "x + y"},
    ),
    Case(
        "uint8-product",
        "dtypes",
        "the product of uint8 `[200, 2]`",
        {"x": ([200, 2], "uint8")},
        "at.prod(x)",
        {
            "numpy": "np.prod(x)",
            "jax": "jnp.prod(x)",
            "torch": "torch.prod(x)",
            "tensorflow": "tf.reduce_prod(x)",
        },
    ),
    Case(
        "bfloat16-full-sum",
        "dtypes",
        "the sum of 1000 bfloat16 ones",
        {"x": ([1.0] * 1000, "bfloat16")},
        "at.sum(x)",
        {
            "numpy": "np.sum(x)",
            "jax": "jnp.sum(x)",
            "torch": "torch.sum(x)",
            "tensorflow": "tf.reduce_sum(x)",
        },
    ),
    Case(
        "float16-mean",
        "dtypes",
        "the mean of float16 `[60000, 60000]`",
        {"x": ([60000.0, 60000.0], "float16")},
        "at.mean(x)",
        {
            "numpy": "np.mean(x)",
            "jax": "jnp.mean(x)",
            "torch": "torch.mean(x)",
            "tensorflow": "tf.reduce_mean(x)",
        },
    ),
    Case(
        "uint8-segment-mean",
        "dtypes",
        "the mean of uint8 200 and 100 in one segment",
        {"x": ([200, 100], "uint8"), "ids": ONE_SEGMENT},
        "at.segment_mean(x, ids, 1)",
        {
            "jax": "jraph.segment_mean(x, ids, 1)",
            "torch": "torch_geometric.utils.scatter(x, ids, dim_size=1, reduce='mean')",
            "tensorflow": "tf.math.unsorted_segment_mean(x, ids, 1)",
        },
    ),
    Case(
        "integers-times-half",
        "dtypes",
        "integers `[1]` times the Python number 0.5",
        {"x": ([1], "int32")},
        "at.multiply(x, 0.5)",
        {"numpy": "x * 0.5", "jax": "x * 0.5", "torch": "x * 0.5", "tensorflow": "x * 0.5"},
    ),
    Case(
        "floor-of-integers",
        "dtypes",
        "`floor` of the integers `[1, 2]`",
        {"x": ([1, 2], "int32")},
        "at.floor(x)",
        {
            "numpy": "np.floor(x)",
            "jax": "jnp.floor(x)",
            "torch": "torch.floor(x)",
            "tensorflow": "tf.floor(x)",
        },
    ),
)
