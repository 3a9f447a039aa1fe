"""Where a new array goes: the backend, device and dtype that ``like=``, ``device=`` and ``dtype=`` name."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from anytensor import errors
from anytensor.backends import HOST, Backend, backend_named
from anytensor.compiling import is_dynamo_tracing
from anytensor.ops.dispatch import operand, own_dtype
from anytensor.ops.plain import check_device

__all__ = ["KINDS", "Target", "check_fill", "number_kind", "number_of", "target"]

KINDS = {"b": 0, "i": 1, "u": 1, "f": 2, "c": 3}
"""The order of the kinds of dtype, by the letters of ``Backend.dtype_kind``."""

_NUMBERS: dict[type, int] = {bool: 0, int: 1, float: 2, complex: 3}


class Target(NamedTuple):
    """What a creation function makes its array of."""

    backend: Backend
    dtype: Any
    """The dtype that the caller named, else None."""
    device: Any
    like_dtype: Any
    """The dtype of ``like``, None without it."""

    def plain(self) -> Any:
        """Return the dtype that the caller named, else that of ``like``, else the default float."""
        if self.dtype is not None:
            return self.dtype
        return self.backend.default_float() if self.like_dtype is None else self.like_dtype

    def default(self, kind: int) -> Any:
        """Return the dtype for values of a kind: the one named, that of ``like`` if it can hold them.

        Args:
            kind: 0 bool, 1 integer, 2 floating, 3 complex.
        """
        backend = self.backend
        if self.dtype is not None:
            return self.dtype
        if self.like_dtype is not None and KINDS[backend.dtype_kind(self.like_dtype)] >= kind:
            return self.like_dtype
        if kind == 0:
            return backend.as_dtype("bool")
        if kind == 1:
            return backend.default_int()
        floating = self.like_dtype
        if floating is None or backend.dtype_kind(floating) != "f":
            floating = backend.default_float()
        if kind == 2:
            return floating
        wide = backend.numpy_dtype(floating).itemsize > 4
        return backend.as_dtype("complex128" if wide else "complex64")


def target(function: str, dtype: Any, device: Any, like: Any) -> Target:
    """Resolve the arguments that creation functions share.

    Args:
        function: Name of the public function, for errors.
        dtype: A dtype, its name, or None.
        device: A device of the backend, or None for that of ``like``.
        like: An array or scalar, or None for NumPy.

    Returns:
        The target.

    Raises:
        TypeError: If ``like`` has an unknown type or the backend has no such dtype.
        ValueError: If a device is named on NumPy that is not the host.
    """
    backend, own = HOST, None
    if like is not None:
        backend, like = operand(function, "like", like)
        own = like.dtype if backend is not HOST or not is_dynamo_tracing() else _dtype_in_trace(like)
    if device is not None:
        check_device(function, backend, device)
    elif like is not None:
        device = backend.ops.device_of(like)
    if dtype is not None:
        dtype = own_dtype(function, backend, dtype)
    elif backend is HOST and own is not None and HOST.dtype_kind(own) not in "biufc":
        raise errors.not_numeric(like, function, "like")
    return Target(backend, dtype, device, own)


def _dtype_in_trace(like: Any) -> Any:
    """Return the dtype of a NumPy array that Dynamo traces: it can be read of the tensor only."""
    torch = backend_named("torch")
    return torch.numpy_dtype(torch.from_host(like, None, False)[0].dtype)


def number_kind(function: str, x: Any, argument: str) -> int:
    """Return the kind of a Python number: 0 bool, 1 integer, 2 floating, 3 complex.

    Raises:
        TypeError: If it is no Python number.
    """
    kind = _NUMBERS.get(type(x))
    if kind is None:
        for known, order in _NUMBERS.items():
            if isinstance(x, known):
                kind = order  # a later match is no subclass of an earlier one, but for bool, which int is not
                break
    if kind is None or isinstance(x, np.generic):
        raise errors.not_a_scalar(x, function, argument)
    return kind


def check_fill(function: str, backend: Backend, value: Any, dtype: Any, argument: str = "fill_value") -> None:
    """Raise an error if a dtype does not hold a Python number: an integer one by its range, a real one 1j."""
    if isinstance(value, complex) and backend.dtype_kind(dtype) != "c":
        raise TypeError(f"{function}: a complex `{argument}` does not fit dtype {dtype}")
    if isinstance(value, (int, float)) and backend.dtype_kind(dtype) in "iu":
        try:
            backend.from_scalar(int(value), dtype, None)
        except (OverflowError, ValueError):  # ValueError: of NaN
            raise errors.out_of_range(value, dtype, function, argument) from None


def number_of(x: Any) -> tuple[Any, Any]:
    """Return a NumPy scalar or 0-d array as a Python number and its dtype; else x and None."""
    if isinstance(x, (np.generic, np.ndarray)) and x.ndim == 0:
        number = x.item()
        return (number if isinstance(number, (bool, int, float, complex)) else float(number)), x.dtype
    return x, None
