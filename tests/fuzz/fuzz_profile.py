"""How much is searched: a small, repeatable profile for the suite, and the long one that the runner sets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.database import DirectoryBasedExampleDatabase
from hypothesis.strategies import SearchStrategy

from anytensor.testing import prepare

__all__ = ["Profile", "prepared", "search", "use"]


@dataclass
class Profile:
    """What one search may do.

    Attributes:
        factor: How many times the examples of the small profile.
        seed: Of this round; None is the small profile, which draws the same examples in every run.
        folder: Where failing examples are kept, by test; None keeps none.
        examples: How many examples ran, by test.
    """

    factor: int = 1
    seed: int | None = None
    folder: Path | None = None
    examples: Counter[str] = field(default_factory=Counter)


_current = Profile()


def use(profile: Profile) -> None:
    """Make a profile the one that every later search takes."""
    global _current
    _current = profile


def prepared(function: Callable[..., Any], variant: str, **options: Any) -> Callable[..., Any]:
    """Prepare a function for a variant of the kit, or "torch-inductor", which is too slow for the suite."""
    if variant == "torch-inductor":
        compiler = "aot_eager" if _current.seed is None else "inductor"
        return prepare(function, "torch-compile", torch_compiler=compiler, **options)
    return prepare(function, variant, **options)


def search(
    name: str, strategy: SearchStrategy[Any], holds: Callable[[Any], None], examples: int, long: int = 0
) -> None:
    """Look for an example of a strategy that a check fails on.

    Args:
        name: Of the search, the same in every run: the folder of its failing examples.
        strategy: What to draw.
        holds: The check; it raises where it fails.
        examples: How many the small profile draws.
        long: How many the long profile draws a round, times its factor; 0 is as many as the small one's.
    """
    profile = _current

    def example(drawn: Any) -> None:
        profile.examples[name] += 1
        holds(drawn)

    kept = None
    if profile.folder is not None:
        kept = DirectoryBasedExampleDatabase(profile.folder / name.replace("/", "-"))
    shared = {
        "deadline": None,  # the first call of a shape compiles
        "database": kept,
        "print_blob": profile.seed is not None,
        "suppress_health_check": list(HealthCheck),
    }
    if profile.seed is None:
        # Shrinking belongs to the long run: the suite says that it fails, and costs the same every time.
        phases = [Phase.explicit, Phase.generate]
        chosen = settings(max_examples=examples, derandomize=True, phases=phases, **shared)
        chosen(given(strategy)(example))()
        return
    chosen = settings(max_examples=max(1, (long or examples) * profile.factor), **shared)
    seed(profile.seed)(chosen(given(strategy)(example)))()
