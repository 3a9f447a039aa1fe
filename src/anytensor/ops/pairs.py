"""How the operands of a two-operand function meet when they do not agree already.

The element-wise functions compare types and dtypes themselves, which saves the call of a wrapper
(``benchmarks/elementwise.py``), and come here otherwise. A Python scalar beside an array goes a short way: it
is what most calls bring.
"""

from __future__ import annotations

from typing import Any

from anytensor import errors
from anytensor.backends import HOST, TYPES, Backend
from anytensor.ops.arguments import broadcast_fits
from anytensor.promotion.align import align

__all__ = ["explain", "fits", "pair", "scalar_beside"]

# Order of the kinds: a scalar of a kind that is no higher takes the array's dtype.
_SCALAR_ORDER: dict[type, int] = {bool: 0, int: 1, float: 2, complex: 3}
_KIND_ORDER = {"b": 0, "i": 1, "u": 1, "f": 2, "c": 3, **dict.fromkeys("OSUmMTV", -1)}


def fits(backend: Backend, scalar: Any, x: Any) -> bool:
    """Return whether an object is a Python scalar that takes the dtype of the array x."""
    order = _SCALAR_ORDER.get(type(scalar))
    return order is not None and order <= _KIND_ORDER[backend.dtype_kind(x.dtype)]


def scalar_beside(function: str, argument: str, backend: Backend, scalar: Any, x: Any) -> Any:
    """Return a Python scalar that ``fits`` as an operand of the backend beside x.

    Raises:
        OverflowError: If the integer dtype of x does not hold it.
    """
    try:
        return backend.ops.scalar_operand(scalar, x.dtype, x)
    except OverflowError:
        raise errors.out_of_range(scalar, x.dtype, function, argument) from None


def pair(function: str, x1: Any, x2: Any) -> tuple[Backend, Any, Any]:
    """Bring two data operands onto one backend and to one dtype.

    Args:
        function: Name of the public function, for errors.
        x1: An array, tensor or scalar.
        x2: An array, tensor or scalar.

    Returns:
        The backend and the operands.

    Raises:
        TypeError: If an operand has an unknown type or two frameworks meet.
    """
    backend = TYPES.get(type(x1))
    if backend is not None:
        if backend is TYPES.get(type(x2)) and x1.dtype == x2.dtype:
            return backend, x1, x2  # a parameter beside a tensor
        if fits(backend, x2, x1):
            return backend, x1, scalar_beside(function, "x2", backend, x2, x1)
    else:
        backend = TYPES.get(type(x2))
        if backend is not None and fits(backend, x1, x2):
            return backend, scalar_beside(function, "x1", backend, x1, x2), x2
    x1, x2 = align(function, ["x1", "x2"], ["data", "data"], [x1, x2])
    return TYPES[type(x1)], x1, x2


def explain(function: str, backend: Backend, error: Exception, *xs: Any) -> None:
    """Raise the error that says why a backend has failed: no numbers in an operand, or no common shape.

    Args:
        function: Name of the public function.
        backend: The operands' backend.
        error: What the backend raised: each framework's own, of four different types.
        *xs: The operands, promoted; what is no array is passed over.

    Raises:
        TypeError: If a NumPy operand holds no numbers.
        ValueError: If the operands do not broadcast together.
    """
    if backend is HOST and isinstance(error, TypeError):
        for i, x in enumerate(xs):
            if hasattr(x, "dtype") and HOST.dtype_kind(x.dtype) not in "biufc":
                raise errors.not_numeric(x, function, f"x{i + 1}") from error
    shapes = [backend.shape(x) for x in xs if hasattr(x, "shape") and backend.rank(x) is not None]
    if shapes:
        broadcast_fits(function, shapes, error)
