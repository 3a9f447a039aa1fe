"""What operands become: every dtype beside every Python number, kinds that meet, options passed on."""

from __future__ import annotations

import warnings
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
import torch

import anytensor as at
from anytensor.backends import backend_named
from makers import MAKERS, every_backend

ORDER = {"b": 0, "i": 1, "u": 1, "f": 2, "c": 3}
SCALARS = (True, 2, 0.5, 1j)
DTYPES = ("bool", "uint8", "int8", "int32", "float16", "float32", "complex64")
WIDE = ("int64", "float64", "complex128")


def name_of(x: Any) -> str:
    return str(getattr(x.dtype, "name", x.dtype)).removeprefix("torch.")


def expected(dtype: str | None, scalar: Any, backend: str) -> str:
    """Return the dtype of an array beside a Python number, by the rule as the documentation says it."""
    room = backend_named(backend)
    defaults = {True: "bool", 2: room.numpy_dtype(room.default_int()).name}
    floating = room.numpy_dtype(room.default_float()).name
    if dtype is not None and SCALARS.index(scalar) <= ORDER[np.dtype(dtype).kind]:
        return dtype
    if scalar in (True, 2):
        return defaults[scalar]
    if scalar == 0.5:
        return floating
    of_array = dtype if dtype is not None and np.dtype(dtype).kind == "f" else floating
    return "complex128" if of_array == "float64" else "complex64"


@every_backend
@pytest.mark.parametrize("scalar", SCALARS, ids=repr)
@pytest.mark.parametrize("dtype", [*DTYPES, *WIDE])
def test_an_array_beside_a_number(dtype: str, scalar: Any, backend: str) -> None:
    if backend == "jax" and dtype in WIDE:
        dtype = {"int64": "int32", "float64": "float32", "complex128": "complex64"}[dtype]  # without x64
    x = MAKERS[backend](np.ones(2, dtype))
    for pair in ((x, scalar), (scalar, x)):
        got = at.align_arrays(*pair)
        assert {name_of(one) for one in got} == {expected(dtype, scalar, backend)}
        assert {type(one) for one in got} == {type(x)}
        assert np.asarray(got[pair.index(scalar) if pair[0] is scalar else 1]) == scalar


@pytest.mark.parametrize("scalar", SCALARS, ids=repr)
def test_numbers_alone(scalar: Any) -> None:
    (one,) = at.align_arrays(scalar)
    assert (type(one), one.shape, name_of(one)) == (np.ndarray, (), expected(None, scalar, "numpy"))
    both = at.align_arrays(True, scalar)
    assert {name_of(x) for x in both} == {expected(None, scalar, "numpy")}


# --- kinds that meet ---


@at.promote(x="data", i="index")
def picked(x: Any, i: Any) -> Any:
    return x, i


@at.promote(m="mask", x="data")
def masked(m: Any, x: Any) -> Any:
    return m, x


@at.promote(n="shape")
def sized(n: Any) -> Any:
    return n


@at.promote(n="shape", x="data", y="data")
def size_first(n: Any, x: Any, y: Any) -> Any:
    return n, x, y


@at.promote(x="data", last="data")
def variadic(x: Any, *others: Any, last: Any, **named: Any) -> Any:
    return x, others, last, named


@every_backend
def test_an_index_is_asked_for_integers_whatever_the_data_holds(backend: str) -> None:
    make = MAKERS[backend]
    floats, ints = make(np.ones(2, np.float32)), make(np.array([1, 0], np.int32))
    for data in (floats, ints):
        assert picked(data, ints)[1] is ints
        with pytest.raises(TypeError, match="picked: `i`"):
            picked(data, floats)
    x, index = picked(floats, 1)
    assert x is floats
    assert (type(index), int(index)) == (type(floats), 1)


@every_backend
def test_a_mask_is_cast_whatever_the_data_holds(backend: str) -> None:
    make = MAKERS[backend]
    bools = make(np.array([True, False]))
    for data in (bools, make(np.array([1, 0], np.int32))):
        for mask in (bools, make(np.array([3, 0], np.int32)), np.array([3.0, 0.0])):
            m, x = masked(mask, data)
            assert name_of(m) == "bool"
            assert np.asarray(m).tolist() == [True, False]
            assert x is data
        for number in (True, False, 2, 0, 0.0):
            m, _ = masked(number, data)
            assert (type(m), name_of(m), bool(m)) == (type(data), "bool", bool(number))


def test_a_size_alone() -> None:
    assert sized(3) == sized(np.array(3)) == sized(torch.tensor(3)) == 3
    assert sized(0) == 0
    with pytest.raises(ValueError, match=r"sized: `n`.*-1"):
        sized(-1)
    with pytest.raises(TypeError, match="sized: `n`"):
        sized(3.0)


def test_operands_after_a_size_are_looked_at() -> None:
    n, x, y = size_first(np.array(3), np.ones(2, np.float32), torch.zeros(2))
    assert (n, type(x), type(y)) == (3, torch.Tensor, torch.Tensor)
    with pytest.raises(TypeError, match="size_first: "):
        size_first(3, jnp.ones(2), torch.zeros(2))


def test_parameters_after_a_variadic_one() -> None:
    x, others, last, named = variadic(torch.ones(2), 1, "a", last=np.zeros(2, np.float32), more=3)
    assert type(x) is type(last) is torch.Tensor
    assert (others, named) == ((1, "a"), {"more": 3})


# --- options ---

READ_ONLY = np.arange(4.0)
READ_ONLY.flags.writeable = False


@at.promote(copy=True, x="data", y="data")
def copying(x: Any, y: Any) -> Any:
    return y


@at.promote(fallback="error", x="data", y="data")
def refusing(x: Any, y: Any) -> Any:
    return y


@at.promote(x="data", y="data")
def plain(x: Any, y: Any) -> Any:
    return y


def shares(x: Any, host: Any) -> bool:
    return bool(np.shares_memory(np.asarray(x), host))


def test_options_of_a_function_and_of_one_alignment() -> None:
    x, host = torch.ones(4, dtype=torch.float64), np.arange(4.0)
    assert shares(plain(x, host), host)
    assert not shares(copying(x, host), host)
    assert shares(at.align_arrays(x, host)[1], host)
    assert not shares(at.align_arrays(x, host, copy=True)[1], host)
    assert shares(refusing(x, host), host)
    with pytest.raises(ValueError, match=r'refusing: `y`.*fallback="error"'):
        refusing(x, READ_ONLY)
    with pytest.raises(ValueError, match=r'align_arrays: `arrays\[1\]`.*fallback="error"'):
        at.align_arrays(x, READ_ONLY, fallback="error")
    with at.promote_options(copy=True):
        assert not shares(at.align_arrays(x, host, fallback="copy")[1], host)
        assert shares(at.align_arrays(x, host, copy=False)[1], host)
        assert refusing(x, READ_ONLY).tolist() == [0, 1, 2, 3]  # a copy that was asked for is no fallback
    narrowed = at.align_arrays(jnp.ones(2), np.ones(2), copy=True, fallback="error")[1]
    assert name_of(narrowed) == "float32"  # nor is the narrowing of a copy that was asked for
    with at.promote_options(fallback="error"), pytest.raises(ValueError, match="forbids the copy"):
        at.align_arrays(x, READ_ONLY, copy=False)


@pytest.mark.filterwarnings("always::anytensor.CopyWarning")
def test_a_copy_is_told_of_at_the_callers_line() -> None:
    x = torch.ones(4, dtype=torch.float64)
    for call in (lambda: plain(x, READ_ONLY), lambda: at.align_arrays(x, READ_ONLY)):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            call()
        assert [(w.category, w.filename) for w in caught] == [(at.CopyWarning, __file__)]
        assert caught[0].lineno == call.__code__.co_firstlineno


@pytest.mark.parametrize(
    ("options", "error"),
    [({"copy": 1}, TypeError), ({"copy": "no"}, TypeError), ({"fallback": "x"}, ValueError)],
)
def test_wrong_options_are_refused_on_decoration(options: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match=f"promote: `{next(iter(options))}`"):
        at.promote(**options, x="data")


def test_the_first_operand_says_where_a_number_goes() -> None:
    x = torch.ones(2, device="meta")
    got = at.align_arrays(2.0, x)
    assert [one.device.type for one in got] == ["meta", "meta"]
    assert masked(True, x)[0].device.type == "meta"
    assert picked(x, 1)[1].device.type == "meta"
