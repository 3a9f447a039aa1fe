"""A portable function and its weights as one callable of a framework."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from anytensor import errors
from anytensor.export.weights import backend_name, is_number, named_leaves, numpy_leaves
from anytensor.tree import unflatten

__all__ = ["BoundFunction", "as_tensorflow_fn", "as_torch_module"]


def as_torch_module(fn: Callable[..., Any], params: Any = None, buffers: bool = False) -> Any:
    """Make a ``torch.nn.Module`` whose forward pass calls a portable function.

    Args:
        fn: Called as ``fn(params, *args)``, or as ``fn(*args)`` if ``params`` is None.
        params: A nest of NumPy arrays and torch tensors. A ``torch.nn.Parameter`` is taken as it is, so two
            modules may share it; every other array is copied. Python numbers stay constants. From Flax:
            ``numpy_leaves(variables)``.
        buffers: Whether the weights are fixed: registered as buffers, not as parameters. Integers and bool,
            which have no gradient, are buffers in any case.

    Returns:
        A module. Its parameters are named after their tree paths: ``Dense_0__kernel``. With no ``params``, a
        module without any.

    Raises:
        TypeError: If ``fn`` is not callable or is a module with ``params`` beside it, or a weight is of
            another framework or no array.
        ValueError: If two weights would have one name, or a name is one of the module's own.

    Notes:
        What ``torch.export``, ``torch.onnx`` and Lightning want: they take modules, not functions. It
        trains, and it compiles with ``fullgraph=True`` if ``fn`` does. Imports torch.

    Example:
        >>> import numpy as np, torch
        >>> import anytensor as at
        >>> from anytensor import export
        >>> def model(params, x):
        ...     return at.tanh(at.matmul(x, params["Dense_0"]["kernel"]))
        >>> module = export.as_torch_module(model, {"Dense_0": {"kernel": np.zeros((2, 1), np.float32)}})
        >>> [name for name, _ in module.named_parameters()]
        ['Dense_0__kernel']
        >>> module(torch.ones(3, 2)).shape
        torch.Size([3, 1])
    """
    if not callable(fn):
        raise TypeError(f"as_torch_module: `fn` must be callable, got {errors.describe(fn)}")
    if buffers is not False and buffers is not True:
        raise errors.not_a_bool(buffers, "as_torch_module", "buffers")
    import torch

    if isinstance(fn, torch.nn.Module):
        if params is not None:
            raise TypeError(
                "as_torch_module: `fn` is a module and has its own parameters; leave `params` away, or give "
                "a function fn(params, *args)"
            )
        return fn
    from anytensor.export.torch_module import BoundModule

    named, structure = named_leaves(params, "as_torch_module", "params")
    for name, leaf in named.items():
        if backend_name(leaf) not in ("numpy", "torch") and not is_number(leaf):
            raise _foreign_weight("as_torch_module", name, leaf)
    return BoundModule(fn, named, structure if params is not None else None, buffers)


class BoundFunction:
    """``fn`` with its weights, created anew as constants at each call, so that a trace embeds them."""

    def __init__(self, fn: Callable[..., Any], params: Any) -> None:
        self.fn = fn
        self.params = params
        named, self._structure = named_leaves(params, "as_tensorflow_fn", "params")
        self._named = named

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function."""
        import tensorflow as tf

        leaves = [
            leaf if is_number(leaf) else tf.constant(leaf, name=name) for name, leaf in self._named.items()
        ]
        return self.fn(unflatten(self._structure, leaves), *args, **kwargs)


def as_tensorflow_fn(fn: Callable[..., Any], params: Any) -> Any:
    """Make a TensorFlow function of a portable function and its weights.

    Args:
        fn: Called as ``fn(params, *args)``.
        params: A nest of arrays of any framework; it is taken to NumPy at once, by ``numpy_leaves``.

    Returns:
        A callable of the other arguments, to be wrapped in ``tf.function`` or given to
        ``to_onnx_tensorflow``. The weights become constants inside the trace that calls it, named after
        their tree paths; constants of an outer scope would be captured, and an ONNX file would have them
        as inputs.

    Raises:
        TypeError: If ``fn`` is not callable, or ``params`` hold something else than arrays and numbers.
        ValueError: If two weights would have one name.

    Notes:
        For deployment: the weights are constants without a gradient, and an eager call creates them anew.
        The call imports TensorFlow.

    Example:
        >>> import numpy as np, tensorflow as tf
        >>> import anytensor as at
        >>> from anytensor import export
        >>> predict = export.as_tensorflow_fn(lambda p, x: at.matmul(x, p["w"]), {"w": np.ones((2, 1))})
        >>> tf.function(predict)(tf.ones((3, 2), tf.float64)).shape
        TensorShape([3, 1])
    """
    if not callable(fn):
        raise TypeError(f"as_tensorflow_fn: `fn` must be callable, got {errors.describe(fn)}")
    return BoundFunction(fn, numpy_leaves(params))


def _foreign_weight(function: str, name: str, leaf: Any) -> TypeError:
    return TypeError(
        f"{function}: the weight {name} is {errors.describe(leaf)}; it takes NumPy arrays and torch tensors. "
        "Pass export.numpy_leaves(params)"
    )
