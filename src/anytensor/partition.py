"""Partitions: rows that stand together, described by the length of each group.

``partition_ids`` expands lengths to segment ids; every other function is that and the segment operation with
``sorted=True``. The number of segments is the number of partitions and no argument.
"""

from __future__ import annotations

import warnings
from typing import Any

from anytensor import errors
from anytensor.backends import HOST, Backend, backend_of
from anytensor.cache import cache
from anytensor.promotion import promote
from anytensor.segment.checks import real
from anytensor.typing import ArrayT, Integer, Partitions, Shaped, SizeLike

__all__ = [
    "partition_ids",
    "partition_logsumexp",
    "partition_max",
    "partition_mean",
    "partition_min",
    "partition_softmax",
    "partition_sum",
]


@promote(partitions="index", total_length="shape")
def partition_ids(partitions: Partitions, total_length: SizeLike) -> Integer[Any, " rows"]:
    """Expand partition lengths to segment ids.

    Args:
        partitions: Shape (num_partitions,), any integer dtype: the length of each partition, at least 0.
        total_length: Length of the result, such as ``at.shape(x)[0]`` of the rows that the partitions
            divide: a Python int, a symbolic size or a 0-d integer array. Required.

    Returns:
        Shape (total_length,), integer, nondecreasing, on the device of ``partitions``: entry i is the
        number of the partition that row i belongs to. Rows past the sum of the lengths get
        ``num_partitions``, which every segment operation drops; a smaller ``total_length`` cuts.

    Raises:
        TypeError: If ``partitions`` are not integers or have an unknown type, or ``total_length`` is
            missing, None, bool, floating or a value that a JAX trace does not know.
        ValueError: If ``partitions`` is not 1-D or (eager) has a negative entry, or ``total_length`` is
            negative or not 0-d.

    Notes:
        While ``anytensor.cache`` is on, the ids of one vector are one array: read-only on NumPy; on PyTorch a
        write to them or to ``partitions`` is noticed, and they are expanded anew. Do not write to a NumPy
        vector or assign to a tf.Variable of lengths in the meantime: that is not noticed.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.partition_ids(np.array([2, 0, 1]), 3).tolist()
        [0, 0, 2]
    """
    return _ids("partition_ids", partitions, total_length)


def _ids(function: str, partitions: Any, total_length: Any) -> Any:
    backend = backend_of(partitions, function, "partitions")
    if not backend.rows_match(partitions, partitions):
        raise errors.not_a_vector(backend.shape(partitions), function, "partitions")
    ids = cache.lookup("partition", partitions)
    if ids is not None and not _is_stale(backend, ids, total_length):
        return ids
    if ids is not None:
        cache.purge("partition", partitions)
        warnings.warn(
            f"{function}: the cache held ids of length {backend.shape(ids)[0]} for these partitions, and "
            f"`total_length` is {total_length}; they are expanded anew. One vector should go with one total",
            stacklevel=4 if function == "partition_ids" else 5,  # the caller's line
        )
    ids = backend.partition_ids(partitions, total_length)
    cache.store("partition", partitions, ids)
    if backend is HOST and cache.lookup("partition", partitions) is ids:
        ids.flags.writeable = False  # a write to them would reach every later call
    return ids


def _is_stale(backend: Backend, ids: Any, total_length: Any) -> bool:
    length = backend.shape(ids)[0]
    return isinstance(length, int) and isinstance(total_length, int) and length != total_length


def _rows(function: str, x: Any, partitions: Any, total_length: Any) -> tuple[Backend, Any, Any]:
    ids = _ids(function, partitions, total_length)
    backend = backend_of(x, function, "x")
    if not backend.rows_match(x, ids):
        raise errors.total_is_not_rows(backend.shape(x), total_length, function)
    if backend.dtype_kind(x.dtype) not in "biufc":
        raise errors.not_numeric(x, function, "x")
    return backend, ids, backend.shape(partitions)[0]


@promote(x="data", partitions="index", total_length="shape")
def partition_sum(
    x: Shaped[ArrayT, " rows *features"], partitions: Partitions, total_length: SizeLike
) -> Shaped[ArrayT, " partitions *features"]:
    """Sum the rows of each partition.

    Args:
        x: Data of shape (rows, ...), any dtype; the rows of one partition stand together, in order.
        partitions: Shape (num_partitions,), any integer dtype: the number of rows of each partition, at
            least 0.
        total_length: Number of rows, ``at.shape(x)[0]``: a Python int, a symbolic size or a 0-d integer
            array. Required. Rows past the sum of ``partitions`` lie in no partition.

    Returns:
        Shape (num_partitions, ...), on the device of x; an empty partition is 0. Dtype as for
        ``segment_sum``.

    Raises:
        TypeError: If an operand has an unknown type, two frameworks meet, ``partitions`` are not
            integers, or ``total_length`` is missing, None, bool, floating or a value that a JAX trace
            does not know.
        ValueError: If ``partitions`` is not 1-D or (eager) has a negative entry, ``total_length`` is
            negative or not 0-d, or is not the number of rows of x.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.partition_sum(np.array([1.0, 2.0, 5.0]), np.array([2, 0, 1]), 3)
        array([3., 0., 5.])
    """
    backend, ids, n = _rows("partition_sum", x, partitions, total_length)
    return backend.segment_sum(x, ids, n, True)  # type: ignore[no-any-return]


@promote(x="data", partitions="index", total_length="shape")
def partition_min(
    x: Shaped[ArrayT, " rows *features"], partitions: Partitions, total_length: SizeLike
) -> Shaped[ArrayT, " partitions *features"]:
    """Take the least entry of each partition.

    Args:
        x: Data of shape (rows, ...), real; the rows of one partition stand together, in order.
        partitions: Shape (num_partitions,), any integer dtype: the number of rows of each partition, at
            least 0.
        total_length: Number of rows, ``at.shape(x)[0]``: a Python int, a symbolic size or a 0-d integer
            array. Required. Rows past the sum of ``partitions`` lie in no partition.

    Returns:
        Shape (num_partitions, ...), on the device of x; an empty partition is +inf (or the dtype's
        greatest). Dtype as for ``segment_min``.

    Raises:
        TypeError: If an operand has an unknown type, two frameworks meet, ``partitions`` are not
            integers, x is complex, or ``total_length`` is missing, None, bool, floating or a value that a
            JAX trace does not know.
        ValueError: If ``partitions`` is not 1-D or (eager) has a negative entry, ``total_length`` is
            negative or not 0-d, or is not the number of rows of x.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.partition_min(np.array([1.0, 2.0, 5.0]), np.array([2, 0, 1]), 3)
        array([ 1., inf,  5.])
    """
    backend, ids, n = _rows("partition_min", x, partitions, total_length)
    real("partition_min", backend, x)
    return backend.segment_min(x, ids, n, True)  # type: ignore[no-any-return]


@promote(x="data", partitions="index", total_length="shape")
def partition_max(
    x: Shaped[ArrayT, " rows *features"], partitions: Partitions, total_length: SizeLike
) -> Shaped[ArrayT, " partitions *features"]:
    """Take the greatest entry of each partition.

    Args:
        x: Data of shape (rows, ...), real; the rows of one partition stand together, in order.
        partitions: Shape (num_partitions,), any integer dtype: the number of rows of each partition, at
            least 0.
        total_length: Number of rows, ``at.shape(x)[0]``: a Python int, a symbolic size or a 0-d integer
            array. Required. Rows past the sum of ``partitions`` lie in no partition.

    Returns:
        Shape (num_partitions, ...), on the device of x; an empty partition is -inf (or the dtype's least).
        Dtype as for ``segment_max``.

    Raises:
        TypeError: If an operand has an unknown type, two frameworks meet, ``partitions`` are not
            integers, x is complex, or ``total_length`` is missing, None, bool, floating or a value that a
            JAX trace does not know.
        ValueError: If ``partitions`` is not 1-D or (eager) has a negative entry, ``total_length`` is
            negative or not 0-d, or is not the number of rows of x.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.partition_max(np.array([1.0, 2.0, 5.0]), np.array([2, 0, 1]), 3)
        array([  2., -inf,   5.])
    """
    backend, ids, n = _rows("partition_max", x, partitions, total_length)
    real("partition_max", backend, x)
    return backend.segment_max(x, ids, n, True)  # type: ignore[no-any-return]


@promote(x="data", partitions="index", total_length="shape")
def partition_mean(
    x: Shaped[ArrayT, " rows *features"], partitions: Partitions, total_length: SizeLike
) -> Shaped[ArrayT, " partitions *features"]:
    """Average the rows of each partition.

    Args:
        x: Data of shape (rows, ...), any dtype; the rows of one partition stand together, in order.
        partitions: Shape (num_partitions,), any integer dtype: the number of rows of each partition, at
            least 0.
        total_length: Number of rows, ``at.shape(x)[0]``: a Python int, a symbolic size or a 0-d integer
            array. Required. Rows past the sum of ``partitions`` lie in no partition.

    Returns:
        Shape (num_partitions, ...), on the device of x; an empty partition is 0. Dtype as for
        ``segment_mean``.

    Raises:
        TypeError: If an operand has an unknown type, two frameworks meet, ``partitions`` are not
            integers, or ``total_length`` is missing, None, bool, floating or a value that a JAX trace
            does not know.
        ValueError: If ``partitions`` is not 1-D or (eager) has a negative entry, ``total_length`` is
            negative or not 0-d, or is not the number of rows of x.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.partition_mean(np.array([1.0, 2.0, 5.0]), np.array([2, 0, 1]), 3)
        array([1.5, 0. , 5. ])
    """
    backend, ids, n = _rows("partition_mean", x, partitions, total_length)
    return backend.segment_mean(x, ids, n, True)  # type: ignore[no-any-return]


@promote(x="data", partitions="index", total_length="shape")
def partition_softmax(
    x: Shaped[ArrayT, " rows *features"], partitions: Partitions, total_length: SizeLike
) -> Shaped[ArrayT, " rows *features"]:
    """Take the softmax over the rows of each partition.

    Args:
        x: Data of shape (rows, ...), real; the rows of one partition stand together, in order.
        partitions: Shape (num_partitions,), any integer dtype: the number of rows of each partition, at
            least 0.
        total_length: Number of rows, ``at.shape(x)[0]``: a Python int, a symbolic size or a 0-d integer
            array. Required. Rows past the sum of ``partitions`` lie in no partition.

    Returns:
        Shape and device of x; rows in no partition are 0. Dtype as for ``segment_softmax``.

    Raises:
        TypeError: If an operand has an unknown type, two frameworks meet, ``partitions`` are not
            integers, x is complex, or ``total_length`` is missing, None, bool, floating or a value that a
            JAX trace does not know.
        ValueError: If ``partitions`` is not 1-D or (eager) has a negative entry, ``total_length`` is
            negative or not 0-d, or is not the number of rows of x.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.partition_softmax(np.array([1.0, 1.0, 5.0]), np.array([2, 0, 1]), 3)
        array([0.5, 0.5, 1. ])
    """
    backend, ids, n = _rows("partition_softmax", x, partitions, total_length)
    real("partition_softmax", backend, x)
    return backend.segment_softmax(x, ids, n, True)  # type: ignore[no-any-return]


@promote(x="data", partitions="index", total_length="shape")
def partition_logsumexp(
    x: Shaped[ArrayT, " rows *features"], partitions: Partitions, total_length: SizeLike
) -> Shaped[ArrayT, " partitions *features"]:
    """Take the logarithm of the sum of exponentials of each partition.

    Args:
        x: Data of shape (rows, ...), real; the rows of one partition stand together, in order.
        partitions: Shape (num_partitions,), any integer dtype: the number of rows of each partition, at
            least 0.
        total_length: Number of rows, ``at.shape(x)[0]``: a Python int, a symbolic size or a 0-d integer
            array. Required. Rows past the sum of ``partitions`` lie in no partition.

    Returns:
        Shape (num_partitions, ...), on the device of x; an empty partition is -inf. Dtype as for
        ``segment_logsumexp``.

    Raises:
        TypeError: If an operand has an unknown type, two frameworks meet, ``partitions`` are not
            integers, x is complex, or ``total_length`` is missing, None, bool, floating or a value that a
            JAX trace does not know.
        ValueError: If ``partitions`` is not 1-D or (eager) has a negative entry, ``total_length`` is
            negative or not 0-d, or is not the number of rows of x.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> at.partition_logsumexp(np.array([0.0, 0.0, 5.0]), np.array([2, 0, 1]), 3)
        array([0.69314718,       -inf, 5.        ])
    """
    backend, ids, n = _rows("partition_logsumexp", x, partitions, total_length)
    real("partition_logsumexp", backend, x)
    return backend.segment_logsumexp(x, ids, n, True)  # type: ignore[no-any-return]
