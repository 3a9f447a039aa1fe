"""A function and its weights as a module, as a TensorFlow function, as NumPy arrays."""

import jax.numpy as jnp
import numpy as np
import pytest
import tensorflow as tf
import torch

import anytensor as at
from anytensor import export

PARAMS = {
    "Dense_0": {"kernel": np.full((2, 3), 0.5, np.float32), "bias": np.zeros(3, np.float32)},
    "steps": np.array([1, 2]),
    "rate": 0.5,
}
X = np.array([[1.0, 2.0], [3.0, 4.0]], np.float32)


def model(params, x):
    dense = params["Dense_0"]
    return at.tanh(at.matmul(x, dense["kernel"]) + dense["bias"]) * params["rate"] + at.astype(
        at.sum(params["steps"]), x.dtype
    )


EXPECTED = model(PARAMS, X)


def test_a_module_has_parameters_by_path_and_trains():
    module = export.as_torch_module(model, PARAMS)
    assert sorted(name for name, _ in module.named_parameters()) == ["Dense_0__bias", "Dense_0__kernel"]
    assert [name for name, _ in module.named_buffers()] == ["steps"]
    np.testing.assert_allclose(module(torch.tensor(X)).detach(), EXPECTED, rtol=1e-6)
    module(torch.tensor(X)).sum().backward()
    assert module.Dense_0__kernel.grad.shape == (2, 3)
    with torch.no_grad():
        module.Dense_0__kernel += 1
    assert PARAMS["Dense_0"]["kernel"].max() == 0.5  # the module's memory is its own


def test_a_module_of_buffers_has_no_parameters():
    module = export.as_torch_module(model, PARAMS, buffers=True)
    assert list(module.parameters()) == []
    assert set(module.state_dict()) == {"Dense_0__bias", "Dense_0__kernel", "steps"}


def test_a_parameter_is_shared_and_a_tensor_is_not():
    parameter, tensor = torch.nn.Parameter(torch.ones(2)), torch.ones(2)
    module = export.as_torch_module(lambda p, x: x + p["a"] + p["b"], {"a": parameter, "b": tensor})
    assert module.a is parameter
    assert module.b is not tensor
    assert isinstance(module.b, torch.nn.Parameter)


def test_a_module_compiles_whole():
    module = torch.compile(export.as_torch_module(model, PARAMS), fullgraph=True, backend="aot_eager")
    np.testing.assert_allclose(module(torch.tensor(X)).detach(), EXPECTED, rtol=1e-6)


def test_a_function_without_weights_and_a_module_are_taken():
    module = export.as_torch_module(lambda x: at.sum(x, axis=0))
    assert list(module.parameters()) == []
    assert module(torch.ones(3, 2)).tolist() == [3.0, 3.0]
    linear = torch.nn.Linear(2, 1)
    assert export.as_torch_module(linear) is linear


@pytest.mark.parametrize(
    ("call", "error", "said"),
    [
        (lambda: export.as_torch_module(3), TypeError, "`fn` must be callable, got int 3"),
        (
            lambda: export.as_torch_module(model, PARAMS, buffers=1),
            TypeError,
            "`buffers` must be True or False",
        ),
        (lambda: export.as_torch_module(torch.nn.ReLU(), PARAMS), TypeError, "leave `params` away"),
        (lambda: export.as_torch_module(model, {"w": jnp.ones(2)}), TypeError, "Pass export.numpy_leaves"),
        (lambda: export.as_torch_module(model, {"w": tf.ones(2)}), TypeError, "Pass export.numpy_leaves"),
        (lambda: export.as_torch_module(model, {"w": object()}), TypeError, "the weight w is object"),
        (lambda: export.as_torch_module(model, {"half": X}), ValueError, "cannot be named half"),
        (lambda: export.as_torch_module(model, {"a b": X, "a-b": X}), ValueError, "would both be named a_b"),
        (lambda: export.as_tensorflow_fn(3, {}), TypeError, "`fn` must be callable"),
        (lambda: export.as_tensorflow_fn(model, {"w": object()}), TypeError, r"got object at \['w'\]"),
    ],
)
def test_errors_name_the_argument(call, error, said):
    with pytest.raises(error, match=said):
        call()


@pytest.mark.parametrize("make", [jnp.asarray, torch.tensor, tf.constant, np.asarray])
def test_numpy_leaves_takes_every_framework(make):
    tree = export.numpy_leaves({"a": [make(X)], "n": 3, "none": None})
    assert type(tree["a"][0]) is np.ndarray
    assert tree["a"][0].dtype == np.float32
    np.testing.assert_array_equal(tree["a"][0], X)
    assert tree["a"][0] is not X
    assert tree["n"] == 3
    assert tree["none"] is None
    assert export.numpy_leaves({}) == {}


def test_numpy_leaves_takes_parameters_variables_and_bfloat16():
    tree = export.numpy_leaves(
        [torch.nn.Parameter(torch.ones(2)), tf.Variable([1.0, 2.0]), jnp.ones(2, jnp.bfloat16)]
    )
    assert [type(leaf) for leaf in tree] == [np.ndarray] * 3
    assert tree[2].dtype.name == "bfloat16"


def test_numpy_leaves_of_a_traced_value_says_so():
    with pytest.raises(TypeError, match="is traced"):
        tf.function(lambda x: export.numpy_leaves([x]))(tf.ones(2))


def test_a_tensorflow_function_embeds_its_weights_in_the_trace():
    predict = export.as_tensorflow_fn(
        model, {**PARAMS, "Dense_0": {k: jnp.asarray(v) for k, v in PARAMS["Dense_0"].items()}}
    )
    np.testing.assert_allclose(predict(tf.constant(X)), EXPECTED, rtol=1e-6)
    concrete = tf.function(predict).get_concrete_function(tf.TensorSpec([None, 2]))
    assert not concrete.captured_inputs
    assert "Dense_0__kernel" in {op.name for op in concrete.graph.get_operations()}
    np.testing.assert_allclose(concrete(tf.constant(X)), EXPECTED, rtol=1e-6)


def test_autograph_converts_the_callers_function():
    def branch(params, x):
        if at.sum(x) > 0:  # a Python branch on a tensor
            return x * params
        return x

    predict = tf.function(export.as_tensorflow_fn(branch, np.float32(2.0)))
    assert predict(tf.constant([1.0])).numpy().tolist() == [2.0]
    assert predict(tf.constant([-1.0])).numpy().tolist() == [-1.0]
