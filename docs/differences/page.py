"""The page: a table for each section, and below it the calls that were run."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from differences.case import FRAMEWORKS, SECTIONS, Case
from differences.cases import CASES
from differences.running import everywhere, ours, theirs

__all__ = ["PARTS", "row", "write"]

HEADINGS = {"numpy": "NumPy", "jax": "JAX", "torch": "PyTorch", "tensorflow": "TensorFlow"}
PARTS = ("<!-- the tables begin -->", "<!-- the tables end -->")
"""What stands before the tables on the page and after them; the rest of it is written by hand."""


def row(case: Case) -> str:
    """Run a case and return its row."""
    if case.follows:
        cells = [case.title, *[ours(case, framework) for framework in FRAMEWORKS], case.follows]
    else:
        cells = [case.title, *[theirs(case, framework) for framework in FRAMEWORKS]]
        cells.append(f"**{everywhere(case)}**")
    return f"| {' | '.join(cells)} |"


def _calls(case: Case) -> list[str]:
    lines = [f"    - {case.title}", f"        - at: `{case.ours}`"]
    for framework, calls in case.theirs.items():
        named: Mapping[str, str] = {"": calls} if isinstance(calls, str) else calls
        lines += [
            f"        - {HEADINGS[framework]}{f', {note}' if note else ''}: `{call}`"
            for note, call in named.items()
        ]
    return lines


def tables() -> str:
    """Run every case and return the page's tables."""
    lines = []
    names = " | ".join([HEADINGS[name] for name in FRAMEWORKS])
    for section, heading in SECTIONS.items():
        cases = [case for case in CASES if case.section == section]
        lines += [f"## {heading}", "", f"| | {names} | `at`, on all |", "|---" * 6 + "|"]
        lines += [*[row(case) for case in cases], "", '??? note "The calls"', ""]
        lines += [line for case in cases for line in _calls(case)]
        lines.append("")
    cases = [case for case in CASES if case.section == "own"]
    lines += [
        "## Where `at` follows the framework",
        "",
        "What `at` gives on each, and why.",
        "",
    ]
    lines += [f"| | {names} | why |", "|---" * 6 + "|", *[row(case) for case in cases], ""]
    lines += ['??? note "The calls"', "", *[line for case in cases for line in _calls(case)], ""]
    return "\n".join(lines)


def write(page: str, content: Callable[[], str] = tables) -> str:
    """Return the page with its tables written anew; what stands around them stays."""
    head, _, rest = page.partition(PARTS[0])
    _, _, tail = rest.partition(PARTS[1])
    return f"{head}{PARTS[0]}\n\n{content()}\n{PARTS[1]}{tail}"
