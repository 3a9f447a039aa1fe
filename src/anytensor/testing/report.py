"""What the kit found: one outcome for each variant, and every difference between them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from numpy.typing import NDArray

from anytensor.testing.variant_table import Variant

__all__ = ["Difference", "Outcome", "Report"]


@dataclass(frozen=True, eq=False)  # arrays have no plain equality
class Outcome:
    """What one variant made of the function.

    Attributes:
        variant: The backend and mode.
        outputs: What the function returned, arrays as NumPy arrays; None after an error.
        gradients: Gradient of each floating argument, by its name; empty where none were taken.
        error: The exception that the function raised, or None.
        written: Names of the arguments whose memory the function wrote to.
        foreign: Outputs that are arrays of something other than the variant's backend: (path, type).
        narrowing: Dtypes that the backend replaces by a narrower one, by name (JAX without x64).
    """

    variant: Variant
    outputs: Any = None
    gradients: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    error: Exception | None = None
    written: tuple[str, ...] = ()
    foreign: tuple[tuple[str, str], ...] = ()
    narrowing: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Difference:
    """One way in which a variant is not as it should be.

    Attributes:
        variant: Name of the variant.
        what: ``"error"``, ``"structure"``, ``"type"``, ``"dtype"``, ``"shape"``, ``"value"``, ``"gradient"``
            or ``"argument"`` (it was written to).
        path: Which output or argument, as the expression that reaches it.
        detail: What came and what was expected.
        index: The first entry that differs, where entries were compared.
        got: The value there.
        expected: The value that it should have.
    """

    variant: str
    what: str
    path: str
    detail: str
    index: tuple[int, ...] | None = None
    got: Any = None
    expected: Any = None

    def __str__(self) -> str:
        return f"{self.variant}: {self.what} of {self.path}: {self.detail}"


@dataclass(frozen=True, eq=False)
class Report:
    """All outcomes and differences of one portable function.

    Attributes:
        function: The function's name.
        outcomes: One for each variant that ran.
        missing: Backends that were asked for and left out, each with the reason.
        differences: Everything that differs; empty from ``run_portable``, which compares nothing.
        reference: What the values were compared with; "" where nothing was compared.
        gradient_reference: What the gradients were compared with; "" where there was nothing to compare.
    """

    function: str
    outcomes: tuple[Outcome, ...]
    missing: tuple[str, ...] = ()
    differences: tuple[Difference, ...] = ()
    reference: str = ""
    gradient_reference: str = ""

    def __getitem__(self, variant: str) -> Outcome:
        """Return the outcome of a variant by its name; KeyError if it did not run."""
        for outcome in self.outcomes:
            if outcome.variant.name == variant:
                return outcome
        raise KeyError(
            f"{variant!r} did not run; ran: {', '.join(o.variant.name for o in self.outcomes) or 'nothing'}; "
            f"left out: {', '.join(self.missing) or 'nothing'}"
        )

    def __str__(self) -> str:
        count = len(self.differences)
        if count:
            lines = [f"{self.function} is not portable, {count} difference{'s' if count > 1 else ''}:"]
            lines += [f"  {difference}" for difference in self.differences]
        else:
            lines = [f"{self.function}: {'no difference' if self.reference else 'not compared'}"]
        lines.append(f"variants run: {', '.join(o.variant.name for o in self.outcomes) or 'none'}")
        if self.reference:
            lines.append(f"values compared with {self.reference}")
        if self.gradient_reference:
            lines.append(f"gradients compared with {self.gradient_reference}")
        if self.missing:
            lines.append(f"left out: {', '.join(self.missing)}")
        return "\n".join(lines)
