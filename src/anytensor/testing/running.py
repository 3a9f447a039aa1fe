"""What a runner room takes and gives back; one room for each framework, each with a ``prepare``.

A room imports its framework by ``importlib`` when ``prepare`` is called and not before, so that the kit can
be imported where a framework is missing, and costs nothing until it runs.
"""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Options", "Run", "cotangent", "import_framework"]


@dataclass(frozen=True)
class Options:
    """How to run.

    Attributes:
        gradients: Whether to differentiate with respect to the floating operands.
        torch_compiler: The backend of ``torch.compile``.
    """

    gradients: bool = False
    torch_compiler: str = "aot_eager"


@dataclass(frozen=True)
class Run:
    """What came out of one run, still in the framework's own arrays.

    Attributes:
        outputs: What the function returned.
        gradients: One gradient for each floating operand, or None where none were asked for.
        leaves: The operands as they are after the run, to see whether the function wrote to them.
        is_array: Tells the framework's arrays from all else.
        to_host: Turns one of its arrays into a NumPy array.
        narrowing: The dtype that the framework puts in the place of one that it has switched off, by name.
    """

    outputs: Any
    gradients: Sequence[Any] | None
    leaves: Sequence[Any]
    is_array: Callable[[Any], bool]
    to_host: Callable[[Any], NDArray[Any]]
    narrowing: Mapping[str, str] = field(default_factory=dict)


def cotangent(place: int, shape: Any) -> NDArray[Any]:
    """Return the weights of one output in the differentiated sum: fixed, and different for each entry.

    With all-ones weights a gradient that mixes entries up would pass, and that of a softmax would be 0.
    """
    size = int(np.prod(shape))
    return np.asarray(np.cos(1.0 + place + 0.7 * np.arange(size)).reshape(tuple(shape)))


def import_framework(name: str) -> ModuleType:
    """Import a framework, whose own deprecation warnings on import are not the caller's."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return importlib.import_module(name)
