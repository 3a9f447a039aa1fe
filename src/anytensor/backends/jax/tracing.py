"""Which JAX trace is under way."""

from __future__ import annotations

from typing import Any

try:
    from jax.extend.core import get_opaque_trace_state
except ImportError:  # pragma: no cover - JAX 0.4: not in jax.extend yet
    from jax.core import get_opaque_trace_state

__all__ = ["trace_token"]

_EAGER = get_opaque_trace_state(convention="nnx")


def trace_token() -> Any:
    """Return an object equal within one trace (jit, grad, vmap, ...), holding it weakly; None when eager."""
    state = get_opaque_trace_state(convention="nnx")
    return None if state == _EAGER else state
