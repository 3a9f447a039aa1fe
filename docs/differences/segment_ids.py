"""Ids out of range, of narrow dtypes, of the wrong number."""

from __future__ import annotations

from differences.case import Case

__all__ = ["CASES"]

X3 = ([1.0, 2.0, 4.0], "float32")

CASES = (
    Case(
        "id-too-large",
        "ids",
        "an id past the end: sums of `[1, 2, 4]` with ids `[0, 1, 5]`, 2 segments",
        {"x": X3, "ids": ([0, 1, 5], "int64")},
        "at.segment_sum(x, ids, 2)",
        {
            "numpy": {"add.at": "add_at(np.zeros(2), ids, x)", "bincount": "np.bincount(ids, x, 2)"},
            "jax": "jax.ops.segment_sum(x, ids, 2)",
            "torch": {
                "index_add": "torch.zeros(2).index_add(0, ids, x)",
                "PyG": "torch_geometric.utils.scatter(x, ids, dim_size=2)",
            },
            "tensorflow": {
                "eager": "tf.math.unsorted_segment_sum(x, ids, 2)",
                "XLA": "xla(lambda: tf.math.unsorted_segment_sum(x, ids, 2))",
            },
        },
    ),
    Case(
        "id-negative",
        "ids",
        "a negative id: sums of `[1, 2, 4]` with ids `[0, 1, -1]`, 2 segments",
        {"x": X3, "ids": ([0, 1, -1], "int64")},
        "at.segment_sum(x, ids, 2)",
        {
            "numpy": "add_at(np.zeros(2), ids, x)",
            "jax": "jax.ops.segment_sum(x, ids, 2)",
            "torch": "torch.zeros(2).index_add(0, ids, x)",
            "tensorflow": {
                "eager": "tf.math.unsorted_segment_sum(x, ids, 2)",
                "Keras": "keras.ops.segment_sum(x, ids, 2)",
            },
        },
    ),
    Case(
        "number-left-out",
        "ids",
        "no `num_segments`, though there are 4: ids `[0, 0, 1]`",
        {"x": X3, "ids": ([0, 0, 1], "int64")},
        "at.segment_sum(x, ids)",
        {
            "numpy": "np.bincount(ids, x)",
            "jax": "jax.ops.segment_sum(x, ids)",
            "torch": {"PyG": "torch_geometric.utils.scatter(x, ids)"},
            "tensorflow": {
                "segment_sum": "tf.math.segment_sum(x, ids)",
                "Keras": "keras.ops.segment_sum(x, ids)",
            },
        },
    ),
    Case(
        "ids-uint8",
        "ids",
        "uint8 ids `[0, 1, 0]`",
        {"x": X3, "ids": ([0, 1, 0], "uint8")},
        "at.segment_sum(x, ids, 2)",
        {
            "numpy": "add_at(np.zeros(2), ids, x)",
            "jax": "jax.ops.segment_sum(x, ids, 2)",
            "torch": "torch.zeros(2).index_add(0, ids, x)",
            "tensorflow": "tf.math.unsorted_segment_sum(x, ids, 2)",
        },
    ),
    Case(
        "ids-too-few",
        "ids",
        "three rows, two ids `[0, 1]`",
        {"x": X3, "ids": ([0, 1], "int64")},
        "at.segment_sum(x, ids, 2)",
        {
            "numpy": "add_at(np.zeros(2), ids, x)",
            "jax": "jax.ops.segment_sum(x, ids, 2)",
            "torch": {
                "index_add": "torch.zeros(2).index_add(0, ids, x)",
                "scatter_add": "torch.zeros(2).scatter_add(0, ids, x)",
            },
            "tensorflow": "tf.math.unsorted_segment_sum(x, ids, 2)",
        },
    ),
)
