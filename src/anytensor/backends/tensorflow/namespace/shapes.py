"""Sizes that are Python ints where static, else scalars of ``tf.shape``; and axis arithmetic.

Every room computes output shapes through this one, so a static dimension never becomes dynamic.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np
import tensorflow as tf
from numpy.exceptions import AxisError

Size: TypeAlias = Any  # int | tf.Tensor; TensorFlow has no types for the checker
INTEGERS = (int, np.integer)
Axes: TypeAlias = "int | Sequence[int] | None"


def rank(x: tf.Tensor) -> int:
    """Number of dimensions, which must be static."""
    ndim: int | None = x.shape.rank
    if ndim is None:
        raise ValueError("x has an unknown number of dimensions; set its rank with tf.ensure_shape")
    return ndim


def sizes(x: tf.Tensor) -> tuple[Size, ...]:
    """All sizes of ``x``: ints where static, else 0-d int32 tensors."""
    rank(x)
    static = tuple(x.shape)
    if None not in static:
        return static
    dynamic = tf.shape(x)
    return tuple(dynamic[i] if n is None else n for i, n in enumerate(static))


def size(x: tf.Tensor, axis: int) -> Size:
    """One size of ``x``: an int where static, else a 0-d int32 tensor."""
    n = x.shape[axis]
    return tf.shape(x)[axis] if n is None else n


def pack(dims: Size | Iterable[Size]) -> Any:
    """A shape that TensorFlow takes: a tuple of ints, or an int64 vector when one is symbolic."""
    if isinstance(dims, INTEGERS):
        return (int(dims),)
    if isinstance(dims, tf.Tensor):
        return tf.reshape(dims, (1,)) if dims.shape.rank == 0 else dims
    dims = tuple(dims)
    if not any(isinstance(n, tf.Tensor) for n in dims):
        return tuple(int(n) for n in dims)
    return tf.stack([tf.cast(n, tf.int64) for n in dims])


def product(dims: Iterable[Size]) -> Size:
    """Product of sizes; an int when all are."""
    total: Size = 1
    for n in dims:
        total = n if isinstance(total, int) and total == 1 else total * n
    return total


def normalize(axis: int, ndim: int) -> int:
    """Non-negative axis; an ``AxisError`` (an IndexError and a ValueError) when out of range."""
    if not -ndim <= axis < ndim:
        raise AxisError(axis, ndim)
    return axis + ndim if axis < 0 else axis


def axes(axis: Axes, ndim: int) -> tuple[int, ...]:
    """Non-negative axes of an ``axis`` argument; ``None`` stands for all of them."""
    if axis is None:
        return tuple(range(ndim))
    if isinstance(axis, INTEGERS):
        return (normalize(axis, ndim),)
    out = tuple(normalize(a, ndim) for a in axis)
    if len(set(out)) != len(out):
        raise ValueError(f"axis {tuple(axis)} names a dimension twice")
    return out


def reduction(axis: Axes) -> Any:
    """An ``axis`` argument as ``tf.reduce_*`` takes it; an empty tuple has no dtype there."""
    if axis is None or isinstance(axis, INTEGERS):
        return axis
    return list(axis) or tf.zeros((0,), tf.int32)


def flatten(x: tf.Tensor) -> tf.Tensor:
    """``x`` as a vector, of static length where all sizes are static."""
    return tf.reshape(x, pack((product(sizes(x)),)))


def move_last(x: tf.Tensor, axis: int) -> tf.Tensor:
    """``x`` with ``axis`` moved to the end; untouched where it is there."""
    ndim = rank(x)
    axis = normalize(axis, ndim)
    if axis == ndim - 1:
        return tf.convert_to_tensor(x)
    return tf.transpose(x, [i for i in range(ndim) if i != axis] + [axis])


def move_back(x: tf.Tensor, axis: int) -> tf.Tensor:
    """Undo :func:`move_last`."""
    ndim = rank(x)
    axis = normalize(axis, ndim)
    if axis == ndim - 1:
        return x
    return tf.transpose(x, [*range(axis), ndim - 1, *range(axis, ndim - 1)])


def broadcast_sizes(*xs: Any) -> tuple[Size, ...]:
    """Sizes that the operands broadcast to.

    Args:
        xs: Tensors, or tuples of sizes.

    Returns:
        The common sizes, ints where static.

    Raises:
        ValueError: If static sizes differ and none of them is 1.
    """
    shapes = [x if isinstance(x, tuple) else sizes(x) for x in xs]
    ndim = max(len(s) for s in shapes)
    out: list[Size] = []
    for column in zip(*((1,) * (ndim - len(s)) + s for s in shapes), strict=True):
        static = {n for n in column if isinstance(n, int) and n != 1}
        symbolic = [n for n in column if isinstance(n, tf.Tensor)]
        if len(static) > 1:
            raise ValueError(f"shapes {shapes} do not broadcast")
        if static:
            out.append(static.pop())
        elif not symbolic:
            out.append(1)
        else:
            # A symbolic 1 gives way to any other size, zero included.
            n = symbolic[0]
            for other in symbolic[1:]:
                n = tf.where(tf.equal(n, 1), other, n)
            out.append(n)
    return tuple(out)
