"""The meta-test of the kit: a function with a fault on one variant must make it fail, and name the fault."""

import importlib
import time

import numpy as np
import pytest

from anytensor.testing import assert_portable, variants

VARIANTS = variants()
BESIDE_THE_REFERENCE = tuple(v for v in VARIANTS if v.name != "numpy")
DIFFERENTIABLE = tuple(v for v in VARIANTS if v.differentiable)
X = np.array([1.0, 2.0, 4.0], dtype=np.float32)
each = pytest.mark.parametrize("variant", BESIDE_THE_REFERENCE, ids=str)


def is_reference(x):
    return isinstance(x, np.ndarray) and x.flags.writeable


def differences(function, variant, *args, **options):
    """Return the lines of the failure; the test fails if the kit does not."""
    options.setdefault("gradients", False)
    with pytest.raises(AssertionError) as caught:
        assert_portable(function, *args, backends=variant.backend, modes=variant.mode, **options)
    lines = str(caught.value).splitlines()
    return [line.strip() for line in lines if line.startswith("  ")]


def in_the_last_entry(x):
    return x * 2 if is_reference(x) else x * 2 + x // 4


def another_shape(x):
    return x if is_reference(x) else x[:2]


def another_structure(x):
    return {"a": x, "b": x} if is_reference(x) else {"a": x, "c": x}


def an_error(x):
    if not is_reference(x):
        raise ValueError("not on this one")
    return x


def nan_for_a_number(x):
    return x if is_reference(x) else x + (x - x) / (x - x)


def another_kind(x):
    return x > 1 if is_reference(x) else x * 1


def a_number_that_is_static(x):
    return {"y": x, "n": 3 if is_reference(x) else 4}


@each
def test_one_wrong_entry(variant):
    (line,) = differences(in_the_last_entry, variant, X)
    assert line.startswith(
        f"{variant}: value of output: 1 of 3 entries differs, first at [2]: got 9.0, expected 8.0"
    )


@each
def test_a_wrong_shape(variant):
    assert differences(another_shape, variant, X) == [f"{variant}: shape of output: got (2,), expected (3,)"]


@each
def test_a_wrong_structure(variant):
    (line,) = differences(another_structure, variant, X)
    assert line == f"{variant}: structure of output: lacks output['b']; has in excess output['c']"


@each
def test_a_wrong_dtype_kind(variant):
    line = differences(another_kind, variant, X)[0]
    assert line == f"{variant}: dtype of output: got float32, expected a bool dtype as NumPy's bool"


@each
def test_nan_is_no_number(variant):
    if variant.backend == "numpy":
        options = {"static": ()}
        with np.errstate(invalid="ignore"):
            lines = differences(nan_for_a_number, variant, X, **options)
    else:
        lines = differences(nan_for_a_number, variant, X)
    assert "3 of 3 entries differ, first at [0]: got nan, expected 1.0" in lines[0]


@each
def test_a_wrong_static_value(variant):
    (line,) = differences(a_number_that_is_static, variant, X)
    assert f"{variant}: value of output['n']:" in line
    assert "got 4, expected 3" in line


@each
def test_an_exception(variant):
    (line,) = differences(an_error, variant, X)
    assert line.startswith(f"{variant}: error of the call: ")
    assert "not on this one" in line or "Observed exception" in line


def stop_of(backend):
    if backend == "torch":
        return lambda x: x.detach()
    if backend == "jax":
        return importlib.import_module("jax").lax.stop_gradient
    return importlib.import_module("tensorflow").stop_gradient


@pytest.mark.parametrize("variant", DIFFERENTIABLE, ids=str)
def test_a_wrong_gradient(variant):
    stop = stop_of(variant.backend)

    def half_a_gradient(x):
        return x * x if isinstance(x, np.ndarray) else x * stop(x)

    (line,) = differences(half_a_gradient, variant, X, gradients=True, finite_differences=True)
    assert line.startswith(f"{variant}: gradient of x: 3 of 3 entries differ, first at [0]: got 0.54")
    assert "expected 1.08" in line


@pytest.mark.skipif(len({v.backend for v in DIFFERENTIABLE}) < 2, reason="needs two frameworks to compare")
def test_a_wrong_gradient_across_backends():
    backends = sorted({v.backend for v in DIFFERENTIABLE})[:2]
    stop = stop_of(backends[0])
    wrong = importlib.import_module(backends[0])
    array_type = {"jax": "Array", "torch": "Tensor", "tensorflow": "Tensor"}[backends[0]]

    def function(x):
        return x * (stop(x) if isinstance(x, getattr(wrong, array_type)) else x)

    with pytest.raises(AssertionError, match=r"gradient of x: 3 of 3 entries differ"):
        assert_portable(function, X, backends=backends, modes="eager")


def writes(x):
    if isinstance(x, np.ndarray) or type(x).__module__.startswith("torch"):
        x[0] = 7
        return x * 1
    return x * 1


@pytest.mark.parametrize("variant", [v for v in VARIANTS if v.backend in ("numpy", "torch")], ids=str)
def test_writing_to_an_argument(variant):
    lines = differences(writes, variant, X)
    wanted = (
        "error of the call: ValueError" if variant.mode == "readonly" else "argument of x: the function wrote"
    )
    # The reference itself is reported too, where it is NumPy's eager run that writes.
    assert any(line.startswith(f"{variant}: {wanted}") for line in lines)


def leaves_its_framework(x):
    return x * 1 if isinstance(x, np.ndarray) else np.asarray(x) * 1


@pytest.mark.parametrize("variant", [v for v in DIFFERENTIABLE if v.mode == "eager"], ids=str)
def test_arrays_of_another_framework(variant):
    (line,) = differences(leaves_its_framework, variant, X)
    assert line == f"{variant}: type of output: got a numpy.ndarray, expected an array of {variant.backend}"


def narrower(x):
    return x if is_reference(x) else (x * 1.0).astype(np.float32)


def test_an_exact_dtype():
    variant = next(v for v in VARIANTS if v.name == "numpy-readonly")
    x = X.astype(np.float64)
    (line,) = differences(narrower, variant, x, dtypes="exact")
    assert line == "numpy-readonly: dtype of output: got float32, expected float64"
    assert_portable(narrower, x, backends="numpy", dtypes={"numpy": {"float64": "float32"}}, modes="readonly")


def test_every_difference_is_reported_at_once():
    def function(x):
        return [x, x] if is_reference(x) else [x + 1, x[:1]]

    with pytest.raises(AssertionError) as caught:
        assert_portable(function, X, backends="numpy")
    text = str(caught.value)
    assert "function is not portable, 2 differences:" in text
    assert "numpy-readonly: value of output[0]" in text
    assert "numpy-readonly: shape of output[1]" in text


def test_an_error_of_the_reference_is_reported():
    def function(x):
        raise KeyError("nowhere")

    with pytest.raises(AssertionError, match=r"numpy: error of the call: KeyError: 'nowhere'"):
        assert_portable(function, X, backends="numpy")


def test_lambdas_of_one_line_do_not_run_into_the_recompile_limit():
    if not any(v.backend == "torch" for v in VARIANTS):
        return
    start = time.monotonic()
    for factor in range(10):  # Dynamo gives up after eight compilations of one code object
        assert_portable(lambda x, f=factor: x * f, X, backends="torch", modes="compile", gradients=False)
    assert time.monotonic() - start < 120
