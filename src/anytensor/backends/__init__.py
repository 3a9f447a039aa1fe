"""The type table: which backend an operand belongs to.

``backend_of`` is one dict hit on the exact type. A type met for the first time (a tracer, a subclass) is
resolved once by ``isinstance`` and remembered. A framework's backend is set up when the program loads the
framework (see ``anytensor.loaded``), so nothing here imports one.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from types import ModuleType
from typing import Any, cast

import numpy as np

from anytensor.backends import numpy as numpy_backend
from anytensor.backends.contract import Backend
from anytensor.errors import is_masked, unknown_operand
from anytensor.loaded import module_if_loaded

__all__ = [
    "FRAMEWORKS",
    "HOST",
    "SHORT_WAYS",
    "TYPES",
    "Backend",
    "backend_named",
    "backend_of",
    "installed_backends",
    "register",
]

HOST: Backend = cast(Backend, numpy_backend)

# Exact type of an operand -> its backend. Dynamo guards on this dict, so a type that is added after a
# compilation costs a recompilation: a backend registers all the types that it knows of at once.
# Scalars are not in it: they go along with any backend, and a caller of the table looks at them apart.
TYPES: dict[type, Backend] = {np.ndarray: HOST}

# Module that a framework's users import -> the backend's module. One row for each framework.
FRAMEWORKS: dict[str, str] = {
    "torch": "anytensor.backends.torch",
    "jax": "anytensor.backends.jax",
    "tensorflow": "anytensor.backends.tensorflow",
}

# Public function -> exact type of its first operand -> what may do the whole call (``Backend.AT_A_GLANCE``).
# A function has an entry from its definition on; its dict is empty while no backend has a short way for it.
SHORT_WAYS: dict[str, dict[type, Callable[..., Any]]] = {}

_backends: list[Backend] = [HOST]
_delayed: list[str] = []


def register(backend: Backend) -> None:
    """Add a backend to the table, with every exact type that it knows of."""
    if backend not in _backends:
        _backends.append(backend)
        for known in backend.array_types():
            TYPES[known] = backend
        for function, (known, call) in backend.AT_A_GLANCE.items():
            SHORT_WAYS.setdefault(function, {})[known] = call


def installed_backends() -> tuple[Backend, ...]:
    """Return the backends whose frameworks are loaded, NumPy first."""
    return tuple(_backends)


def backend_named(name: str) -> Backend:
    """Return the backend of a framework that is loaded."""
    for backend in _backends:
        if name == backend.NAME:
            return backend
    raise LookupError(f"the framework {name} is not loaded")


def backend_of(x: Any, function: str, argument: str | None = None) -> Backend:
    """Return the backend of one operand.

    Args:
        x: Any object.
        function: Name of the public function, for the error.
        argument: Name of its argument, for the error.

    Returns:
        The backend module.

    Raises:
        TypeError: If no backend knows the type.
    """
    backend = TYPES.get(type(x))
    if backend is None:
        backend = _resolve(x, function, argument)
    return backend


def _resolve(x: Any, function: str, argument: str | None) -> Backend:
    while _delayed:
        _set_up(_delayed.pop())
    for backend in _backends:
        if backend.is_array(x):
            if backend is HOST:
                # A subclass of ndarray stays out of the table: each call goes by promotion, which takes the
                # plain array, and never by the short path, on which numpy.matrix keeps its own rules.
                if isinstance(x, np.ma.MaskedArray):
                    raise is_masked(x, function, argument)
            else:
                TYPES[type(x)] = backend
            return backend
    raise unknown_operand(x, function, argument)


def _set_up(path: str) -> None:
    module = importlib.import_module(path)
    if getattr(module.__spec__, "_initializing", False):
        # A backend was imported by itself, and its framework with it: it is complete at the first call.
        _delayed.append(path)
    else:
        register(cast(Backend, module))


for _framework, _path in FRAMEWORKS.items():

    def _on_load(module: ModuleType, path: str = _path) -> None:
        _set_up(path)

    module_if_loaded(_framework, _on_load)
