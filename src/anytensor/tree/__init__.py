"""Nests of containers as trees: the ``jax.tree`` interface for the tensors of any framework.

The names are JAX's, once as in ``jax.tree`` and once as in ``jax.tree_util``. What is a node, and who may say
so, is in ``registration``; batches of whole trees are in ``batching``.
"""

from anytensor.tree.batching import batch, stack, unbatch, unstack
from anytensor.tree.keys import DictKey, FlattenedIndexKey, GetAttrKey, SequenceKey, keystr
from anytensor.tree.paths import flatten_with_path, leaves_with_path, map_with_path
from anytensor.tree.registration import register_dataclass, register_pytree_node, register_pytree_node_class
from anytensor.tree.selection import HOLE, merge, split
from anytensor.tree.walking import all, flatten, leaves, map, reduce, structure, transpose, unflatten

tree_all = all
tree_flatten = flatten
tree_flatten_with_path = flatten_with_path
tree_leaves = leaves
tree_leaves_with_path = leaves_with_path
tree_map = map
tree_map_with_path = map_with_path
tree_reduce = reduce
tree_structure = structure
tree_transpose = transpose
tree_unflatten = unflatten

__all__ = [
    "HOLE",
    "DictKey",
    "FlattenedIndexKey",
    "GetAttrKey",
    "SequenceKey",
    "all",
    "batch",
    "flatten",
    "flatten_with_path",
    "keystr",
    "leaves",
    "leaves_with_path",
    "map",
    "map_with_path",
    "merge",
    "reduce",
    "register_dataclass",
    "register_pytree_node",
    "register_pytree_node_class",
    "split",
    "stack",
    "structure",
    "transpose",
    "tree_all",
    "tree_flatten",
    "tree_flatten_with_path",
    "tree_leaves",
    "tree_leaves_with_path",
    "tree_map",
    "tree_map_with_path",
    "tree_reduce",
    "tree_structure",
    "tree_transpose",
    "tree_unflatten",
    "unbatch",
    "unflatten",
    "unstack",
]
