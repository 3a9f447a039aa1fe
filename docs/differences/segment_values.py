"""Empty segments, NaN and infinity."""

from __future__ import annotations

import numpy as np

from differences.case import Case

__all__ = ["CASES"]

BOTH_INF = ([-np.inf, -np.inf], "float32")
ONE_SEGMENT = ([0, 0], "int64")

CASES = (
    Case(
        "max-empty",
        "values",
        "the maximum of an empty segment: `[-1, -2]` with ids `[0, 2]`, 3 segments",
        {"x": ([-1.0, -2.0], "float32"), "ids": ([0, 2], "int64")},
        "at.segment_max(x, ids, 3)",
        {
            "jax": {"jax.ops": "jax.ops.segment_max(x, ids, 3)", "jraph": "jraph.segment_max(x, ids, 3)"},
            "torch": {
                "scatter_reduce": "torch.zeros(3).scatter_reduce(0, ids, x, 'amax', include_self=False)",
                "PyG": "torch_geometric.utils.scatter(x, ids, dim_size=3, reduce='max')",
            },
            "tensorflow": {
                "eager": "tf.math.unsorted_segment_max(x, ids, 3)",
                "Keras": "keras.ops.segment_max(x, ids, 3)",
            },
        },
    ),
    Case(
        "max-nan",
        "values",
        "a NaN in a segment: maximum of `[nan, 2, 9, 4]` with ids `[0, 0, 1, 1]`",
        {"x": ([np.nan, 2.0, 9.0, 4.0], "float32"), "ids": ([0, 0, 1, 1], "int64")},
        "at.segment_max(x, ids, 2)",
        {
            "jax": "jax.ops.segment_max(x, ids, 2)",
            "torch": "torch.zeros(2).scatter_reduce(0, ids, x, 'amax', include_self=False)",
            "tensorflow": {
                "eager": "tf.math.unsorted_segment_max(x, ids, 2)",
                "XLA": "xla(lambda: tf.math.unsorted_segment_max(x, ids, 2))",
            },
        },
    ),
    Case(
        "softmax-masked",
        "values",
        "softmax of a segment that is masked out whole, `[-inf, -inf]`",
        {"x": BOTH_INF, "ids": ONE_SEGMENT},
        "at.segment_softmax(x, ids, 1)",
        {
            "jax": {"jraph": "jraph.segment_softmax(x, ids, 1)", "dense": "jax.nn.softmax(x)"},
            "torch": {
                "PyG": "torch_geometric.utils.softmax(x, ids, num_nodes=1)",
                "dense": "torch.softmax(x, 0)",
            },
            "tensorflow": {"dense": "tf.nn.softmax(x)"},
        },
    ),
    Case(
        "normalize-zero",
        "values",
        "rows divided by their segment's sum, where that is 0",
        {"x": ([0.0, 0.0], "float32"), "ids": ONE_SEGMENT},
        "at.segment_normalize(x, ids, 1)",
        {
            "numpy": "x / x.sum()",
            "jax": "x / jax.ops.segment_sum(x, ids, 1)[ids]",
            "torch": "x / torch.zeros(1).index_add(0, ids, x)[ids]",
            "tensorflow": "x / tf.gather(tf.math.unsorted_segment_sum(x, ids, 1), ids)",
        },
    ),
    Case(
        "variance-of-large",
        "values",
        "the variance of `[4096, 4097]` in float32 (0.25)",
        {"x": ([4096.0, 4097.0], "float32"), "ids": ONE_SEGMENT},
        "at.segment_variance(x, ids, 1)",
        {"torch": {"PyG": "torch_geometric.nn.aggr.VarAggregation()(x[:, None], ids)[0]"}},
    ),
)
