"""Where groups of given lengths end, on JAX."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np

__all__ = ["ends_within"]

_LARGEST = 2**31 - 1


def ends_within(lengths: Any, total: Any) -> Any:
    """Return where groups end that stand one after the other.

    Args:
        lengths: Shape (n,), any integer dtype, none negative.
        total: A size. What lies past it does not matter.

    Returns:
        Shape (n,), int32, nondecreasing. An end past the total is some number past it (or the total).
    """
    bound = total if type(total) is int else _LARGEST
    lengths = jnp.minimum(lengths, min(bound, jnp.iinfo(lengths.dtype).max)).astype(np.int32)
    ends = jnp.cumsum(lengths)
    n = ends.shape[0]
    if type(n) is int and n * bound <= _LARGEST:
        return ends
    # The first sum that int32 cannot hold is negative; it and what follows lie past any total.
    place = jnp.arange(n, dtype=np.int32)
    first = jnp.min(jnp.where(ends < 0, place, _LARGEST), initial=_LARGEST)
    return jnp.where(place < first, ends, _LARGEST)
