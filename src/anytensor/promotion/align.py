"""Align the operands of one call, each by its kind; the way that every mixed call goes."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from anytensor import errors
from anytensor.backends import HOST, Backend, backend_named, backend_of
from anytensor.compiling import is_dynamo_tracing
from anytensor.promotion.options import CopyWarning, check_options, current_options
from anytensor.promotion.sizes import as_size

__all__ = ["align", "align_arrays", "to_host"]

_PYTHON_SCALARS = (bool, int, float, complex)  # in the order of their kinds
_KIND_ORDER = {"b": 0, "i": 1, "u": 1, "f": 2, "c": 3}


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
        TypeError: If two frameworks meet, an operand is no array or scalar, or ``copy`` is no bool.
        ValueError: If ``fallback`` is neither of its two values, or memory cannot be shared under
            ``fallback="error"``.

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
    if copy is not None or fallback is not None:
        check_options("align_arrays", copy, fallback)
    names = [f"arrays[{i}]" for i in range(len(arrays))]
    kinds = ["data"] * len(arrays)
    return tuple(align("align_arrays", names, kinds, list(arrays), copy=copy, fallback=fallback))


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
    backend, like, first = HOST, None, None
    for name, kind, x in zip(names, kinds, operands, strict=True):
        if kind == "shape":
            continue
        own = backend_of(x, function, name)
        if own is HOST or own is backend:
            continue
        if backend is not HOST:
            raise errors.mixed_frameworks(like, x, function, (first, name))
        backend, like, first = own, x, name
    compiling = is_dynamo_tracing()
    if backend is HOST and compiling:
        backend = _backend_in_trace(kinds, operands)
    for i, (name, kind, x) in enumerate(zip(names, kinds, operands, strict=True)):
        if kind == "shape":
            out[i] = as_size(x, function, name, backend)
        elif type(x) not in _PYTHON_SCALARS and HOST.is_array(x):
            if not compiling:  # Dynamo reads no dtype of a NumPy array; as a tensor below it has one
                x = _checked_host(x, kind, function, name)
            out[i] = _from_host(backend, x, kind, like, function, name, copy, fallback)
    data = [i for i, kind in enumerate(kinds) if kind == "data"]
    if data:
        _unify(backend, data, out, like, function, names)
    for i, kind in enumerate(kinds):
        if kind == "index":
            out[i] = _as_index(backend, out[i], like, function, names[i])
        elif kind == "mask":
            out[i] = _as_mask(backend, out[i], like)
    return out


def _backend_in_trace(kinds: Sequence[str], operands: list[Any]) -> Backend:
    """Return PyTorch's backend if there is a NumPy array among the operands: Dynamo traces it as a tensor."""
    for kind, x in zip(kinds, operands, strict=True):
        if kind != "shape" and isinstance(x, (np.ndarray, np.generic)):
            return backend_named("torch")
    return HOST


def to_host(result: Any) -> Any:
    """Return a result inside a Dynamo trace with NumPy arrays for its tensors, in plain containers."""
    if isinstance(result, tuple):
        entries = [to_host(entry) for entry in result]
        return type(result)(*entries) if hasattr(result, "_fields") else tuple(entries)
    if isinstance(result, list):
        return [to_host(entry) for entry in result]
    if isinstance(result, dict):
        return {key: to_host(entry) for key, entry in result.items()}
    torch = backend_named("torch")
    return torch.to_numpy(result) if torch.is_array(result) else result


def _checked_host(x: Any, kind: str, function: str, name: str) -> Any:
    """Return a NumPy array as an operand of its kind, or raise TypeError if it cannot be one."""
    of_dtype = HOST.dtype_kind(x.dtype)
    if kind == "index" and of_dtype not in "iu":
        raise errors.not_an_index(x, function, name)
    if kind != "index" and of_dtype not in "biufc":
        raise errors.not_numeric(x, function, name)
    if kind == "index" and x.dtype.kind == "V":
        return x.astype(f"{of_dtype}1")  # ml_dtypes' int4: no array is indexed by it
    return x


def _from_host(
    backend: Backend,
    host: Any,
    kind: str,
    like: Any,
    function: str,
    name: str,
    copy: bool | None,
    fallback: str | None,
) -> Any:
    if backend is HOST:
        return np.asarray(host)
    if copy is None or fallback is None:
        options = current_options()
        copy = options[0] if copy is None else copy
        fallback = options[1] if fallback is None else fallback
    compiling = is_dynamo_tracing()  # Dynamo reads no dtype of a NumPy array
    fitted = host if compiling else backend.fit_host(host, kind)
    array, reason = backend.from_host(fitted, like, copy or fitted is not host)
    if fallback == "error" and not (compiling or copy or reason or kind == "mask") and host.ndim:
        own = backend.numpy_dtype(array.dtype)
        reason = "" if own == host.dtype else f"it has no {host.dtype} there, but {own}"
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
            stacklevel=4 if function == "align_arrays" else 5,  # the caller's line
        )
    return array


def _unify(
    backend: Backend, data: list[int], out: list[Any], like: Any, function: str, names: Sequence[str]
) -> None:
    """Bring the data operands to one dtype, Python scalars last since they are weak."""
    weak = [i for i in data if type(out[i]) in _PYTHON_SCALARS]
    strong = [out[i] for i in data if type(out[i]) not in _PYTHON_SCALARS]
    dtype = None
    if strong:
        dtype = strong[0].dtype if len(strong) == 1 else backend.promote_dtypes(strong)
        if weak and backend.dtype_kind(dtype) not in _KIND_ORDER:
            raise errors.not_numeric(strong[0], function, names[next(i for i in data if i not in weak)])
    for i in weak:
        dtype = _with_weak(backend, dtype, out[i])
    for i in data:
        x = out[i]
        if type(x) in _PYTHON_SCALARS:
            try:
                out[i] = backend.from_scalar(x, dtype, like if like is not None else _first(strong))
            except OverflowError:
                raise errors.out_of_range(x, dtype, function, names[i]) from None
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
        dtype = backend.default_int()
        try:
            return backend.from_scalar(x, dtype, like)
        except OverflowError:  # past the end of any axis, and so is the limit
            limits = np.iinfo(backend.numpy_dtype(dtype))
            return backend.from_scalar(limits.max if x > 0 else limits.min, dtype, like)
    if type(x) in _PYTHON_SCALARS or not backend.is_integer(x):
        raise errors.not_an_index(x, function, name)
    return x


def _as_mask(backend: Backend, x: Any, like: Any) -> Any:
    boolean = backend.as_dtype("bool")
    if type(x) in _PYTHON_SCALARS:
        return backend.from_scalar(bool(x), boolean, like)
    return backend.cast(x, boolean)
