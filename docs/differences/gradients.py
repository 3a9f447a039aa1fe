"""Gradients of ties, zeros, and rows that are masked out."""

from __future__ import annotations

import numpy as np

from differences.case import DIFFERENTIABLE, Case

__all__ = ["CASES"]

BOTH_INF = ([-np.inf, -np.inf], "float32")
ONE_SEGMENT = ([0, 0], "int64")

CASES = (
    Case(
        "dropped-nan-gradient",
        "gradients",
        "a row of NaN with id -1: the gradient of the sums of squares of `[1, nan]`, ids `[0, -1]`",
        {"x": ([1.0, np.nan], "float32"), "ids": ([0, -1], "int64")},
        "gradient(lambda x: at.segment_sum(x, ids, 1) ** 2, x)",
        {
            "jax": "gradient(lambda x: jax.ops.segment_sum(x, ids, 1) ** 2, x)",
            "torch": "gradient(lambda x: torch.zeros(1).index_add(0, ids, x) ** 2, x)",
            "tensorflow": "gradient(lambda x: tf.math.unsorted_segment_sum(x, ids, 1) ** 2, x)",
        },
        DIFFERENTIABLE,
    ),
    Case(
        "tie-gradient",
        "gradients",
        "tied winners: the gradient of the maximum of `[1, 3, 3]`",
        {"x": ([1.0, 3.0, 3.0], "float32"), "ids": ([0, 0, 0], "int64")},
        "gradient(lambda x: at.segment_max(x, ids, 1), x)",
        {
            "jax": "gradient(lambda x: jax.ops.segment_max(x, ids, 1), x)",
            "torch": {
                "amax": "gradient(lambda x: torch.zeros(1).scatter_reduce(0, ids, x, 'amax', "
                "include_self=False), x)",
                "max(dim)": "gradient(lambda x: torch.max(x, 0).values, x)",
            },
            "tensorflow": {
                "segment": "gradient(lambda x: tf.math.unsorted_segment_max(x, ids, 1), x)",
            },
        },
        DIFFERENTIABLE,
    ),
    Case(
        "tie-with-identity",
        "gradients",
        "a winner that equals the start value: the gradient of the maximum of `[0, 0]`, start 0",
        {"x": ([0.0, 0.0], "float32"), "ids": ONE_SEGMENT},
        "gradient(lambda x: at.segment_max(x, ids, 1), x)",
        {
            "torch": {
                "amax": "gradient(lambda x: torch.zeros(1).scatter_reduce(0, ids, x, 'amax', "
                "include_self=False), x)",
                "PyG": "gradient(lambda x: torch_geometric.utils.scatter(x, ids, reduce='max'), x)",
            },
            "tensorflow": {"segment": "gradient(lambda x: tf.math.unsorted_segment_max(x, ids, 1), x)"},
        },
        DIFFERENTIABLE,
    ),
    Case(
        "prod-gradient",
        "gradients",
        "the gradient of the product of `[0, 2, 3]`",
        {"x": ([0.0, 2.0, 3.0], "float32"), "ids": ([0, 0, 0], "int64")},
        "gradient(lambda x: at.segment_prod(x, ids, 1), x)",
        {
            "jax": "gradient(lambda x: jax.ops.segment_prod(x, ids, 1), x)",
            "torch": "gradient(lambda x: torch.ones(1).scatter_reduce(0, ids, x, 'prod'), x)",
            "tensorflow": "gradient(lambda x: tf.math.unsorted_segment_prod(x, ids, 1), x)",
        },
        DIFFERENTIABLE,
    ),
    Case(
        "std-gradient",
        "gradients",
        "the gradient of the standard deviation of `[2, 2]`",
        {"x": ([2.0, 2.0], "float32")},
        "gradient(lambda x: at.std(x), x)",
        {
            "jax": "gradient(lambda x: jnp.std(x), x)",
            "torch": "gradient(lambda x: torch.std(x, correction=0), x)",
            "tensorflow": "gradient(lambda x: tf.math.reduce_std(x), x)",
        },
        DIFFERENTIABLE,
    ),
    Case(
        "masked-gradient",
        "gradients",
        "the gradient of the squares of the softmax of `[-inf, -inf]`",
        {"x": BOTH_INF, "ids": ONE_SEGMENT},
        "gradient(lambda x: at.segment_softmax(x, ids, 1) ** 2, x)",
        {
            "jax": {"jraph": "gradient(lambda x: jraph.segment_softmax(x, ids, 1) ** 2, x)"},
            "torch": {
                "PyG": "gradient(lambda x: torch_geometric.utils.softmax(x, ids, num_nodes=1) ** 2, x)"
            },
            "tensorflow": {"dense": "gradient(lambda x: tf.nn.softmax(x) ** 2, x)"},
        },
        DIFFERENTIABLE,
    ),
)
