"""What ordinary operations make of their arguments: axes, sizes, lists of arrays, arrays of one backend."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.exceptions import AxisError

from anytensor import errors
from anytensor.backends import HOST, TYPES, Backend, backend_of
from anytensor.compiling import is_compiling, is_dynamo_tracing
from anytensor.promotion import align, as_size

__all__ = [
    "aligned_list",
    "axes_in_range",
    "axis_in_range",
    "broadcast_fits",
    "list_of_arrays",
    "reshape_fits",
    "sizes",
    "together",
]


def axis_in_range(function: str, axis: Any, ndim: int | None, argument: str = "axis") -> int:
    """Return an axis as an int of at least 0.

    Args:
        function: Name of the public function, for errors.
        axis: What the caller gave.
        ndim: Number of dimensions; None if TensorFlow does not know it, and then the axis passes unchecked.
        argument: Name of the argument, for errors.

    Returns:
        The axis, counted from the front.

    Raises:
        TypeError: If it is not an integer.
        AxisError: If it is out of range; an IndexError and a ValueError, whatever the backend raises.
    """
    if type(axis) is not int:
        if isinstance(axis, (bool, np.bool_)):
            raise TypeError(f"{function}: `{argument}` must be an integer, got {axis!r}")
        try:
            axis = operator.index(axis)
        except (TypeError, AttributeError):  # AttributeError: of a TensorFlow tensor that is no integer
            raise TypeError(
                f"{function}: `{argument}` must be an integer, got {errors.describe(axis)}"
            ) from None
    if ndim is None:
        return axis  # type: ignore[no-any-return]  # operator.index is untyped for Any
    if -ndim <= axis < ndim:
        return axis + ndim if axis < 0 else axis  # type: ignore[no-any-return]  # as above
    allowed = f"from {-ndim} to {ndim - 1}" if ndim else "none, for it is 0-d"
    raise AxisError(f"{function}: `{argument}` {axis} is out of range; allowed for {ndim} axes: {allowed}")


def axes_in_range(function: str, axis: Any, ndim: int | None, argument: str = "axis") -> tuple[int, ...]:
    """Return one axis or several as a tuple of ints of at least 0.

    Args:
        function: Name of the public function, for errors.
        axis: An int, or a tuple or list of ints.
        ndim: Number of dimensions, None if unknown.
        argument: Name of the argument, for errors.

    Returns:
        The axes in the caller's order.

    Raises:
        TypeError: If an axis is not an integer.
        AxisError: If one is out of range.
        ValueError: If one stands there twice.
    """
    if not isinstance(axis, (tuple, list)):
        return (axis_in_range(function, axis, ndim, argument),)
    out: list[int] = []
    for a in axis:
        place = axis_in_range(function, a, ndim, argument)
        if place in out:
            raise ValueError(f"{function}: `{argument}` {tuple(axis)} names an axis twice")
        out.append(place)
    return tuple(out)


def sizes(function: str, shape: Any, argument: str = "shape", *, infer: bool = False) -> tuple[Any, ...]:
    """Return a shape argument as a tuple of sizes.

    Args:
        function: Name of the public function, for errors.
        shape: One size, or a tuple or list of sizes: Python ints, symbolic sizes, 0-d integer arrays. Also
            TensorFlow's TensorShape, if all of its sizes are known; else ``at.shape`` gives them.
        argument: Name of the argument, for errors.
        infer: Whether one size may be -1.

    Returns:
        Python ints where known, else symbolic sizes.

    Raises:
        TypeError: If a size is None, a bool, floating or a value that a JAX trace does not know.
        ValueError: If a size is negative or not 0-d, or more than one is -1, or one beside a 0.
    """
    if not isinstance(shape, (tuple, list)):
        shape = _entries(function, shape, argument) if _is_tensor_shape(shape) else (shape,)
    out = []
    inferred = 0
    for n in shape:
        if type(n) is int and n >= 0 and (is_compiling() or n < 2**31):  # a comparison binds a symbolic int
            out.append(n)
        elif infer and isinstance(n, (int, np.integer)) and n == -1 and not isinstance(n, bool):
            inferred += 1
            out.append(-1)
        else:
            out.append(as_size(n, function, argument))
    if inferred > 1 or (inferred and 0 in [n for n in out if isinstance(n, int)]):
        raise ValueError(f"{function}: `{argument}` may have one -1, and none beside a 0, got {tuple(shape)}")
    return tuple(out)


def _is_tensor_shape(shape: Any) -> bool:
    return type(shape).__name__ == "TensorShape" and type(shape).__module__.startswith("tensorflow")


def _entries(function: str, shape: Any, argument: str) -> list[Any]:
    """Return the sizes in TensorFlow's TensorShape."""
    if shape.rank is None:
        raise TypeError(
            f"{function}: `{argument}` is a TensorShape of unknown rank; take at.shape(x) of a tensor "
            "with a known rank, whose sizes are known when the graph runs"
        )
    return list(shape.as_list())


def list_of_arrays(function: str, arrays: Any, argument: str = "arrays") -> None:
    """Check that an argument is a tuple or a list that is not empty.

    Raises:
        TypeError: If it is something else, such as one array.
        ValueError: If it is empty.
    """
    if not isinstance(arrays, (tuple, list)):
        raise TypeError(
            f"{function}: `{argument}` must be a tuple or a list of arrays, got {errors.describe(arrays)}"
        )
    if not arrays:
        raise ValueError(f"{function}: `{argument}` must hold at least one array, got none")


def aligned_list(function: str, arrays: Any, argument: str = "arrays") -> tuple[Backend, list[Any]]:
    """Bring a list of arrays onto one backend and to one dtype.

    Args:
        function: Name of the public function, for errors.
        arrays: A tuple or list of arrays and scalars.
        argument: Name of the argument, for errors.

    Returns:
        The backend and the arrays.

    Raises:
        TypeError: If it is no list, an entry has an unknown type, or two frameworks meet.
        ValueError: If it is empty.
    """
    list_of_arrays(function, arrays, argument)
    first = arrays[0]
    backend = TYPES.get(type(first))
    if backend is not None and not (backend is HOST and is_dynamo_tracing()):
        dtype = first.dtype
        for x in arrays:
            if TYPES.get(type(x)) is not backend or x.dtype != dtype:
                break
        else:
            return backend, list(arrays)
    names = [f"{argument}[{i}]" for i in range(len(arrays))]
    out = align(function, names, ["data"] * len(arrays), list(arrays))
    return backend_of(out[0], function, argument), out


def together(function: str, names: Sequence[str], arrays: Sequence[Any]) -> tuple[Backend, list[Any]]:
    """Bring arrays onto one backend, each in its own dtype.

    Args:
        function: Name of the public function, for errors.
        names: Name of each argument, for errors.
        arrays: Arrays and scalars, at least one. A Python scalar comes in the dtype that it has there.

    Returns:
        The backend and the arrays.

    Raises:
        TypeError: If one has an unknown type or two frameworks meet.
    """
    backend, like = HOST, None
    for name, x in zip(names, arrays, strict=True):
        own = backend_of(x, function, name)
        if own is not HOST and own is not backend:
            if backend is not HOST:
                raise errors.mixed_frameworks(like, x, function)
            backend, like = own, x
    if backend is HOST:
        return backend, [np.asarray(x) for x in arrays]
    out = []
    for name, x in zip(names, arrays, strict=True):
        if HOST.is_array(x):
            # An integer vector beside it keeps the data operand alone in deciding its dtype.
            anchor = backend.from_scalar(0, backend.default_int(), like)
            x = align(function, [name, "like"], ["data", "index"], [x, anchor])[0]
        out.append(x)
    return backend, out


def _known(shape: Sequence[Any]) -> bool:
    return all(isinstance(n, int) for n in shape)


def reshape_fits(function: str, before: Sequence[Any], after: Sequence[Any], error: Exception) -> None:
    """Raise ValueError if an array of one shape cannot take another; called when a backend has failed."""
    if not (_known(before) and _known(after)):
        return
    have, want = 1, 1
    for n in before:
        have *= n
    for n in after:
        want *= n if n >= 0 else 1
    fits = (want != 0 and have % want == 0) if -1 in after else have == want
    if not fits:
        raise ValueError(
            f"{function}: x of shape {tuple(before)} has {have} entries and cannot take shape {tuple(after)}"
        ) from error


def broadcast_fits(function: str, shapes: Sequence[Sequence[Any]], error: Exception) -> None:
    """Raise ValueError if shapes do not broadcast together; called when a backend has failed."""
    longest = max(len(shape) for shape in shapes)
    for i in range(1, longest + 1):
        column = {shape[-i] for shape in shapes if len(shape) >= i and isinstance(shape[-i], int)}
        if len(column - {1}) > 1:
            listed = " and ".join(str(tuple(shape)) for shape in shapes)
            raise ValueError(f"{function}: shapes {listed} do not broadcast together") from error
