"""Run a portable function on NumPy: on arrays that may be written to, and on read-only ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from anytensor.testing.operands import Operands
from anytensor.testing.running import Options, Run

__all__ = ["prepare"]


def prepare(function: Callable[..., Any], mode: str, options: Options) -> Callable[[Operands], Run]:
    """Return what runs ``function`` over operands in one mode of NumPy."""

    def execute(operands: Operands) -> Run:
        leaves = [leaf.copy(order="K") for leaf in operands.leaves]
        if mode == "readonly":
            for leaf in leaves:
                leaf.setflags(write=False)
        args, kwargs = operands.rebuild(leaves)
        return Run(function(*args, **kwargs), None, leaves, _is_array, np.asarray)

    return execute


def _is_array(x: Any) -> bool:
    return isinstance(x, (np.ndarray, np.generic))
