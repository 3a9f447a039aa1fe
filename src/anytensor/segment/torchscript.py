"""The switch for legacy ``torch.jit.script`` call sites."""

from __future__ import annotations

import importlib
from types import ModuleType

from anytensor.loaded import module_if_loaded
from anytensor.segment.reductions import segment_max, segment_min, segment_sum

__all__ = ["enable_torchscript"]


def enable_torchscript() -> None:
    """Let ``torch.jit.script`` compile functions that call ``segment_sum``, ``segment_min``, ``segment_max``.

    For legacy call sites: PyTorch has deprecated TorchScript; new code uses ``torch.compile`` and
    ``torch.export``. May be called any number of times, before or after torch is imported.

    Returns:
        None. Nothing happens until torch is imported, which this function does not do.

    Notes:
        In a scripted function ``num_segments`` is an int and the operands are tensors; values and gradients
        are those of the eager functions: rows whose id is out of range are dropped, empty segments hold the
        identity, halves add up in float32, ties split the gradient. Eager calls are not touched.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.enable_torchscript()
        >>> at.segment_sum(np.array([1.0, 2.0, 5.0]), np.array([0, 0, 1]), 2)
        array([3., 5.])
    """
    module_if_loaded("torch", _register)


def _register(torch: ModuleType) -> None:
    scripted = importlib.import_module("anytensor.backends.torch.torchscript")
    scripted.register({"segment_sum": segment_sum, "segment_min": segment_min, "segment_max": segment_max})
