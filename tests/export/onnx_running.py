"""Export by either road, run in ONNX Runtime, compare with NumPy."""

import numpy as np
import onnx
import onnxruntime

from anytensor import export, tree
from anytensor.export.weights import path_name

TOLERANCE = {"rtol": 1e-4, "atol": 1e-5}


def by_torch(function, inputs, **options):
    return export.to_onnx_torch(function, tuple(inputs.values()), **options)


def by_tensorflow(function, inputs, **options):
    return export.to_onnx_tensorflow(function, tuple(inputs.values()), **options)


ROADS = {"torch": by_torch, "tensorflow": by_tensorflow}


def session(model):
    """Check a model and load it."""
    onnx.checker.check_model(model, full_check=True)
    assert model.opset_import[0].version >= 18
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(model.SerializeToString(), options, ["CPUExecutionProvider"])


def run(loaded, feeds):
    """Return the outputs by name."""
    names = [value.name for value in loaded.get_outputs()]
    return dict(zip(names, loaded.run(names, feeds), strict=True))


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
