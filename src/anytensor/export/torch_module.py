"""The ``torch.nn.Module`` behind ``as_torch_module``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import torch

from anytensor.backends.torch.array import from_host
from anytensor.export.weights import is_number
from anytensor.tree import map as map_tree
from anytensor.tree import unflatten

__all__ = ["BoundModule"]


class BoundModule(torch.nn.Module):  # type: ignore[misc]  # mypy skips torch
    """A portable function as a module; its weights are attributes under their path names."""

    def __init__(
        self, fn: Callable[..., Any], named: Mapping[str, Any], structure: Any, buffers: bool
    ) -> None:
        """Register the weights.

        Args:
            fn: ``fn(params, *args)``, or ``fn(*args)`` where ``structure`` is None.
            named: NumPy arrays, tensors and Python numbers by name.
            structure: The nest that they make.
            buffers: Whether every weight is a buffer.
        """
        super().__init__()
        self.fn = fn
        # The nest with names in place of weights: Dynamo (2.13) cannot look into a structure made outside.
        self._nest = None if structure is None else unflatten(structure, list(named))
        self._constants = {name: leaf for name, leaf in named.items() if is_number(leaf)}
        for name, leaf in named.items():
            if is_number(leaf):
                continue
            if hasattr(self, name):
                raise ValueError(
                    f"as_torch_module: a weight cannot be named {name}: torch.nn.Module has an attribute of "
                    "that name; rename the key in `params`"
                )
            if isinstance(leaf, torch.nn.Parameter):
                tensor = leaf
            elif isinstance(leaf, torch.Tensor):
                tensor = leaf.detach().clone()
            else:
                tensor = from_host(leaf, None, copy=True)[0]
            if buffers or not (tensor.is_floating_point() or tensor.is_complex()):
                self.register_buffer(name, tensor.detach())
            elif isinstance(tensor, torch.nn.Parameter):
                self.register_parameter(name, tensor)
            else:
                self.register_parameter(name, torch.nn.Parameter(tensor))

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function with the weights."""
        if self._nest is None:
            return self.fn(*args, **kwargs)
        return self.fn(map_tree(self._weight, self._nest), *args, **kwargs)

    def _weight(self, name: str) -> Any:
        return self._constants[name] if name in self._constants else getattr(self, name)
