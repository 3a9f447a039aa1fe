"""NumPy arrays: types, dtypes, conversion, shape. The clauses stand in ``backends/contract.py``."""

from __future__ import annotations

from typing import Any

import numpy as np

from anytensor.backends.host_scalar import host_scalar
from anytensor.errors import not_numeric

__all__ = [
    "AT_A_GLANCE",
    "INTS_MAY_BE_SYMBOLIC",
    "NAME",
    "array_types",
    "as_dtype",
    "as_size",
    "cast",
    "default_float",
    "default_int",
    "dtype_kind",
    "fit_host",
    "from_host",
    "from_scalar",
    "is_array",
    "is_bool",
    "is_integer",
    "is_no_number",
    "is_traced",
    "largest_size",
    "numbers_only",
    "numpy_dtype",
    "promote_dtypes",
    "rank",
    "rows_match",
    "shape",
    "to_numpy",
]

NAME = "numpy"
AT_A_GLANCE: dict[str, Any] = {}
INTS_MAY_BE_SYMBOLIC = False


def array_types() -> tuple[type, ...]:
    """Return the exact types of array."""
    return (np.ndarray,)


def is_array(x: Any) -> bool:
    """Return whether x is an array or a scalar of the host."""
    return isinstance(x, (np.ndarray, np.generic, bool, int, float, complex))


def is_traced(x: Any) -> bool:
    """Return False: NumPy has no tracing."""
    return False


def is_integer(x: Any) -> bool:
    """Return whether the dtype is an integer one."""
    found: bool = x.dtype.kind in "iu"
    return found


def is_bool(x: Any) -> bool:
    """Return whether the dtype is bool."""
    return x.dtype.kind == "b"  # type: ignore[no-any-return]  # a string comparison: half the time of ==


def rank(x: Any) -> int:
    """Return the number of dimensions."""
    return int(x.ndim)


def shape(x: Any) -> tuple[int, ...]:
    """Return the shape."""
    return tuple(np.shape(x))


def rows_match(x: Any, ids: Any) -> bool:
    """Return whether ids has one entry for each row of x."""
    found: bool = ids.ndim == 1 and x.ndim != 0 and x.shape[0] == ids.shape[0]
    return found


def dtype_kind(dtype: Any) -> str:
    """Return one of b i u f c, or NumPy's own letter for what holds no numbers (O S U m M T, V for void)."""
    try:
        kind = dtype.kind
    except AttributeError:  # a scalar type or a name
        kind = np.dtype(dtype).kind
    return _kind_of_other(dtype) if kind in "VW" else kind


def _kind_of_other(dtype: Any) -> str:
    """Return the kind of ml_dtypes' dtypes (NumPy's V, complex ones W); "V" for void and records."""
    if issubclass(dtype.type, np.void):
        return "V"
    if dtype.kind == "W":
        return "c"
    name = dtype.name
    return "i" if name.startswith("int") else "u" if name.startswith("uint") else "f"


def is_no_number(x: Any) -> bool:
    """Return whether the dtype is bool, or none that holds numbers."""
    kind = x.dtype.kind
    return kind in "bOSUmMTV" and (kind != "V" or _kind_of_other(x.dtype) == "V")


def numbers_only(x: Any, function: str, argument: str = "x") -> None:
    """Raise TypeError if the dtype holds no numbers: objects, strings, dates, records."""
    if dtype_kind(x.dtype) not in "biufc":
        raise not_numeric(x, function, argument)


def as_dtype(dtype: Any) -> Any:
    """Return a NumPy dtype of numbers for a dtype, a name, a scalar type, or another backend's dtype."""
    found = _numpy_dtype_of(dtype)
    if dtype_kind(found) not in "biufc":
        raise TypeError(f"the dtype {found} holds no numbers; bool, integer, floating and complex ones do")
    return found


def _numpy_dtype_of(dtype: Any) -> Any:
    try:
        return np.dtype(dtype)
    except TypeError:
        pass
    name = str(getattr(dtype, "name", dtype)).removeprefix("torch.")
    if name == "bfloat16":
        try:
            import ml_dtypes
        except ImportError:
            raise TypeError("dtype bfloat16 needs the ml_dtypes package on NumPy") from None
        return np.dtype(ml_dtypes.bfloat16)
    try:
        return np.dtype(name)
    except TypeError:
        raise TypeError(f"NumPy has no dtype {dtype!r}") from None


def numpy_dtype(dtype: Any) -> Any:
    """Return the dtype itself."""
    return np.dtype(dtype)


def default_int() -> Any:
    """Return int64 (the platform's integer under NumPy 1)."""
    return np.dtype(np.int_)


def default_float() -> Any:
    """Return float64."""
    return np.dtype(np.float64)


def promote_dtypes(arrays: list[Any]) -> Any:
    """Return np.result_type of the dtypes; float32 or wider where bfloat16 meets what it cannot hold."""
    dtypes = [x.dtype for x in arrays]
    try:
        return np.result_type(*dtypes)
    except TypeError:
        # ml_dtypes knows no result for some pairs, such as bfloat16 beside int32.
        wide = [np.dtype(np.float32) if dtype.kind == "V" else dtype for dtype in dtypes]
        return np.result_type(*wide)


def cast(x: Any, dtype: Any) -> Any:
    """Return x in the dtype, without a copy if it has it."""
    return x if x.dtype == dtype else x.astype(dtype)


def fit_host(host: Any, kind: str) -> Any:
    """Return the array itself."""
    return host


def from_host(host: Any, like: Any, copy: bool) -> tuple[Any, str]:
    """Return the array itself."""
    return np.array(host) if copy else np.asarray(host), ""


from_scalar = host_scalar  # itself: a call more is a tenth of an operation with a number


def as_size(x: Any) -> int | None:
    """Return an int for a 0-d integer array."""
    if isinstance(x, (np.ndarray, np.integer)) and np.ndim(x) == 0 and np.asarray(x).dtype.kind in "iu":
        return int(x)
    return None


def largest_size() -> int:
    """Return what the index type holds."""
    return int(np.iinfo(np.intp).max)


def to_numpy(x: Any) -> Any:
    """Return the array itself."""
    return np.asarray(x)
