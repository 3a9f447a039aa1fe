"""The primitives under JAX's segment operations, with their derivatives.

XLA's scatter leaves out what lies out of bounds, so rows of no segment cost nothing and, as its transpose is
a gather that fills with zeros, have gradient zero. JAX differentiates the sum; the other rules are here, as
functions of the tangent (``custom_jvp``), so that forward mode, reverse mode, ``vmap`` and second derivatives
all follow from one.
"""

from __future__ import annotations

import functools
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from anytensor.backends.jax.indexing import signed

__all__ = ["align_rank", "extreme", "extreme_constant", "product", "rows", "total"]

FILL = lax.GatherScatterMode.FILL_OR_DROP


def _scatter(combine: Any, x: Any, ids: Any, n: Any, sorted: bool, start: Any) -> Any:
    numbers = lax.ScatterDimensionNumbers(
        update_window_dims=tuple(range(1, x.ndim)),
        inserted_window_dims=(0,),
        scatter_dims_to_operand_dims=(0,),
    )
    out = lax.full((n, *x.shape[1:]), start, x.dtype)
    if (type(n) is int and n == 0) or (type(x.shape[0]) is int and x.shape[0] == 0):
        # XLA refuses the transpose, a gather of rows of which there are none; and where no row is scattered
        # into a constant, JAX 0.4.35 computes a 1.
        return out
    index = signed(ids)[:, None]
    return combine(out, index, x, numbers, indices_are_sorted=sorted, unique_indices=False, mode=FILL)


def total(x: Any, ids: Any, n: Any, sorted: bool) -> Any:
    """Sum the rows of each segment, in the dtype of x."""
    return _scatter(lax.scatter_add, x, ids, n, sorted, 0)


def rows(values: Any, ids: Any, fill: Any) -> Any:
    """Give each row its segment's entry; ``fill`` where the row is in no segment."""
    if type(values.shape[0]) is int and values.shape[0] == 0:
        return lax.full((ids.shape[0], *values.shape[1:]), fill, values.dtype)
    numbers = lax.GatherDimensionNumbers(
        offset_dims=tuple(range(1, values.ndim)), collapsed_slice_dims=(0,), start_index_map=(0,)
    )
    sizes = (1, *values.shape[1:])
    index = signed(ids)[:, None]
    return lax.gather(values, index, numbers, sizes, mode=FILL, fill_value=fill)


def align_rank(x: Any, other: Any) -> Any:
    """Append axes of length 1 to x until it has the rank of other."""
    return x.reshape(x.shape + (1,) * (other.ndim - x.ndim))


def identity(x: Any, largest: bool) -> Any:
    """Return what an empty segment of x holds under max (``largest``) or min."""
    if x.dtype == np.bool_:
        return not largest
    if jnp.issubdtype(x.dtype, jnp.integer):
        return jnp.iinfo(x.dtype).min if largest else jnp.iinfo(x.dtype).max
    return -np.inf if largest else np.inf


def extreme_constant(x: Any, ids: Any, n: Any, sorted: bool, largest: bool) -> Any:
    """Take the greatest (``largest``) or least entry of each segment, without a gradient."""
    combine = lax.scatter_max if largest else lax.scatter_min
    return _scatter(combine, lax.stop_gradient(x), ids, n, sorted, identity(x, largest))


def extreme(x: Any, ids: Any, n: Any, sorted: bool, largest: bool) -> Any:
    """Take the greatest (``largest``) or least entry of each segment; winners share the gradient."""
    if jnp.issubdtype(x.dtype, jnp.floating):
        return _extreme(x, ids, n, sorted, largest)
    return extreme_constant(x, ids, n, sorted, largest)


@functools.partial(jax.custom_jvp, nondiff_argnums=(2, 3, 4))
def _extreme(x: Any, ids: Any, n: Any, sorted: bool, largest: bool) -> Any:
    return extreme_constant(x, ids, n, sorted, largest)


def _extreme_jvp(n: Any, sorted: bool, largest: bool, primals: Any, tangents: Any) -> Any:
    x, ids = primals
    result = _extreme(x, ids, n, sorted, largest)
    wins = x == rows(lax.stop_gradient(result), ids, np.nan)
    # float32 counts exactly as far as a segment of 2**24 winners; bfloat16 would stop at 256.
    wide = jnp.promote_types(x.dtype, np.float32)
    count = total(wins.astype(wide), ids, n, sorted)
    share = total(jnp.where(wins, tangents[0], 0).astype(wide), ids, n, sorted) / jnp.maximum(count, 1)
    return result, share.astype(x.dtype)


_extreme.defjvp(_extreme_jvp)


def product(x: Any, ids: Any, n: Any, sorted: bool) -> Any:
    """Multiply the rows of each segment, in the dtype of x."""
    if jnp.issubdtype(x.dtype, jnp.inexact):
        return _product(x, ids, n, sorted)
    return _scatter(lax.scatter_mul, x, ids, n, sorted, 1)


@functools.partial(jax.custom_jvp, nondiff_argnums=(2, 3))
def _product(x: Any, ids: Any, n: Any, sorted: bool) -> Any:
    return _scatter(lax.scatter_mul, x, ids, n, sorted, 1)


def _product_jvp(n: Any, sorted: bool, primals: Any, tangents: Any) -> Any:
    x, ids = primals
    change = total(_others(x, ids, n, sorted) * tangents[0], ids, n, sorted)
    return _product(x, ids, n, sorted), change


_product.defjvp(_product_jvp)


def _zeros(x: Any, ids: Any, n: Any, sorted: bool) -> tuple[Any, Any, Any, Any]:
    """Return where x is 0, and for each row its factor, the zeros and the product of its segment.

    A zero's factor is 1, so the product is that of the rest. A row in no segment has -1 zeros.
    """
    zero = x == 0
    count = rows(total(zero.astype(np.int32), ids, n, sorted), ids, -1)
    factor = jnp.where(zero | (count < 0), 1, x)
    return zero, factor, count, rows(_product(factor, ids, n, sorted), ids, 1)


@functools.partial(jax.custom_jvp, nondiff_argnums=(2, 3))
def _others(x: Any, ids: Any, n: Any, sorted: bool) -> Any:
    """Return for each row the product of the other rows of its segment: 0 for a row in no segment."""
    zero, factor, count, rest = _zeros(x, ids, n, sorted)
    return jnp.where(count == zero, rest / factor, 0)


def _others_jvp(n: Any, sorted: bool, primals: Any, tangents: Any) -> Any:
    # Each pair of rows has the product of all the rest for its second derivative. It is 0 but where the
    # zeros of the segment are within the pair: no zero; one; or two, which are the pair.
    x, ids = primals
    t = tangents[0]
    zero, factor, count, rest = _zeros(x, ids, n, sorted)
    part = jnp.where(zero, 0, t / factor)
    lone = jnp.where(zero, t, 0)
    parts = rows(total(part, ids, n, sorted), ids, 0)
    lones = rows(total(lone, ids, n, sorted), ids, 0)
    pairs = jnp.where(count == zero, parts - part, jnp.where(count == 1 + zero, lones - lone, 0))
    return _others(x, ids, n, sorted), rest / factor * pairs


_others.defjvp(_others_jvp)
