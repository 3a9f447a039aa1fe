"""Run a portable function on JAX: eager, and whole under ``jax.jit``."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

import numpy as np
import optree

from anytensor.testing.operands import Operands
from anytensor.testing.running import Options, Run, cotangent, import_framework

__all__ = ["prepare"]

_WITHOUT_X64 = {"float64": "float32", "int64": "int32", "uint64": "uint32", "complex128": "complex64"}


def prepare(function: Callable[..., Any], mode: str, options: Options) -> Callable[[Operands], Run]:
    """Return what runs ``function`` over operands in one mode of JAX."""
    jax = import_framework("jax")
    jnp = import_framework("jax.numpy")
    compiled: dict[Hashable, Callable[..., Any]] = {}

    def is_array(x: Any) -> bool:
        return isinstance(x, jax.Array)

    def transform(operands: Operands) -> Callable[..., Any]:
        def plain(*leaves: Any) -> Any:
            args, kwargs = operands.rebuild(leaves)
            return function(*args, **kwargs), None

        def differentiated(*leaves: Any) -> Any:
            def forward(*floating: Any) -> Any:
                merged = list(leaves)
                for place, leaf in zip(operands.floating, floating, strict=True):
                    merged[place] = leaf
                outputs = plain(*merged)[0]
                arrays = [x for x in optree.tree_leaves(outputs) if is_array(x)]
                return [x for x in arrays if jnp.issubdtype(x.dtype, jnp.floating)], outputs

            floating = [leaves[place] for place in operands.floating]
            results, pullback, outputs = jax.vjp(forward, *floating, has_aux=True)
            weights = [jnp.asarray(cotangent(i, x.shape), dtype=x.dtype) for i, x in enumerate(results)]
            return outputs, pullback(weights)

        chosen = differentiated if options.gradients else plain
        return jax.jit(chosen) if mode == "jit" else chosen

    def execute(operands: Operands) -> Run:
        run = compiled.get(operands.key) if operands.key is not None else None
        if run is None:
            run = transform(operands)
            if operands.key is not None:
                compiled[operands.key] = run
        leaves = [jnp.array(leaf) for leaf in operands.leaves]
        outputs, gradients = run(*leaves)
        narrowing = {} if jax.config.jax_enable_x64 else _WITHOUT_X64
        return Run(outputs, gradients, leaves, is_array, np.asarray, narrowing)

    return execute
