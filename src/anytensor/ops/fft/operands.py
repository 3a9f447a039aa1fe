"""How samples reach a backend: checked, integers as floats, half precision as single."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from anytensor import errors
from anytensor.backends import TYPES, Backend
from anytensor.ops.arguments import axes_in_range, axis_in_range
from anytensor.ops.dispatch import operand
from anytensor.ops.kinds import numeric
from anytensor.ops.plain import option, whole

__all__ = ["along_many", "along_one"]

_NORMS = ("backward", "ortho", "forward")


def along_one(
    function: str, x: Any, n: Any, axis: Any, norm: Any, *, real: bool = False
) -> tuple[Backend, Any, int]:
    """Return the backend of the samples, the samples in a dtype to compute in, and the axis from the front.

    Args:
        function: Name of the public function, for errors.
        x: The samples.
        n: Number of points asked, or None.
        axis: The axis.
        norm: The name of a normalization.
        real: Whether complex samples are refused.

    Raises:
        TypeError: If x has an unknown type or is complex where it must be real, or n or the axis is no int.
        ValueError: If the axis is out of range, n is less than 1, or ``norm`` is unknown.
    """
    backend, x = _computable(function, x, norm, real)
    if n is not None:
        whole(function, n, "n", 1)
    return backend, x, axis_in_range(function, axis, backend.rank(x))


def along_many(
    function: str,
    x: Any,
    s: Sequence[int] | None,
    axes: Sequence[int] | None,
    norm: Any,
    *,
    real: bool = False,
) -> tuple[Backend, Any, tuple[int, ...] | None, tuple[int, ...] | None]:
    """Return the backend of the samples, the samples, the points and the axes, as ``along_one``.

    The axes come back as a tuple; None only for an array of unknown rank.
    """
    backend, x = _computable(function, x, norm, real)
    rank = backend.rank(x)
    if s is not None:
        s = _listed(function, s, "s")
        for points in s:
            whole(function, points, "s", 1)
    if axes is not None:
        axes = axes_in_range(function, _listed(function, axes, "axes"), rank, "axes")
    elif rank is not None:
        count = rank if s is None else len(s)
        if count > rank:
            raise ValueError(f"{function}: `s` has {count} entries for an array of {rank} dimensions")
        axes = tuple(range(rank - count, rank))
    if real and axes == ():
        raise ValueError(
            f"{function}: `x` must have at least one axis to transform, got {errors.describe(x)}"
        )
    if s is not None and axes is not None and len(s) != len(axes):
        raise ValueError(f"{function}: `s` and `axes` must be as long as each other, got {s} and {axes}")
    return backend, x, s, axes


def _computable(function: str, x: Any, norm: Any, real: bool) -> tuple[Backend, Any]:
    option(function, norm, "norm", _NORMS)
    backend = TYPES.get(type(x))
    if backend is None:
        backend, x = operand(function, "x", x)
    numeric(function, backend, x)
    kind = backend.dtype_kind(x.dtype)
    if kind == "c" and real:
        raise TypeError(
            f"{function}: `x` must be real, got {errors.describe(x)}; take fft for complex samples"
        )
    if kind in "biu":
        return backend, backend.cast(x, backend.default_float())
    if kind == "f" and backend.numpy_dtype(x.dtype).itemsize == 2:
        return backend, backend.cast(x, backend.as_dtype("float32"))
    return backend, x


def _listed(function: str, entries: Any, argument: str) -> tuple[Any, ...]:
    if not isinstance(entries, (tuple, list)):
        raise TypeError(
            f"{function}: `{argument}` must be a tuple or a list of ints, got {errors.describe(entries)}"
        )
    return tuple(entries)
