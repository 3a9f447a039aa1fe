"""A Python number in a NumPy dtype, for the backends whose dtypes are NumPy's."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["filling", "host_scalar"]


def host_scalar(value: Any, dtype: Any, like: Any = None) -> Any:
    """Return a 0-d NumPy array of a Python number.

    Args:
        value: A bool, int, float or complex number.
        dtype: A NumPy or ml_dtypes dtype.
        like: Nothing; the backends' ``from_scalar`` has it for the device.

    Returns:
        The array; an infinity where a floating dtype holds no number so large.

    Raises:
        OverflowError: If an integer dtype does not hold the number.
    """
    try:
        if -65504 <= value <= 65504 and dtype.kind != "V":  # what every floating dtype of NumPy's own holds
            return _asarray(value, dtype=dtype)
    except TypeError:  # of a complex number
        pass
    return _converted(value, dtype)


def _converted(value: Any, dtype: Any) -> Any:
    if dtype.kind == "V":
        # ml_dtypes take a float only, and wrap an integer past their range.
        bits = dtype.name.lstrip("uint")
        if bits.isdigit():
            span = 1 << int(bits)
            least = 0 if dtype.name.startswith("u") else -(span // 2)
            if not least <= value < least + span:
                raise OverflowError(f"{value} out of bounds for {dtype}")
        else:
            value = float(value)
    with np.errstate(over="ignore"):
        return _asarray(value, dtype=dtype)


def _asarray_in_range(value: Any, dtype: Any) -> Any:
    if dtype.kind in "iu" and isinstance(value, int):
        limits = np.iinfo(dtype)
        if not limits.min <= value <= limits.max:
            raise OverflowError(f"Python integer {value} out of bounds for {dtype}")
    return np.asarray(value, dtype=dtype)


# NumPy 1 wraps a number that the dtype does not hold.
_asarray: Any = np.asarray if np.lib.NumpyVersion(np.__version__) >= "2.0.0" else _asarray_in_range


def filling(value: Any, dtype: Any) -> Any:
    """Return what fills an array: a Python number as ``host_scalar`` has it, anything else as it is."""
    is_number = dtype is not None and value.__class__ in (int, float, complex)
    return host_scalar(value, dtype) if is_number else value
