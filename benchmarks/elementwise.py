"""Call overhead of the element-wise functions: (20, 8) operands, against the framework's own function.

Every element-wise function of the standard is a row; the peer is what a user of that framework would call.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

import anytensor as at
from benchmarks.rows import by_backend, compared

Call = Callable[[], object]
GOALS = {"numpy": 2.5, "torch": 1.5, "jax": 1.5, "tensorflow": 1.5}

UNARY = [
    "abs",
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atanh",
    "ceil",
    "cos",
    "cosh",
    "exp",
    "expm1",
    "floor",
    "isfinite",
    "isinf",
    "isnan",
    "log",
    "log10",
    "log1p",
    "log2",
    "logical_not",
    "negative",
    "positive",
    "reciprocal",
    "round",
    "sign",
    "signbit",
    "sin",
    "sinh",
    "sqrt",
    "square",
    "tan",
    "tanh",
    "trunc",
]
BINARY = [
    "add",
    "atan2",
    "copysign",
    "divide",
    "equal",
    "floor_divide",
    "greater",
    "greater_equal",
    "hypot",
    "less",
    "less_equal",
    "logaddexp",
    "logical_and",
    "logical_or",
    "logical_xor",
    "maximum",
    "minimum",
    "multiply",
    "nextafter",
    "not_equal",
    "pow",
    "remainder",
    "subtract",
]
INTEGER = [
    "bitwise_and",
    "bitwise_invert",
    "bitwise_left_shift",
    "bitwise_or",
    "bitwise_right_shift",
    "bitwise_xor",
]

# The framework's own name where it is not the standard's.
OWN: dict[str, dict[str, str]] = {
    "numpy": {
        "acos": "arccos",
        "acosh": "arccosh",
        "asin": "arcsin",
        "asinh": "arcsinh",
        "atan": "arctan",
        "atan2": "arctan2",
        "atanh": "arctanh",
        "bitwise_invert": "invert",
        "bitwise_left_shift": "left_shift",
        "bitwise_right_shift": "right_shift",
        "pow": "power",
    },
    "torch": {"bitwise_invert": "bitwise_not", "equal": "eq", "not_equal": "ne"},
    "jax": {},
    "tensorflow": {
        "acos": "math.acos",
        "acosh": "math.acosh",
        "asin": "math.asin",
        "asinh": "math.asinh",
        "atan": "math.atan",
        "atan2": "math.atan2",
        "atanh": "math.atanh",
        "bitwise_and": "bitwise.bitwise_and",
        "bitwise_invert": "bitwise.invert",
        "bitwise_left_shift": "bitwise.left_shift",
        "bitwise_or": "bitwise.bitwise_or",
        "bitwise_right_shift": "bitwise.right_shift",
        "bitwise_xor": "bitwise.bitwise_xor",
        "floor_divide": "math.floordiv",
        "nextafter": "math.nextafter",
        "positive": "identity",
        "remainder": "math.floormod",
    },
}


def operands(name: str) -> tuple[np.ndarray, ...]:
    """Return host operands in the function's domain."""
    rng = np.random.default_rng(0)
    shape = (20, 8)
    if name in INTEGER:
        pair = tuple(rng.integers(0, 8, shape).astype(np.int32) for _ in range(2))
    elif name.startswith("logical"):
        pair = tuple(rng.integers(0, 2, shape).astype(bool) for _ in range(2))
    elif name == "acosh":
        pair = (rng.uniform(1.1, 2.0, shape).astype(np.float32),)
    else:
        pair = tuple(rng.uniform(0.1, 0.9, shape).astype(np.float32) for _ in range(2))
    return pair[:1] if name in UNARY or name == "bitwise_invert" else pair


def own_function(backend: str, name: str) -> Callable[..., Any] | None:
    """Return the framework's function, or None where it has none."""
    module: Any
    if backend == "numpy":
        module = np
    elif backend == "torch":
        import torch as module
    elif backend == "jax":
        import jax.numpy as module
    else:
        import tensorflow as module
    path = OWN[backend].get(name)
    for candidate in [path] if path else [name, f"math.{name}", f"math.is_{name[2:]}"]:
        found: Any = module
        for part in candidate.split("."):
            found = getattr(found, part, None)
        if found is not None:
            return found  # type: ignore[no-any-return]
    return None


def tensors(backend: str, arrays: tuple[np.ndarray, ...]) -> tuple[Any, ...]:
    """Return the framework's tensors."""
    if backend == "numpy":
        return arrays
    if backend == "torch":
        import torch

        return tuple(torch.from_numpy(a) for a in arrays)
    if backend == "jax":
        import jax.numpy as jnp

        return tuple(jnp.asarray(a) for a in arrays)
    import tensorflow as tf

    return tuple(tf.constant(a) for a in arrays)


def same_value(backend: str, name: str) -> Callable[..., Any] | None:
    """Return the shortest code with the standard's value where the framework's function has another."""
    if (backend, name) != ("torch", "sign"):
        return None
    import torch

    return lambda x: torch.where(torch.isnan(x), x, torch.sign(x))


def _pair(backend: str, name: str) -> tuple[Call, Call] | None:
    own, ours = own_function(backend, name), getattr(at, name)
    if own is None:
        return None
    xs = tensors(backend, operands(name))
    if len(xs) == 1:
        (x,) = xs
        return (lambda: ours(x)), (lambda: own(x))
    x, y = xs
    return (lambda: ours(x, y)), (lambda: own(x, y))


def measure(rounds: int = 15, only: str | None = None) -> list[dict[str, Any]]:
    """Return one record for each backend and function."""
    records: list[dict[str, Any]] = []
    for backend, goal in GOALS.items():
        if only not in (None, backend):
            continue
        if importlib.util.find_spec(backend) is None:
            records.append({"backend": backend, "operation": "-", "note": f"{backend} is not installed"})
            continue
        for name in sorted([*UNARY, *BINARY, *INTEGER]):
            pair = _pair(backend, name)
            if pair is None:
                note = f"{backend} has no function of its own"
                records.append({"backend": backend, "operation": name, "note": note})
                continue
            # JAX returns before it has computed: both sides then wait for nothing, which is a call's cost.
            records.append(compared(backend, name, pair[0], pair[1], goal, rounds, 0.001))
            by_hand = same_value(backend, name)
            if by_hand is not None:
                xs = tensors(backend, operands(name))
                peer = partial(by_hand, *xs)
                label = f"{name}, peer with the same value"
                records.append(compared(backend, label, pair[0], peer, goal, rounds, 0.001))
    return records


def report(records: list[dict[str, Any]]) -> str:
    """Lay the records out, a table for each backend."""
    return by_backend(records, lambda name: f"{name}: element-wise functions on (20, 8)")
