"""Searching in a sorted vector, with indices in the dtype that every other index has under x64."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp

from anytensor.backends.jax.array import default_int

__all__ = ["searchsorted"]


def searchsorted(x1: Any, x2: Any, /, *, side: str = "left") -> Any:
    """Find where elements belong; ``jax.numpy`` (0.10) returns int32 though the default is int64."""
    return jnp.searchsorted(x1, x2, side=side).astype(default_int())
