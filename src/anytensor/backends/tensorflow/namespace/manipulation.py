"""Shapes and order of the elements; dtypes and static sizes are kept."""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from typing import Any

import tensorflow as tf

from anytensor.backends.tensorflow.namespace import promotion, shapes
from anytensor.backends.tensorflow.namespace.shapes import Size


def broadcast_arrays(*arrays: tf.Tensor) -> list[tf.Tensor]:
    """Broadcast the tensors against each other; each keeps its dtype."""
    target = shapes.pack(shapes.broadcast_sizes(*arrays))
    return [tf.broadcast_to(a, target) for a in arrays]


def broadcast_to(x: tf.Tensor, /, shape: Any) -> tf.Tensor:
    """Broadcast to a shape, whose sizes may be symbolic."""
    return tf.broadcast_to(x, shapes.pack(shape))


def concat(arrays: Sequence[tf.Tensor], /, *, axis: int | None = 0) -> tf.Tensor:
    """Join tensors along an existing axis.

    Args:
        arrays: One or more tensors; mixed dtypes are promoted.
        axis: Axis to join along; ``None`` flattens first.

    Returns:
        The joined tensor.
    """
    arrays = _promoted(arrays)
    if axis is None:
        arrays, axis = [shapes.flatten(a) for a in arrays], 0
    shapes.normalize(axis, shapes.rank(arrays[0]))
    return tf.concat(arrays, axis)


def stack(arrays: Sequence[tf.Tensor], /, *, axis: int = 0) -> tf.Tensor:
    """Join tensors of one shape along a new axis; mixed dtypes are promoted."""
    arrays = _promoted(arrays)
    shapes.normalize(axis, shapes.rank(arrays[0]) + 1)
    return tf.stack(arrays, axis)


def _promoted(arrays: Sequence[tf.Tensor]) -> list[tf.Tensor]:
    if not arrays:
        raise ValueError("arrays must hold at least one tensor")
    dtypes = [promotion.dtype_of(a) for a in arrays]
    if builtins.all(dtype is dtypes[0] for dtype in dtypes):
        return list(arrays)
    target = promotion.join_all(dtypes)
    return [tf.cast(a, target) for a in arrays]


def unstack(x: tf.Tensor, /, *, axis: int = 0) -> tuple[tf.Tensor, ...]:
    """Split into the slices along an axis, whose size must be static."""
    axis = shapes.normalize(axis, shapes.rank(x))
    if x.shape[axis] is None:
        raise ValueError(f"unstack needs a static size, but axis {axis} of x has none")
    return tuple(tf.unstack(x, axis=axis))


def expand_dims(x: tf.Tensor, /, axis: int) -> tf.Tensor:
    """Insert a dimension of size one."""
    shapes.normalize(axis, shapes.rank(x) + 1)
    return tf.expand_dims(x, axis)


def squeeze(x: tf.Tensor, /, axis: int | tuple[int, ...]) -> tf.Tensor:
    """Remove dimensions of size one; any other size is a ``ValueError``."""
    dropped = shapes.axes(axis, shapes.rank(x))
    for a in dropped:
        if x.shape[a] not in (1, None):
            raise ValueError(f"axis {a} of x has size {x.shape[a]}, only size 1 can be squeezed")
    return tf.squeeze(x, list(dropped)) if dropped else tf.convert_to_tensor(x)


def flip(x: tf.Tensor, /, *, axis: int | tuple[int, ...] | None = None) -> tf.Tensor:
    """Reverse the order of the elements along axes, along all of them by default."""
    reversed_axes = shapes.axes(axis, shapes.rank(x))
    return tf.reverse(x, list(reversed_axes)) if reversed_axes else tf.convert_to_tensor(x)


def moveaxis(x: tf.Tensor, source: int | tuple[int, ...], destination: int | tuple[int, ...], /) -> tf.Tensor:
    """Move axes to new positions; the others keep their order."""
    ndim = shapes.rank(x)
    origins, places = shapes.axes(source, ndim), shapes.axes(destination, ndim)
    if len(origins) != len(places):
        raise ValueError(f"source {source} and destination {destination} differ in length")
    order = [a for a in range(ndim) if a not in origins]
    for place, origin in sorted(zip(places, origins, strict=True)):
        order.insert(place, origin)
    return tf.transpose(x, order)


def permute_dims(x: tf.Tensor, /, axes: tuple[int, ...]) -> tf.Tensor:
    """Permute the axes."""
    order = shapes.axes(axes, shapes.rank(x))
    if len(order) != shapes.rank(x):
        raise ValueError(f"axes {tuple(axes)} do not permute {shapes.rank(x)} dimensions")
    return tf.transpose(x, list(order))


def reshape(x: tf.Tensor, /, shape: Any, *, copy: builtins.bool | None = None) -> tf.Tensor:
    """Reshape, in row-major order.

    Args:
        x: Any tensor.
        shape: New sizes, ints or 0-d integer tensors; one may be -1.
        copy: Tensors are immutable and reshaping shares memory, so every choice holds.

    Returns:
        The reshaped tensor.
    """
    out = tf.reshape(x, shapes.pack(shape))
    return tf.identity(out) if copy else out


def tile(x: tf.Tensor, repetitions: tuple[int, ...], /) -> tf.Tensor:
    """Repeat the whole tensor along each axis; missing axes are prepended on either side."""
    multiples = tuple(repetitions)
    missing = len(multiples) - shapes.rank(x)
    if missing > 0:
        x = tf.reshape(x, shapes.pack((1,) * missing + shapes.sizes(x)))
    multiples = (1,) * -missing + multiples
    if not multiples:
        return tf.convert_to_tensor(x)
    if x.dtype is tf.uint16:
        # TensorFlow 2.21 has no CPU kernel for uint16.
        return tf.bitcast(tf.tile(tf.bitcast(x, tf.int16), shapes.pack(multiples)), tf.uint16)
    return tf.tile(x, shapes.pack(multiples))


def repeat(x: tf.Tensor, repeats: Any, /, *, axis: int | None = None) -> tf.Tensor:
    """Repeat each element.

    Args:
        x: Any tensor.
        repeats: A size for all elements, or an integer vector with one count per element (or one
            entry for all). A vector makes the output shape data-dependent: not under XLA.
        axis: Axis to repeat along; ``None`` flattens first.

    Returns:
        The repeated tensor; static sizes stay static for an int.
    """
    if axis is None:
        x, axis = shapes.flatten(x), 0
    axis = shapes.normalize(axis, shapes.rank(x))
    if isinstance(repeats, shapes.INTEGERS) or repeats.shape.rank == 0:
        return _repeat_evenly(x, repeats, axis)
    counts = tf.cast(repeats, tf.int64)
    if counts.shape[0] == 1 and x.shape[axis] != 1:
        return _repeat_evenly(x, counts[0], axis)
    ends = tf.cumsum(counts)
    total = tf.reduce_sum(counts)
    rows = tf.searchsorted(ends, tf.range(total), side="right", out_type=tf.int64)
    return tf.gather(x, rows, axis=axis)


def _repeat_evenly(x: tf.Tensor, repeats: Size, axis: int) -> tf.Tensor:
    dims = shapes.sizes(x)
    before, after = dims[: axis + 1], dims[axis + 1 :]
    spread = tf.reshape(x, shapes.pack((*before, 1, *after)))
    spread = tf.broadcast_to(spread, shapes.pack((*before, repeats, *after)))
    length = shapes.product((dims[axis], repeats))
    return tf.reshape(spread, shapes.pack((*before[:-1], length, *after)))


def roll(
    x: tf.Tensor,
    /,
    shift: int | tuple[int, ...],
    *,
    axis: int | tuple[int, ...] | None = None,
) -> tf.Tensor:
    """Roll elements along axes, the last ones coming back first.

    Args:
        x: Any tensor.
        shift: Number of places, or one per axis.
        axis: Axis or axes; ``None`` rolls the flattened tensor.

    Returns:
        The rolled tensor, same shape.
    """
    if axis is None:
        flat = shapes.flatten(x)
        return tf.reshape(tf.roll(flat, _within(shift, flat, 0), 0), shapes.pack(shapes.sizes(x)))
    along = tuple(axis) if isinstance(axis, (tuple, list)) else (axis,)
    shifts = tuple(shift) if isinstance(shift, (tuple, list)) else (shift,) * len(along)
    ndim = shapes.rank(x)
    places = [shapes.normalize(a, ndim) for a in along]
    return tf.roll(x, [_within(s, x, a) for s, a in zip(shifts, places, strict=True)], places)


def _within(shift: Any, x: tf.Tensor, axis: int) -> Any:
    """Return a shift as int32 can hold it: tf.roll adds the length to it without a look."""
    if not isinstance(shift, int) or -(2**30) < shift < 2**30:
        return shift
    length = tf.shape(x, tf.int64)[axis]
    return tf.cast(tf.math.floormod(tf.constant(shift, tf.int64), tf.maximum(length, 1)), tf.int32)
