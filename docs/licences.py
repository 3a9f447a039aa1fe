"""Write docs/licences.md: under which licence each dependency stands, as its own metadata says.

``python docs/licences.py``, by hand, in the development environment, when a dependency comes or goes.
"""

from __future__ import annotations

import importlib.metadata
import re
from pathlib import Path

import tomllib

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "licences.md"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())

HEAD = """# Licences

AnyTensor stands under the MIT licence. It ships no code of others: what it needs is installed beside it,
under these licences, as each package's metadata says. `python docs/licences.py` writes this page.
"""
# The same licence goes by several names.
PLAIN = {
    "Apache 2.0": "Apache-2.0",
    "Apache License 2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "BSD License": "BSD",
    "MIT License": "MIT",
}


def tables() -> dict[str, list[str]]:
    """Return the requirements of each table, as pyproject.toml has them, each once."""
    project, groups = PROJECT["project"], PROJECT["dependency-groups"]
    optional = [r for name, extra in project["optional-dependencies"].items() if name != "all" for r in extra]
    return {
        "The package": project["dependencies"],
        "Extras": optional,
        "Development": [r for r in groups["dev"] if r not in optional],
        "Documentation": groups["docs"],
    }


def split(requirement: str) -> tuple[str, str]:
    """Return the name of a requirement and its range."""
    name, _, versions = re.fullmatch(r"([\w.-]+)(\[.+\])?(.*)", requirement).groups()  # type: ignore[union-attr]
    return name, versions


def licence(name: str) -> str:
    """Return the licence of an installed package, from the most exact to the vaguest of its fields."""
    metadata = importlib.metadata.metadata(name)
    if "License-Expression" in metadata:
        return str(metadata["License-Expression"])
    prefix = "License :: OSI Approved :: "
    classified = [c.removeprefix(prefix) for c in metadata.get_all("Classifier", []) if c.startswith(prefix)]
    stated = str(metadata.get("License") or "").strip().partition("\n")[0]
    found = stated if 0 < len(stated) < 30 else " OR ".join(classified)
    if not found:
        raise ValueError(f"{name}: its metadata names no licence")
    return PLAIN.get(found, found)


def head_of(row: tuple[str, str]) -> str:
    """Return a row of a table as far as pyproject.toml makes it."""
    return f"| {row[0]} | `{row[1]}` |"


def page() -> str:
    """Return the whole page."""
    parts = [HEAD]
    for title, requirements in tables().items():
        rows = [split(requirement) for requirement in requirements]
        lines = [f"## {title}\n", "| Package | Versions | Licence |", "| --- | --- | --- |"]
        lines += [f"{head_of(row)} {licence(row[0])} |" for row in rows]
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page())
