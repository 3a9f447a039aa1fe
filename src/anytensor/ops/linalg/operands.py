"""How matrices reach a backend: checked, integers as floats, half precision computed in single."""

from __future__ import annotations

from typing import Any

from anytensor import errors
from anytensor.backends import TYPES, Backend
from anytensor.ops.dispatch import operand
from anytensor.ops.kinds import numeric
from anytensor.promotion.align import align

__all__ = ["differ", "matrices", "matrix", "narrowed", "not_square", "too_few_dimensions"]


def matrix(function: str, x: Any, *, square: bool = False, least_rank: int = 2) -> tuple[Backend, Any, Any]:
    """Return the backend of a stack of matrices, the stack in a dtype to compute in, and the dtype to return.

    Args:
        function: Name of the public function, for errors.
        x: The operand, shape (..., M, N).
        square: Whether M must be N.
        least_rank: The least number of dimensions.

    Returns:
        The backend; x, bool and integers cast to the default float, float16 and bfloat16 to float32; the
        dtype that the result is cast to, or None for the one it has.

    Raises:
        TypeError: If x has an unknown type.
        ValueError: If it has too few dimensions or is not square.
    """
    backend = TYPES.get(type(x))
    if backend is None:
        backend, x = operand(function, "x", x)
    numeric(function, backend, x)
    _check_shape(function, backend, x, "x", square, least_rank)
    return backend, *_computable(backend, x)


def matrices(function: str, x1: Any, x2: Any) -> tuple[Backend, Any, Any, Any]:
    """Return the backend of two operands, both in one dtype to compute in, and the dtype to return.

    Raises:
        TypeError: If an operand has an unknown type or two frameworks meet.
    """
    x1, x2 = align(function, ["x1", "x2"], ["data", "data"], [x1, x2])
    backend = TYPES[type(x1)]
    x1, dtype = _computable(backend, x1)
    x2, _ = _computable(backend, x2)
    return backend, x1, x2, dtype


def _computable(backend: Backend, x: Any) -> tuple[Any, Any]:
    kind = backend.dtype_kind(x.dtype)
    if kind in "biu":
        return backend.cast(x, backend.default_float()), None
    if kind == "f" and backend.numpy_dtype(x.dtype).itemsize == 2:
        return backend.cast(x, backend.as_dtype("float32")), x.dtype
    return x, None


def narrowed(backend: Backend, x: Any, dtype: Any) -> Any:
    """Return x in the dtype that ``matrix`` said."""
    return x if dtype is None else backend.cast(x, dtype)


def _check_shape(
    function: str, backend: Backend, x: Any, argument: str, square: bool, least_rank: int
) -> None:
    rank = backend.rank(x)
    if rank is None:
        return  # TensorFlow of unknown rank: its own kernels check when the graph runs
    if rank < least_rank:
        raise too_few_dimensions(function, x, argument, least_rank)
    if square:
        rows, columns = backend.shape(x)[-2:]
        if differ(rows, columns):
            raise not_square(function, x, argument)


def differ(a: Any, b: Any) -> bool:
    """Return whether two sizes are both known and not the same."""
    return isinstance(a, int) and isinstance(b, int) and a != b


def too_few_dimensions(function: str, x: Any, argument: str, least_rank: int) -> ValueError:
    """Build the error for an array with fewer dimensions than an operation needs."""
    return ValueError(
        f"{function}: `{argument}` must have at least {least_rank} dimension{'s' * (least_rank > 1)}, got "
        f"{errors.describe(x)}"
    )


def not_square(function: str, x: Any, argument: str) -> ValueError:
    """Build the error for matrices whose last two sizes differ."""
    return ValueError(f"{function}: `{argument}` must hold square matrices, got {errors.describe(x)}")
