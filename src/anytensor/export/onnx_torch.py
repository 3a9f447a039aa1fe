"""From a module on PyTorch to ONNX, by ``torch.export`` and the exporter built on it."""

from __future__ import annotations

import contextlib
import logging
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch

from anytensor import errors
from anytensor.backends.torch.array import from_host, to_numpy
from anytensor.export.arguments import Leaf
from anytensor.export.graph_names import embed, free_names, rename
from anytensor.export.opset import OPSET
from anytensor.export.torch_lowering import TRANSLATIONS
from anytensor.export.torch_module import BoundModule
from anytensor.export.weights import backend_name, is_number, path_name
from anytensor.tree import flatten, leaves_with_path, unflatten

__all__ = ["example_tensors", "export_module"]

_STATIC = (None, torch.export.Dim.STATIC)


class _Flat(torch.nn.Module):  # type: ignore[misc]  # mypy skips torch
    """A module that takes the arrays of its arguments one by one, whatever nests they come in."""

    def __init__(
        self, model: Any, structure: Any, constants: dict[int, Any], report: Callable[[list[str]], None]
    ) -> None:
        super().__init__()
        self.model = model
        self.structure = structure
        self.constants = constants
        self.report = report

    def forward(self, *tensors: Any) -> tuple[Any, ...]:
        given = iter(tensors)
        count = len(tensors) + len(self.constants)
        flat = [self.constants[i] if i in self.constants else next(given) for i in range(count)]
        pairs = leaves_with_path(self.model(*unflatten(self.structure, flat)))
        names = [path_name(path) or "output" for path, _ in pairs]
        self.report(names)  # torch.export takes back what is assigned to the module
        out: list[Any] = []
        for name, (_, leaf) in zip(names, pairs, strict=True):
            if not isinstance(leaf, torch.Tensor):
                raise TypeError(
                    f"to_onnx_torch: the output {name} must be a tensor, got {errors.describe(leaf)}"
                )
            # A graph's output needs a name of its own: not that of an input, nor of another output.
            same = any(leaf is other for other in (*tensors, *out))
            out.append(leaf.clone() if same else leaf)
        return tuple(out)


def example_tensors(leaves: Sequence[Leaf]) -> list[Any]:
    """Return the arguments' arrays as tensors, Python numbers as they are.

    Raises:
        TypeError: If one is an array of another framework or no array.
    """
    found: list[Any] = []
    for leaf in leaves:
        name = backend_name(leaf.value)
        if name == "torch" and any(leaf.value is other for other in found):
            # torch.export (2.13) takes every use of a tensor that comes twice for a use of the last one.
            found.append(leaf.value.detach().clone())
        elif name == "torch" or (name is None and is_number(leaf.value)):
            found.append(leaf.value)
        elif name == "numpy":
            found.append(from_host(leaf.value, None, copy=True)[0])
        elif name is not None:
            raise TypeError(
                f"to_onnx_torch: `args` holds {errors.describe(leaf.value)} at {leaf.place}. The export runs "
                "the function on PyTorch: give example arguments as torch tensors or NumPy arrays "
                "(np.asarray of it), and weights by export.numpy_leaves as `params`"
            )
        else:
            raise TypeError(
                f"to_onnx_torch: `args` must hold tensors, NumPy arrays and numbers, got "
                f"{errors.describe(leaf.value)} at {leaf.place}"
            )
    return found


def export_module(
    module: Any,
    leaves: Sequence[Leaf],
    args: tuple[Any, ...],
    specs: Sequence[Any] | None,
    input_names: Sequence[str] | None,
    output_names: Sequence[str] | None,
) -> Any:
    """Export a module.

    Args:
        module: A ``torch.nn.Module``.
        leaves: The leaves of the arguments.
        args: The arguments, for their structure.
        specs: What the caller says about the lengths of each leaf; None for the first axes.
        input_names: The inputs' names in place of the leaves' own.
        output_names: The outputs' names.

    Returns:
        An ``onnx.ModelProto``.
    """
    examples = example_tensors(leaves)
    arrays = [i for i, value in enumerate(examples) if isinstance(value, torch.Tensor)]
    names = list(input_names) if input_names is not None else [leaves[i].name for i in arrays]
    tensors = tuple(examples[i] for i in arrays)
    lengths = [
        _lengths(tensor, name, leaves[i].place, None if specs is None else (specs[i],))
        for i, name, tensor in zip(arrays, names, tensors, strict=True)
    ]
    _check_names(names, [leaves[i].place for i in arrays], module)
    constants = {i: value for i, value in enumerate(examples) if i not in arrays}
    returned: list[str] = []

    def report(found: list[str]) -> None:
        returned[:] = found

    flat = _Flat(module, flatten(args)[1], constants, report)
    with _in_eval_mode(flat), _quiet():
        program = torch.onnx.export(
            flat,
            tensors,
            dynamo=True,
            opset_version=OPSET,
            dynamic_shapes=(tuple(lengths),),
            input_names=names,
            verbose=False,
            optimize=False,
            custom_translation_table=dict(TRANSLATIONS),
        )
        weights = _shielded(program.model.graph)
        program.optimize()
    model = program.model_proto
    embed(model, weights)
    found = [value.name for value in model.graph.output]
    if output_names is not None and len(output_names) != len(found):
        raise ValueError(
            f"to_onnx_torch: `output_names` must name the {len(found)} outputs {returned}, got "
            f"{list(output_names)}"
        )
    wanted = list(output_names) if output_names is not None else free_names(returned, names)
    mapping = dict(zip(found, wanted, strict=True))
    for tensor in model.graph.initializer:
        mapping[tensor.name] = tensor.name.removeprefix("model.")
    rename(model, mapping)
    if isinstance(module, BoundModule):
        # The exporter leaves out what nothing depends on; of a nest of weights every one is in the file.
        present = {tensor.name for tensor in model.graph.initializer}
        held = {**dict(module.named_parameters()), **dict(module.named_buffers())}
        embed(model, (), {name: to_numpy(leaf) for name, leaf in held.items() if name not in present})
    return model


def _check_names(names: Sequence[str], places: Sequence[str], module: Any) -> None:
    """Raise ValueError if two inputs, or an input and a weight, would have one name."""
    first: dict[str, str] = {}
    for name, place in zip(names, places, strict=True):
        if name in first:
            raise ValueError(
                f"to_onnx_torch: the inputs at {first[name]} and {place} would both be named {name!r}; give "
                "`input_names`"
            )
        first[name] = place
    weights = {name for name, _ in (*module.named_parameters(), *module.named_buffers())}
    shared = sorted(weights & set(names))
    if shared:
        raise ValueError(
            f"to_onnx_torch: {shared[0]!r} would name both the input at {first[shared[0]]} and a weight; "
            "give `input_names`, or rename the argument"
        )


def _shielded(graph: Any) -> set[str]:
    """Make inputs of the weights, for the time of the optimization; return their names.

    The optimizer would merge weights of the same values (two biases of 0) and drop the others' names, or fold
    them into what is computed from them.
    """
    weights = {name for name in graph.initializers if name.startswith("model.")}
    graph.inputs.extend([graph.initializers[name] for name in weights])
    return weights


def _lengths(tensor: Any, name: str, place: str, given: tuple[Any] | None) -> Any:
    """Return the lengths that may vary, as ``torch.onnx.export`` wants them: axis to name or Dim."""
    if given is None:
        # One row is one graph or one broadcast vector, and PyTorch takes a length of 1 for a constant.
        if tensor.ndim == 0 or tensor.shape[0] == 1:
            return None
        spec: Any = {0: f"{name}_length"}
    else:
        spec = given[0]
    if spec is None:
        return None
    if isinstance(spec, (tuple, list)) and len(spec) == tensor.ndim:
        spec = dict(enumerate(spec))
    if not isinstance(spec, dict) or not all(
        isinstance(axis, int) and -tensor.ndim <= axis < tensor.ndim for axis in spec
    ):
        raise TypeError(
            f"to_onnx_torch: `dynamic_shapes` for {place} must be None, a dict of axes or an entry for each "
            f"of its {tensor.ndim} axes, got {spec!r}"
        )
    for axis, size in spec.items():
        length = tensor.shape[axis]
        if not isinstance(size, int) and size not in _STATIC and length < 2:
            raise ValueError(
                f"to_onnx_torch: `args` has length {length} at axis {axis} of {place}, which is to vary; "
                "PyTorch bakes lengths of 0 and 1, so give an example of at least 2"
            )
    return {axis % tensor.ndim: size for axis, size in spec.items()}


@contextlib.contextmanager
def _in_eval_mode(module: Any) -> Iterator[None]:
    """Switch off dropout and the like, and leave every part as it was found."""
    training = [part for part in module.modules() if part.training]
    for part in training:
        part.training = False
    try:
        yield
    finally:
        for part in training:
            part.training = True


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Keep back what the exporter says about its own workings and about packages that nobody asked for."""
    loggers = [logging.getLogger(name) for name in ("torch.onnx", "onnxscript", "onnx_ir")]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings():
            # torch 2.13: two lengths found equal bear one name.
            warnings.filterwarnings("ignore", message=".*[aA]xis name: .* will not be used")
            # torch 2.13 itself uses what it deprecates.
            warnings.filterwarnings("ignore", message=".*LeafSpec.*", category=FutureWarning)
            warnings.filterwarnings(
                "ignore", message=".*should not be instantiated", category=DeprecationWarning
            )
            yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)
