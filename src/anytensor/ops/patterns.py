"""einops' functions under ``at.*``: its pattern language works on the arrays of every backend.

Operands meet as everywhere here: NumPy arrays go along with a framework, dtypes are shared, and what comes
back on NumPy is an array, never a scalar. einops' ``repeat`` is ``einops_repeat`` here, for ``repeat`` is the
array function.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import einops
import numpy as np

from anytensor import errors
from anytensor.backends import HOST, Backend, backend_of
from anytensor.ops import reduction as reductions
from anytensor.ops.arguments import aligned_list
from anytensor.ops.dispatch import operand
from anytensor.ops.kinds import numeric
from anytensor.ops.plain import functions
from anytensor.promotion import align
from anytensor.typing import ArrayT, Shaped, SizeLike

__all__ = ["einops_repeat", "einsum", "pack", "rearrange", "reduce", "unpack"]

# einops calls the framework's own: TensorFlow's wraps small integers, refuses bool and, under XLA, loses a
# NaN; ml_dtypes' bfloat16 adds up to 256 ones; PyTorch finds that any of uint8 is a uint8.
_REDUCTIONS = {
    "sum": lambda x, axes: reductions.sum(x, axis=axes),
    "prod": lambda x, axes: reductions.prod(x, axis=axes),
    "mean": lambda x, axes: reductions.mean(x, axis=axes),
    "max": lambda x, axes: reductions.max(x, axis=axes),
    "min": lambda x, axes: reductions.min(x, axis=axes),
    "any": lambda x, axes: reductions.any(x, axis=axes),
    "all": lambda x, axes: reductions.all(x, axis=axes),
}


def _tensor(function: str, tensor: Any) -> tuple[Backend, Any]:
    """Return the backend and the array, or the list of arrays that einops stacks."""
    if isinstance(tensor, (list, tuple)):
        return aligned_list(function, tensor, "tensor")
    return operand(function, "tensor", tensor)


def _pattern(function: str, pattern: Any, *, arrow: bool = True) -> str:
    if not isinstance(pattern, str):
        raise TypeError(f"{function}: `pattern` must be a string, got {errors.describe(pattern)}")
    if arrow and pattern.count("->") != 1:
        raise einops.EinopsError(f"{function}: `pattern` must have one '->', got {pattern!r}")
    return pattern


def _run(function: str, call: Callable[..., Any], *args: Any, **lengths: Any) -> Any:
    """Call einops; its errors about a pattern, of several types, name the function and stay EinopsErrors.

    Raises:
        einops.EinopsError: If the pattern does not fit.
    """
    try:
        return call(*args, **lengths)
    except Exception as error:
        is_of_unpack = function == "unpack" and isinstance(error, RuntimeError)  # einops before 0.8.2
        if is_of_unpack or isinstance(error, (einops.EinopsError, NotImplementedError)):
            raise einops.EinopsError(f"{function}: `pattern` does not fit: {error}") from error
        if function == "einsum":
            _einsum_fits(args[:-1], _pattern(function, args[-1]), error)
        raise


def _einsum_fits(tensors: Sequence[Any], pattern: str, error: Exception) -> None:
    """Raise EinopsError if the axes of a pattern are not those of the arrays; called after a failure."""
    lengths: dict[str, Any] = {}
    named = [part.split() for part in pattern.split("->")[0].split(",")]
    if len(named) != len(tensors) or "..." in pattern:
        return
    for i, (names, x) in enumerate(zip(named, tensors, strict=True)):
        backend = backend_of(x, "einsum", "tensors")
        if backend.rank(x) is None:
            return
        shape = backend.shape(x)
        if len(shape) != len(names) or any(
            length != lengths.setdefault(name, length) for name, length in zip(names, shape, strict=True)
        ):
            raise einops.EinopsError(
                f"einsum: `pattern` {pattern!r} does not fit operand {i} of shape {shape}"
            ) from error


def _array(backend: Backend, x: Any) -> Any:
    return np.asarray(x) if backend is HOST else x


def rearrange(
    tensor: Shaped[ArrayT, ...] | Sequence[Shaped[ArrayT, ...]], pattern: str, **axes_lengths: SizeLike
) -> Shaped[ArrayT, ...]:
    """Reorder, split and merge axes.

    Args:
        tensor: An array, any dtype; or a list of arrays of one shape, which are stacked along a first axis.
        pattern: The axes before and after, such as ``"(a b) c -> c (a b)"``.
        **axes_lengths: Lengths of axes that the shape leaves open.

    Returns:
        The array in its new shape, in its dtype and on its device; empty if the array is.

    Raises:
        TypeError: If ``tensor`` has an unknown type, two frameworks meet, or ``pattern`` is no string.
        einops.EinopsError: If the pattern does not fit the shape.

    Notes:
        The gradient flows through. Lengths may be unknown to a trace.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.rearrange(np.arange(6), "(rows columns) -> columns rows", rows=2)
        array([[0, 3],
               [1, 4],
               [2, 5]])

    References:
        Rogozhnikov, "Einops: Clear and Reliable Tensor Manipulations with Einstein-like Notation", 2022,
        https://openreview.net/forum?id=oapKSVM2bcj.
    """
    backend, x = _tensor("rearrange", tensor)
    out = _run("rearrange", einops.rearrange, x, _pattern("rearrange", pattern), **axes_lengths)
    return _array(backend, out)  # type: ignore[no-any-return]


def einops_repeat(
    tensor: Shaped[ArrayT, ...] | Sequence[Shaped[ArrayT, ...]], pattern: str, **axes_lengths: SizeLike
) -> Shaped[ArrayT, ...]:
    """Repeat an array along new or longer axes; einops' ``repeat``.

    Args:
        tensor: As for ``rearrange``.
        pattern: The axes before and after, such as ``"a -> a copies"``.
        **axes_lengths: Lengths of the axes that are new.

    Returns:
        The array with its entries repeated, in its dtype and on its device; empty if the array is.

    Raises:
        TypeError: If ``tensor`` has an unknown type, two frameworks meet, or ``pattern`` is no string.
        einops.EinopsError: If the pattern does not fit the shape.

    Notes:
        The gradient adds up over the copies.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.einops_repeat(np.array([1, 2]), "a -> a copies", copies=2)
        array([[1, 1],
               [2, 2]])

    References:
        As for ``rearrange``.
    """
    backend, x = _tensor("einops_repeat", tensor)
    own = (x[0] if isinstance(x, list) else x).dtype
    bits = None
    if backend.NAME == "tensorflow" and backend.numpy_dtype(own).name == "uint16":
        bits = backend.as_dtype("int16")  # TensorFlow 2.21 tiles no uint16 on a CPU
        x = [backend.cast(part, bits) for part in x] if isinstance(x, list) else backend.cast(x, bits)
    out = _run("einops_repeat", einops.repeat, x, _pattern("einops_repeat", pattern), **axes_lengths)
    return _array(backend, out) if bits is None else backend.cast(out, own)  # type: ignore[no-any-return]


def reduce(
    tensor: Shaped[ArrayT, ...] | Sequence[Shaped[ArrayT, ...]],
    pattern: str,
    reduction: str | Callable[..., Any],
    **axes_lengths: SizeLike,
) -> Shaped[ArrayT, ...]:
    """Reorder, split and merge axes, and reduce over those that the pattern drops.

    Args:
        tensor: As for ``rearrange``; numeric or bool.
        pattern: The axes before and after, such as ``"rows columns -> rows"``.
        reduction: ``"sum"``, ``"mean"`` (floating data), ``"max"``, ``"min"``, ``"prod"``, ``"any"``,
            ``"all"``, or a function of the array and a tuple of axes.
        **axes_lengths: Lengths of axes that the shape leaves open.

    Returns:
        The reduced array, on its device; 0-d where no axis is left. Dtype as of ``at.sum``, ``at.max``, ...

    Raises:
        TypeError: If ``tensor`` has an unknown type or holds no numbers, two frameworks meet, or ``pattern``
            is no string.
        einops.EinopsError: If the pattern does not fit the shape or the reduction is unknown.

    Notes:
        Differentiable as the reduction is.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.reduce(np.array([[1.0, 5.0], [2.0, 3.0]]), "rows columns -> rows", "max")
        array([5., 3.])

    References:
        As for ``rearrange``.
    """
    backend, x = _tensor("reduce", tensor)
    for part in x if isinstance(x, list) else (x,):
        numeric("reduce", backend, part, "tensor")
    if not isinstance(reduction, str):
        functions("reduce", optional=False, reduction=reduction)
    elif reduction != "mean" or backend.dtype_kind((x[0] if isinstance(x, list) else x).dtype) in "fc":
        reduction = _REDUCTIONS.get(reduction, reduction)  # einops refuses the mean of integers
    out = _run("reduce", einops.reduce, x, _pattern("reduce", pattern), reduction, **axes_lengths)
    return _array(backend, out)  # type: ignore[no-any-return]


def einsum(*tensors_and_pattern: Any) -> Any:
    """Multiply arrays and sum over the axes that the result drops.

    Args:
        *tensors_and_pattern: One or more arrays, which come to one backend and dtype, then the pattern with
            named axes, such as ``"i j, j k -> i k"``.

    Returns:
        The array with the axes of the result, in the shared dtype; 0-d where there are none.

    Raises:
        TypeError: If the last argument is no string, an operand has an unknown type or holds no numbers, or
            two frameworks meet.
        einops.EinopsError: If the pattern does not fit the shapes.

    Notes:
        Differentiable in every operand.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.einsum(np.array([[1, 2], [3, 4]]), np.array([1, 1]), "rows columns, columns -> rows")
        array([3, 7])

    References:
        As for ``rearrange``.
    """
    if not tensors_and_pattern or not isinstance(tensors_and_pattern[-1], str):
        last = tensors_and_pattern[-1] if tensors_and_pattern else None
        raise TypeError(
            f"einsum: the last argument must be the pattern, a string, got {errors.describe(last)}"
        )
    *tensors, pattern = tensors_and_pattern
    if not tensors:
        return _run("einsum", einops.einsum, pattern)
    names = [f"tensors[{i}]" for i in range(len(tensors))]
    tensors = align("einsum", names, ["data"] * len(tensors), tensors)
    backend, _ = operand("einsum", names[0], tensors[0])
    numeric("einsum", backend, tensors[0], names[0])
    own = tensors[0].dtype
    wide = _computable(backend, own)
    if wide is not None:
        tensors = [backend.cast(x, wide) for x in tensors]
    out = _array(backend, _run("einsum", einops.einsum, *tensors, pattern))
    return backend.cast(out, own)  # PyTorch's sum of integers is an int64


def _computable(backend: Backend, dtype: Any) -> Any:
    """Return the dtype to compute an einsum in where the framework has no kernel for its own, or a bad one.

    NumPy has none for bfloat16, TensorFlow for bool and most integers, PyTorch for bool; NumPy and TensorFlow
    add up half precision in itself. Integers wrap alike in a wider dtype.
    """
    kind = backend.dtype_kind(dtype)
    if kind == "b" and backend.NAME in ("torch", "tensorflow"):
        return backend.as_dtype("int32")
    if kind == "f" and backend.NAME in ("numpy", "tensorflow") and backend.numpy_dtype(dtype).itemsize < 4:
        return backend.as_dtype("float32")
    if (
        kind in "iu"
        and backend.NAME == "tensorflow"
        and backend.numpy_dtype(dtype).name not in ("int32", "int64")
    ):
        return backend.as_dtype("int64")
    return None


def pack(tensors: Sequence[Shaped[ArrayT, ...]], pattern: str) -> tuple[Shaped[ArrayT, ...], list[Any]]:
    """Join arrays of different ranks along one axis.

    Args:
        tensors: A tuple or list of at least one array; they come to one backend and dtype.
        pattern: The axes that all have, and one ``*`` for those that are joined: ``"rows * channels"``.

    Returns:
        The joined array, and the shapes that ``*`` stood for, which ``unpack`` takes.

    Raises:
        TypeError: If ``tensors`` is no tuple or list, an entry has an unknown type, two frameworks meet, or
            ``pattern`` is no string.
        ValueError: If ``tensors`` is empty.
        einops.EinopsError: If the pattern does not fit the shapes.

    Notes:
        Sizes that a trace does not know have no place in the shapes.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.pack([np.ones((2, 3)), np.zeros(2)], "rows *")
        (array([[1., 1., 1., 0.],
               [1., 1., 1., 0.]]), [(3,), ()])

    References:
        As for ``rearrange``.
    """
    backend, parts = aligned_list("pack", tensors, "tensors")
    packed, shapes = _run("pack", einops.pack, parts, _pattern("pack", pattern, arrow=False))
    if backend.NAME == "tensorflow":
        # In a tf.function einops 0.8 takes a length 0 for an unknown one: ours are ints where they are known.
        first = pattern.split().index("*")
        shapes = [backend.shape(x)[first : first + len(s)] for x, s in zip(parts, shapes, strict=True)]
    return packed, shapes


def unpack(
    tensor: Shaped[ArrayT, ...], packed_shapes: Sequence[Any], pattern: str
) -> list[Shaped[ArrayT, ...]]:
    """Split what ``pack`` joined.

    Args:
        tensor: The joined array.
        packed_shapes: The shapes that ``pack`` returned; one -1 in them is inferred.
        pattern: The pattern that ``pack`` took.

    Returns:
        The arrays, each in its shape, in the dtype and on the device of ``tensor``.

    Raises:
        TypeError: If ``tensor`` has an unknown type or ``pattern`` is no string.
        einops.EinopsError: If the shapes do not fit.

    Notes:
        The gradient flows through.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.unpack(np.array([[1.0, 2.0, 9.0]]), [(2,), ()], "rows *")
        [array([[1., 2.]]), array([9.])]

    References:
        As for ``rearrange``.
    """
    backend, x = operand("unpack", "tensor", tensor)
    if not isinstance(packed_shapes, (tuple, list)) or not all(
        isinstance(shape, (tuple, list)) or type(shape).__name__ == "TensorShape" for shape in packed_shapes
    ):
        raise TypeError(
            "unpack: `packed_shapes` must be a list of shapes, as pack returns it, got "
            f"{errors.describe(packed_shapes)}"
        )
    parts = _run("unpack", einops.unpack, x, packed_shapes, _pattern("unpack", pattern, arrow=False))
    return [_array(backend, part) for part in parts]
