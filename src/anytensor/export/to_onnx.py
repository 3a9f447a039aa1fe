"""The two roads to ONNX, PyTorch's exporter and tf2onnx, with what is checked before either is taken."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from anytensor import errors
from anytensor.export.arguments import argument_names, check_names, named_arguments, spec_of_leaves
from anytensor.export.bind import BoundFunction, as_torch_module
from anytensor.export.closures import refuse_closed_over
from anytensor.export.opset import check_opset, convert_opset
from anytensor.export.versions import require_tf2onnx, require_torch_exporter
from anytensor.export.weights import is_number

__all__ = ["to_onnx_tensorflow", "to_onnx_torch"]


def to_onnx_torch(
    model_or_fn: Any,
    args: Sequence[Any],
    params: Any = None,
    dynamic_shapes: Any = None,
    input_names: Sequence[str] | None = None,
    output_names: Sequence[str] | None = None,
    opset: int = 18,
) -> Any:
    """Export a module or a portable function to ONNX by PyTorch's exporter.

    Args:
        model_or_fn: A ``torch.nn.Module`` (Lightning's included), or a function ``fn(*args)``, with
            ``params`` ``fn(params, *args)``.
        args: The example arguments: nests (a ``GraphsTuple``, dicts, ...) of torch tensors or NumPy arrays.
            Python numbers in them are constants of the model. Lengths of at least 2, for PyTorch bakes
            0 and 1.
        params: As for ``as_torch_module``; not with a module.
        dynamic_shapes: Which lengths vary. By default the first axis of every array, unless its length is
            1. Else a sequence with an entry for each argument, or a dict by argument name: for an array
            ``{axis: name}`` (or a ``torch.export.Dim`` in place of the name), None for fixed lengths; for a
            nest a nest of these.
        input_names: Names of the inputs. By default those of the arguments, with the path inside a nest:
            ``x``, ``graph__nodes``.
        output_names: Names of the outputs. By default their paths in what the function returns, or
            ``output``; with ``_out`` behind a name that an input bears.
        opset: The ONNX opset: 18, or a later one that the installed onnx knows.

    Returns:
        An ``onnx.ModelProto`` of that opset. Weights are initializers under their names: tree paths
        (``Dense_0__kernel``), or what ``named_parameters`` says of a module. Symbolic lengths bear the names
        of ``dynamic_shapes``, or ``x_length`` for the input x.

    Raises:
        ImportError: If onnx or onnxscript is missing or torch is older than 2.7.
        TypeError: If an argument or a weight is an array of JAX or TensorFlow, the function closes over
            tensors, ``dynamic_shapes`` does not mirror the arguments, or ``opset`` is no integer.
        ValueError: If a length that is to vary is 0 or 1 in the example, names do not fit, or ``opset`` is
            earlier than 18 or later than the installed onnx knows.
        NotImplementedError: If onnx's version converter cannot bring an operation to ``opset``.

    Notes:
        The module runs in evaluation mode and keeps its own. Takes seconds; needs ``onnx`` and
        ``onnxscript``. Nothing is written to disk: ``onnx.save(model, path)``. The exporter writes opset 18,
        and onnx's version converter makes a later one of it. Which ones an ONNX Runtime runs depends on its
        version: 1.32 all that onnx 1.23 knows, up to 28.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> from anytensor import export
        >>> def total(x, ids, nodes):
        ...     return at.segment_sum(x, ids, at.shape(nodes)[0])
        >>> x, ids = np.ones((4, 2), np.float32), np.array([0, 0, 1, 2])
        >>> model = export.to_onnx_torch(total, (x, ids, np.ones((3, 5), np.float32)))
        >>> [value.name for value in model.graph.input]
        ['x', 'ids', 'nodes']
    """
    require_torch_exporter("to_onnx_torch")
    import torch

    from anytensor.export.onnx_torch import example_tensors, export_module
    from anytensor.export.torch_module import BoundModule

    opset = check_opset(opset, "to_onnx_torch")
    args = _as_arguments(args)
    if not callable(model_or_fn):
        raise TypeError(f"to_onnx_torch: `model_or_fn` must be callable, got {errors.describe(model_or_fn)}")
    is_module = isinstance(model_or_fn, torch.nn.Module)
    function = model_or_fn.forward if is_module else model_or_fn
    skip = 0 if params is None else 1
    if isinstance(model_or_fn, BoundModule):
        function, skip = model_or_fn.fn, 0 if model_or_fn._nest is None else 1
    names = argument_names(function, len(args), skip)
    leaves = named_arguments(names, args)
    example_tensors(leaves)
    if not is_module or isinstance(model_or_fn, BoundModule):
        refuse_closed_over("to_onnx_torch", function, ("jax", "tensorflow", "torch"))
    specs = None
    if dynamic_shapes is not None:
        specs = spec_of_leaves(dynamic_shapes, names, args, "to_onnx_torch")
    if input_names is not None:
        arrays = sum(not is_number(leaf.value) for leaf in leaves)
        input_names = check_names(input_names, arrays, "to_onnx_torch", "input_names")
    if output_names is not None:
        output_names = check_names(output_names, len(list(output_names)), "to_onnx_torch", "output_names")
    module = as_torch_module(model_or_fn, params)
    model = export_module(module, leaves, args, specs, input_names, output_names)
    convert_opset(model, opset, "to_onnx_torch")
    return model


def to_onnx_tensorflow(
    fn: Callable[..., Any], signature: Sequence[Any], params: Any = None, opset: int = 18
) -> Any:
    """Export a portable function to ONNX by TensorFlow and tf2onnx.

    Args:
        fn: ``fn(*args)``; with ``params`` ``fn(params, *args)``; or what ``as_tensorflow_fn`` returned.
        signature: The arguments: nests of ``tf.TensorSpec``, None where a length varies. An array (NumPy
            or TensorFlow) stands for its dtype and shape with the first axis open, unless that is 1. Python
            numbers are constants of the model.
        params: A nest of weights, arrays of any framework.
        opset: The ONNX opset: 18, or a later one that the installed onnx knows.

    Returns:
        An ``onnx.ModelProto`` of that opset. Inputs bear the names of the arguments, with the path inside a
        nest: ``x``, ``graph__nodes``; a ``tf.TensorSpec`` with a name keeps it. Weights are initializers
        under their tree paths (``Dense_0__kernel``), variables that the function closes over under their own.
        Outputs are named as by ``to_onnx_torch``.

    Raises:
        ImportError: If tensorflow, tf2onnx or onnx is missing, or their versions are known not to work
            together.
        TypeError: If the signature or the function holds arrays of JAX or PyTorch, the function closes over
            tensors, which would become inputs, or ``opset`` is no integer.
        ValueError: If ``opset`` is earlier than 18 or later than the installed onnx knows, or names do not
            fit.
        NotImplementedError: If an operation has no counterpart in ONNX, or none in ``opset``; the message
            names it.

    Notes:
        Segment operations are lowered to ScatterND with a reduction, while this function traces: a
        ``tf.function`` converted by tf2onnx itself has tf2onnx's own, which puts a row with id -1 into the
        last segment. Nothing is written to disk: ``onnx.save(model, path)``. tf2onnx writes opset 18, the
        last that it knows, and onnx's version converter makes a later one of it, as in ``to_onnx_torch``.

    Example:
        >>> import tensorflow as tf
        >>> import anytensor as at
        >>> from anytensor import export
        >>> def total(x, ids, nodes):
        ...     return at.segment_sum(x, ids, at.shape(nodes)[0])
        >>> signature = [tf.TensorSpec([None, 2]), tf.TensorSpec([None], tf.int32), tf.TensorSpec([None, 5])]
        >>> model = export.to_onnx_tensorflow(total, signature)
        >>> [value.name for value in model.graph.input]
        ['x', 'ids', 'nodes']
    """
    require_tf2onnx("to_onnx_tensorflow")
    from anytensor.export.onnx_tensorflow import export_function

    opset = check_opset(opset, "to_onnx_tensorflow")
    if not callable(fn):
        raise TypeError(f"to_onnx_tensorflow: `fn` must be callable, got {errors.describe(fn)}")
    if isinstance(fn, BoundFunction):
        if params is not None:
            raise TypeError("to_onnx_tensorflow: `fn` has its weights already; leave `params` away")
        params = fn.params
        fn = fn.fn
    refuse_closed_over("to_onnx_tensorflow", fn, ("jax", "torch"))
    args = _as_arguments(signature)
    names = argument_names(fn, len(args), 0 if params is None else 1)
    model = export_function(fn, args, names, params)
    convert_opset(model, opset, "to_onnx_tensorflow")
    return model


def _as_arguments(args: Any) -> tuple[Any, ...]:
    """Return the arguments as a tuple: one that is not in a sequence (a graph, an array) counts as one."""
    return tuple(args) if type(args) in (tuple, list) else (args,)
