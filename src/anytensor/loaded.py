"""Peek at modules that the caller has imported, without ever importing one.

AnyTensor serves four frameworks and imports none of them. A framework's part is set up when, and only when,
the caller's program has that framework loaded: at once if it is there already, else right after its import.
"""

from __future__ import annotations

import importlib.util
import sys
import warnings
from collections.abc import Callable
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

__all__ = ["module_if_loaded"]

Callback = Callable[[ModuleType], object]

_waiting: dict[str, list[Callback]] = {}


def module_if_loaded(name: str, callback: Callback | None = None) -> ModuleType | None:
    """Return the module if the program has imported it, else None; never import it.

    Args:
        name: The module's full name, such as ``"torch"``.
        callback: Called with the module: now if it is loaded, else once, right after a later import of it
            has finished. Several callbacks for one module run in the order of their registration. An
            exception of a later call becomes a warning: the caller's import is not to blame.

    Returns:
        The loaded module, or None while it is not loaded or its import is still under way.

    Raises:
        TypeError: If ``name`` is not a string or ``callback`` is not callable.

    Example:
        >>> from anytensor import module_if_loaded
        >>> import math
        >>> module_if_loaded("math") is math
        True
        >>> module_if_loaded("a_module_that_nobody_imported") is None
        True
    """
    if not isinstance(name, str):
        raise TypeError(f"module_if_loaded: `name` must be a string, got {type(name).__name__}")
    if callback is not None and not callable(callback):
        raise TypeError(
            f"module_if_loaded: `callback` must be callable or None, got {type(callback).__name__}"
        )
    module = sys.modules.get(name)
    if module is not None and not _is_initializing(module):
        if callback is not None:
            callback(module)
        return module
    if callback is not None:
        _waiting.setdefault(name, []).append(callback)
        if _WATCH not in sys.meta_path:
            sys.meta_path.insert(0, _WATCH)
    return None


def _is_initializing(module: ModuleType) -> bool:
    return bool(getattr(getattr(module, "__spec__", None), "_initializing", False))


class _ImportWatch:
    """Finds nothing itself: asks the other finders, and has callbacks run once the module is executed.

    A finder on ``sys.meta_path`` needs no base class, and the one in ``importlib.abc`` loads
    ``importlib.resources`` and what that needs: a fifth of the time of this package's import.
    """

    def __init__(self) -> None:
        self._looking: set[str] = set()

    def find_spec(self, fullname: str, path: Any, target: ModuleType | None = None) -> ModuleSpec | None:
        """Return the other finders' spec, its loader told to call back; None for every other module."""
        if fullname not in _waiting or fullname in self._looking:
            return None
        self._looking.add(fullname)
        try:
            spec = importlib.util.find_spec(fullname)
        finally:
            self._looking.discard(fullname)
        if spec is not None and spec.loader is not None:
            _run_callbacks_after(spec.loader, fullname)
        return spec


def _run_callbacks_after(loader: Any, name: str) -> None:
    # The loader object belongs to this one spec, so replacing its method leaves every other import alone
    # and keeps the loader's type, which packages use to find their data files.
    execute = loader.exec_module

    def exec_module(module: ModuleType) -> None:
        execute(module)
        for callback in _waiting.pop(name, []):
            try:
                callback(module)
            except Exception as error:  # the module itself is fine: its import must not fail half done
                warnings.warn(f"a callback on the import of {name} failed: {error!r}", stacklevel=2)

    loader.exec_module = exec_module


_WATCH = _ImportWatch()
