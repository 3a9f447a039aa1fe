"""A Python number becomes an array of a dtype that holds it, or an error; NumPy 1 would wrap it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from anytensor.backends import host_scalar as room

both = pytest.mark.parametrize("convert", [room._asarray, room._asarray_in_range], ids=["in use", "numpy 1"])


@both
@pytest.mark.parametrize(
    ("value", "dtype"), [(256, "uint8"), (-1, "uint8"), (128, "int8"), (2**31, "int32"), (2**70, "uint64")]
)
def test_an_integer_that_the_dtype_does_not_hold(convert: Any, value: int, dtype: str) -> None:
    with pytest.raises(OverflowError):
        convert(value, dtype=np.dtype(dtype))


@both
@pytest.mark.parametrize(
    ("value", "dtype"),
    [
        (255, "uint8"),
        (0, "uint8"),
        (-128, "int8"),
        (127, "int8"),
        (2.9, "int32"),
        (True, "int8"),
        (300, "float16"),
    ],
)
def test_a_number_that_it_holds(convert: Any, value: Any, dtype: str) -> None:
    array = convert(value, dtype=np.dtype(dtype))
    assert array.dtype == dtype
    assert array.shape == ()
    assert array == np.dtype(dtype).type(value)


@both
def test_not_a_number_in_an_integer_dtype(convert: Any) -> None:
    with pytest.raises(ValueError, match="NaN"):
        convert(float("nan"), dtype=np.dtype("int8"))
