"""Checks of arguments that are no arrays: flags, numbers, choices, functions, devices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from anytensor import errors
from anytensor.backends import HOST, Backend
from anytensor.compiling import is_compiling

__all__ = ["check_device", "flag", "functions", "near", "number", "option", "whole"]

_LONGEST = 2**31


def flag(function: str, value: Any, argument: str) -> None:
    """Raise TypeError if a value is not a Python bool."""
    if value is not False and value is not True:
        raise errors.not_a_bool(value, function, argument)


def option(function: str, value: Any, argument: str, allowed: Sequence[Any]) -> None:
    """Raise ValueError if a value is none of a few; an array is none, though it has no one truth value."""
    if not isinstance(value, (str, int, float)) or value not in allowed:
        raise errors.unknown_option(value, function, argument, tuple(allowed))


def number(function: str, value: Any, argument: str) -> Any:
    """Return a real number, a whole one past 32 bits as a float: not every backend takes it as it is.

    Raises:
        TypeError: If it is no real Python or NumPy number.
        OverflowError: If it is past the range of float64.
    """
    if not isinstance(value, (int, float)):
        if not isinstance(value, (np.bool_, np.integer, np.floating)):
            raise errors.not_a_scalar(value, function, argument)
        value = value.item()
    if isinstance(value, int) and not is_compiling() and not -_LONGEST <= value < _LONGEST:
        try:
            return float(value)
        except OverflowError:
            raise errors.out_of_range(value, "float64", function, argument) from None
    return value


def whole(function: str, value: Any, argument: str, least: int) -> None:
    """Raise an error if a value is not an int from ``least`` to what 32 bits hold.

    Raises:
        TypeError: If it is no int.
        ValueError: If it is out of that range.
    """
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{function}: `{argument}` must be an int, got {errors.describe(value)}")
    if value < least:
        raise ValueError(f"{function}: `{argument}` must be at least {least}, got {value}")
    if not is_compiling() and value >= _LONGEST:
        raise errors.size_is_too_large(value, _LONGEST - 1, "", function, argument)


def near(k: int) -> int:
    """Return the number of a diagonal within 32 bits: no matrix has more, and not all backends count so."""
    if is_compiling() or -_LONGEST < k < _LONGEST:
        return k
    return _LONGEST - 1 if k > 0 else 1 - _LONGEST


def functions(function: str, /, *, optional: bool, **named: Any) -> None:
    """Raise TypeError if a value is not callable.

    Args:
        function: Name of the public function, for errors.
        optional: Whether None is allowed.
        **named: The values by the names of the arguments.

    Raises:
        TypeError: If one is not.
    """
    for argument, value in named.items():
        if not callable(value) and not (optional and value is None):
            allowed = "callable or None" if optional else "callable"
            raise TypeError(f"{function}: `{argument}` must be {allowed}, got {errors.describe(value)}")


def check_device(function: str, backend: Backend, value: Any) -> None:
    """Raise ValueError if a backend has no such device; None is the default one.

    The frameworks' own errors, of several types, do not say which argument it was; Dynamo, which cannot
    catch them, gives those.
    """
    if value is None or is_compiling():
        return
    if backend is HOST:
        if not isinstance(value, str) or value != "cpu":
            raise ValueError(
                f"{function}: `device` must be 'cpu' or None on NumPy, got {value!r}; like= names "
                "another backend"
            )
        return
    probe: Callable[..., Any] = backend.ops.zeros
    try:
        probe((), dtype=backend.default_int(), device=value)
    except Exception as error:
        raise ValueError(
            f"{function}: `device` must be a device of {backend.NAME} or its name, got {value!r}"
        ) from error
