"""What ``repr`` shows of a graph: its arrays by dtype and shape, never by their data."""

from __future__ import annotations

import html
from collections.abc import Iterable
from typing import Any

from anytensor.tree import keystr, leaves_with_path

__all__ = ["html_table", "outline"]


def html_table(name: str, fields: Iterable[tuple[str, Any]]) -> str:
    """Return a table of named nests, a row for each array, for notebooks."""
    rows = []
    for field, value in fields:
        arrays = leaves_with_path(value)
        if not arrays:
            rows.append((field, outline(value), ""))
        for path, leaf in arrays:
            dtype, shape = _dtype_and_shape(leaf)
            rows.append((field + keystr(path), dtype, shape))
    cells = ["".join([f"<td>{html.escape(cell)}</td>" for cell in row]) for row in rows]
    body = "".join([f"<tr>{row}</tr>" for row in cells])
    head = "<tr><th>field</th><th>dtype</th><th>shape</th></tr>"
    return f"<table><caption>{name}</caption><thead>{head}</thead><tbody>{body}</tbody></table>"


def _dtype_and_shape(leaf: Any) -> tuple[str, str]:
    dtype, shape = getattr(leaf, "dtype", None), getattr(leaf, "shape", None)
    if dtype is None or shape is None:
        return type(leaf).__name__, ""
    name = getattr(dtype, "name", None) or str(dtype).removeprefix("torch.")
    try:
        sizes = ["?" if size is None else str(size) for size in shape]
    except ValueError:  # TensorFlow: unknown rank
        return name, "[...]"
    return name, f"[{','.join(sizes)}]"


def outline(value: Any) -> str:
    """Write a nest with each array as its dtype and shape."""
    if value is None:
        return "None"
    if isinstance(value, dict):
        return "{" + ", ".join([f"{key!r}: {outline(entry)}" for key, entry in value.items()]) + "}"
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        fields = zip(value._fields, value, strict=True)
        return f"{type(value).__name__}({', '.join([f'{name}={outline(entry)}' for name, entry in fields])})"
    if type(value) in (list, tuple):
        inner = ", ".join([outline(entry) for entry in value])
        if type(value) is list:
            return f"[{inner}]"
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    return "".join(_dtype_and_shape(value))
