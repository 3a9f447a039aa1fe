"""Function transformations on JAX. The clauses stand in ``backends/contract.py``."""

from __future__ import annotations

from typing import Any

import jax

__all__ = ["stop_gradient"]


def stop_gradient(x: Any) -> Any:
    """Return x as a constant for differentiation."""
    return jax.lax.stop_gradient(x)
