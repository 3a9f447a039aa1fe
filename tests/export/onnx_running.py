"""Export by either road, run in ONNX Runtime, compare with NumPy."""

import os

import numpy as np
import onnx
import onnxruntime
from onnx import helper

from anytensor import export, tree
from anytensor.export.opset import OPSET, convert_opset
from anytensor.export.weights import path_name

TOLERANCE = {"rtol": 1e-4, "atol": 1e-5}


def by_torch(function, inputs, **options):
    return export.to_onnx_torch(function, tuple(inputs.values()), **options)


def by_tensorflow(function, inputs, **options):
    return export.to_onnx_tensorflow(function, tuple(inputs.values()), **options)


ROADS = {"torch": by_torch, "tensorflow": by_tensorflow}


def opset_of(model):
    return next(entry.version for entry in model.opset_import if not entry.domain)


def at_opset(model, opset):
    """Return a model at another opset: a copy, brought there as both roads do it."""
    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    convert_opset(copy, opset, "at_opset")
    return copy


def _load(model):
    onnx.checker.check_model(model, full_check=True)
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(model.SerializeToString(), options, ["CPUExecutionProvider"])


def _is_run(opset):
    """Return whether the installed ONNX Runtime, which does not say it, runs an opset."""
    x, y = (helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, ["n"]) for name in "xy")
    graph = helper.make_graph([helper.make_node("Identity", ["x"], ["y"])], "g", [x], [y])
    imported = [helper.make_opsetid("", opset)]
    version = helper.find_min_ir_version_for(imported)
    try:
        _load(helper.make_model(graph, opset_imports=imported, ir_version=version))
    except onnxruntime.capi.onnxruntime_pybind11_state.Fail:
        return False
    return True


OPSETS = [v for v in range(OPSET, onnx.defs.onnx_opset_version() + 1) if _is_run(v)]
# Every model is run at its own opset and at the latest. With ANYTENSOR_OPSETS=all in the environment it is
# run at those between too, which is for a new onnx or ONNX Runtime.
LATER = OPSETS if os.environ.get("ANYTENSOR_OPSETS") == "all" else OPSETS[-1:]


def session(model):
    """Check a model and load it, as it is and at later opsets; return the sessions by opset."""
    own = opset_of(model)
    assert own in OPSETS
    later = {opset: _load(at_opset(model, opset)) for opset in LATER if opset > own}
    return {own: _load(model), **later}


def run(loaded, feeds):
    """Return the outputs by name, after making sure that every opset gives the same."""
    (own, first), *later = loaded.items()
    names = [value.name for value in first.get_outputs()]
    found = dict(zip(names, first.run(names, feeds), strict=True))
    for opset, other in later:
        again = dict(zip(names, other.run(names, feeds), strict=True))
        assert {name: value.dtype for name, value in again.items()} == {k: v.dtype for k, v in found.items()}
        assert_same(again, found, f"opset {opset} and {own}", rtol=1e-5, atol=1e-6)
    return found


def expected(function, inputs):
    """Return NumPy's results by the names that an export gives them."""
    with np.errstate(all="ignore"):
        pairs = tree.leaves_with_path(function(*inputs.values()))
    return {path_name(path) or "output": np.asarray(leaf) for path, leaf in pairs}


def assert_same(got, wanted, where, **tolerance):
    """Compare results by name, and name each that differs."""
    wrong = []
    for name, value in wanted.items():
        found = got[name if name in got else f"{name}_out"]
        try:
            np.testing.assert_allclose(found, value, **(tolerance or TOLERANCE))
        except AssertionError as error:
            wrong.append(f"{name} at {where}: {str(error)[:400]}")
    assert not wrong, "\n".join(wrong)
