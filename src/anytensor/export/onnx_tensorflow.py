"""From a function on TensorFlow to ONNX, by tf2onnx."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import tensorflow as tf

from anytensor import errors
from anytensor.backends.tensorflow.exporting import exporting
from anytensor.export.arguments import Leaf, check_names, named_arguments
from anytensor.export.graph_names import embed, free_names, name_lengths, rename
from anytensor.export.lowering import HANDLERS
from anytensor.export.opset import OPSET
from anytensor.export.weights import backend_name, is_number, named_leaves, numpy_leaves, path_name
from anytensor.tree import flatten, leaves_with_path, unflatten

__all__ = ["export_function"]


def export_function(fn: Callable[..., Any], args: tuple[Any, ...], names: Sequence[str], params: Any) -> Any:
    """Export a function.

    Args:
        fn: ``fn(*args)``, or ``fn(params, *args)`` if there are any.
        args: Nests of what stands for tensors.
        names: The names of the arguments.
        params: The nest of weights, or None.

    Returns:
        An ``onnx.ModelProto``.
    """
    leaves = named_arguments(names, args)
    specs = {i: _spec(leaf) for i, leaf in enumerate(leaves) if not is_number(leaf.value)}
    constants = {i: leaf.value for i, leaf in enumerate(leaves) if i not in specs}
    inputs = check_names(
        [spec.name for spec in specs.values()], len(specs), "to_onnx_tensorflow", "signature"
    )
    named, weights_structure = named_leaves(numpy_leaves(params), "to_onnx_tensorflow", "params")
    weights = {name: leaf for name, leaf in named.items() if not is_number(leaf)}
    both = [name for name in weights if name in inputs]
    if both:
        raise ValueError(
            f"to_onnx_tensorflow: `params` has a weight named {both[0]}, and so is an input; rename one"
        )
    structure = flatten(args)[1]
    returned: list[str] = []
    # A function of its own, so that AutoGraph converts the caller's code and not ours.
    call = tf.function(fn)

    def flat(*tensors: Any) -> list[Any]:
        given, held = iter(tensors[: len(specs)]), iter(tensors[len(specs) :])
        arguments = unflatten(
            structure, [constants[i] if i in constants else next(given) for i in range(len(leaves))]
        )
        if params is not None:
            weight = [leaf if is_number(leaf) else next(held) for leaf in named.values()]
            arguments = (unflatten(weights_structure, weight), *arguments)
        pairs = leaves_with_path(call(*arguments))
        returned[:] = [path_name(path) or "output" for path, _ in pairs]
        return [tf.identity(leaf) for _, leaf in pairs]

    # Weights are inputs while the graph is made, so that no optimizer folds, merges or renames them.
    signature = [tf.TensorSpec(s.shape, s.dtype, f"input_{i}") for i, s in enumerate(specs.values())]
    signature += [tf.TensorSpec(w.shape, w.dtype, f"weight_{i}") for i, w in enumerate(weights.values())]
    function = tf.function(flat, input_signature=signature, autograph=False)
    with exporting(), _quiet():
        concrete = function.get_concrete_function()
        _refuse_captured(concrete)
        import tf2onnx

        model, _ = tf2onnx.convert.from_function(
            function, input_signature=signature, opset=OPSET, custom_op_handlers=dict(HANDLERS)
        )
    _refuse_unconverted(model)
    _name_values(model, list(specs.values()), inputs, weights, free_names(returned, inputs))
    _name_variables(model, concrete.variables)
    return model


def _spec(leaf: Leaf) -> Any:
    """Return the TensorSpec of one entry of the signature, named."""
    value = leaf.value
    if isinstance(value, tf.TensorSpec):
        return tf.TensorSpec(value.shape, value.dtype, value.name or leaf.name)
    backend = backend_name(value)
    if backend in ("numpy", "tensorflow"):
        # One row is one graph or one broadcast vector.
        shape = [None if axis == 0 and size != 1 else size for axis, size in enumerate(value.shape)]
        return tf.TensorSpec(shape, tf.as_dtype(value.dtype), leaf.name)
    advice = "; the export runs the function on TensorFlow: give np.asarray of it" if backend else ""
    raise TypeError(
        "to_onnx_tensorflow: `signature` must hold tf.TensorSpecs, NumPy arrays and numbers, got "
        f"{errors.describe(value)} at {leaf.place}{advice}"
    )


def _refuse_captured(concrete: Any) -> None:
    captured = [outer for outer, _ in concrete.graph.captures if outer.dtype != tf.resource]
    if captured:
        what = ", ".join(f"{t.dtype.name} of shape {tuple(t.shape)}" for t in captured)
        raise TypeError(
            f"to_onnx_tensorflow: the function closes over tensors, which would become inputs: {what}. Give "
            "weights as `params`, and constants as NumPy arrays or made inside the function"
        )


def _refuse_unconverted(model: Any) -> None:
    import onnx

    known = {schema.name for schema in onnx.defs.get_all_schemas()}
    unknown = sorted({node.op_type for node in model.graph.node if node.op_type not in known})
    if unknown:
        raise NotImplementedError(
            f"to_onnx_tensorflow: ONNX (opset {OPSET}) has nothing for TensorFlow's {', '.join(unknown)}"
        )


def _name_values(
    model: Any, specs: Sequence[Any], inputs: Sequence[str], weights: dict[str, Any], outputs: Sequence[str]
) -> None:
    """Give inputs, weights and outputs their names, and each length the name of its input."""
    from onnx import helper

    mapping = {}
    for i, name in enumerate(inputs):
        mapping[f"input_{i}"] = name
    for i, name in enumerate(weights):
        mapping[f"weight_{i}"] = name
    found = [value.name for value in model.graph.output]
    mapping.update(zip(found, outputs, strict=True))
    rename(model, mapping)
    embed(model, weights, weights)
    values = {value.name: value for value in model.graph.input}
    del model.graph.input[:]
    lengths: dict[str, str] = {}
    for name, spec in zip(inputs, specs, strict=True):
        shape = [_length(name, i) if size is None else size for i, size in enumerate(spec.shape)]
        if name in values:
            axes = values[name].type.tensor_type.shape.dim
            for axis, size in zip(axes, shape, strict=False):
                if axis.dim_param and isinstance(size, str):
                    lengths[axis.dim_param] = size
        # Written anew: the converter leaves out an input that nothing depends on.
        kind = helper.np_dtype_to_tensor_dtype(np.dtype(spec.dtype.as_numpy_dtype))
        model.graph.input.append(helper.make_tensor_value_info(name, kind, shape))
    for value in model.graph.output:
        for i, axis in enumerate(value.type.tensor_type.shape.dim):
            if axis.dim_param:
                lengths.setdefault(axis.dim_param, _length(value.name, i))
    name_lengths(model, lengths)


def _length(name: str, axis: int) -> str:
    return f"{name}_length" if axis == 0 else f"{name}_axis_{axis}"


def _name_variables(model: Any, variables: Sequence[Any]) -> None:
    """Name initializers that hold a variable's value after it, where only one variable and one of them do."""
    from onnx import numpy_helper

    held: dict[Any, list[str]] = {}
    for tensor in model.graph.initializer:
        array = numpy_helper.to_array(tensor)
        held.setdefault((array.dtype.name, array.shape, array.tobytes()), []).append(tensor.name)
    wanted: dict[Any, list[str]] = {}
    for variable in variables:
        array = variable.numpy()
        name = path_name((variable.name.partition(":")[0],))
        wanted.setdefault((array.dtype.name, array.shape, array.tobytes()), []).append(name)
    pairs = {
        held[key][0]: names[0]
        for key, names in wanted.items()
        if len(names) == 1 and len(held.get(key, ())) == 1
    }
    if len(set(pairs.values())) == len(pairs):
        rename(model, pairs)


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Keep back what the converter says about its own workings."""
    logger = logging.getLogger("tf2onnx")
    level = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(level)
