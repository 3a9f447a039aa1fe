"""Calls on NumPy arrays alone inside a TorchDynamo trace.

To Dynamo a NumPy array is a tensor whose dtype cannot be read, and an ordinary operation reads it. In a trace
PyTorch computes such a call, and its result becomes NumPy arrays again. Outside of traces this costs nothing:
Dynamo itself puts what is here in the place of the functions that it meets. What ``@promote`` has wrapped
sees to itself.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from types import FunctionType
from typing import Any

import numpy as np

from anytensor.backends import TYPES, backend_named
from anytensor.loaded import module_if_loaded
from anytensor.promotion import to_host

__all__ = ["trace_on_host_arrays"]


def trace_on_host_arrays(functions: Iterable[Callable[..., Any]]) -> None:
    """Have Dynamo trace calls of functions on NumPy arrays alone, from when the program loads it on."""
    written = [f for f in functions if type(f) is FunctionType and not hasattr(f, "__wrapped__")]
    plain = list(dict.fromkeys(written))  # some have two names

    def teach(dynamo: Any) -> None:
        torch = sys.modules["torch"]
        substitute = getattr(torch.compiler, "substitute_in_graph", None)  # PyTorch 2.6
        if substitute is not None:
            for function in plain:
                substitute(function, skip_signature_check=True)(_for_a_trace(function, torch.Tensor))

    module_if_loaded("torch._dynamo", teach)


def _for_a_trace(function: Any, tensor: type) -> Callable[..., Any]:
    # A function object of its own, for Dynamo would put the substitute in the place of the function itself.
    own = FunctionType(
        function.__code__,
        function.__globals__,
        function.__name__,
        function.__defaults__,
        function.__closure__,
    )
    own.__kwdefaults__ = function.__kwdefaults__

    def traced(*args: Any, **kwargs: Any) -> Any:
        # Most calls bring a tensor first: what is asked of all arguments takes a millisecond of tracing.
        if (args and isinstance(args[0], tensor)) or not _only_host((*args, *kwargs.values())):
            return own(*args, **kwargs)
        positional = [_to_tensor(x) for x in args]
        named = {name: _to_tensor(x) for name, x in kwargs.items()}
        return to_host(own(*positional, **named))

    return traced


def _only_host(arguments: tuple[Any, ...]) -> bool:
    """Return whether there is a NumPy array among the arguments and no tensor."""
    found = False
    for x in arguments:
        for entry in x if isinstance(x, (tuple, list)) else (x,):
            if isinstance(entry, (np.ndarray, np.generic)):
                found = True
            elif type(entry) in TYPES:
                return False
    return found


def _to_tensor(x: Any) -> Any:
    if isinstance(x, (tuple, list)):
        return [_to_tensor(entry) for entry in x]
    if isinstance(x, (np.ndarray, np.generic)):
        return backend_named("torch").from_host(x, None, False)[0]
    return x
