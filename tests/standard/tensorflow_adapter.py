"""The TensorFlow namespace as array-api-tests imports it: a shim for the suite, not for users.

The suite reads and compares results with things that a ``tf.Tensor`` has otherwise or not at all.
Nothing here changes a function under test, and TensorFlow itself is not patched:

- Operators and indexing (``x[indices]``, ``==`` of two dtypes, ``+x``, ``x.T``) come from TensorFlow's own
  NumPy behaviour. Set ``ANYTENSOR_PLAIN_TENSORS=1`` to run the suite without it.
- ``x.shape`` is a ``TensorShape``, a sequence but no tuple. The suite hands it on to ndindex and to
  Hypothesis, which insist on tuples: those two convert it first.

A TensorFlow backend was asked for in data-apis/array-api-compat/pull/441.
"""

import functools
import os
from types import SimpleNamespace

import ndindex
import tensorflow as tf
from hypothesis.extra import array_api
from hypothesis.strategies import SearchStrategy

from anytensor.backends.tensorflow.namespace import *  # noqa: F403
from anytensor.backends.tensorflow.namespace import __array_api_version__  # noqa: F401

if os.environ.get("ANYTENSOR_PLAIN_TENSORS") != "1":
    tf.experimental.numpy.experimental_enable_numpy_behavior()


def _plain(value):
    if isinstance(value, SearchStrategy):
        return value.map(_plain)
    return tuple(value) if isinstance(value, tf.TensorShape) else value


def _takes_tensor_shapes(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*map(_plain, args), **{k: _plain(v) for k, v in kwargs.items()})

    return wrapper


def _strategies(*args, **kwargs):
    namespace = _make_strategies(*args, **kwargs)
    names = [name for name in dir(namespace) if not name.startswith("_")]
    strategies = {name: getattr(namespace, name) for name in names}
    return SimpleNamespace(
        **{n: _takes_tensor_shapes(s) if callable(s) else s for n, s in strategies.items()}
    )


_make_strategies = array_api.make_strategies_namespace
array_api.make_strategies_namespace = _strategies
ndindex.iter_indices = _takes_tensor_shapes(ndindex.iter_indices)
