"""How the rooms stand to each other: no import cycle, tests of each, the backends as their Protocol says."""

from __future__ import annotations

import ast
import importlib
import inspect
from collections.abc import Iterator
from pathlib import Path

import pytest

from anytensor.backends.contract import Backend

ROOT = Path(__file__).parents[2]
SOURCE, TESTS = ROOT / "src" / "anytensor", ROOT / "tests"
BACKENDS = ("jax", "numpy", "tensorflow", "torch")

# Rooms whose tests stand under another name: what they do shows at the surface only.
ELSEWHERE = {
    "__main__": "test_selfcheck.py",
    "compiling": "contract/test_compilers.py",
    "errors": "contract/test_errors.py",
}
# Folders of tests that belong to no one room.
BESIDE = {"benchmarks", "contract", "examples", "fuzz", "load", "meta", "standard", "typing"}


def module_of(path: Path) -> str:
    parts = ("anytensor", *path.relative_to(SOURCE).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


# Without __pycache__, which is there or not when one process or another collects.
ROOMS = sorted(path for path in SOURCE.iterdir() if not path.name.startswith("__pyc"))
FOLDERS = sorted(path for path in TESTS.iterdir() if path.is_dir() and path.name[0] not in "._")
MODULES = {module_of(path): path for path in sorted(SOURCE.rglob("*.py"))}


def executed_on_import(nodes: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements that run when a module is imported."""
    for node in nodes:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            yield from executed_on_import(node.orelse)
            continue
        yield node
        for field in ("body", "orelse", "finalbody", "handlers"):
            for child in getattr(node, field, []):
                yield from executed_on_import(child.body if isinstance(child, ast.ExceptHandler) else [child])


def imported(source: str) -> set[str]:
    """Return the modules of the package that a module's source imports as it is imported."""
    found = set()
    for node in executed_on_import(ast.parse(source).body):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            own = [f"{node.module}.{alias.name}" for alias in node.names]
            names = [name if name in MODULES else str(node.module) for name in own]
        found.update(name for name in names if name in MODULES)
    return found


def cycle_in(graph: dict[str, set[str]]) -> list[str] | None:
    """Return a path that ends where it began, or None."""
    done: set[str] = set()

    def walk(name: str, path: list[str]) -> list[str] | None:
        if name in path:
            return [*path[path.index(name) :], name]
        if name in done:
            return None
        for target in sorted(graph[name]):
            found = walk(target, [*path, name])
            if found is not None:
                return found
        done.add(name)
        return None

    return next((found for name in sorted(graph) if (found := walk(name, [])) is not None), None)


def test_no_import_cycle() -> None:
    assert cycle_in({name: imported(path.read_text()) - {name} for name, path in MODULES.items()}) is None


def test_a_cycle_is_found() -> None:
    assert cycle_in({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == ["b", "c", "b"]
    assert imported("if True:\n    from anytensor import errors\ndef f():\n    import anytensor.cache\n") == {
        "anytensor.errors"
    }


@pytest.mark.parametrize("path", ROOMS, ids=lambda path: path.name)
def test_a_room_has_a_place_for_its_tests(path: Path) -> None:
    room = path.stem
    if room in ("__init__", "_version", "py"):
        return
    places = [TESTS / ELSEWHERE[room]] if room in ELSEWHERE else [TESTS / room, TESTS / f"test_{room}.py"]
    assert any(place.exists() for place in places), f"no tests of {path.name}"


@pytest.mark.parametrize("path", FOLDERS, ids=lambda path: path.name)
def test_a_folder_of_tests_has_a_room(path: Path) -> None:
    if path.name not in BESIDE:
        assert (SOURCE / path.name).exists() or (SOURCE / f"{path.name}.py").exists()


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_backend_has_tests_of_its_own(backend: str) -> None:
    assert list((TESTS / "backends" / backend).glob("test_*.py"))


def members() -> list[str]:
    functions = {
        name for name, value in vars(Backend).items() if not name.startswith("_") and value is not None
    }
    return sorted((functions | set(Backend.__annotations__)) - {"args", "kwargs"})


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("member", members())
def test_a_backend_is_as_its_protocol_says(backend: str, member: str) -> None:
    room = importlib.import_module(f"anytensor.backends.{backend}")
    assert hasattr(room, member)
    stated = inspect.getattr_static(Backend, member, None)
    if not isinstance(stated, staticmethod):
        return
    expected = list(inspect.signature(stated.__func__).parameters)
    try:
        given = list(inspect.signature(getattr(room, member)).parameters.values())
    except ValueError:  # a function written in C shows no signature
        return
    needed = [
        p.name for p in given if p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)
    ]
    assert needed == expected[: len(needed)] or len(needed) == len(expected)
    assert len(given) >= len(expected) or any(p.kind is p.VAR_POSITIONAL for p in given)
