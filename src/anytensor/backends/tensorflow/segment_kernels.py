"""TensorFlow's segment kernels on the memory of one CPU, called without what the public functions do before.

A public function asks for the context, the mode and the dispatchers, and makes a tensor of a size each time:
together a tenth of a call on a small array. benchmarks/segment_small.py
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf
from tensorflow.python import pywrap_tfe
from tensorflow.python.eager import context, core

from anytensor.backends.tensorflow.array import EagerTensor

__all__ = ["at_once", "concrete", "droppable", "kernel_ids", "refusals"]

refusals: list[str] = []
"""What a kernel said when it last refused its operands; once one did, calls look at them before.

TensorFlow (2.16 to 2.21) never frees the 700 bytes of a kernel's error, and raising one takes as long as ten
calls.
"""

single_device: bool | None = None
"""Whether the process has one CPU device and no other; None until it is first asked for."""

_execute, _no_tape = pywrap_tfe.TFE_Py_FastPathExecute, pywrap_tfe.TFE_Py_TapeSetIsEmpty


class _Sizes(dict[int, Any]):
    """Small sizes as tensors, each made once."""

    def __missing__(self, n: int) -> Any:
        if n >= 256:
            return n
        made = self[n] = tf.constant(n, tf.int32)
        return made


_SIZES = _Sizes()


def concrete(x: Any, ids: Any) -> bool:
    """Return whether both tensors are concrete and the process has one CPU device; a trace may go on.

    Where a GPU is present an eager operation runs there wherever its operands lie, so devices of tensors
    say nothing about whether the kernel will check its ids.
    """
    return (
        x.__class__ is EagerTensor
        and ids.__class__ is EagerTensor
        and (single_device is True or _has_single_device())
    )


def _has_single_device() -> bool:
    global single_device
    if single_device is None:
        single_device = [d.device_type for d in tf.config.list_logical_devices()] == ["CPU"]
    return single_device


def at_once(
    kernel: str, greatest: bool | None = None, settle: Callable[..., Any] | None = None
) -> Callable[..., Any]:
    """Make the call of a kernel that drops negative ids and refuses those that are n or more.

    Args:
        kernel: The operation's name in TensorFlow.
        greatest: For an extreme, whether it is the greatest entry. Its kernel loses NaNs, and starts from a
            number that an empty segment keeps: two looks at memory tell whether that can have happened.
        settle: For an extreme, what to do where a start value may stand in the result or a tape records:
            called with (result, its memory, whether no entry may be taken for a start value, ids, n,
            greatest).

    Returns:
        A function of (x, ids, n), with x and ids ``concrete``; for an extreme of (x, ids, n, limit), the
        largest number of the dtype of x. It returns None while a trace goes on, where the kernel, or its
        tangent, refuses its operands, and where an entry is NaN.
    """
    # The start value shows at the far end of the result, and what may be taken for it at that of the entries.
    # NumPy's argmin, its quickest reduction, finds a NaN first. benchmarks/segment_small.py
    far, sign = (np.ndarray.argmin, 1.0) if greatest else (np.ndarray.argmax, -1.0)

    def call(x: Any, ids: Any, n: Any, limit: float = 0.0) -> Any:
        own = context._context
        if not own._thread_local_data.is_eager:
            return None
        if refusals:
            if x.shape[:1] != ids.shape:
                return None
            ids = droppable(ids, n)
        try:
            found = _execute(own, kernel, None, x, ids, _SIZES[n])
        except (core._NotOkStatusException, core._FallbackException) as error:
            refusals[:] = [str(error)]
            return None
        except tf.errors.InvalidArgumentError:
            # Of a forward accumulator: the kernel takes any id of 0 segments, its tangent gathers by them.
            return None
        if settle is None:
            return found
        entries, extremes = x._numpy_internal(), found._numpy_internal()
        try:
            edge, end = entries.item(far(entries)), sign * extremes.item(far(extremes))
        except ValueError:  # no entries, or no results
            return None
        if edge != edge:
            return None
        if end > -limit and _no_tape():
            return found
        return settle(found, extremes, sign * edge > -limit, ids, n, greatest)

    return call


def kernel_ids(ids: Any) -> Any:
    """Return the ids as int32 or int64, by value; a uint64 past int64 turns negative and stays dropped."""
    dtype = ids.dtype
    if dtype is tf.int32 or dtype is tf.int64:
        return ids if ids.__class__ is EagerTensor else tf.convert_to_tensor(ids)
    return tf.cast(ids, tf.int64 if dtype.size == 8 or dtype == tf.uint32 else tf.int32)


def droppable(ids: Any, n: int) -> Any:
    """Return concrete ids as the kernels take them: of their dtypes, and -1 for what is n or more."""
    ids = kernel_ids(ids)
    values = ids._numpy_internal()
    if not values.size or values.item(values.argmax()) < n:
        return ids
    return tf.constant(np.where(values < n, values, -1), ids.dtype)
