"""Weights as named NumPy arrays: what a model of any framework hands over, and what an ONNX file embeds."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from anytensor import errors
from anytensor.backends import HOST, TYPES, installed_backends
from anytensor.tree import flatten_with_path, keystr, map_with_path

__all__ = ["backend_name", "is_number", "named_leaves", "numpy_leaves", "path_name"]

_NUMBERS = (bool, int, float, complex, str)
_SEPARATORS = re.compile(r"[/.]")
_NOT_IN_A_NAME = re.compile(r"[^0-9A-Za-z_]+")


def is_number(leaf: Any) -> bool:
    """Return whether a leaf is a plain Python value, which stays a constant of the function."""
    return isinstance(leaf, _NUMBERS) and not isinstance(leaf, np.generic)


def backend_name(leaf: Any) -> str | None:
    """Return the name of the backend that a leaf belongs to; None for what is no array."""
    backend = TYPES.get(type(leaf))
    if backend is not None:
        return backend.NAME
    if is_number(leaf):
        return None
    return next((known.NAME for known in installed_backends() if known.is_array(leaf)), None)


def path_name(path: Any) -> str:
    """Return the keys of a tree path joined by ``__``, fit for the name of a value in a graph.

    A key that is a path itself, as in Keras (``dense/kernel``) and PyTorch (``dense.weight``), is cut.
    """
    parts = [part for key in path for part in _SEPARATORS.split(keystr((key,), simple=True))]
    return "__".join([_NOT_IN_A_NAME.sub("_", part).strip("_") for part in parts])


def named_leaves(tree: Any, function: str, argument: str) -> tuple[dict[str, Any], Any]:
    """Take a nest of weights apart by the names that they will bear.

    Args:
        tree: A nest of arrays and Python numbers.
        function: Name of the public function, for errors.
        argument: Name of its argument, for errors.

    Returns:
        The leaves by name, in the order of ``tree.flatten``, and the structure. A leaf without a nest is
        named after the argument.

    Raises:
        ValueError: If two paths give one name.
    """
    pairs, structure = flatten_with_path(tree)
    named: dict[str, Any] = {}
    for path, leaf in pairs:
        name = path_name(path) or argument
        if name in named:
            raise ValueError(
                f"{function}: two entries of `{argument}` would both be named {name}; rename the key at "
                f"{keystr(path)}"
            )
        named[name] = leaf
    return named, structure


def numpy_leaves(tree: Any) -> Any:
    """Return a nest of weights with every array as a NumPy array of its own memory.

    Args:
        tree: A nest of arrays of any framework (Flax or Haiku parameters, a ``state_dict``, Keras
            variables, ...). Python numbers and strings stay as they are.

    Returns:
        The same nest; shapes and dtypes are kept (bfloat16 by ``ml_dtypes``). An empty nest is returned
        empty.

    Raises:
        TypeError: If a leaf is neither an array nor a number, or a traced value, which has no entries yet.

    Notes:
        Every array is copied once, from its device to the host; gradients do not flow through.

    Example:
        >>> import numpy as np
        >>> from anytensor import export
        >>> export.numpy_leaves({"Dense_0": {"kernel": np.ones((2, 1)), "rate": 0.5}})
        {'Dense_0': {'kernel': array([[1.],
               [1.]]), 'rate': 0.5}}
    """

    def on_host(path: Any, leaf: Any) -> Any:
        if is_number(leaf):
            return leaf
        name = backend_name(leaf)
        if name is None:
            if hasattr(leaf, "__array__"):  # a variable that holds its framework's tensor, as Keras has them
                return np.asarray(leaf).copy()  # np.array asks for a copy, which not every __array__ knows
            raise TypeError(
                f"numpy_leaves: `tree` must hold arrays and numbers, got {errors.describe(leaf)} at "
                f"{keystr(path) or 'its root'}"
            )
        backend = next(known for known in installed_backends() if known.NAME == name)  # noqa: SIM300
        if backend is HOST:
            return np.array(leaf)
        if backend.is_traced(leaf):
            raise TypeError(
                f"numpy_leaves: the leaf at {keystr(path) or 'the root'} is traced and has no entries yet; "
                "call numpy_leaves outside of jit, compile and tf.function"
            )
        return np.array(backend.to_numpy(leaf))

    return map_with_path(on_host, tree)
