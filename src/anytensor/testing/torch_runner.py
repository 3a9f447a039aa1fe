"""Run a portable function on PyTorch: eager, and whole under ``torch.compile`` (static, dynamic shapes)."""

from __future__ import annotations

import types
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import optree
from numpy.typing import NDArray

from anytensor.testing.operands import Operands
from anytensor.testing.running import Options, Run, cotangent, import_framework

__all__ = ["prepare"]


def prepare(function: Callable[..., Any], mode: str, options: Options) -> Callable[[Operands], Run]:
    """Return what runs ``function`` over operands in one mode of PyTorch."""
    torch = import_framework("torch")
    run = function
    if mode != "eager":
        if options.torch_compiler == "inductor":
            # torch 2.13 warns of its own use of torch.jit while it imports this.
            import_framework("torch._inductor.compile_fx")
        run = torch.compile(
            _with_code_of_its_own(function),
            fullgraph=True,
            dynamic=mode == "compile-dynamic",
            backend=options.torch_compiler,
        )

    def is_array(x: Any) -> bool:
        return isinstance(x, torch.Tensor)

    def from_host(leaf: NDArray[Any]) -> Any:
        own = leaf.copy(order="K")
        if leaf.dtype.name == "bfloat16":
            return torch.from_numpy(own.view(np.int16)).view(torch.bfloat16)
        return torch.from_numpy(own)

    def to_host(x: Any) -> NDArray[Any]:
        x = x.detach().resolve_conj().resolve_neg().cpu()
        if x._is_zerotensor():
            x = x.clone()  # a gradient of zeros that autograd made without memory
        if x.dtype != torch.bfloat16:
            return np.asarray(x.numpy())
        try:
            bfloat16 = import_framework("ml_dtypes").bfloat16
        except ImportError:
            return np.asarray(x.float().numpy())
        return np.asarray(x.contiguous().view(torch.int16).numpy().view(bfloat16))

    def execute(operands: Operands) -> Run:
        leaves = [from_host(leaf) for leaf in operands.leaves]
        floating = [leaves[place] for place in operands.floating]
        for leaf in floating:
            leaf.requires_grad_(options.gradients)
        args, kwargs = operands.rebuild(leaves)
        with _without_warnings_of_dynamo():
            outputs = run(*args, **kwargs)
            gradients = differentiate(outputs, floating) if options.gradients else None
        return Run(outputs, gradients, leaves, is_array, to_host)

    def differentiate(outputs: Any, floating: list[Any]) -> list[Any]:
        arrays = [x for x in optree.tree_leaves(outputs) if is_array(x) and x.is_floating_point()]
        weighed = [
            (x, torch.from_numpy(cotangent(i, x.shape)).to(x))
            for i, x in enumerate(arrays)
            if x.requires_grad
        ]
        found: Any = [None] * len(floating)
        if weighed and floating:
            results, weights = zip(*weighed, strict=True)
            found = torch.autograd.grad(results, floating, weights, allow_unused=True)
        return [torch.zeros_like(x) if g is None else g for x, g in zip(floating, found, strict=True)]

    return execute


@contextmanager
def _without_warnings_of_dynamo() -> Iterator[None]:
    with warnings.catch_warnings():
        # Dynamo 2.13 makes an instance of autograd.Function to trace a custom one, which torch deprecates: a
        # caller whose warnings are errors could compile none. Their own instances still warn.
        message = ".*should not be instantiated"
        warnings.filterwarnings("ignore", message, DeprecationWarning, module=r"torch\._dynamo")
        yield


def _with_code_of_its_own(function: Callable[..., Any]) -> Callable[..., Any]:
    # Dynamo counts recompilations per code object, and lambdas of a loop share one: after eight of them it
    # gives up. A fresh code object starts at zero, and leaves the caller's other compiled functions alone,
    # which torch._dynamo.reset() would not.
    def call(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    return types.FunctionType(call.__code__.replace(), call.__globals__, "call", None, call.__closure__)
