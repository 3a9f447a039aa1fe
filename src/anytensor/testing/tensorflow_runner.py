"""Run a portable function on TensorFlow: eager, in a ``tf.function`` (shapes known, or None), under XLA."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

import numpy as np
import optree
from numpy.typing import NDArray

from anytensor.testing.operands import Operands
from anytensor.testing.running import Options, Run, cotangent, import_framework

__all__ = ["prepare"]


def prepare(function: Callable[..., Any], mode: str, options: Options) -> Callable[[Operands], Run]:
    """Return what runs ``function`` over operands in one mode of TensorFlow."""
    tf = import_framework("tensorflow")
    compiled: dict[Hashable, Callable[..., Any]] = {}

    def is_array(x: Any) -> bool:
        return isinstance(x, (tf.Tensor, tf.Variable))

    def transform(operands: Operands, leaves: list[Any]) -> Callable[..., Any]:
        # AutoGraph converts what the caller wrote, as in a tf.function of theirs, but not the kit's own code.
        rebuild = tf.autograph.experimental.do_not_convert(operands.rebuild)

        def call(*leaves: Any) -> Any:
            args, kwargs = rebuild(leaves)
            return function(*args, **kwargs)

        if mode == "eager":
            return call
        if mode == "xla":
            return tf.function(call, jit_compile=True)  # type: ignore[no-any-return]  # tf is untyped
        signature = None
        if mode == "function-none":
            signature = [tf.TensorSpec(_without_length(x.shape), x.dtype) for x in leaves]
        return tf.function(call, input_signature=signature)  # type: ignore[no-any-return]  # tf is untyped

    def execute(operands: Operands) -> Run:
        leaves = [tf.constant(leaf) for leaf in operands.leaves]
        # An input signature fixes all but the length, so calls of other inner shapes need another function.
        key = None if operands.key is None else (operands.key, *((x.dtype, *x.shape[1:]) for x in leaves))
        run = compiled.get(key) if key is not None else None
        if run is None:
            run = transform(operands, leaves)
            if key is not None:
                compiled[key] = run
        if not options.gradients:
            return Run(run(*leaves), None, leaves, is_array, to_host)
        floating = [leaves[place] for place in operands.floating]
        with tf.GradientTape() as tape:
            tape.watch(floating)
            outputs = run(*leaves)
        return Run(outputs, differentiate(tape, outputs, floating), leaves, is_array, to_host)

    def differentiate(tape: Any, outputs: Any, floating: list[Any]) -> list[Any]:
        arrays = [x for x in optree.tree_leaves(outputs) if is_array(x) and x.dtype.is_floating]
        weights = [
            tf.constant(cotangent(i, x.shape).astype(x.dtype.as_numpy_dtype)) for i, x in enumerate(arrays)
        ]
        found: Any = [None] * len(floating)
        if arrays and floating:
            found = tape.gradient(arrays, floating, output_gradients=weights)
        # tf.gather has sparse gradients.
        return [
            tf.zeros_like(x) if g is None else tf.convert_to_tensor(g)
            for x, g in zip(floating, found, strict=True)
        ]

    def to_host(x: Any) -> NDArray[Any]:
        return np.asarray(x.numpy())

    return execute


def _without_length(shape: Any) -> list[int | None]:
    return [None, *shape[1:]] if len(shape) else []
