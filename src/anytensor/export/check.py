"""What to assert about an ONNX model before it is shipped."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

import numpy as np

from anytensor import errors
from anytensor.export.versions import require
from anytensor.export.weights import is_number, named_leaves, numpy_leaves, path_name

__all__ = ["assert_embedded_weights", "assert_symbolic_lengths"]


def assert_symbolic_lengths(model: Any, names: Iterable[str] | None = None) -> None:
    """Assert that the first axis of inputs and outputs is symbolic, not the length of the example.

    Args:
        model: An ``onnx.ModelProto``, an object that has one as ``model_proto``, or the path of a file.
        names: Inputs and outputs to check. By default every input that has an axis.

    Raises:
        AssertionError: If a length is a number; the message names each of them.
        ValueError: If the model has no input or output of a given name.
        TypeError: If ``model`` is none.
        ImportError: If onnx is not installed.

    Notes:
        A number there means that a size was taken as a Python int somewhere: read sizes by ``at.shape``.
        PyTorch besides bakes lengths of 0 and 1, so trace with at least 2 rows.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> from anytensor import export
        >>> model = export.to_onnx_torch(lambda x: at.sum(x, axis=1), (np.ones((3, 2), np.float32),))
        >>> export.assert_symbolic_lengths(model)
    """
    model = _model("assert_symbolic_lengths", model)
    values = {value.name: value for value in (*model.graph.input, *model.graph.output)}
    wanted = [value.name for value in model.graph.input] if names is None else list(names)
    fixed = []
    for name in wanted:
        if name not in values:
            raise ValueError(
                f"assert_symbolic_lengths: `names` holds {name!r}; the model has {', '.join(values)}"
            )
        axes = values[name].type.tensor_type.shape.dim
        if len(axes) and not axes[0].dim_param:
            fixed.append(f"{name} ({axes[0].dim_value})")
    if fixed:
        raise AssertionError(f"the first axis is not symbolic: {', '.join(fixed)}")


def assert_embedded_weights(model: Any, params: Any) -> None:
    """Assert that every weight is in the model under the name of its tree path, and none is an input.

    Args:
        model: As for ``assert_symbolic_lengths``.
        params: The nest of weights, arrays of any framework; a module's ``dict(named_parameters())``; or the
            names that are expected.

    Raises:
        AssertionError: If a weight is absent, is an input, or has another shape or other values; the message
            names each of them.
        TypeError: If ``model`` is none, or ``params`` hold something else than arrays and numbers.
        ImportError: If onnx is not installed.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> from anytensor import export
        >>> params = {"w": np.ones((2, 1), np.float32)}
        >>> model = export.to_onnx_torch(
        ...     lambda p, x: at.matmul(x, p["w"]), (np.ones((3, 2), np.float32),), params=params
        ... )
        >>> export.assert_embedded_weights(model, params)
    """
    model = _model("assert_embedded_weights", model)
    from onnx import numpy_helper

    inputs = {value.name for value in model.graph.input}
    embedded = {tensor.name: tensor for tensor in model.graph.initializer}
    expected: dict[str, Any]
    if isinstance(params, (list, tuple, set, frozenset)) and all(isinstance(name, str) for name in params):
        expected = dict.fromkeys(params)
    else:
        named, _ = named_leaves(numpy_leaves(params), "assert_embedded_weights", "params")
        expected = {name: leaf for name, leaf in named.items() if not is_number(leaf)}
        if isinstance(params, dict):
            # A module's own names, such as embed.weight, stand in the file as they are.
            own = {path_name((key,)): key for key in params if isinstance(key, str)}
            expected = {
                own[name] if own.get(name) in embedded else name: leaf for name, leaf in expected.items()
            }
    wrong = []
    for name, value in expected.items():
        if name in inputs:
            wrong.append(f"{name} is an input")
        elif name not in embedded:
            wrong.append(f"{name} is absent")
        elif value is not None:
            found = numpy_helper.to_array(embedded[name])
            if found.shape != value.shape:
                wrong.append(f"{name} has shape {found.shape}, not {value.shape}")
            elif not np.array_equal(found, value, equal_nan=value.dtype.kind in "fc"):
                wrong.append(f"{name} has other values")
    if wrong:
        raise AssertionError(f"weights are not embedded: {'; '.join(wrong)}")


def _model(function: str, model: Any) -> Any:
    require(function, "onnx")
    import onnx

    model = getattr(model, "model_proto", model)
    if isinstance(model, (str, os.PathLike)):
        return onnx.load(os.fspath(model))
    if not isinstance(model, onnx.ModelProto):
        raise TypeError(
            f"{function}: `model` must be an onnx.ModelProto, an ONNXProgram or a path, got "
            f"{errors.describe(model)}"
        )
    return model
