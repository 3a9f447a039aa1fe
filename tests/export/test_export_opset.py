"""Opsets after 18: on both roads the model has the one that was asked for, and names and results stay."""

import ml_dtypes
import numpy as np
import onnx
import pytest
import torch
from onnx import TensorProto, helper
from onnx_running import OPSETS, ROADS, assert_same, at_opset, expected, opset_of, run, session
from segment_cases import SIZES, floats_of

import anytensor as at
from anytensor import export, jraph

WEIGHTS = {
    "Dense_0": {"kernel": np.linspace(-1, 1, 6, dtype=np.float32).reshape(3, 2)},
    # Nothing depends on it, and ONNX Runtime has next to nothing for its dtype: it is kept all the same.
    "unused": np.array([0.5, -2], ml_dtypes.bfloat16),
}


def representative(params, x, ids, segments):
    n = at.shape(segments)[0]
    h = at.matmul(x, params["Dense_0"]["kernel"])
    ends = at.where((ids >= 0) & (ids < n), ids, 0)
    graph = jraph.GraphsTuple(
        nodes=at.concat([segments, at.ones((1, 2), like=segments)], axis=0),
        edges=None,
        receivers=ends,
        senders=at.flip(ends),
        globals=None,
        n_node=None,
        n_edge=None,
    )
    convolution = jraph.GraphConvolution(lambda nodes: at.matmul(nodes, params["Dense_0"]["kernel"][:2]))
    return {
        "sum": at.segment_sum(h, ids, n),
        "max": at.segment_max(x, ids, n),
        "softmax": at.segment_softmax(x, ids, n),
        "nodes": convolution(graph).nodes,
    }


def inputs_of(rows, segments):
    return floats_of(rows, segments, seed=9)


@pytest.fixture(scope="module", params=ROADS)
def exported(request):
    """Return a road, and the model of opset 18 that it makes."""
    road = ROADS[request.param]
    model = road(representative, inputs_of(*SIZES[0]), params=WEIGHTS)
    assert opset_of(model) == 18
    return road, model


def check(model, opset):
    assert opset_of(model) == opset
    assert model.ir_version >= helper.find_min_ir_version_for([helper.make_opsetid("", opset)])
    export.assert_symbolic_lengths(model)
    export.assert_embedded_weights(model, WEIGHTS)
    loaded = session(model)
    for size in SIZES:
        inputs = inputs_of(*size)
        wanted = expected(lambda *args: representative(WEIGHTS, *args), inputs)
        assert_same(run(loaded, inputs), wanted, size)


def test_a_road_writes_the_opset_that_is_asked_for(exported):
    road, first = exported
    model = road(representative, inputs_of(*SIZES[0]), params=WEIGHTS, opset=np.int64(OPSETS[-1]))
    assert list(model.graph.input) == list(first.graph.input)
    assert list(model.graph.output) == list(first.graph.output)
    check(model, OPSETS[-1])


@pytest.mark.parametrize("opset", OPSETS[1:])
def test_nothing_of_a_layer_is_written_otherwise_in_any_opset(exported, opset):
    _, first = exported
    model = at_opset(first, opset)
    for part in ("input", "output", "initializer", "value_info"):
        assert list(getattr(model.graph, part)) == list(getattr(first.graph, part))
    for node, before in zip(model.graph.node, first.graph.node, strict=True):
        assert (node.op_type, node.name, node.input, node.output) == (
            before.op_type,
            before.name,
            before.input,
            before.output,
        )
        assert node.metadata_props == before.metadata_props
        assert sorted(node.attribute, key=str) == sorted(before.attribute, key=str)
    check(model, opset)


class Changed(torch.nn.Module):
    """What later opsets write otherwise: a transform with its axis as an input, other names of modes."""

    def forward(self, x, grid):
        sampled = torch.nn.functional.grid_sample(x, grid, align_corners=False)
        return torch.view_as_real(torch.fft.rfft(x, dim=-1)), sampled


def test_operations_that_later_opsets_write_otherwise():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(3, 2, 5, 5)).astype(np.float32)
    grid = rng.uniform(-1, 1, (3, 4, 4, 2)).astype(np.float32)
    model = export.to_onnx_torch(Changed(), (x, grid), opset=OPSETS[-1])
    (transform,) = (node for node in model.graph.node if node.op_type == "DFT")
    assert "axis" not in [attribute.name for attribute in transform.attribute]
    got = run(session(model), {"x": x[:2], "grid": grid[:2]})
    frequencies, sampled = Changed()(torch.tensor(x[:2]), torch.tensor(grid[:2]))
    assert_same(got, dict(zip(got, (frequencies.numpy(), sampled.numpy()), strict=True)), "another batch")


class Branching(torch.nn.Module):
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: at.exp(x) + 1, lambda x: at.abs(x) * 2, (x,))


def test_what_is_noted_about_the_nodes_of_a_branch_stays():
    def noted(model):
        (branching,) = (node for node in model.graph.node if node.op_type == "If")
        return [
            [(prop.key, prop.value) for prop in node.metadata_props]
            for attribute in branching.attribute
            for node in attribute.g.node
        ]

    model = export.to_onnx_torch(Branching(), (np.ones((3, 2), np.float32),))
    assert all(noted(model))
    assert noted(at_opset(model, OPSETS[-1])) == noted(model)


def of_one_node(opset, op, dtype):
    x, y = helper.make_tensor_value_info("x", dtype, ["n"]), helper.make_tensor_value_info("y", dtype, [1])
    graph = helper.make_graph([helper.make_node(op, ["x"], ["y"])], "g", [x], [y])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)])


def test_an_exporter_that_writes_a_later_opset_is_brought_back():
    model = at_opset(of_one_node(20, "ReduceMax", TensorProto.FLOAT), 18)
    assert opset_of(model) == 18
    onnx.checker.check_model(model, full_check=True)


def test_what_an_opset_has_nothing_for_is_refused():
    with pytest.raises(
        NotImplementedError, match="at_opset: the model of opset 20 cannot be brought to `opset`"
    ):
        at_opset(of_one_node(20, "ReduceMax", TensorProto.BOOL), 18)
