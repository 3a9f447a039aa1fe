"""Whether TorchDynamo is tracing, asked without importing torch.

A ``ContextVar`` cannot be read inside such a trace, so the rooms that keep state by context ask here first.
The answer is folded to a constant by Dynamo.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

from anytensor.loaded import module_if_loaded

__all__ = ["is_compiling", "is_dynamo_tracing", "named_after"]

F = TypeVar("F", bound=Callable[..., Any])


def _never() -> bool:
    return False


_ask_process: Callable[[], bool] = _never
_ask_dynamo: Callable[[], bool] = _never
_count_modes: Callable[[], int] = int  # 0


def is_compiling() -> bool:
    """Return True where this thread is inside ``torch.compile`` or ``torch.export``.

    False wherever torch is not loaded, and beside another thread that compiles.
    """
    # PyTorch's flag is the process's. What runs code as it is, to trace it, has a mode in its own thread.
    return _ask_process() and (_ask_dynamo() or _count_modes() > 0)


def is_dynamo_tracing() -> bool:
    """Return True where TorchDynamo reads the code, and NumPy arrays are tensors whose dtype it cannot read.

    ``torch.export`` may also run the code as it is (``strict=False``): there ``is_compiling`` alone is True.
    """
    return _ask_dynamo()


def named_after(function: Callable[..., Any]) -> Callable[[F], F]:
    """Return a decorator that gives a wrapper the name and docstring of what it wraps.

    As ``functools.wraps``; inside a TorchDynamo trace it does nothing, for Dynamo cannot read the attributes
    of a ``functools.partial``, and nobody sees a wrapper that is made in a trace.
    """
    return _unchanged if is_compiling() else functools.wraps(function)  # type: ignore[return-value]


def _unchanged(wrapper: F) -> F:
    return wrapper


def _watch(torch: Any) -> None:
    global _ask_process, _ask_dynamo, _count_modes
    _ask_process = torch.compiler.is_compiling
    _ask_dynamo = torch.compiler.is_dynamo_compiling
    _count_modes = torch._C._len_torch_dispatch_stack


module_if_loaded("torch", _watch)
