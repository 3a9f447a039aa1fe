"""From other objects to arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from anytensor import errors
from anytensor.backends import HOST, TYPES, Backend, backend_of
from anytensor.compiling import is_dynamo_tracing
from anytensor.ops.creation.target import KINDS, Target, number_kind, target
from anytensor.ops.dispatch import own_dtype
from anytensor.ops.plain import check_device
from anytensor.typing import Shaped

__all__ = ["asarray", "from_dlpack"]

_SEQUENCES = (list, tuple, range)
_PYTHON = (*_SEQUENCES, bool, int, float, complex)


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
        kind = obj.dtype if dtype is None else own_dtype("asarray", own, dtype)
        if device is not None:
            check_device("asarray", own, device)
        if copy is False and kind != obj.dtype:
            raise ValueError(f"asarray: copy=False, and the cast from {obj.dtype} to {kind} copies")
        if kind != obj.dtype:
            obj = own.cast(obj, kind)
            copy = None
        return own.ops.asarray(obj, device=device, copy=copy)
    to = target("asarray", dtype, device, like)
    if isinstance(obj, _PYTHON) and not isinstance(obj, np.generic):
        if copy is False:
            raise ValueError("asarray: copy=False, and Python numbers can only be copied")
        return _from_python(obj, to)
    if isinstance(obj, np.ma.MaskedArray):
        raise errors.is_masked(obj, "asarray", "obj")
    host = np.asarray(obj)
    # Dynamo reads no dtype of a NumPy array, which is a tensor to it and so holds numbers.
    if not is_dynamo_tracing() and HOST.dtype_kind(host.dtype) not in "biufc":
        raise TypeError(
            f"asarray: `obj` must be an array, a number or a nested sequence of numbers, got "
            f"{errors.describe(obj)}"
        )
    if to.backend is HOST:
        return _numpy_array(host, to.dtype, copy)
    return _on_framework(host, to, copy, like)


def _backend_or_none(obj: Any) -> Backend | None:
    try:
        return backend_of(obj, "asarray", "obj")
    except TypeError:
        return None


def _from_python(obj: Any, to: Target) -> Any:
    kind = _kind_of(obj)
    if to.dtype is None and to.like_dtype is None:
        own = None if kind >= 0 else to.backend.default_float()  # NumPy knows what its numbers become
    else:
        own = to.default(max(kind, 0))
    return to.backend.ops.from_python(obj, dtype=own, device=to.device)


def _kind_of(obj: Any) -> int:
    """Return the highest kind among the numbers of a nest: 0 bool to 3 complex; -1 if there is none."""
    if isinstance(obj, range):
        return 1 if len(obj) else -1
    if isinstance(obj, (list, tuple)):
        highest = -1
        for entry in obj:
            highest = max(highest, _kind_of(entry))
        return highest
    if isinstance(obj, np.generic):
        return KINDS[HOST.dtype_kind(obj.dtype)]
    if hasattr(obj, "shape"):
        raise TypeError(
            f"asarray: `obj` is a sequence that holds {errors.describe(obj)}; join arrays with at.stack"
        )
    if not isinstance(obj, (bool, int, float, complex)):
        raise TypeError(
            f"asarray: `obj` must be an array, a number or a nested sequence of numbers, and holds "
            f"{errors.describe(obj)}"
        )
    return number_kind("asarray", obj, "obj")


def _numpy_array(host: Any, dtype: Any, copy: bool | None) -> Any:
    if dtype is not None and (is_dynamo_tracing() or dtype != host.dtype):
        if copy is False:
            raise ValueError(f"asarray: copy=False, and the cast from {host.dtype} to {dtype} copies")
        return host.astype(dtype)
    return np.array(host) if copy else host


def _on_framework(host: Any, to: Target, copy: bool | None, like: Any) -> Any:
    backend = to.backend
    array, reason = backend.from_host(host, like, bool(copy))
    if copy is False and reason:
        raise ValueError(f"asarray: copy=False, and {backend.NAME} needs a copy ({reason})")
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
    if copy is not None and not isinstance(copy, bool):
        raise errors.not_a_bool(copy, "from_dlpack", "copy")
    if not hasattr(x, "__dlpack__"):
        raise TypeError(f"from_dlpack: `x` must have __dlpack__, got {errors.describe(x)}")
    backend = backend_of(like, "from_dlpack", "like") if like is not None else _backend_or_none(x) or HOST
    if device is not None:
        check_device("from_dlpack", backend, device)
    return backend.ops.from_dlpack(x, device=device, copy=copy)
