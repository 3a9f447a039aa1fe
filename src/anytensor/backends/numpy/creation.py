"""Creation on NumPy: where the namespace departs from what ``at.*`` promises."""

from __future__ import annotations

from typing import Any

import numpy as np

from anytensor.backends.host_scalar import filling

__all__ = ["asarray", "device_of", "from_dlpack", "from_python", "full", "full_like"]


def device_of(like: Any) -> None:
    """Return None: there is one device."""
    return None


def asarray(x: Any, /, *, dtype: Any = None, device: Any = None, copy: bool | None = None) -> Any:
    """Return an array as one of a dtype."""
    return np.array(x, dtype=dtype) if copy else np.asarray(x, dtype=dtype)


def from_dlpack(x: Any, /, *, device: Any = None, copy: bool | None = None) -> Any:
    """Return an array on the memory of another library's."""
    # NumPy before 2.1 takes neither keyword.
    out = np.from_dlpack(x)
    return np.array(out) if copy else out


def full(shape: Any, fill_value: Any, *, dtype: Any = None, device: Any = None) -> Any:
    """Return an array of one value, infinite without a warning where the dtype holds no such number."""
    return np.full(shape, filling(fill_value, dtype), dtype=dtype)


def full_like(x: Any, /, fill_value: Any, *, dtype: Any = None, device: Any = None) -> Any:
    """Return an array of the shape of x and of one value."""
    dtype = x.dtype if dtype is None else dtype
    return np.full_like(x, filling(fill_value, dtype), dtype=dtype)


def from_python(obj: Any, *, dtype: Any, device: Any = None) -> Any:
    """Return an array of Python numbers or of a nest of them."""
    return np.asarray(obj, dtype=dtype)
