"""NumPy has no tracing."""

from __future__ import annotations

__all__ = ["trace_token"]


def trace_token() -> None:
    """Return None: everything is eager."""
    return None
