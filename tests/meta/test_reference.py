"""Every public name has one place in the reference, and every docstring the sections that it needs."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import textwrap
from collections import Counter
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import anytensor as at

PAGES = Path(__file__).parents[2] / "docs" / "api"
ROOMS: dict[str, ModuleType] = {
    "anytensor": at,
    "anytensor.fft": at.fft,
    "anytensor.linalg": at.linalg,
    **{
        f"anytensor.{name}": importlib.import_module(f"anytensor.{name}")
        for name in ("export", "hetero", "jraph", "testing", "tree")
    },
}
NAMED = re.compile(r"^(?:::: |## `)(anytensor(?:\.\w+)+)`?$", re.MULTILINE)
# What the reference has besides the exports: `at.cache` is an object, its methods are those of its type.
BESIDES = {"anytensor.cache.Cache"}

MODELS = ("anytensor.hetero.models", "anytensor.jraph.models")
# Not an algorithm of a paper: it applies the caller's functions to nodes, edges and globals.
NO_PAPER = {"GraphMapFeatures"}


def functions() -> dict[str, Any]:
    """Return every public function and class of ours by its dotted name; one with two names once."""
    found: dict[int, tuple[str, Any]] = {}
    for room, module in ROOMS.items():
        for name in module.__all__:
            member = getattr(module, name)
            ours = str(getattr(member, "__module__", "")).startswith("anytensor")
            if ours and (inspect.isfunction(member) or inspect.isclass(member)):
                found.setdefault(id(member), (f"{room}.{name}", member))
    return dict(found.values())


PUBLIC = {**functions(), "anytensor.cache.Cache": type(at.cache)}


def methods(cls: type) -> dict[str, Any]:
    """Return the public methods that a class of ours defines itself."""
    defined = {name: m for name, m in vars(cls).items() if inspect.isfunction(m) and not name.startswith("_")}
    return {**defined, **({"__call__": cls.__call__} if "__call__" in vars(cls) else {})}


CALLABLES = {name: member for name, member in PUBLIC.items() if inspect.isfunction(member)} | {
    f"{name}.{method}": function
    for name, cls in PUBLIC.items()
    if inspect.isclass(cls)
    for method, function in methods(cls).items()
}


def missing_sections(function: Any) -> list[str]:
    """Return what the docstring of a function lacks of what its signature and body ask for."""
    doc = inspect.getdoc(function) or ""
    signature = inspect.signature(function)
    parameters = [p for p in signature.parameters if p != "self"]
    missing = []
    if parameters and "\nArgs:\n" not in doc:
        missing.append("Args")
    described = doc.partition("\nArgs:\n")[2]
    missing += [
        f"Args: {name}"
        for name in parameters
        if not re.search(rf"^    \*{{0,2}}{name}:", described, re.MULTILINE)
    ]
    if signature.return_annotation not in (None, "None") and not re.search(r"^(Returns|Yields):$", doc, re.M):
        missing.append("Returns")
    if raises(function) and "\nRaises:\n" not in doc:
        missing.append("Raises")
    if not re.search(r"^Examples?:\n(.*\n)*?\s+>>> ", doc, re.MULTILINE):
        missing.append("Example")
    return missing


def raises(function: Any) -> bool:
    """Return whether a function is promoted, which checks its operands, or has a raise in its own body."""
    if "_align" in getattr(function, "__globals__", {}):
        return True
    tree = ast.parse(textwrap.dedent(inspect.getsource(inspect.unwrap(function))))
    return any(isinstance(node, ast.Raise) for node in ast.walk(tree))


def documented() -> list[str]:
    return [name for page in sorted(PAGES.glob("*.md")) for name in NAMED.findall(page.read_text())]


def test_every_export_is_on_one_page_and_nothing_else() -> None:
    exported = {f"{room}.{name}" for room, module in ROOMS.items() for name in module.__all__}
    named = Counter(documented())
    assert {name for name, times in named.items() if times > 1} == set()
    assert set(named) - BESIDES == exported


def test_every_page_is_in_the_navigation() -> None:
    navigation = (PAGES.parents[1] / "mkdocs.yml").read_text()
    assert [page.name for page in PAGES.glob("*.md") if f"api/{page.name}" not in navigation] == []


@pytest.mark.parametrize("name", CALLABLES)
def test_a_docstring_has_its_sections(name: str) -> None:
    assert missing_sections(CALLABLES[name]) == []


@pytest.mark.parametrize("name", [name for name, member in PUBLIC.items() if inspect.isclass(member)])
def test_a_class_says_what_it_is(name: str) -> None:
    assert len((PUBLIC[name].__doc__ or "").strip()) > 20


@pytest.mark.parametrize(
    "name",
    [name for name, member in PUBLIC.items() if getattr(member, "__module__", "").startswith(MODELS)],
)
def test_a_model_names_its_paper(name: str) -> None:
    doc = inspect.getdoc(PUBLIC[name]) or ""
    has = re.search(r"^References:\n\s+.*\d{4}.*(\n\s+.*)*(arXiv:|https?://)", doc, re.MULTILINE) is not None
    assert has != (name.rpartition(".")[2] in NO_PAPER)


def test_a_docstring_without_sections_is_found() -> None:
    def bare(x: int, y: int) -> int:
        """Add.

        Args:
            x: A number.
        """
        if y < 0:
            raise ValueError("negative")
        return x + y

    assert missing_sections(bare) == ["Args: y", "Returns", "Raises", "Example"]
