"""What is installed for development is pinned, and its licences are listed."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / "docs"))

import licences  # noqa: E402 - found on the path that was added

REQUIREMENTS = [r for requirements in licences.tables().values() for r in requirements]


def plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def pins_of(file: str) -> dict[str, str]:
    lines = [line for line in (ROOT / file).read_text().splitlines() if line and not line.startswith("#")]
    pins = dict(line.split("==") for line in lines)
    assert len(pins) == len(lines)
    return {plain(name): version for name, version in pins.items()}


@pytest.mark.parametrize("requirement", REQUIREMENTS)
def test_every_dependency_is_pinned_for_development(requirement: str) -> None:
    assert plain(licences.split(requirement)[0]) in pins_of("constraints.txt")


def test_every_dependency_stands_on_the_page_of_licences_and_no_other() -> None:
    lines = [line for line in licences.PAGE.read_text().splitlines() if line.startswith("| ")]
    heads = [line[: line.index("` |") + 3] for line in lines if "` |" in line]
    wanted = [licences.head_of(licences.split(requirement)) for requirement in REQUIREMENTS]
    assert heads == wanted, "run `python docs/licences.py`"


def test_a_licence_is_read_from_the_most_exact_field() -> None:
    assert licences.licence("pytest") == "MIT"
    assert licences.licence("jaxtyping") == "MIT"  # its field has the whole text, so its class is taken
    assert licences.licence("tensorflow") == "Apache-2.0"
