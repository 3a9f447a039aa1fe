"""The table that ``python -m anytensor`` prints: which backends are installed, and whether they work here."""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from anytensor.backends import backend_of
from anytensor.segment import segment_max, segment_softmax, segment_sum

__all__ = ["FLOORS", "Row", "check_backend", "check_backends", "format_table"]

FLOORS = {"numpy": "1.26", "jax": "0.4.35", "torch": "2.10", "tensorflow": "2.17"}
"""The lowest version of each framework that the package supports, as in its metadata."""

_MAKERS: dict[str, Callable[[Any, Any], Any]] = {
    "numpy": lambda module, host: host,
    "jax": lambda module, host: module.numpy.asarray(host),
    "torch": lambda module, host: module.from_numpy(host.copy()),
    "tensorflow": lambda module, host: module.constant(host),
}


@dataclass(frozen=True)
class Row:
    """One backend's line in the table."""

    backend: str
    version: str
    floor: str
    status: str
    ok: bool
    seconds: float


def check_backends() -> list[Row]:
    """Check every backend; an installed framework is imported for it.

    Returns:
        A row for each backend. One that is not installed is ok; one that cannot be imported, is older
        than its floor, or gives a wrong value is not.
    """
    return [check_backend(name) for name in FLOORS]


def check_backend(name: str) -> Row:
    """Check one backend by its import name.

    Args:
        name: One of numpy, jax, torch, tensorflow.

    Returns:
        Its row; see ``check_backends``.

    Raises:
        ValueError: If the name is none of these.
    """
    if name not in FLOORS:
        raise ValueError(f"check_backend: `name` must be one of {', '.join(FLOORS)}, got {name!r}")
    if importlib.util.find_spec(name) is None:
        return Row(name, "-", FLOORS[name], "not installed", True, 0.0)
    start = time.perf_counter()
    try:
        module = importlib.import_module(name)
        version = str(getattr(module, "__version__", None) or importlib.metadata.version(name))
        start = time.perf_counter()  # the check's own time, without the framework's import
        problem = _first_problem(name, module)
    except Exception as error:  # a broken installation may raise anything; the table must still be printed
        reason = f"fails: {type(error).__name__}: {error}".splitlines()[0]
        return Row(name, "?", FLOORS[name], reason, False, time.perf_counter() - start)
    seconds = time.perf_counter() - start
    if _parts(version) < _parts(FLOORS[name]):
        return Row(name, version, FLOORS[name], "older than the floor", False, seconds)
    if problem:
        return Row(name, version, FLOORS[name], f"fails: {problem}", False, seconds)
    return Row(name, version, FLOORS[name], "ok", True, seconds)


def _parts(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version)[:3])


def _first_problem(name: str, module: Any) -> str:
    """Compare a few operations with values worked out by hand; return what is wrong, or ""."""
    make = _MAKERS[name]
    x = make(module, np.array([[1.0, -1.0], [2.0, np.nan], [4.0, 8.0], [16.0, 3.0]], dtype=np.float32))
    ids = make(module, np.array([0, 0, -1, 2], dtype=np.int32))
    logits = make(module, np.array([-np.inf, -np.inf, 1000.0, 1000.0], dtype=np.float32))
    groups = make(module, np.array([0, 0, 1, 1], dtype=np.int32))
    cases = (
        ("segment_sum", segment_sum(x, ids, 3), [[3.0, np.nan], [0.0, 0.0], [16.0, 3.0]]),
        ("segment_max", segment_max(x, ids, 3), [[2.0, np.nan], [-np.inf, -np.inf], [16.0, 3.0]]),
        ("segment_softmax", segment_softmax(logits, groups, 2), [0.0, 0.0, 0.5, 0.5]),
    )
    for function, got, expected in cases:
        backend = backend_of(got, function)
        if name != backend.NAME:
            return f"{function} gave an array of {backend.NAME}"
        values = backend.to_numpy(got)
        if not np.allclose(values, np.array(expected), equal_nan=True):
            return f"{function} gave {values.tolist()}, expected {expected}"
    return ""


def format_table(rows: list[Row]) -> str:
    """Return the rows as a plain-text table."""
    header = ("backend", "version", "floor", "self-check", "seconds")
    cells = [(r.backend, r.version, r.floor, r.status, f"{r.seconds:.2f}") for r in rows]
    widths = [max(len(line[i]) for line in (header, *cells)) for i in range(len(header))]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in (header, tuple("-" * width for width in widths), *cells)
    ]
    return "\n".join(lines)
