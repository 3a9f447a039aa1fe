"""Unique elements, by sorting. All output lengths depend on the data: eager and graphs, not XLA.

NaNs are distinct, each counted once; signed zeros are one value, the one that comes first. TensorFlow's
own ``unique`` merges NaNs by their bits and lacks complex numbers.
"""

from __future__ import annotations

from typing import NamedTuple

import tensorflow as tf

from anytensor.backends.tensorflow.namespace import shapes
from anytensor.backends.tensorflow.namespace.promotion import COMPLEX
from anytensor.backends.tensorflow.namespace.sorting import argsort

raw = tf.raw_ops


class UniqueAll(NamedTuple):
    """Result of :func:`unique_all`."""

    values: tf.Tensor
    indices: tf.Tensor
    inverse_indices: tf.Tensor
    counts: tf.Tensor


class UniqueCounts(NamedTuple):
    """Result of :func:`unique_counts`."""

    values: tf.Tensor
    counts: tf.Tensor


class UniqueInverse(NamedTuple):
    """Result of :func:`unique_inverse`."""

    values: tf.Tensor
    inverse_indices: tf.Tensor


def _order(flat: tf.Tensor) -> tf.Tensor:
    if flat.dtype not in COMPLEX:
        return argsort(flat)
    by_imag = argsort(tf.math.imag(flat))
    return tf.gather(by_imag, argsort(tf.gather(tf.math.real(flat), by_imag)))


def unique_all(x: tf.Tensor, /) -> UniqueAll:
    """Unique elements in ascending order, with where and how often each occurs.

    Args:
        x: Any tensor; flattened.

    Returns:
        values ``(u,)``; int64 indices ``(u,)`` of the first occurrences in the flattened tensor;
        int64 inverse_indices of the shape of ``x`` that rebuild it; int64 counts ``(u,)``.
    """
    flat = shapes.flatten(x)
    order = _order(flat)
    ordered = tf.gather(flat, order)
    # A NaN differs from its neighbours, itself included, and so starts a group of its own.
    changes = raw.NotEqual(x=ordered[1:], y=ordered[:-1])
    starts = tf.concat([tf.ones_like(ordered[:1], tf.bool), changes], 0)
    places = tf.reshape(tf.where(starts), (-1,))
    groups = tf.cumsum(tf.cast(starts, tf.int64)) - tf.constant(1, tf.int64)
    length = tf.shape(flat, tf.int64)
    inverse = tf.scatter_nd(order[:, None], groups, length)
    counts = tf.concat([places[1:], length], 0)[: tf.shape(places)[0]] - places
    return UniqueAll(
        tf.gather(ordered, places),
        tf.gather(order, places),
        tf.reshape(inverse, shapes.pack(shapes.sizes(x))),
        counts,
    )


def unique_counts(x: tf.Tensor, /) -> UniqueCounts:
    """Unique elements in ascending order and their int64 counts."""
    found = unique_all(x)
    return UniqueCounts(found.values, found.counts)


def unique_inverse(x: tf.Tensor, /) -> UniqueInverse:
    """Unique elements in ascending order and the int64 indices into them that rebuild ``x``."""
    found = unique_all(x)
    return UniqueInverse(found.values, found.inverse_indices)


def unique_values(x: tf.Tensor, /) -> tf.Tensor:
    """Unique elements in ascending order."""
    flat = shapes.flatten(x)
    ordered = tf.gather(flat, _order(flat))
    changes = raw.NotEqual(x=ordered[1:], y=ordered[:-1])
    return tf.boolean_mask(ordered, tf.concat([tf.ones_like(ordered[:1], tf.bool), changes], 0))
