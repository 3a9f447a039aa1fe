"""Names of values in an ONNX graph: renaming, weights out of inputs, lengths that say whose they are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

__all__ = ["embed", "free_names", "graphs_of", "name_lengths", "rename"]


def graphs_of(graph: Any) -> Iterator[Any]:
    """Walk a graph and the bodies of its control flow."""
    yield graph
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.HasField("g"):
                yield from graphs_of(attribute.g)
            for inner in attribute.graphs:
                yield from graphs_of(inner)


def _values(graph: Any) -> set[str]:
    names = {value.name for value in (*graph.input, *graph.output, *graph.initializer)}
    for node in graph.node:
        names.update(node.input, node.output)
    return names


def rename(model: Any, mapping: Mapping[str, str]) -> None:
    """Rename values of a graph, in place; another value that bears a new name already makes way.

    Args:
        model: A ModelProto of our own making.
        mapping: Old name to new name; new names are different.
    """
    wanted = {old: new for old, new in mapping.items() if old != new}
    taken = set().union(*[_values(graph) for graph in graphs_of(model.graph)])
    for new in list(wanted.values()):
        if new in taken and new not in wanted:
            aside = f"{new}__inner"
            while aside in taken:
                aside += "_"
            wanted[new] = aside
    for graph in graphs_of(model.graph):
        for value in (*graph.input, *graph.output, *graph.value_info, *graph.initializer):
            value.name = wanted.get(value.name, value.name)
        for node in graph.node:
            for names in (node.input, node.output):
                for i, name in enumerate(names):
                    if name in wanted:
                        names[i] = wanted[name]


def embed(model: Any, weights: Iterable[str], arrays: Mapping[str, Any] | None = None) -> None:
    """Turn inputs into initializers of the same names, in place.

    Args:
        model: A ModelProto of our own making.
        weights: Names of inputs.
        arrays: The values of those that have no initializer yet.
    """
    from onnx import numpy_helper

    names = set(weights)
    kept = [value for value in model.graph.input if value.name not in names]
    del model.graph.input[:]
    model.graph.input.extend(kept)
    for name, array in (arrays or {}).items():
        model.graph.initializer.append(numpy_helper.from_array(array, name))


def name_lengths(model: Any, mapping: Mapping[str, str]) -> None:
    """Rename symbolic lengths, in place."""
    for graph in graphs_of(model.graph):
        for value in (*graph.input, *graph.output, *graph.value_info):
            if value.type.HasField("tensor_type"):
                for axis in value.type.tensor_type.shape.dim:
                    if axis.dim_param in mapping:
                        axis.dim_param = mapping[axis.dim_param]


def free_names(wanted: Sequence[str], taken: Sequence[str]) -> list[str]:
    """Return names for outputs, with ``_out`` behind those that an input bears."""
    used = set(taken)
    found = []
    for name in wanted:
        while name in used:
            name += "_out"
        used.add(name)
        found.append(name)
    return found
