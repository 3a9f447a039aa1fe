"""The opset of an export: both roads write 18, and a later one is made of that."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from anytensor import errors

__all__ = ["OPSET", "check_opset", "convert_opset"]

OPSET = 18
"""What both exporters write: the first opset whose scatters reduce by maximum and minimum, tf2onnx's last."""


def check_opset(opset: Any, function: str) -> int:
    """Return a given opset as an int.

    Args:
        opset: What the caller gave.
        function: Name of the public function, for errors.

    Raises:
        TypeError: If it is no integer.
        ValueError: If it is earlier than 18, or later than the installed onnx knows.
    """
    import onnx

    latest = onnx.defs.onnx_opset_version()
    if isinstance(opset, bool) or not isinstance(opset, (int, np.integer)):
        raise TypeError(
            f"{function}: `opset` must be an integer from {OPSET} to {latest}, got {errors.describe(opset)}"
        )
    if not OPSET <= opset <= latest:
        raise ValueError(
            f"{function}: `opset` must be from {OPSET} to {latest}, got {opset}: earlier ones lack the "
            f"scatter reductions, and the installed onnx {onnx.__version__} knows no later one"
        )
    return int(opset)


def convert_opset(model: Any, opset: int, function: str) -> None:
    """Bring a model to an opset, in place; names, lengths, weights and metadata stay as they are.

    Args:
        model: A ModelProto of our own making.
        opset: The opset that it is to have.
        function: Name of the public function, for errors.

    Raises:
        NotImplementedError: If onnx's converter has no way for an operation.
    """
    from onnx import helper, version_converter

    imported = next(entry for entry in model.opset_import if not entry.domain)
    if imported.version == opset:
        return
    graph = model.graph
    # Without the weights: the converter goes by bytes, of which there may be 2 GiB, and knows few dtypes.
    weights = [helper.make_tensor_value_info(t.name, t.data_type, t.dims) for t in graph.initializer]
    bare = helper.make_model(
        helper.make_graph(
            graph.node, "bare", [*graph.input, *weights], graph.output, value_info=graph.value_info
        ),
        opset_imports=model.opset_import,
        ir_version=model.ir_version,
    )
    try:
        converted = version_converter.convert_version(bare, opset).graph
    except (RuntimeError, version_converter.ConvertError) as error:
        raise NotImplementedError(
            f"{function}: the model of opset {imported.version} cannot be brought to `opset` {opset} by "
            f"onnx's version converter: {error}"
        ) from error
    # The converter drops what the exporter noted about each node.
    metadata = {node.output[0]: node.metadata_props for node in _nodes(graph)}
    for node in _nodes(converted):
        del node.metadata_props[:]
        node.metadata_props.extend(metadata.get(node.output[0], ()))
    graph.initializer.extend(converted.initializer)
    del graph.node[:]
    graph.node.extend(converted.node)
    imported.version = opset
    model.ir_version = max(model.ir_version, helper.find_min_ir_version_for([helper.make_opsetid("", opset)]))


def _nodes(graph: Any) -> Iterator[Any]:
    """Go through the nodes of a graph, and of the graphs that some of them hold."""
    for node in graph.node:
        yield node
        for attribute in node.attribute:
            if attribute.HasField("g"):
                yield from _nodes(attribute.g)
