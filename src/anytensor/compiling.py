"""Whether TorchDynamo is tracing, asked without importing torch.

A ``ContextVar`` cannot be read inside such a trace, so the rooms that keep state by context ask here first.
The answer is folded to a constant by Dynamo.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from anytensor.loaded import module_if_loaded

__all__ = ["is_compiling"]


def _never() -> bool:
    return False


_ask: Callable[[], bool] = _never


def is_compiling() -> bool:
    """Return True inside ``torch.compile`` or ``torch.export``; False wherever torch is not loaded."""
    return _ask()


def _watch(torch: Any) -> None:
    global _ask
    _ask = torch.compiler.is_compiling


module_if_loaded("torch", _watch)
