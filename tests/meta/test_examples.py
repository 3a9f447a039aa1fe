"""Every example in a docstring, the README and the docs runs, and gives the output that it shows."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
from pathlib import Path

import pytest

import anytensor

ROOT = Path(__file__).parents[2]
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def public_modules() -> list[str]:
    """Return every module whose import needs no framework: the backends' own rooms have no examples."""
    names = [
        name for _, name, _ in pkgutil.walk_packages(anytensor.__path__, "anytensor.") if _is_public(name)
    ]
    return ["anytensor", *names]


def _is_public(name: str) -> bool:
    parts = name.split(".")
    return parts[-1] != "__main__" and not (parts[1] == "backends" and len(parts) > 2)


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
