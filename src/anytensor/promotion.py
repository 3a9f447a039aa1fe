"""Bring the operands of one call onto one backend, one dtype, and turn sizes into sizes.

``@promote`` works out where the operands stand when it decorates a function, and writes a wrapper with the
function's own signature. The wrapper compares types and dtypes; if all agree already it calls the function
at once (about a microsecond), else ``align`` brings them together.
"""

from __future__ import annotations

import functools
import inspect
import linecache
import warnings
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar, Token
from typing import Any, TypeVar

import numpy as np

from anytensor import errors
from anytensor.backends import HOST, TYPES, Backend, backend_of, installed_backends
from anytensor.compiling import is_compiling

__all__ = ["CopyWarning", "align_arrays", "promote", "promote_options"]

F = TypeVar("F", bound=Callable[..., Any])

KINDS = ("data", "index", "mask", "shape")
FALLBACKS = ("copy", "error")
_PYTHON_SCALARS = (bool, int, float, complex)  # in the order of their kinds
_KIND_ORDER = {"b": 0, "i": 1, "u": 1, "f": 2, "c": 3}


class CopyWarning(UserWarning):
    """A NumPy array had to be copied on its way to a framework, since its memory cannot be shared."""


class promote_options:  # noqa: N801 - a context manager that reads as a function
    """Set how NumPy arrays reach a framework, inside a ``with`` block.

    Args:
        copy: True always copies, for host buffers that are written to later; False shares memory where the
            framework can.
        fallback: What happens where memory cannot be shared and ``copy`` is False: ``"copy"`` copies and
            warns (``CopyWarning``), ``"error"`` raises ValueError.

    Raises:
        TypeError: If ``copy`` is not a bool.
        ValueError: If ``fallback`` is neither of the two.

    Notes:
        Options hold for the current thread or asyncio task. Blocks nest; an exception restores the outer
        options. An option left out keeps the value of the surrounding block.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> with at.promote_options(copy=True):
        ...     y = at.maximum(np.array([1.0, 3.0]), 2.0)
        >>> y
        array([2., 3.])
    """

    def __init__(self, *, copy: bool | None = None, fallback: str | None = None) -> None:
        if copy is not None and not isinstance(copy, bool):
            raise TypeError(f"promote_options: `copy` must be a bool, got {errors.describe(copy)}")
        if fallback is not None and fallback not in FALLBACKS:
            raise errors.unknown_option(fallback, "promote_options", "fallback", FALLBACKS)
        self._asked = (copy, fallback)
        self._outer: list[tuple[tuple[bool, str], Token[tuple[bool, str]] | None]] = []

    def __enter__(self) -> promote_options:
        """Put the options in force."""
        outer = _current_options()
        copy, fallback = self._asked
        options = (outer[0] if copy is None else copy, outer[1] if fallback is None else fallback)
        token = None if is_compiling() else _options.set(options)
        self._outer.append((_mirror[0], token))
        _mirror[0] = options
        return self

    def __exit__(self, *exc: object) -> None:
        """Restore the options of the surrounding block."""
        mirrored, token = self._outer.pop()
        _mirror[0] = mirrored
        if token is not None:
            _options.reset(token)


_DEFAULT_OPTIONS = (False, "copy")
_options: ContextVar[tuple[bool, str]] = ContextVar("anytensor_promote_options", default=_DEFAULT_OPTIONS)
# TorchDynamo cannot trace ContextVar.get, but guards on a list's entry: what a trace reads instead.
_mirror: list[tuple[bool, str]] = [_DEFAULT_OPTIONS]


def _current_options() -> tuple[bool, str]:
    if is_compiling():
        return _mirror[0]
    return _options.get()


def align_arrays(*arrays: Any, copy: bool | None = None, fallback: str | None = None) -> tuple[Any, ...]:
    """Bring arrays and scalars onto one backend and to one dtype.

    Args:
        *arrays: Arrays of any shapes (they are not broadcast), NumPy arrays, Python or NumPy scalars; tensors
            of at most one framework.
        copy: As in ``promote_options``; None takes the options in force.
        fallback: As in ``promote_options``; None takes the options in force.

    Returns:
        The arrays in their order, on the framework's device, in the shared dtype. Operands that agree already
        come back as the same objects; no arrays give an empty tuple.

    Raises:
        TypeError: If two frameworks meet or an operand is no array or scalar.
        ValueError: If memory cannot be shared under ``fallback="error"``.

    Notes:
        A Python scalar is weak: it takes the arrays' dtype if that is of the same or a higher kind
        (bool < integer < floating < complex). NumPy arrays and scalars are strong.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> a, b = at.align_arrays(np.array([1, 2], dtype=np.int32), 0.5)
        >>> a, b
        (array([1., 2.]), array(0.5))
    """
    names = [f"arrays[{i}]" for i in range(len(arrays))]
    kinds = ["data"] * len(arrays)
    return tuple(align("align_arrays", names, kinds, list(arrays), copy=copy, fallback=fallback))


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
    source, scope = _write_wrapper(signature, kinds, label)
    scope.update(
        _function=function,
        _types=TYPES,
        _align=functools.partial(_align_call, label, tuple(kinds), tuple(kinds.values()), copy, fallback),
    )
    filename = f"<anytensor.promote {function.__module__}.{function.__qualname__}>"
    exec(compile(source, filename, "exec"), scope)  # as dataclasses and namedtuple write their methods
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    return functools.wraps(function)(scope[label])


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


def _align_call(
    function: str,
    names: Sequence[str],
    kinds: Sequence[str],
    copy: bool | None,
    fallback: str | None,
    operands: list[Any],
) -> list[Any]:
    return align(function, names, kinds, operands, copy=copy, fallback=fallback)


def align(
    function: str,
    names: Sequence[str],
    kinds: Sequence[str],
    operands: list[Any],
    *,
    copy: bool | None = None,
    fallback: str | None = None,
) -> list[Any]:
    """Bring operands together, each by its kind; the way that every mixed call goes.

    Args:
        function: Name of the public function, for errors.
        names: Name of each operand, for errors.
        kinds: Kind of each operand.
        operands: The operands.
        copy: As in ``promote_options``; None takes the options in force.
        fallback: As in ``promote_options``; None takes the options in force.

    Returns:
        The operands, aligned, in their order.
    """
    out = list(operands)
    backend, like = HOST, None
    for name, kind, x in zip(names, kinds, operands, strict=True):
        if kind == "shape":
            continue
        own = backend_of(x, function, name)
        if own is HOST or own is backend:
            continue
        if backend is not HOST:
            raise errors.mixed_frameworks(like, x, function)
        backend, like = own, x
    for i, (name, kind, x) in enumerate(zip(names, kinds, operands, strict=True)):
        if kind == "shape":
            out[i] = as_size(x, function, name)
        elif type(x) not in _PYTHON_SCALARS and HOST.is_array(x):
            if kind == "index" and np.asarray(x).dtype.kind not in "iu":
                raise errors.not_an_index(x, function, name)
            out[i] = _from_host(backend, x, like, function, name, copy, fallback)
    data = [i for i, kind in enumerate(kinds) if kind == "data"]
    if data:
        _unify(backend, data, out, like)
    for i, kind in enumerate(kinds):
        if kind == "index":
            out[i] = _as_index(backend, out[i], like, function, names[i])
        elif kind == "mask":
            out[i] = _as_mask(backend, out[i], like)
    return out


def _from_host(
    backend: Backend,
    host: Any,
    like: Any,
    function: str,
    name: str,
    copy: bool | None,
    fallback: str | None,
) -> Any:
    if backend is HOST:
        return np.asarray(host)
    if copy is None or fallback is None:
        options = _current_options()
        copy = options[0] if copy is None else copy
        fallback = options[1] if fallback is None else fallback
    array, reason = backend.from_host(host, like, copy)
    if reason:
        message = (
            f"{function}: `{name}`, a NumPy array of shape {host.shape} and dtype {host.dtype}, cannot be "
            f"shared with {backend.NAME} by reference ({reason})"
        )
        if fallback == "error":
            raise ValueError(f'{message}, and fallback="error" forbids the copy')
        warnings.warn(
            f"{message}; it was copied. copy=True copies without this warning",
            CopyWarning,
            stacklevel=5,
        )
    return array


def _unify(backend: Backend, data: list[int], out: list[Any], like: Any) -> None:
    """Bring the data operands to one dtype, Python scalars last since they are weak."""
    weak = [i for i in data if type(out[i]) in _PYTHON_SCALARS]
    strong = [out[i] for i in data if type(out[i]) not in _PYTHON_SCALARS]
    dtype = None
    if strong:
        dtype = strong[0].dtype if len(strong) == 1 else backend.promote_dtypes(strong)
    for i in weak:
        dtype = _with_weak(backend, dtype, out[i])
    for i in data:
        x = out[i]
        if type(x) in _PYTHON_SCALARS:
            out[i] = backend.from_scalar(x, dtype, like if like is not None else _first(strong))
        elif x.dtype != dtype:
            out[i] = backend.cast(x, dtype)


def _first(arrays: list[Any]) -> Any:
    return arrays[0] if arrays else None


def _with_weak(backend: Backend, dtype: Any, scalar: Any) -> Any:
    """Return the dtype of an array of ``dtype`` beside a Python scalar."""
    order = _PYTHON_SCALARS.index(type(scalar))
    if dtype is not None and order <= _KIND_ORDER[backend.dtype_kind(dtype)]:
        return dtype
    if order == 0:
        return backend.as_dtype("bool")
    if order == 1:
        return backend.default_int()
    floating = backend.default_float()
    if order == 2:
        return floating
    if dtype is not None and backend.dtype_kind(dtype) == "f":
        wide = backend.numpy_dtype(dtype).itemsize > 4
    else:
        wide = backend.numpy_dtype(floating).itemsize > 4
    return backend.as_dtype("complex128" if wide else "complex64")


def _as_index(backend: Backend, x: Any, like: Any, function: str, name: str) -> Any:
    if type(x) is int:
        return backend.from_scalar(x, backend.default_int(), like)
    if type(x) in _PYTHON_SCALARS or not backend.is_integer(x):
        raise errors.not_an_index(x, function, name)
    return x


def _as_mask(backend: Backend, x: Any, like: Any) -> Any:
    boolean = backend.as_dtype("bool")
    if type(x) in _PYTHON_SCALARS:
        return backend.from_scalar(bool(x), boolean, like)
    return backend.cast(x, boolean)


def as_size(x: Any, function: str, name: str) -> Any:
    """Return a size as a Python int, or a symbolic one as it is.

    Args:
        x: A Python int, a symbolic size, or a 0-d integer array.
        function: Name of the public function, for errors.
        name: Name of the argument, for errors.

    Returns:
        An int of at least 0, or the backend's symbolic size.

    Raises:
        TypeError: If ``x`` is None, a bool, floating, a value that a JAX trace does not know, or no size.
        ValueError: If ``x`` is negative or not 0-d.
    """
    if x is None:
        raise errors.size_is_missing(function, name)
    if isinstance(x, (bool, np.bool_)):
        raise errors.not_a_size(x, function, name)
    if isinstance(x, int):
        size: Any = x
    elif isinstance(x, (np.ndarray, np.integer)):
        if x.dtype.kind not in "iu":
            raise errors.not_a_size(x, function, name)
        if x.ndim != 0:
            raise errors.size_has_rank(x, function, name)
        size = int(x)
    else:
        size = _symbolic_size(x, function, name)
    if isinstance(size, int) and size < 0:
        raise errors.size_is_negative(size, function, name)
    return size


def _symbolic_size(x: Any, function: str, name: str) -> Any:
    from_array = TYPES.get(type(x))
    for backend in installed_backends()[1:]:
        if from_array is None and backend.is_array(x):
            from_array = backend
        if from_array is backend:
            if not backend.is_integer(x):
                raise errors.not_a_size(x, function, name)
            if backend.rank(x) not in (0, None):
                raise errors.size_has_rank(x, function, name)
        size = backend.as_size(x)
        if size is not None:
            if backend.NAME == "jax" and from_array is backend and backend.is_traced(size):
                raise errors.size_is_traced(x, function, name)
            return size
    raise errors.not_a_size(x, function, name)
