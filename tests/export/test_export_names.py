"""Names of inputs, outputs, lengths and weights in the file, and the assertions about them."""

import numpy as np
import onnx
import pytest
import torch
from onnx_running import ROADS, assert_same, expected, run, session

import anytensor as at
from anytensor import export

RNG = np.random.default_rng(0)
PARAMS = {
    "Dense_0": {"kernel": RNG.normal(size=(3, 2)).astype(np.float32), "bias": np.zeros(2, np.float32)},
    "Dense_1": {"kernel": RNG.normal(size=(2, 2)).astype(np.float32), "bias": np.zeros(2, np.float32)},
    "scale": 2.0,
}
NAMES = ["Dense_0__bias", "Dense_0__kernel", "Dense_1__bias", "Dense_1__kernel"]


def mlp(params, x):
    for name in ("Dense_0", "Dense_1"):
        x = at.tanh(at.matmul(x, params[name]["kernel"]) + params[name]["bias"])
    return x * params["scale"]


def rows(n):
    return {"x": np.random.default_rng(n).normal(size=(n, 3)).astype(np.float32)}


@pytest.mark.parametrize("road", ROADS)
def test_weights_are_initializers_under_their_paths(road):
    model = ROADS[road](mlp, rows(4), params=PARAMS)
    assert [value.name for value in model.graph.input] == ["x"]
    assert [value.name for value in model.graph.output] == ["output"]
    assert set(NAMES) <= {tensor.name for tensor in model.graph.initializer}
    export.assert_embedded_weights(model, PARAMS)
    export.assert_embedded_weights(model, NAMES)
    loaded = session(model)
    for n in (1, 9):
        assert_same(run(loaded, rows(n)), expected(lambda x: mlp(PARAMS, x), rows(n)), n)


def test_a_bound_function_and_a_bound_module_are_taken():
    model = export.to_onnx_tensorflow(export.as_tensorflow_fn(mlp, PARAMS), (rows(4)["x"],))
    export.assert_embedded_weights(model, PARAMS)
    module = export.as_torch_module(mlp, PARAMS)
    model = export.to_onnx_torch(module, (rows(4)["x"],))
    assert [value.name for value in model.graph.input] == ["x"]
    export.assert_embedded_weights(model, PARAMS)


def nested(tree, pair, count):
    """Return outputs in a nest, an input as it is, one result twice; one input has no part in them."""
    total = at.segment_sum(tree[("user", "buys", "item")], pair[0], at.shape(pair[1])[0]) * count
    return {"total": total, "again": [total, pair[0]]}


def nests(rows, segments):
    x = np.arange(2.0 * rows, dtype=np.float32).reshape(rows, 2)
    tree = {("user", "buys", "item"): x, ("item", "is", "unused"): np.ones((3, 2), np.float32)}
    return {
        "tree": tree,
        "pair": (np.arange(rows) % 3, np.ones((segments, 2), np.float32)),
        "count": 3,
    }


@pytest.mark.parametrize("road", ROADS)
def test_nests_get_flat_names_and_every_input_stays(road):
    """pytorch/pytorch/issues/107238; pyg-team/pytorch_geometric/issues/10421, /4246."""
    model = ROADS[road](nested, nests(5, 2))
    names = [value.name for value in model.graph.input]
    assert names == ["tree__item_is_unused", "tree__user_buys_item", "pair__0", "pair__1"]
    assert [value.name for value in model.graph.output] == ["again__0", "again__1", "total"]
    inputs = nests(8, 4)
    values = [*[inputs["tree"][key] for key in sorted(inputs["tree"])], *inputs["pair"]]
    feeds = dict(zip(names, values, strict=True))
    assert_same(run(session(model), feeds), expected(nested, inputs), "other lengths")


@pytest.mark.parametrize("road", ROADS)
def test_an_output_gives_way_to_an_input_of_its_name(road):
    model = ROADS[road](lambda x, y: {"x": x + y, "y": x}, {"x": np.ones((3, 2)), "y": np.ones((3, 2))})
    assert [value.name for value in model.graph.output] == ["x_out", "y_out"]


def test_names_and_lengths_can_be_given():
    def total(x, ids, nodes):
        return at.segment_sum(x, ids, at.shape(nodes)[0])

    args = (torch.ones(4, 2), torch.tensor([0, 1, 2, 2]), torch.ones(3, 5))
    edges = torch.export.Dim("edges")
    model = export.to_onnx_torch(
        total,
        args,
        dynamic_shapes={"x": {0: edges}, "ids": {0: edges}, "nodes": ("n", None)},
        input_names=["messages", "receivers", "states"],
        output_names=["sums"],
    )
    shapes = {
        value.name: [axis.dim_param or axis.dim_value for axis in value.type.tensor_type.shape.dim]
        for value in (*model.graph.input, *model.graph.output)
    }
    assert shapes == {
        "messages": ["edges", 2],
        "receivers": ["edges"],
        "states": ["n", 5],
        "sums": ["n", 2],
    }
    with pytest.raises(ValueError, match="`output_names` must name the 1 outputs"):
        export.to_onnx_torch(total, args, output_names=["a", "b"])


def test_a_module_keeps_the_names_of_its_weights_and_its_mode():
    class Model(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.embed = torch.nn.Linear(3, 2)
            self.drop = torch.nn.Dropout(0.5)

        def forward(self, x):
            ids = at.arange(at.shape(x)[0], dtype="int64", like=x) // 2
            return at.segment_max(self.drop(self.embed(x)), ids, 2)

    model = Model()
    model.embed.eval()
    graph = export.to_onnx_torch(model, (torch.ones(4, 3),))
    export.assert_embedded_weights(graph, ["embed.weight", "embed.bias"])
    assert model.training
    assert model.drop.training
    assert not model.embed.training
    got = run(session(graph), {"x": np.ones((4, 3), np.float32)})["output"]
    np.testing.assert_allclose(got, model.eval()(torch.ones(4, 3)).detach(), rtol=1e-5)


def test_variables_that_a_function_closes_over_keep_their_names():
    import tensorflow as tf

    kernel = tf.Variable(PARAMS["Dense_0"]["kernel"], name="kernel")
    model = export.to_onnx_tensorflow(lambda x: at.matmul(x, tf.convert_to_tensor(kernel)), (rows(4)["x"],))
    export.assert_embedded_weights(model, {"kernel": kernel})
    assert [value.name for value in model.graph.input] == ["x"]


def test_the_assertions_fail_where_they_should(tmp_path):
    def baked(x, w):
        return at.matmul(at.reshape(x, (4, 3)), w)

    args = (rows(4)["x"], PARAMS["Dense_0"]["kernel"])
    model = export.to_onnx_torch(baked, args, dynamic_shapes=(None, {}))
    path = tmp_path / "model.onnx"
    onnx.save(model, path)
    for given in (model, path, str(path)):
        with pytest.raises(AssertionError, match=r"not symbolic: x \(4\), w \(3\)"):
            export.assert_symbolic_lengths(given)
    with pytest.raises(AssertionError, match=r"not symbolic: output \(4\)"):
        export.assert_symbolic_lengths(model, ["output"])
    with pytest.raises(ValueError, match="`names` holds 'y'"):
        export.assert_symbolic_lengths(model, ["y"])
    with pytest.raises(AssertionError, match="w is an input; v is absent"):
        export.assert_embedded_weights(model, ["w", "v"])
    model = export.to_onnx_torch(lambda p, x: at.matmul(x, p["w"]), args[:1], params={"w": args[1]})
    with pytest.raises(AssertionError, match="w has other values"):
        export.assert_embedded_weights(model, {"w": args[1] + 1})
    with pytest.raises(AssertionError, match=r"w has shape \(3, 2\), not \(3,\)"):
        export.assert_embedded_weights(model, {"w": args[1][:, 0]})


def test_a_tensor_that_comes_twice_is_two_inputs():
    x = torch.ones(4, 3)
    model = export.to_onnx_torch(lambda a, b: a + 10 * b, (x, x))
    a = np.arange(6, dtype=np.float32).reshape(2, 3)
    found = run(session(model), {"a": a, "b": 3 * a})
    np.testing.assert_allclose(found["output"], 31 * a)
