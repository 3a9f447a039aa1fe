"""Whether the graph under construction will be converted to ONNX, which lacks some of the operations."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator

__all__ = ["exporting", "is_exporting"]

_state = threading.local()


def is_exporting() -> bool:
    """Return whether this thread traces a function for ONNX; asked in traces only."""
    return getattr(_state, "depth", 0) > 0


@contextlib.contextmanager
def exporting() -> Iterator[None]:
    """Trace for ONNX within the block."""
    _state.depth = getattr(_state, "depth", 0) + 1
    try:
        yield
    finally:
        _state.depth -= 1
