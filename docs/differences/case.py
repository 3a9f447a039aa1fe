"""One case: operands, an expression of ``at``, and the call that each framework offers for the same."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = ["DIFFERENTIABLE", "FRAMEWORKS", "SECTIONS", "Case"]

FRAMEWORKS = ("numpy", "jax", "torch", "tensorflow")
DIFFERENTIABLE = FRAMEWORKS[1:]

SECTIONS = {
    "ids": "Segment ids",
    "values": "Empty segments, NaN and infinity",
    "dtypes": "Narrow dtypes",
    "gradients": "Gradients",
    "arrays": "Ordinary operations",
}
"""Key -> heading, in the order of the page. The section "own" has a table of another form."""


@dataclass(frozen=True)
class Case:
    """One row of the page.

    Attributes:
        name: Short and unique; the test's id.
        section: Of ``SECTIONS``.
        title: What the row is about.
        operands: Name -> (entries, dtype), made for each framework.
        ours: The expression of ``at``, run on every framework and the same on all.
        theirs: Framework -> its own call, or note -> call where there are several. The key "gradient" of the
            scope is the gradient of a function's sum, by the framework's own differentiation.
        frameworks: Where ``ours`` is run; NumPy has no gradients.
        follows: Why ``at`` gives what the framework gives, where it is not the same on all.
    """

    name: str
    section: str
    title: str
    operands: Mapping[str, tuple[Any, str]]
    ours: str
    theirs: Mapping[str, str | Mapping[str, str]] = field(default_factory=dict)
    frameworks: tuple[str, ...] = FRAMEWORKS
    follows: str = ""
