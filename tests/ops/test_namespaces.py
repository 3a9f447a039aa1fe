"""array_namespace resolves by the type table, also in a trace."""

import importlib

import numpy as np
import pytest

import anytensor as at
from anytensor.testing import assert_portable

NAMES = {
    "numpy": "array_api_compat.numpy",
    "jax": "jax.numpy",
    "torch": "array_api_compat.torch",
    "tensorflow": "anytensor.backends.tensorflow.namespace",
}


def array(backend):
    if backend == "numpy":
        return np.ones(2, np.float32)
    if backend == "jax":
        return importlib.import_module("jax.numpy").ones(2)
    return importlib.import_module(backend).ones(2)


@pytest.mark.parametrize("backend", NAMES)
def test_namespace_of_an_array_beside_host_data(backend):
    expected = importlib.import_module(NAMES[backend])
    assert at.array_namespace(array(backend)) is expected
    assert at.array_namespace(np.ones(2), array(backend), 1.5) is expected
    assert hasattr(expected, "__array_namespace_info__")


def test_scalars_alone_are_numpys():
    assert at.array_namespace(1.5, np.float32(2)) is at.array_namespace(np.ones(1))


def test_traces_whole():
    def traced(x):
        xp = at.array_namespace(x)
        return xp.permute_dims(xp.exp(x), (1, 0))

    assert_portable(traced, np.ones((2, 3), np.float32))


def test_two_frameworks_and_nothing_are_refused():
    with pytest.raises(TypeError, match="operands of two frameworks"):
        at.array_namespace(array("torch"), array("jax"))
    with pytest.raises(TypeError, match="at least one"):
        at.array_namespace()
    with pytest.raises(TypeError, match="array_namespace"):
        at.array_namespace([1.0])
