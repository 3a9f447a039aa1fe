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


FLOORS = {
    plain(name): versions.removeprefix(">=")
    for name, versions in map(licences.split, licences.tables()["The package"] + licences.tables()["Extras"])
}


@pytest.mark.parametrize("name", FLOORS)
def test_the_floor_that_is_stated_is_the_one_that_is_tested(name: str) -> None:
    pin = pins_of("constraints-floors.txt")[name]
    assert re.fullmatch(re.escape(FLOORS[name]) + r"(\.0)*", pin)


@pytest.mark.parametrize("label", ["NumPy", "JAX", "PyTorch", "TensorFlow"])
def test_the_floors_that_pages_tell(label: str) -> None:
    floor = FLOORS["torch" if label == "PyTorch" else label.lower()]
    assert f"{label} >= {floor} |" in (ROOT / "README.md").read_text()
    assert re.search(rf"Floors: .*{label} {re.escape(floor)}[,.]", (ROOT / "docs" / "usage.md").read_text())
