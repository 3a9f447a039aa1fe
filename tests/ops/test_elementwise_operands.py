"""Every element-wise function on Python scalars, on kinds it does not take, and where a backend fails."""

import numpy as np
import pytest
from running import run
from samples import EAGER
from test_elementwise import BINARY, UNARY, result_dtype

import anytensor as at
from anytensor.backends import HOST

# A Python number of each kind that lies in the domain of every function that takes the kind.
SCALARS = {"b": True, "i": 1, "f": 1.0, "c": 0.5 + 0.25j}
EXAMPLES = {"b": "bool", "i": "int32", "u": "uint8", "f": "float32", "c": "complex64"}
# Functions with a floating result take bool, as 0 and 1, and some of them are infinite there.
REFUSABLE = [
    (name, kind)
    for name, (_, _, kinds, rule) in (UNARY | BINARY).items()
    for kind in "bfc"
    if kind not in kinds and not (kind == "b" and rule == "floating")
]


@pytest.mark.parametrize("name", UNARY)
def test_a_python_number_is_a_numpy_array(name):
    reference, _, kinds, rule = UNARY[name]
    for kind, scalar in SCALARS.items():
        if kind not in kinds or (name == "atanh" and kind in "if"):  # of 1 infinity, with a warning
            continue
        got = getattr(at, name)(scalar)
        assert type(got) is np.ndarray
        assert got.shape == ()
        wide = float(scalar) if rule == "floating" and kind in "bi" else scalar
        np.testing.assert_allclose(got, reference(np.asarray(wide)), rtol=1e-12)


@pytest.mark.parametrize("name", BINARY)
def test_two_python_numbers_are_a_numpy_array(name):
    reference, _, kinds, rule = BINARY[name]
    for kind, scalar in SCALARS.items():
        if kind not in kinds:
            continue
        got = getattr(at, name)(scalar, scalar)
        assert type(got) is np.ndarray
        assert got.shape == ()
        wide = float(scalar) if rule == "floating" and kind in "bi" else scalar
        np.testing.assert_allclose(got, reference(np.asarray(wide), wide), rtol=1e-12)


@pytest.mark.parametrize("backend", EAGER)
@pytest.mark.parametrize("name", BINARY)
def test_a_python_number_beside_an_array_in_either_place(backend, name):
    reference, _, kinds, rule = BINARY[name]
    dtype = "float32" if "f" in kinds else "int32"
    x, two = np.array([1, 3], dtype), 2.0 if "f" in kinds else 2
    for got, want in (
        (run(lambda x: getattr(at, name)(x, two), backend, x), reference(x, two)),
        (run(lambda x: getattr(at, name)(two, x), backend, x), reference(two, x)),
    ):
        assert got.dtype.name == result_dtype(rule, dtype, backend)
        np.testing.assert_allclose(got, want, rtol=1e-6)


@pytest.mark.parametrize("backend", EAGER)
@pytest.mark.parametrize(("name", "kind"), REFUSABLE)
def test_a_kind_that_a_function_does_not_take_is_refused_by_name(backend, name, kind):
    x = np.ones(2).astype(EXAMPLES[kind])
    arguments = (x,) if name in UNARY else (x, x)
    first = "x" if name in UNARY else "x1"
    with pytest.raises(TypeError, match=rf"^{name}: `{first}` .*"):
        run(getattr(at, name), backend, *arguments)


@pytest.mark.parametrize("backend", EAGER)
@pytest.mark.parametrize("name", BINARY)
def test_every_pair_that_does_not_broadcast_is_named(backend, name):
    dtype = np.float32 if "f" in BINARY[name][2] else np.int32
    x, y = np.ones((2, 3), dtype), np.ones(4, dtype)
    with pytest.raises(ValueError, match=rf"^{name}: shapes \(2, 3\) and \(4,\) do not broadcast together"):
        run(getattr(at, name), backend, x, y)


@pytest.mark.parametrize("name", BINARY)
def test_an_error_that_no_operand_explains_is_not_swallowed(monkeypatch, name):
    def fail(*args):
        raise MemoryError("something else")

    monkeypatch.setattr(HOST.ops, name, fail)
    x = np.ones(2, np.float32 if "f" in BINARY[name][2] else np.int32)
    with pytest.raises(MemoryError, match="something else"):
        getattr(at, name)(x, x)


@pytest.mark.parametrize("name", [name for name in BINARY if "equal" not in name])  # strings are equal or not
def test_arrays_of_strings_are_refused_by_name(name):
    words = np.array(["a", "b"])
    with pytest.raises(TypeError, match=rf"^{name}: `x1` .*"):
        getattr(at, name)(words, words)
