"""NumPy's Array API namespace with 0-d arrays for results, where NumPy itself gives scalars.

Each function is that of array_api_compat.numpy. NumPy (every version, 2.4 too) turns a 0-d result of a ufunc
or a reduction into a NumPy scalar, which is no array: dispatch by exact type misses it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import array_api_compat.numpy as xp
import numpy as np

from anytensor.backends.numpy.array import numbers_only

__all__ = [name for name in dir(xp) if not name.startswith("_")]


_ARRAY = np.ndarray  # one lookup less in each call


def _as_arrays(result: Any) -> Any:
    """Return a result with every NumPy scalar in it as a 0-d array."""
    if isinstance(result, np.generic):
        return np.asarray(result)
    if isinstance(result, tuple):
        entries = [_as_arrays(entry) for entry in result]
        return type(result)(*entries) if hasattr(result, "_fields") else tuple(entries)
    return result


def _keep_arrays(function: Callable[..., Any]) -> Callable[..., Any]:
    if isinstance(function, np.ufunc) and function.nout == 1 and function.nin == 1:

        @functools.wraps(function)
        def unary(x: Any, /) -> Any:
            try:
                result = function(x)
            except TypeError:
                numbers_only(x, function.__name__)
                raise
            return result if type(result) is _ARRAY else _as_arrays(result)

        return unary
    if isinstance(function, np.ufunc) and function.nout == 1 and function.nin == 2:

        @functools.wraps(function)
        def binary(x1: Any, x2: Any, /) -> Any:
            result = function(x1, x2)
            return result if type(result) is _ARRAY else _as_arrays(result)

        return binary

    @functools.wraps(function)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        result = function(*args, **kwargs)
        return result if type(result) is _ARRAY else _as_arrays(result)

    return wrapped


def _wrap_all(module: Any, names: list[str]) -> dict[str, Any]:
    members = {name: getattr(module, name) for name in names}
    return {
        name: _keep_arrays(member) if callable(member) and not isinstance(member, type) else member
        for name, member in members.items()
    }


globals().update(_wrap_all(xp, __all__))
linalg = SimpleNamespace(**_wrap_all(xp.linalg, [n for n in dir(xp.linalg) if not n.startswith("_")]))
fft = SimpleNamespace(**_wrap_all(xp.fft, [n for n in dir(xp.fft) if not n.startswith("_")]))
