"""The parts of export on what a small model does not have: subgraphs, odd signatures, partials, halves."""

import functools
from collections import namedtuple
from types import SimpleNamespace

import numpy as np
import onnx
import pytest
import tensorflow as tf
import torch
from onnx import TensorProto, helper
from onnx_running import run, session

from anytensor import export
from anytensor.export import arguments, closures, graph_names, onnx_tensorflow
from anytensor.export.weights import numpy_leaves

Pair = namedtuple("Pair", "first second")
X = np.array([[1.0, 2.0], [3.0, -1.0], [0.5, 4.0]], np.float32)


# Names and mirrored nests


class Signless:
    """A callable whose signature nobody can read."""

    __signature__ = "none"

    def __call__(self, *args):
        return args


@pytest.mark.parametrize(
    ("function", "names"),
    [
        (Signless(), ["arg_0", "arg_1", "arg_2"]),
        (lambda x, *rest: x, ["x", "rest_0", "rest_1"]),
        (lambda x, *, y=1: x, ["x", "arg_1", "arg_2"]),
        (lambda a, b, c, d: a, ["a", "b", "c"]),
    ],
    ids=["no signature", "variadic", "keyword", "more"],
)
def test_names_of_arguments(function, names):
    assert arguments.argument_names(function, 3, 0) == names


def test_what_is_said_of_leaves_mirrors_the_arguments():
    args = ({"a": X, "b": [X, X]}, Pair(X, X))
    spec = ({"b": (None, "two")}, Pair("first", None))
    said = arguments.spec_of_leaves(spec, ["x", "y"], args, "f")
    assert said == [None, None, "two", "first", None]
    said = arguments.spec_of_leaves({"y": {"second": 2}}, ["x", "y"], args, "f")
    assert said == [None, None, None, None, 2]
    with pytest.raises(TypeError, match=r"`dynamic_shapes` must mirror x\['b'\]"):
        arguments.spec_of_leaves(({"b": 3}, None), ["x", "y"], args, "f")


# What a function holds


def test_partials_cells_and_callables_without_code():
    weight = torch.ones(2)

    def inner(scale, x):
        return scale * x

    with pytest.raises(TypeError, match="closes over `argument 0`"):
        closures.refuse_closed_over("f", functools.partial(inner, weight), ("torch",))
    with pytest.raises(TypeError, match="closes over `scale`"):
        closures.refuse_closed_over("f", functools.partial(inner, scale=weight), ("torch",))
    assert closures.refuse_closed_over("f", len, ("torch",)) is None
    assert closures.refuse_closed_over("f", functools.partial(inner, 2.0), ("torch",)) is None

    def waits():
        return later

    assert closures.refuse_closed_over("f", waits, ("torch",)) is None  # its cell is empty as yet
    later = 1
    assert waits() == later

    def first(n):
        return second(n - 1) if n else weight

    def second(n):
        return first(n)

    with pytest.raises(TypeError, match="closes over `weight`"):
        closures.refuse_closed_over("f", second, ("torch",))


# Graphs


def branching():
    def branch(name, op):
        out = helper.make_tensor_value_info("inside", TensorProto.FLOAT, ["n"])
        return helper.make_graph([helper.make_node(op, ["x"], ["inside"])], name, [], [out])

    branches = {"then_branch": branch("a", "Exp"), "else_branch": branch("b", "Neg")}
    node = helper.make_node("If", ["flag"], ["y"], **branches)
    several = helper.make_node("Custom", ["y"], ["z"], domain="own")
    several.attribute.append(helper.make_attribute("bodies", [branch("c", "Abs"), branch("d", "Abs")]))
    sequence = helper.make_tensor_sequence_value_info("s", TensorProto.FLOAT, None)
    graph = helper.make_graph(
        [node, several],
        "g",
        [
            helper.make_tensor_value_info("flag", TensorProto.BOOL, []),
            helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n"]),
            sequence,
        ],
        [helper.make_tensor_value_info("z", TensorProto.FLOAT, ["n"])],
    )
    return helper.make_model(graph)


def test_bodies_of_control_flow_are_renamed_too():
    model = branching()
    assert [graph.name for graph in graph_names.graphs_of(model.graph)] == ["g", "b", "a", "c", "d"]
    graph_names.rename(model, {"x": "inside", "z": "z"})
    assert [value.name for value in model.graph.input] == ["flag", "inside", "s"]
    for inner in list(graph_names.graphs_of(model.graph))[1:]:
        assert inner.node[0].input[0] == "inside"
        assert inner.output[0].name == inner.node[0].output[0] == "inside__inner"
    graph_names.name_lengths(model, {"n": "rows"})
    for graph in graph_names.graphs_of(model.graph):
        assert graph.output[0].type.tensor_type.shape.dim[0].dim_param == "rows"


def test_a_name_that_makes_way_goes_where_none_stands():
    model = branching()
    model.graph.node[0].output[0] = model.graph.node[1].input[0] = "inside__inner"
    graph_names.rename(model, {"x": "inside"})
    assert "inside__inner_" in {inner.output[0].name for inner in graph_names.graphs_of(model.graph)}


def test_variables_that_cannot_be_told_apart_keep_the_converters_names():
    array = onnx.numpy_helper.from_array(np.ones(2, np.float32), "held_0")
    other = onnx.numpy_helper.from_array(np.zeros(2, np.float32), "held_1")
    model = helper.make_model(helper.make_graph([], "g", [], [], [array, other]))
    named = [tf.Variable(value, name="same") for value in (np.ones(2, np.float32), np.zeros(2, np.float32))]
    onnx_tensorflow._name_variables(model, named)
    assert [tensor.name for tensor in model.graph.initializer] == ["held_0", "held_1"]
    onnx_tensorflow._name_variables(model, named[:1])
    assert [tensor.name for tensor in model.graph.initializer] == ["same", "held_1"]


def test_an_input_that_nothing_depends_on_stays():
    specs = [tf.TensorSpec([None, 2], tf.float32), tf.TensorSpec([None], tf.int32)]
    x = helper.make_tensor_value_info("input_0", TensorProto.FLOAT, ["a", 2])
    y = helper.make_tensor_value_info("out_0", TensorProto.FLOAT, ["a", "b"])
    node = helper.make_node("Exp", ["input_0"], ["out_0"])
    model = helper.make_model(helper.make_graph([node], "g", [x], [y]))
    onnx_tensorflow._name_values(model, specs, ["x", "ids"], {}, ["y"])
    assert [value.name for value in model.graph.input] == ["x", "ids"]
    axes = model.graph.output[0].type.tensor_type.shape.dim
    assert [axis.dim_param for axis in axes] == ["x_length", "y_axis_1"]


# Values


@pytest.mark.parametrize("kind", ["sum", "prod", "max", "min"])
def test_kernels_of_ones_own_on_halves_are_reduced_in_float32(kind):
    kernel = getattr(tf.math, f"unsorted_segment_{kind}")
    inputs = {"x": X.astype(np.float16), "ids": np.array([0, 0, 2], np.int32)}
    model = export.to_onnx_tensorflow(lambda x, ids: kernel(x, ids, 3), tuple(inputs.values()))
    got = run(session(model), inputs)["output"]
    assert got.dtype == np.float16
    np.testing.assert_array_equal(got, kernel(*inputs.values(), 3))


def test_embedded_weights_of_a_nest_that_is_no_dict():
    weight = onnx.numpy_helper.from_array(X, "0")
    model = helper.make_model(helper.make_graph([], "g", [], [], [weight]))
    export.assert_embedded_weights(model, (X,))
    with pytest.raises(AssertionError, match="0 has other values"):
        export.assert_embedded_weights(model, (X + 1,))


def test_traced_weights_have_no_entries_yet():
    import jax

    def traced(x):
        with pytest.raises(TypeError, match=r"numpy_leaves: the leaf at \['w'\] is traced"):
            numpy_leaves({"w": x})
        return x

    jax.jit(traced)(X)


def test_an_output_that_is_no_tensor_is_named():
    class Model(torch.nn.Module):
        def forward(self, x):
            return {"y": x, "size": 3}

    with pytest.raises(torch.onnx.OnnxExporterError, match="the output size must be a tensor, got int 3"):
        export.to_onnx_torch(Model(), (torch.ones(2),))


def test_a_namespace_stands_for_what_has_no_code():
    assert closures.refuse_closed_over("f", SimpleNamespace(x=torch.ones(1)), ("torch",)) is None
