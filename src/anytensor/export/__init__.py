"""Portable functions as modules of a framework, and as ONNX files that ONNX Runtime serves.

A recipe rather than a stable interface: not in ``anytensor.__all__``, and not loaded with ``anytensor``.
Lengths stay symbolic as long as sizes come from ``at.shape``; weights are embedded under their tree paths.
"""

from anytensor.export.bind import as_tensorflow_fn, as_torch_module
from anytensor.export.check import assert_embedded_weights, assert_symbolic_lengths
from anytensor.export.to_onnx import to_onnx_tensorflow, to_onnx_torch
from anytensor.export.weights import numpy_leaves

__all__ = [
    "as_tensorflow_fn",
    "as_torch_module",
    "assert_embedded_weights",
    "assert_symbolic_lengths",
    "numpy_leaves",
    "to_onnx_tensorflow",
    "to_onnx_torch",
]
