"""``anytensor`` itself as array-api-tests imports it, on the backend that ANYTENSOR_SUITE_BACKEND names.

The suite calls one namespace for one framework; ``at.*`` serves all. So the functions that make an array from
nothing get ``like=``: a bool, whose dtype no number takes over, or the default float where ``like`` gives the
dtype. The dtypes, which are no functions of ours to export, come from the framework's namespace. Everything
else is ``at.*`` as it stands.
"""

import functools
import os
from types import SimpleNamespace

import numpy as np

import anytensor as at
from anytensor import *  # noqa: F403

BACKEND = os.environ.get("ANYTENSOR_SUITE_BACKEND", "numpy")
if BACKEND == "torch":
    import torch

    LIKE = torch.tensor(True)
elif BACKEND == "jax":
    import jax.numpy as jnp

    LIKE = jnp.asarray(True)
elif BACKEND == "tensorflow":
    import tensorflow as tf
    from tensorflow_adapter import *  # noqa: F403  # shapes and operators as the suite needs them

    from anytensor import *  # noqa: F403  # our functions take precedence again

    LIKE = tf.constant(True)
else:
    LIKE = np.asarray(True)

xp = at.array_namespace(LIKE)
DTYPES = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 complex64 complex128"
globals().update({name: getattr(xp, name) for name in DTYPES.split() if hasattr(xp, name)})


FLOAT = xp.zeros(())


def _made(function, like=LIKE):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, like=like, **kwargs)

    return wrapper


arange, asarray, full, from_dlpack = map(_made, (at.arange, at.asarray, at.full, at.from_dlpack))
empty, eye, linspace, ones, zeros = (
    _made(function, FLOAT) for function in (at.empty, at.eye, at.linspace, at.ones, at.zeros)
)
fft = SimpleNamespace(**{name: getattr(at.fft, name) for name in at.fft.__all__})
fft.fftfreq, fft.rfftfreq = _made(at.fft.fftfreq, FLOAT), _made(at.fft.rfftfreq, FLOAT)

__array_namespace_info__ = xp.__array_namespace_info__
__array_api_version__ = "2024.12"
