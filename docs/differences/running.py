"""Run an expression on one framework, and write its result as a cell of the table."""

from __future__ import annotations

import importlib
import warnings
from functools import cache
from typing import Any

import numpy as np

import anytensor as at
from anytensor.backends import backend_of
from differences.case import Case

__all__ = ["everywhere", "ours", "theirs"]


def _add_at(start: Any, ids: Any, x: Any) -> Any:
    np.add.at(start, ids, x)
    return start


def _grad_jax(function: Any, x: Any) -> Any:
    jax = importlib.import_module("jax")
    return jax.grad(lambda x: function(x).sum())(x)


def _grad_torch(function: Any, x: Any) -> Any:
    x = x.clone().requires_grad_(True)
    function(x).sum().backward()
    return x.grad


def _grad_tensorflow(function: Any, x: Any) -> Any:
    tf = importlib.import_module("tensorflow")
    with tf.GradientTape() as tape:
        tape.watch(x)
        value = tf.reduce_sum(function(x))
    return tape.gradient(value, x)


def _xla(function: Any) -> Any:
    return importlib.import_module("tensorflow").function(function, jit_compile=True)()


_GRADIENTS = {"jax": _grad_jax, "torch": _grad_torch, "tensorflow": _grad_tensorflow}
# Named in an expression -> the module; imported when an expression names it.
_MODULES = {
    "jax": "jax",
    "jnp": "jax.numpy",
    "torch": "torch",
    "torch_geometric": "torch_geometric",
    "tf": "tensorflow",
    "keras": "keras",
    "jraph": "jraph",
}


@cache
def _module(name: str) -> Any:
    if name == "torch_geometric":
        importlib.import_module("torch_geometric.nn")
    return importlib.import_module(_MODULES[name])


def _array(framework: str, entries: Any, dtype: str) -> Any:
    host = np.array(entries, at.dtype(dtype))
    if framework == "numpy":
        return host
    if framework == "jax":
        return _module("jnp").asarray(host)
    if framework == "torch":
        torch = _module("torch")
        return torch.tensor(entries, dtype=getattr(torch, dtype))
    return _module("tf").constant(host)


def _evaluate(framework: str, case: Case, expression: str) -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # frameworks warn on some of what is shown here, PyG on its import
        modules = {name: _module(name) for name in _MODULES if f"{name}." in expression}
        operands = {name: _array(framework, *spec) for name, spec in case.operands.items()}
        scope = {
            "np": np,
            "at": at,
            "add_at": _add_at,
            "gradient": _GRADIENTS.get(framework),
            "xla": _xla,
            "name": _dtype_name,
            "is_array": lambda y: isinstance(y, type(operands["x"])),
            **modules,
            **operands,
        }
        try:
            return _written(eval(expression, scope))  # expressions of cases.py
        except Exception as error:
            return f"`{type(error).__name__}`"


def _dtype_name(x: Any) -> str:
    return str(getattr(x.dtype, "name", x.dtype)).removeprefix("torch.")


def _written(value: Any) -> str:
    if isinstance(value, (str, bool)):
        return "yes" if value is True else "no" if value is False else str(value)
    host = np.asarray(backend_of(value, "differences").to_numpy(value))
    if host.dtype.kind not in "biu":
        host = host.astype(np.float64)
    return _entries(host)


def _entries(host: Any) -> str:
    if host.ndim:
        return "[" + ", ".join([_entries(entry) for entry in host]) + "]"
    if host.dtype.kind == "b":
        return str(bool(host))
    if not np.isfinite(host):
        return str(float(host))
    number = float(host)
    return f"{int(number)}" if abs(number) < 1e6 and number == int(number) else f"{number:.3g}"


def theirs(case: Case, framework: str) -> str:
    """Return the framework's cell: its result, or one for each note; a dash where it has no such call."""
    calls = case.theirs.get(framework)
    if calls is None:
        return "no such call"
    if isinstance(calls, str):
        return _evaluate(framework, case, calls)
    return "<br>".join([f"{note}: {_evaluate(framework, case, call)}" for note, call in calls.items()])


def ours(case: Case, framework: str) -> str:
    """Return what ``at`` gives on a framework."""
    return _evaluate(framework, case, case.ours)


def everywhere(case: Case) -> str:
    """Return what ``at`` gives on all frameworks.

    Raises:
        AssertionError: If they do not agree.
    """
    found = {framework: ours(case, framework) for framework in case.frameworks}
    assert len(set(found.values())) == 1, f"{case.name}: {case.ours} differs: {found}"
    return found[case.frameworks[0]]
