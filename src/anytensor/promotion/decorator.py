"""``@promote``: write a wrapper that compares types and dtypes, and aligns what does not agree.

Where the operands stand is worked out when a function is decorated. If all agree already, a call costs about
a microsecond more than the function itself.
"""

from __future__ import annotations

import functools
import inspect
import linecache
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar, cast

from anytensor import errors
from anytensor.backends import HOST, SHORT_WAYS, TYPES
from anytensor.compiling import is_dynamo_tracing
from anytensor.promotion.align import align, to_host
from anytensor.promotion.options import check_options

__all__ = ["promote", "promote_or_shorten"]

F = TypeVar("F", bound=Callable[..., Any])

SMALL_SIZE = 2**31 - 1  # below it a size needs no look at what its backend counts
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

    Notes:
        A function, a partial and a callable object can be decorated. Inside ``torch.compile`` NumPy arrays
        are tensors: a call on them alone runs the function with tensors, and its result becomes NumPy arrays,
        in tuples, lists and dicts too.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> @at.promote(x="data", y="data")
        ... def midpoint(x, y):
        ...     return (x + y) / 2
        >>> midpoint(np.array([1.0, 3.0]), 4)
        array([2.5, 3.5])
    """
    check_options("promote", copy, fallback)
    for name, kind in kinds.items():
        if kind not in KINDS:
            raise errors.unknown_option(kind, "promote", name, KINDS)

    def decorate(function: F) -> F:
        return _wrap(function, kinds, copy, fallback, None)

    return decorate


def promote_or_shorten(**kinds: str) -> Callable[[F], F]:
    """Decorate as ``promote`` does a function that a backend may have a short way for (``SHORT_WAYS``)."""

    def decorate(function: F) -> F:
        return _wrap(function, kinds, None, None, SHORT_WAYS.setdefault(function.__name__, {}))

    return decorate


def _wrap(
    function: F,
    kinds: Mapping[str, str],
    copy: bool | None,
    fallback: str | None,
    short: dict[type, Callable[..., Any]] | None,
) -> F:
    signature = inspect.signature(function)
    named = function.func if isinstance(function, functools.partial) else function
    label = getattr(named, "__name__", type(named).__name__)
    for name in kinds:
        parameter = signature.parameters.get(name)
        if parameter is None:
            raise TypeError(
                f"promote: {label} has no parameter `{name}`; it has {', '.join(signature.parameters)}"
            )
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            raise TypeError(
                f"promote: `{parameter}` of {label} is variadic, and only a parameter of its own can be "
                "promoted; call align_arrays on its entries inside the function"
            )
    source, scope, own = _write_wrapper(signature, kinds, short is not None)
    scope[f"{own}function"] = function
    scope[f"{own}short"] = short
    scope[f"{own}align"] = functools.partial(_align_call, label, kinds, _optional(signature), copy, fallback)
    filename = f"<anytensor.promote {function.__module__}.{getattr(named, '__qualname__', label)}>"
    exec(compile(source, filename, "exec"), scope)  # as dataclasses and namedtuple write their methods
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    wrapper = scope[f"{own}wrapper"]
    wrapper.__code__ = wrapper.__code__.replace(co_name=label)  # what a traceback says
    wrapper.__name__ = wrapper.__qualname__ = label  # a partial and a callable object have none to copy
    functools.update_wrapper(wrapper, function)
    if named is not function:
        wrapper.__doc__, wrapper.__module__ = (
            named.__doc__,
            named.__module__,
        )  # not those of the class partial
    return cast(F, wrapper)


# What the wrapper's source calls, under names that no parameter has.
_GLOBALS: dict[str, Any] = {
    "types": TYPES,
    "type": type,
    "int": int,
    "host": HOST,
    "compiling": is_dynamo_tracing,
    "to_host": to_host,
}


def _own_prefix(parameters: Iterable[str]) -> str:
    """Return underscores that, before any name, make one that is no parameter's."""
    longest = max((len(name) - len(name.lstrip("_")) for name in parameters), default=0)
    return "_" * (longest + 1)


def _write_wrapper(
    signature: inspect.Signature, kinds: Mapping[str, str], has_short_way: bool
) -> tuple[str, dict[str, Any], str]:
    """Write the wrapper's source: the signature, the comparison that the no-op case passes, the two calls.

    Returns:
        The source, its global names, and the prefix of all names that are not parameters.
    """
    own = _own_prefix(signature.parameters)
    scope: dict[str, Any] = {own + name: value for name, value in _GLOBALS.items()}
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
        following = list(signature.parameters.values())[index + 1 :]
        if parameter.default is not parameter.empty:
            scope[f"{own}default{index}"] = parameter.default
            default = f"={own}default{index}"
        elif kinds.get(name) == "shape" and not any(_must_be_given(later, kinds) for later in following):
            default = "=None"  # a size that is left out gets the error that says why it is asked for
        declared.append(f"{name}{default}")
        passed.append(f"{name}={name}" if parameter.kind is parameter.KEYWORD_ONLY else name)
        if parameter.kind is parameter.POSITIONAL_ONLY and not any(
            later.kind is later.POSITIONAL_ONLY for later in following
        ):
            declared.append("/")
    first, agree = _comparison(kinds, own)
    names, call = ", ".join(kinds), f"{own}function({', '.join(passed)})"
    shorten = (
        f"    if {own}short:\n"
        f"        {own}way = {own}short.get({own}type({next(iter(kinds))}))\n"
        f"        if {own}way is not None:\n"
        f"            {own}found = {own}way({', '.join(passed)})\n"
        f"            if {own}found is not None:\n"
        f"                return {own}found\n"
    )
    source = (
        f"def {own}wrapper({', '.join(declared)}):\n"
        f"{shorten if has_short_way else ''}"
        f"    {first}if not ({' and '.join(agree) or 'True'}):\n"
        f"        [{names}], {own}back = {own}align([{names}])\n"
        f"        if {own}back:\n"
        f"            return {own}to_host({call})\n"
        f"    return {call}\n"
    )
    return source, scope, own


def _must_be_given(parameter: inspect.Parameter, kinds: Mapping[str, str]) -> bool:
    """Return whether Python takes no default before this parameter."""
    by_position = parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
    return by_position and parameter.default is parameter.empty and kinds.get(parameter.name) != "shape"


def _comparison(kinds: Mapping[str, str], own: str) -> tuple[str, list[str]]:
    """Return the statement before the comparison, and the conditions under which operands agree already."""
    arrays = [name for name, kind in kinds.items() if kind != "shape"]
    data = [name for name in arrays if kinds[name] == "data"]
    sizes = [name for name, kind in kinds.items() if kind == "shape"]
    agree = [f"{own}b is {own}types.get({own}type({name}))" for name in arrays[1:]]
    asked = [f"{own}b.is_integer({name})" for name in arrays if kinds[name] == "index"]
    asked += [f"{own}b.is_bool({name})" for name in arrays if kinds[name] == "mask"]
    # Dynamo can read no dtype of a NumPy array. Where an index or a mask is asked for its kind, the answer
    # in a trace is no (backends/torch/host_arrays.py), which costs nothing outside; else this asks.
    if arrays and not asked:
        asked = [f"({own}b is not {own}host or not {own}compiling())"]
    agree += asked
    agree += [f"{name}.dtype == {data[0]}.dtype" for name in data[1:]]
    agree += [f"{own}type({name}) is {own}int and {name} >= 0" for name in sizes]
    if not arrays:
        return "", agree
    # In a trace of Dynamo a comparison would bind a symbolic size to its outcome.
    symbolic = f"{own}b.INTS_MAY_BE_SYMBOLIC and {own}compiling()"
    agree += [f"({symbolic} or {name} < {SMALL_SIZE})" for name in sizes]
    first = f"{own}b = {own}types.get({own}type({arrays[0]}))\n    "
    return first, [f"{own}b is not None", *agree]


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
) -> tuple[list[Any], bool]:
    """Align the operands of a call.

    Returns:
        The operands, and whether the function's result is to become NumPy arrays again: TorchDynamo traces
        NumPy arrays as tensors, so that a call on them alone is computed by PyTorch.
    """
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
    back = is_dynamo_tracing() and all(
        kinds[names[i]] == "shape" or HOST.is_array(operands[i]) for i in given
    )
    return out, back
