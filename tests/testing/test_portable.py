"""What the kit accepts, runs, leaves out and refuses."""

import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
import tensorflow as tf
import torch

import anytensor as at
from anytensor.testing import assert_portable, prepare, run_portable, variants
from anytensor.testing import variants as list_variants

X = np.array([[1.0, 2.0], [3.0, 4.0]], dtype=np.float32)
NAMES = [v.name for v in variants()]


def nested(batch, factor, *, offset=0):
    first, (second, label) = batch["a"], batch["b"]
    return {"sum": first * factor + offset, "pair": (second, label)}


BATCH = {"a": X, "b": [X[0], "label"]}


def test_nests_and_static_values_run_everywhere():
    modes = ("eager", "readonly", "compile", "function")  # a label is no output of jax.jit
    report = assert_portable(nested, {"a": X, "b": [X[0], None]}, 2, kwargs={"offset": 1}, modes=modes)
    assert [o.variant.mode for o in report.outcomes] == [v.mode for v in variants(modes=modes)]
    assert report.differences == ()
    np.testing.assert_array_equal(report["numpy"].outputs["sum"], X * 2 + 1)


def test_labels_pass_through():
    report = assert_portable(nested, BATCH, 2, backends="numpy")
    assert report["numpy"].outputs["pair"][1] == "label"


def test_gradients_are_named_by_argument_and_path():
    report = run_portable(nested, {"a": X, "b": [X[0], None]}, 2, gradients=True, modes="eager")
    found = {o.variant.backend: set(o.gradients) for o in report.outcomes}
    both = {"batch['a']", "batch['b'][0]"}
    assert found == {v.backend: both if v.differentiable else set() for v in variants(modes="eager")}


def test_every_variant_agrees_with_finite_differences():
    def function(x, y, k):
        return {"a": x * y * k, "b": (x * x)[0], "integers": y > 2}

    report = assert_portable(function, X, X[:, :1] + 1, 3, finite_differences=True)
    assert [o.variant.name for o in report.outcomes] == NAMES
    assert report.gradient_reference == "finite differences of numpy"


def test_a_static_array_stays_on_the_host():
    kinds = []

    def function(x, table):
        kinds.append(type(table))
        return x * float(table[1])

    assert_portable(
        function, X, np.array([1, 2]), static="table", modes=("eager", "readonly"), gradients=False
    )
    assert_portable(function, X, np.array([1, 2]), static=1, modes="eager", backends="numpy")
    assert set(kinds) == {np.ndarray}


def test_numpy_scalars_are_0d_arrays():
    shapes = []

    def function(x, scale):
        shapes.append(scale.shape)
        return x * scale

    assert_portable(function, X, np.float32(2.0), modes="eager", gradients=False)
    assert {tuple(shape) for shape in shapes} == {()}


def test_the_callers_arrays_are_copied():
    def writes(x):
        x[0] = 9
        return x

    x = X.copy()
    report = run_portable(writes, x, backends="numpy", modes="eager")
    np.testing.assert_array_equal(x, X)
    assert report["numpy"].written == ("x",)


def test_run_portable_keeps_exceptions():
    def function(x):
        raise LookupError("here")

    report = run_portable(function, X, backends="numpy")
    assert [type(o.error) for o in report.outcomes] == [LookupError, LookupError]
    assert str(report).splitlines()[0] == "function: not compared"


def test_prepared_functions_take_new_values_and_static_arguments():
    double = prepare(lambda x, k: x * k, NAMES[-1])
    assert double(X, 2).outputs.tolist() == (X * 2).tolist()
    assert double(X + 1, 2).outputs.tolist() == (X * 2 + 2).tolist()
    assert double(X, 3).outputs.tolist() == (X * 3).tolist()


def test_a_missing_framework_is_left_out_and_listed(monkeypatch):
    monkeypatch.setattr("anytensor.testing.variant_table.is_installed", lambda name: name == "numpy")
    report = assert_portable(lambda x: x * 2, X)
    assert [o.variant.backend for o in report.outcomes] == ["numpy", "numpy"]
    assert report.missing == ("jax (not installed)", "torch (not installed)", "tensorflow (not installed)")
    assert "left out: jax (not installed)" in str(report)
    assert {v.backend for v in list_variants()} == {"numpy"}


def test_a_broken_framework_is_not_passed_over(monkeypatch):
    def broken(name):
        raise OSError("no such library")

    monkeypatch.setattr("anytensor.testing.torch_runner.import_framework", broken)
    monkeypatch.setattr("anytensor.testing.variant_table.is_installed", lambda name: True)
    with pytest.raises(AssertionError, match="torch: error of the call: OSError: no such library"):
        assert_portable(lambda x: x * 2, X, backends="torch", modes="eager")


def test_an_outcome_that_is_not_there():
    report = run_portable(lambda x: x, X, backends="numpy", modes="eager")
    with pytest.raises(KeyError, match="did not run; ran: numpy; left out: nothing"):
        report["torch"]


# Call, its options, the exception, and what the message says.
BAD = [
    (assert_portable, {"backends": "numpi"}, ValueError, "`backends` must be one of 'numpy', "),
    (assert_portable, {"backends": [1]}, TypeError, "`backends` must be a string"),
    (assert_portable, {"backends": 1}, TypeError, "`backends` must be a string"),
    (run_portable, {"modes": ("eager", "jot")}, ValueError, "`modes` must be one of 'eager', "),
    (run_portable, {"static": "y"}, ValueError, "`static` names 'y', which is no argument"),
    (run_portable, {"static": 4}, ValueError, "`static` names 4, which is no argument"),
    (run_portable, {"static": [1.5]}, TypeError, "`static` must hold positions"),
    (run_portable, {"kwargs": [1]}, TypeError, "`kwargs` must be a mapping or None, got list"),
    (assert_portable, {"gradients": 1}, TypeError, "`gradients` must be True or False, got int 1"),
    (assert_portable, {"finite_differences": None}, TypeError, "`finite_differences` must be True or False"),
    (assert_portable, {"rtol": "a"}, TypeError, "`rtol` must be a number or None, got str 'a'"),
    (assert_portable, {"atol": -1}, ValueError, "`atol` must be at least 0, got -1"),
    (assert_portable, {"dtypes": "some"}, ValueError, "`dtypes` must be one of 'kind', 'exact'"),
    (assert_portable, {"dtypes": {"tf": {}}}, ValueError, "`dtypes` must be one of 'numpy'"),
    (assert_portable, {"dtypes": {"jax": 1}}, TypeError, "`dtypes['jax']` must be a mapping"),
    (run_portable, {"torch_compiler": 1}, TypeError, "`torch_compiler` must be the name"),
]


@pytest.mark.parametrize(("call", "options", "expected", "text"), BAD)
def test_bad_arguments_are_named(call, options, expected, text):
    with pytest.raises(expected) as caught:
        call(lambda x: x, X, **options)
    assert str(caught.value).startswith(f"{call.__name__}: {text}")


@pytest.mark.parametrize(
    "answer", [None, 1.0, (), {"n": 3, "name": "x"}], ids=["none", "number", "empty", "nest"]
)
def test_a_function_without_an_array_in_its_answer_is_no_pass(answer):
    with pytest.raises(AssertionError, match=r"returned .* on NumPy, without an array in it"):
        assert_portable(lambda x: answer, X, backends="numpy")


@pytest.mark.parametrize("make", [torch.ones, jnp.ones, tf.ones], ids=["torch", "jax", "tensorflow"])
@pytest.mark.parametrize("call", [assert_portable, run_portable])
def test_a_tensor_of_a_framework_is_no_host_data(call, make):
    with pytest.raises(TypeError, match=rf"^{call.__name__}: `tree\['a'\]` must be host data"):
        call(lambda tree: tree["a"], {"a": make(2)}, backends="numpy")
    report = run_portable(lambda x, like: x + 1, X, make(2), static="like", backends="numpy")
    assert report["numpy"].error is None


def test_a_function_that_is_none():
    with pytest.raises(TypeError, match="assert_portable: `function` must be callable, got int 3"):
        assert_portable(3, X)


def test_a_variant_that_is_none():
    with pytest.raises(ValueError, match="prepare: `variant` must be one of 'numpy', 'numpy-readonly'"):
        prepare(abs, "numpy-jit")


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_a_gradient_of_zeros_that_torch_makes_without_memory(dtype):
    x = np.array([0.5, 2.5], ml_dtypes.bfloat16 if dtype == "bfloat16" else dtype)
    assert_portable(at.sign, x)
