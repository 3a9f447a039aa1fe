"""``@promote``: write a wrapper that compares types and dtypes, and aligns what does not agree.

Where the operands stand is worked out when a function is decorated. If all agree already, a call costs about
a microsecond more than the function itself.
"""

from __future__ import annotations

import functools
import inspect
import linecache
from collections.abc import Callable, Mapping
from typing import Any, TypeVar, cast

from anytensor import errors
from anytensor.backends import TYPES
from anytensor.promotion.align import align
from anytensor.promotion.options import promote_options

__all__ = ["promote"]

F = TypeVar("F", bound=Callable[..., Any])

KINDS = ("data", "index", "mask", "shape")


def promote(*, copy: bool | None = None, fallback: str | None = None, **kinds: str) -> Callable[[F], F]:
    """Decorate a function so that its operands arrive on one backend, ready to compute with.

    Args:
        copy: As in ``promote_options``, for every call of this function; None takes the options in force.
        fallback: As in ``promote_options``; None takes the options in force.
        **kinds: The kind of each operand, by parameter name:

            - ``"data"``: an array or scalar; all data operands come to one dtype;
            - ``"index"``: an array of any integer dtype, which it keeps;
            - ``"mask"``: cast to bool;
            - ``"shape"``: a size. A Python int stays one; a symbolic size stays symbolic; a concrete 0-d
              integer array becomes an int.

            Parameters that are not named pass through untouched. So does None where it is the default.

    Returns:
        A decorator. The decorated function keeps its signature, docstring and annotations.

    Raises:
        TypeError: On decoration, if a named parameter does not exist or is variadic. On a call: two
            frameworks, an unknown operand type, an index that is not integer, a size that is None, bool or
            floating.
        ValueError: On decoration, for an unknown kind. On a call, for a negative size or a size that is not
            0-d, or memory that cannot be shared under ``fallback="error"``.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> @at.promote(x="data", y="data")
        ... def midpoint(x, y):
        ...     return (x + y) / 2
        >>> midpoint(np.array([1.0, 3.0]), 4)
        array([2.5, 3.5])
    """
    promote_options(copy=copy, fallback=fallback)  # checks both
    for name, kind in kinds.items():
        if kind not in KINDS:
            raise errors.unknown_option(kind, "promote", name, KINDS)

    def decorate(function: F) -> F:
        return _wrap(function, kinds, copy, fallback)

    return decorate


def _wrap(function: F, kinds: Mapping[str, str], copy: bool | None, fallback: str | None) -> F:
    signature = inspect.signature(function)
    label = getattr(function, "__name__", "function")
    for name in kinds:
        parameter = signature.parameters.get(name)
        if parameter is None or parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            raise TypeError(
                f"promote: {label} has no parameter `{name}`; it has {', '.join(signature.parameters)}"
            )
    written = label if label.isidentifier() else "function"  # a lambda's name is none
    source, scope = _write_wrapper(signature, kinds, written)
    scope.update(
        _function=function,
        _types=TYPES,
        _align=functools.partial(_align_call, label, kinds, _optional(signature), copy, fallback),
    )
    filename = f"<anytensor.promote {function.__module__}.{function.__qualname__}>"
    exec(compile(source, filename, "exec"), scope)  # as dataclasses and namedtuple write their methods
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    return cast(F, functools.wraps(function)(scope[written]))


def _write_wrapper(
    signature: inspect.Signature, kinds: Mapping[str, str], label: str
) -> tuple[str, dict[str, Any]]:
    """Write the wrapper's source: the signature, the comparison that the no-op case passes, the two calls."""
    scope: dict[str, Any] = {}
    declared, passed, star = [], [], False
    for index, (name, parameter) in enumerate(signature.parameters.items()):
        if parameter.kind is parameter.VAR_POSITIONAL:
            declared.append(f"*{name}")
            passed.append(f"*{name}")
            star = True
            continue
        if parameter.kind is parameter.VAR_KEYWORD:
            declared.append(f"**{name}")
            passed.append(f"**{name}")
            continue
        if parameter.kind is parameter.KEYWORD_ONLY and not star:
            declared.append("*")
            star = True
        default = ""
        if parameter.default is not parameter.empty:
            scope[f"_default{index}"] = parameter.default
            default = f"=_default{index}"
        declared.append(f"{name}{default}")
        passed.append(f"{name}={name}" if parameter.kind is parameter.KEYWORD_ONLY else name)
        following = list(signature.parameters.values())[index + 1 :]
        if parameter.kind is parameter.POSITIONAL_ONLY and not any(
            later.kind is later.POSITIONAL_ONLY for later in following
        ):
            declared.append("/")
    arrays = [name for name, kind in kinds.items() if kind != "shape"]
    agree = [f"_b is _types.get(type({name}))" for name in arrays[1:]]
    data = [name for name in arrays if kinds[name] == "data"]
    agree += [f"{name}.dtype == {data[0]}.dtype" for name in data[1:]]
    agree += [f"_b.is_integer({name})" for name in arrays if kinds[name] == "index"]
    agree += [f"_b.is_bool({name})" for name in arrays if kinds[name] == "mask"]
    sizes = [name for name, kind in kinds.items() if kind == "shape"]
    agree += [f"type({name}) is int and {name} >= 0" for name in sizes]
    if arrays:
        first = f"_b = _types.get(type({arrays[0]}))\n    "
        agree = ["_b is not None", *agree]
    else:
        first = ""
    names = ", ".join(kinds)
    source = (
        f"def {label}({', '.join(declared)}):\n"
        f"    {first}if not ({' and '.join(agree) or 'True'}):\n"
        f"        [{names}] = _align([{names}])\n"
        f"    return _function({', '.join(passed)})\n"
    )
    return source, scope


def _optional(signature: inspect.Signature) -> frozenset[str]:
    """Return the parameters that are None unless given."""
    return frozenset(name for name, p in signature.parameters.items() if p.default is None)


def _align_call(
    function: str,
    kinds: Mapping[str, str],
    optional: frozenset[str],
    copy: bool | None,
    fallback: str | None,
    operands: list[Any],
) -> list[Any]:
    names = list(kinds)
    absent = [
        x is None and name in optional and kinds[name] != "shape"
        for name, x in zip(names, operands, strict=True)
    ]
    given = [i for i in range(len(names)) if not absent[i]]
    aligned = align(
        function,
        [names[i] for i in given],
        [kinds[names[i]] for i in given],
        [operands[i] for i in given],
        copy=copy,
        fallback=fallback,
    )
    out = list(operands)
    for i, x in zip(given, aligned, strict=True):
        out[i] = x
    return out
