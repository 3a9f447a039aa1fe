"""Structures while TorchDynamo traces.

TorchDynamo (torch 2.13) has its own stand-in for optree's C++ walk. With optree 0.20 that one cannot flatten
a dict that holds only Python constants (it does not know ``DictMetaData``), and cannot see a class whose
registration is found during the trace. So while tracing we walk by ourselves, to the same result; the walk
costs nothing when the compiled function runs. Remove this file once the stand-in can do both.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Sequence
from types import ModuleType
from typing import Any

from anytensor.loaded import module_if_loaded
from anytensor.tree.levels import DICTS, level, rebuild

__all__ = ["TracedStructure", "flatten_traced", "is_traced"]


def _no() -> bool:
    return False


_is_dynamo_tracing: Callable[[], bool] = _no


def _ask_torch(torch: ModuleType) -> None:
    global _is_dynamo_tracing
    _is_dynamo_tracing = torch.compiler.is_dynamo_compiling


module_if_loaded("torch", _ask_torch)


def is_traced() -> bool:
    """Return whether TorchDynamo is tracing the caller."""
    return _is_dynamo_tracing()


@dataclasses.dataclass(frozen=True, eq=False)
class TracedStructure:
    """What ``optree.PyTreeSpec`` is outside, with the part of its interface that this library uses."""

    type: Any
    names: tuple[Any, ...]
    metadata: Any
    parts: tuple[Any, ...]
    num_leaves: int
    num_nodes: int

    def children(self) -> list[Any]:
        """Return the structures of the children."""
        return list(self.parts)

    def entries(self) -> list[Any]:
        """Return the names of the children."""
        return list(self.names)

    def unflatten(self, leaves: Iterable[Any]) -> Any:
        """Put a nest together from new leaves."""
        return _build(self, list(leaves))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TracedStructure) and _equal(self, other)

    def __hash__(self) -> int:
        return hash((self.type, self.names, self.parts))


_LEAF = TracedStructure(None, (), None, (), 1, 1)


def flatten_traced(tree: Any, is_leaf: Callable[[Any], bool] | None) -> tuple[list[Any], TracedStructure]:
    """Take a nest apart as ``flatten`` does."""
    leaves: list[Any] = []
    return leaves, _walk(tree, is_leaf, leaves)


def _walk(node: Any, is_leaf: Callable[[Any], bool] | None, leaves: list[Any]) -> TracedStructure:
    taken = None if is_leaf is not None and is_leaf(node) else level(node)
    if taken is None:
        leaves.append(node)
        return _LEAF
    parts = tuple([_walk(child, is_leaf, leaves) for child in taken.children])
    return TracedStructure(
        type(node),
        tuple(taken.names),
        taken.metadata,
        parts,
        sum([part.num_leaves for part in parts]),
        1 + sum([part.num_nodes for part in parts]),
    )


def _build(spec: TracedStructure, leaves: Sequence[Any]) -> Any:
    if spec.type is None:
        return leaves[0]
    children, start = [], 0
    for part in spec.parts:
        children.append(_build(part, leaves[start : start + part.num_leaves]))
        start += part.num_leaves
    return rebuild(spec.type, spec.names, spec.metadata, children)


def _equal(one: TracedStructure, two: TracedStructure) -> bool:
    if one.type is not two.type or one.num_nodes != two.num_nodes or one.names != two.names:
        return False
    # The order in which a dict was filled is kept for rebuilding only.
    metadata = [spec.metadata[0] if spec.type in DICTS else spec.metadata for spec in (one, two)]
    if metadata[0] != metadata[1]:
        return False
    return all(_equal(a, b) for a, b in zip(one.parts, two.parts, strict=True))
