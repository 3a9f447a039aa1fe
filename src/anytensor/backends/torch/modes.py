"""How a call runs: by hand, in a trace, or under a transformation that must see plain differentiable ops."""

from __future__ import annotations

from typing import Any

import torch
from torch.autograd import forward_ad

__all__ = [
    "is_differentiated",
    "is_dynamo_tracing",
    "is_functorch_active",
    "is_known_positive",
    "is_onnx_exporting",
    "is_plain",
    "takes_functions",
]

_PLAIN = frozenset({torch.Tensor, torch.nn.Parameter})

is_dynamo_tracing = torch.compiler.is_dynamo_compiling
is_exporting = getattr(torch.compiler, "is_exporting", None)  # PyTorch 2.7
is_functorch_active = torch._C._are_functorch_transforms_active
_dispatch_modes = torch._C._len_torch_dispatch_stack
_is_jit_tracing = torch._C._is_tracing


def is_plain(x: Any, ids: Any, n: Any = 1) -> bool:
    """Return whether x and ids are ordinary CPU tensors and nothing watches the operations.

    Only then do kernels raise on a bad id, may a value be looked at, and may code differ by what is found.
    Kernels look at no id where there is nothing to read or to write, so x without entries and n = 0 segments
    do not count as plain. About half a microsecond.
    """
    plain: bool = (
        not is_dynamo_tracing()
        and type(x) in _PLAIN
        and type(ids) in _PLAIN
        and x.is_cpu
        and x.numel() != 0
        and not is_functorch_active()
        and not _dispatch_modes()
        and not _is_jit_tracing()
        and n != 0
    )
    return plain


def takes_functions() -> bool:
    """Return whether an autograd.Function without forward mode will do: reverse mode, not to be exported."""
    if forward_ad._current_level >= 0 or is_functorch_active():
        return False
    return not is_dynamo_tracing() or (is_exporting is not None and not is_exporting())


def is_onnx_exporting() -> bool:
    """Return whether the trace will be an ONNX graph; asked in traces only."""
    return is_exporting is not None and is_exporting() and torch.onnx.is_in_onnx_export()


def is_known_positive(n: Any) -> bool:
    """Return whether a trace may take a size for positive without a look at data; it then guards on that."""
    from torch.fx.experimental import symbolic_shapes  # loads SymPy, which a trace has loaded

    guard_or_false = getattr(symbolic_shapes, "guard_or_false", None)  # PyTorch 2.7
    return guard_or_false is not None and bool(guard_or_false(n > 0))


def is_differentiated(x: Any) -> bool:
    """Return whether a derivative of what is done to x may be asked for."""
    return bool(
        (x.requires_grad and torch.is_grad_enabled())
        or is_functorch_active()
        or forward_ad._current_level >= 0
    )
