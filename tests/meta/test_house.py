"""The rules of the house, executable: layering, rooms, sizes, framework imports in their rooms only."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
import tomllib

import anytensor as at
from anytensor.selfcheck import FLOORS

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "anytensor"
FILES = sorted(SOURCE.rglob("*.py"))
NAMES = [str(path.relative_to(SOURCE)) for path in FILES]

FRAMEWORKS = {"torch", "jax", "jaxlib", "tensorflow", "keras"}
FORBIDDEN_NAMES = {"utils", "util", "helpers", "helper", "misc", "common"}

# Lowest first: a module imports from its own layer and the layers before it, never from one after.
LAYERS = (
    ("errors", "loaded", "_version", "compiling"),
    ("typing",),
    ("backends",),
    ("promotion", "cache"),
    ("segment", "ops", "nan", "einsum"),
    ("partition", "tree"),
    ("jraph", "hetero"),
    ("export", "testing", "selfcheck"),
    ("__main__", "__init__"),
)
LAYER = {room: i for i, rooms in enumerate(LAYERS) for room in rooms}


def imports_of(path: Path) -> list[str]:
    """Return the dotted names of every module that a file imports, wherever in the file."""
    names = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            names += [f"{node.module}.{alias.name}" for alias in node.names]
    return names


def room_of(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


@pytest.mark.parametrize("path", FILES, ids=NAMES)
def test_a_room_is_small_and_has_a_name(path: Path) -> None:
    # The package's own __init__ is the list of its names, one to a line, twice.
    if path != SOURCE / "__init__.py":
        assert len(path.read_text().splitlines()) <= 400
    assert path.stem not in FORBIDDEN_NAMES


@pytest.mark.parametrize("path", FILES, ids=NAMES)
def test_frameworks_are_imported_in_their_rooms_only(path: Path) -> None:
    parts = path.relative_to(SOURCE).parts
    if parts[0] == "export":
        return
    own = parts[1] if parts[0] == "backends" and len(parts) > 2 else None
    allowed = {own, "jaxlib"} if own == "jax" else {own}
    foreign = {name.split(".")[0] for name in imports_of(path)} & (FRAMEWORKS - allowed)
    assert not foreign


@pytest.mark.parametrize("path", FILES, ids=NAMES)
def test_nothing_imports_from_a_layer_above(path: Path) -> None:
    own = LAYER[room_of(path)]
    for name in imports_of(path):
        parts = name.split(".")
        if parts[0] != "anytensor" or len(parts) == 1:
            continue
        target = parts[1] if parts[1] in LAYER else "__init__" if parts[1] not in dir(at) else None
        assert target is not None, f"{path.name} imports {name} from the package itself"
        assert LAYER[target] <= own, f"{path.name} (layer {own}) imports {name} (layer {LAYER[target]})"


def test_floors_are_those_of_the_metadata() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = [name for names in project["optional-dependencies"].values() for name in names]
    stated = [*project["dependencies"], *extras]
    floors = dict(match.groups() for s in stated if (match := re.match(r"([a-z_-]+)>=([\d.]+)$", s)))
    assert {name: floors[name] for name in FLOORS} == FLOORS


def test_exports_are_listed_once_documented_and_there() -> None:
    assert len(at.__all__) == len(set(at.__all__))
    for name in at.__all__:
        assert hasattr(at, name)
        if callable(getattr(at, name)):
            assert getattr(at, name).__doc__, f"{name} has no docstring"
