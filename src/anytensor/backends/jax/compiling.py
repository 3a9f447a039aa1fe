"""How every primitive of this backend is compiled: once for each shape, dtype and static size."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import jax

__all__ = ["compiled"]

F = TypeVar("F", bound=Callable[..., Any])


def compiled(*static: int) -> Callable[[F], F]:
    """Decorate a function so that an eager call runs as one compiled program.

    Eager JAX dispatches each operation apart: 1 ms for a segment sum against 20 us
    (``benchmarks/segment_small.py``). ``inline`` leaves no trace of this inside a caller's own jit.
    """

    def decorate(function: F) -> F:
        return cast(F, jax.jit(function, static_argnums=static, inline=True))

    return decorate
