"""What TorchDynamo traces of NumPy arrays: to it they are tensors, and their dtype cannot be read.

Outside a trace nothing here costs anything: Dynamo puts these in the place of functions that it meets.
"""

from __future__ import annotations

from typing import Any

import torch

from anytensor.backends import numpy as host
from anytensor.loaded import module_if_loaded

__all__: list[str] = []


def _unknown(x: Any) -> bool:
    """Return False for the kind of a NumPy array: a call that asks goes to promotion, which converts it."""
    return False


def _teach(dynamo: Any) -> None:
    substitute = getattr(torch.compiler, "substitute_in_graph", None)  # PyTorch 2.6
    if substitute is not None:
        for function in (host.is_integer, host.is_bool):
            substitute(function)(_unknown)


module_if_loaded("torch._dynamo", _teach)
