"""Arrays that a function holds without having them as arguments: an export could not name them."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable, Iterator
from typing import Any

from anytensor import errors
from anytensor.export.weights import backend_name

__all__ = ["refuse_closed_over"]


def refuse_closed_over(function: str, fn: Callable[..., Any], refused: tuple[str, ...]) -> None:
    """Check that a function closes over no framework's tensor and no module with weights.

    Args:
        function: Name of the public function, for errors.
        fn: The function that is exported.
        refused: The backends whose arrays may not be closed over.

    Raises:
        TypeError: If it does; the message names the variable and says what to do instead.
    """
    for name, value in _held(fn, set()):
        backend = backend_name(value)
        if backend in refused:
            raise TypeError(
                f"{function}: the function closes over `{name}`, {errors.describe(value)}. Give weights as "
                "`params`, so that they are embedded under their names (export.numpy_leaves takes them there "
                "from any framework), and constants as NumPy arrays"
            )
        if (
            backend is None
            and callable(getattr(value, "named_parameters", None))
            and any(True for _ in value.named_parameters())
        ):
            raise TypeError(
                f"{function}: the function closes over `{name}`, {errors.describe(value)}, whose weights "
                "would have no names. Export a torch.nn.Module that holds it"
            )


def _held(fn: Any, seen: set[int]) -> Iterator[tuple[str, Any]]:
    """Walk what a function holds, the functions among it too; our own and other packages' code is skipped."""
    if id(fn) in seen:
        return
    seen.add(id(fn))
    if isinstance(fn, functools.partial):
        bound = [(f"argument {i}", value) for i, value in enumerate(fn.args)] + list(fn.keywords.items())
        yield from _expand([("the function", fn.func), *bound], seen)
        return
    owner = None
    if isinstance(fn, types.MethodType):
        owner, fn = fn.__self__, fn.__func__
    elif not isinstance(fn, types.FunctionType):
        owner, fn = fn, type(fn).__dict__.get("__call__")
    if not isinstance(fn, types.FunctionType):
        return
    code = fn.__code__
    cells = []
    for name, cell in zip(code.co_freevars, fn.__closure__ or (), strict=True):
        try:
            cells.append((name, cell.cell_contents))
        except ValueError:  # not assigned yet
            continue
    names = _names(code)
    defaults = {**_defaults(fn), **(fn.__kwdefaults__ or {})}
    attributes = vars(owner) if hasattr(owner, "__dict__") else {}
    yield from _expand(cells, seen)
    yield from _expand(list(defaults.items()), seen)
    yield from _expand([(f"self.{name}", attributes[name]) for name in names if name in attributes], seen)
    for name in names:
        value = fn.__globals__.get(name)
        if isinstance(value, types.FunctionType) and value.__globals__ is not fn.__globals__:
            continue  # another module's
        if value is not None and not isinstance(value, (types.ModuleType, type)):
            yield from _expand([(name, value)], seen)


def _names(code: types.CodeType) -> list[str]:
    """Return the names that code asks for, that of functions written inside it too."""
    found = list(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            found += _names(constant)
    return list(dict.fromkeys(found))


def _defaults(fn: types.FunctionType) -> dict[str, Any]:
    values = fn.__defaults__ or ()
    names = fn.__code__.co_varnames[: fn.__code__.co_argcount]
    return dict(zip(names[len(names) - len(values) :], values, strict=True))


def _expand(items: list[tuple[str, Any]], seen: set[int]) -> Iterator[tuple[str, Any]]:
    for name, value in items:
        if isinstance(value, (types.FunctionType, types.MethodType, functools.partial)):
            yield from _held(value, seen)
        elif isinstance(value, dict):
            yield from _expand([(f"{name}[{key!r}]", entry) for key, entry in value.items()], seen)
        elif isinstance(value, (tuple, list)) and len(value) < 1000:
            yield from _expand([(f"{name}[{i}]", entry) for i, entry in enumerate(value)], seen)
        else:
            yield name, value
