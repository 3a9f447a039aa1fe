"""Which PyTorch transformation or trace is under way, apart from Dynamo's (see ``anytensor.compiling``)."""

from __future__ import annotations

from typing import Any

import torch

__all__ = ["trace_token"]


def trace_token() -> Any:
    """Return what names the functorch level and the dispatch modes in force; None when eager."""
    interpreter = torch._C._functorch.peek_interpreter_stack()
    modes = torch._C._len_torch_dispatch_stack()
    if interpreter is None and not modes:
        return None
    return (None if interpreter is None else interpreter.level(), modes)
