"""From other objects to arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
from jaxtyping import Shaped

from anytensor import errors
from anytensor.backends import HOST, TYPES, Backend, backend_of
from anytensor.ops.creation.target import KINDS, Target, target

__all__ = ["asarray", "from_dlpack"]

_SEQUENCES = (list, tuple, range)


def asarray(
    obj: Any, /, *, dtype: Any = None, device: Any = None, copy: bool | None = None, like: Any = None
) -> Shaped[Any, ...]:
    """Turn an object into an array.

    Args:
        obj: An array, a scalar, a nested sequence of Python numbers, or what NumPy takes for an array.
        dtype: A NumPy dtype, a name or the backend's own dtype. By default an array keeps its own; Python
            numbers take that of ``like`` if it is of their kind or a higher one.
        device: A device of the backend; by default that of an array, or that of ``like``.
        copy: True always copies; False raises where a copy would be needed; None copies where needed.
        like: An array of the backend to make it on. By default an array stays on its own, and everything else
            goes to NumPy.

    Returns:
        The array; ``obj`` itself where nothing has to change.

    Raises:
        TypeError: If ``obj`` cannot be an array, is of another framework than ``like``, or is a sequence of
            arrays.
        ValueError: If ``copy=False`` and a copy is needed.

    Notes:
        The gradient flows to an array ``obj``.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.asarray([1, 2], like=np.ones(1, dtype=np.float32))
        array([1., 2.], dtype=float32)
    """
    if copy is not None and not isinstance(copy, bool):
        raise errors.not_a_bool(copy, "asarray", "copy")
    own = TYPES.get(type(obj))
    if own is None and not isinstance(obj, _SEQUENCES) and not hasattr(obj, "__array_interface__"):
        own = _backend_or_none(obj)
    if own is not None and own is not HOST:
        if like is not None and backend_of(like, "asarray", "like") is not own:
            raise errors.mixed_frameworks(obj, like, "asarray")
        kind = obj.dtype if dtype is None else own.as_dtype(dtype)
        if copy is False and kind != obj.dtype:
            raise ValueError(f"asarray: copy=False, and the cast from {obj.dtype} to {kind} copies")
        if kind != obj.dtype:
            obj = own.cast(obj, kind)
            copy = None
        return own.ops.asarray(obj, device=device, copy=copy)
    to = target("asarray", dtype, device, like)
    host, fresh = _on_host(obj, to)
    if to.backend is HOST:
        return _numpy_array(host, to.dtype, copy, fresh)
    return _on_framework(host, to, copy, fresh, like)


def _backend_or_none(obj: Any) -> Backend | None:
    try:
        return backend_of(obj, "asarray", "obj")
    except TypeError:
        return None


def _on_host(obj: Any, to: Target) -> tuple[Any, bool]:
    """Return an object as a NumPy array, and whether its memory is new."""
    if isinstance(obj, (np.ndarray, np.generic)):
        return np.asarray(obj), not isinstance(obj, np.ndarray)
    if isinstance(obj, _SEQUENCES):
        _no_arrays_within(obj)
    host = np.asarray(obj)
    if host.dtype.kind not in "biufcV":
        raise TypeError(
            f"asarray: `obj` must be an array, a number or a nested sequence of numbers, got "
            f"{errors.describe(obj)}"
        )
    is_python = isinstance(obj, (*_SEQUENCES, bool, int, float, complex))
    if is_python and to.dtype is None and to.like_dtype is not None:
        # No entries have no kind of their own.
        kind = KINDS["b"] if host.size == 0 else KINDS[HOST.dtype_kind(host.dtype)]
        host = host.astype(to.backend.numpy_dtype(to.default(kind)))
    return host, is_python


def _no_arrays_within(sequence: Any) -> None:
    if isinstance(sequence, range):
        return
    for entry in sequence:
        if isinstance(entry, _SEQUENCES):
            _no_arrays_within(entry)
        elif hasattr(entry, "shape") and not isinstance(entry, np.generic):
            raise TypeError(
                f"asarray: `obj` is a sequence that holds {errors.describe(entry)}; join arrays with at.stack"
            )


def _numpy_array(host: Any, dtype: Any, copy: bool | None, fresh: bool) -> Any:
    if dtype is not None and dtype != host.dtype:
        if copy is False:
            raise ValueError(f"asarray: copy=False, and the cast from {host.dtype} to {dtype} copies")
        return HOST.cast(host, dtype)
    if copy is False and fresh:
        raise ValueError("asarray: copy=False, and Python numbers can only be copied")
    return np.array(host) if copy and not fresh else host


def _on_framework(host: Any, to: Target, copy: bool | None, fresh: bool, like: Any) -> Any:
    backend = to.backend
    array, reason = backend.from_host(host, like, bool(copy) or fresh)
    if copy is False and (fresh or reason):
        raise ValueError(f"asarray: copy=False, and {backend.NAME} needs a copy ({reason or 'not an array'})")
    if to.dtype is not None and to.dtype != array.dtype:
        if copy is False:
            raise ValueError(f"asarray: copy=False, and the cast from {array.dtype} to {to.dtype} copies")
        array = backend.cast(array, to.dtype)
    return array if to.device is None else backend.ops.asarray(array, device=to.device)


def from_dlpack(
    x: Any, /, *, device: Any = None, copy: bool | None = None, like: Any = None
) -> Shaped[Any, ...]:
    """Take over the memory of any library's array by the DLPack protocol.

    Args:
        x: An object with ``__dlpack__``.
        device: A device of the backend; where the memory is by default.
        copy: True always copies; False raises where a copy would be needed; None shares where possible.
        like: An array of the backend to make it on. By default an array stays on its own backend, and that of
            an unknown library goes to NumPy.

    Returns:
        An array of the shape and dtype of x.

    Raises:
        TypeError: If x has no ``__dlpack__``, or ``like`` has an unknown type.
        ValueError: If ``copy=False`` and a copy is needed.

    Notes:
        Eager only: a tracer has no memory. This is the one way from framework to framework, or to NumPy; it
        carries no gradient.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.from_dlpack(np.array([1.0, 2.0]))
        array([1., 2.])
    """
    if not hasattr(x, "__dlpack__"):
        raise TypeError(f"from_dlpack: `x` must have __dlpack__, got {errors.describe(x)}")
    if copy is not None and not isinstance(copy, bool):
        raise errors.not_a_bool(copy, "from_dlpack", "copy")
    backend = backend_of(like, "from_dlpack", "like") if like is not None else _backend_or_none(x) or HOST
    return backend.ops.from_dlpack(x, device=device, copy=copy)
