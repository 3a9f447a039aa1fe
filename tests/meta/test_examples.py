"""Every example in a docstring, the README and the docs runs, and gives the output that it shows."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest

import anytensor

ROOT = Path(__file__).parents[2]
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def public_modules() -> list[str]:
    """Return every module but the backends' own rooms, which show no examples, and the command."""
    source = Path(anytensor.__file__).parent
    names = []
    for path in sorted(source.rglob("*.py")):
        parts = path.relative_to(source.parent).with_suffix("").parts
        if (parts[1] == "backends" and len(parts) > 3) or parts[-1] == "__main__":
            continue
        names.append(".".join(parts).removesuffix(".__init__"))
    return names


@pytest.mark.parametrize("name", public_modules())
def test_docstrings(name: str) -> None:
    result = doctest.testmod(importlib.import_module(name), optionflags=FLAGS)
    assert result.failed == 0


@pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(ROOT)) for page in PAGES])
def test_pages(page: Path) -> None:
    result = doctest.testfile(str(page), module_relative=False, optionflags=FLAGS)
    assert result.failed == 0
    blocks = page.read_text().count("```python")
    assert (result.attempted > 0) == (blocks > 0), "a Python block without a prompt is not executed"
