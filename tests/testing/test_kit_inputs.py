"""Unusual functions and results in the kit: builtins, keywords, one variant that alone fails or succeeds."""

import sys
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

import anytensor as at
from anytensor.testing import assert_portable, prepare
from anytensor.testing.comparison import Rules, compare_gradients
from anytensor.testing.operands import _parameter_names
from anytensor.testing.variant_table import is_installed

X = np.array([1.0, 2.0], np.float32)


class Signless:
    """A callable whose signature nobody can read."""

    __signature__ = "none"

    def __call__(self, x, n):
        return at.multiply(x, n)


def test_names_of_arguments_without_a_signature():
    assert _parameter_names(Signless(), 2) == ["args[0]", "args[1]"]
    assert _parameter_names(lambda x, *rest: x, 3) == ["x", "args[1]", "args[2]"]
    outcome = prepare(Signless(), "torch", static=(1,))(X, 3)
    assert outcome.outputs.tolist() == [3, 6]


@pytest.mark.parametrize("variant", ["numpy", "jax-jit"])
def test_a_static_keyword(variant):
    def function(x, *, n):
        assert type(n) is int
        return at.segment_sum(x, at.zeros((2,), dtype="int32", like=x), n)

    assert prepare(function, variant, static="n")(X, n=2).outputs.tolist() == [3, 0]


def test_a_function_that_fails_on_the_reference_alone():
    def function(x):
        if type(x) is np.ndarray:
            raise RuntimeError("not on NumPy")
        return at.exp(x)

    with pytest.raises(AssertionError, match="numpy: error of the call: RuntimeError: not on NumPy"):
        assert_portable(function, X, backends="torch", modes="eager", gradients=False)


def test_a_gradient_of_another_dtype_is_a_difference():
    outcome = SimpleNamespace(
        variant=SimpleNamespace(name="torch"),
        outputs=X,
        gradients={"x": np.ones(2), "y": X},
        narrowing={"int64": "float64"},
    )
    found = list(compare_gradients(outcome, {}, {"x": X, "y": X}, Rules()))
    assert [(d.path, d.what) for d in found] == [("x", "dtype")]
    assert "float64, expected the argument's float32" in found[0].detail


def test_bfloat16_without_ml_dtypes(monkeypatch):
    from anytensor.testing import torch_runner

    own = torch_runner.import_framework

    def missing(name):
        if name == "ml_dtypes":
            raise ImportError(name)
        return own(name)

    monkeypatch.setattr(torch_runner, "import_framework", missing)
    got = prepare(lambda x: at.astype(x, "bfloat16"), "torch")(X)
    assert got.error is None
    assert got.outputs.tolist() == [1, 2]


def test_a_compiled_function_has_code_of_its_own():
    from anytensor.testing.torch_runner import _with_code_of_its_own

    one, two = (_with_code_of_its_own(at.add) for _ in range(2))
    assert one.__code__ is not two.__code__
    assert one(X, 1).tolist() == two(X, 1).tolist() == [2, 3]


def test_a_module_put_in_place_by_hand_counts_as_installed(monkeypatch):
    module = ModuleType("a_framework")
    module.__spec__ = None
    monkeypatch.setitem(sys.modules, "a_framework", module)
    assert is_installed("a_framework")
    assert not is_installed("no_such_framework")
