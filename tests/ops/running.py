"""Run an ordinary operation on one backend, eager, and compare it with what NumPy gives in wide dtypes."""

import functools

import numpy as np
from samples import numpy_dtype

from anytensor.testing import assert_trees_close, prepare

NARROW_ON_JAX = {
    "int64": "int32",
    "uint64": "uint32",
    "float64": "float32",
    "complex128": "complex64",
}
# PyTorch stores these and computes with none of them.
NOT_ON_TORCH = ("uint16", "uint32", "uint64")


def run(function, backend, *args, **kwargs):
    """Return the outputs as NumPy arrays; arguments must stay as they are, results be of the backend."""
    outcome = prepare(function, backend)(*args, **kwargs)
    if outcome.error is not None:
        raise outcome.error
    assert outcome.foreign == ()
    assert outcome.written == ()
    return outcome.outputs


def on_backend(dtype, backend):
    """Return the name of the dtype that a NumPy array of ``dtype`` has on a backend by default."""
    return NARROW_ON_JAX.get(dtype, dtype) if backend == "jax" else dtype


def default_float(backend):
    """Return the name of the dtype that integers become under a floating function."""
    return "float64" if backend == "numpy" else "float32"


def default_int(backend):
    """Return the name of the dtype that narrow integers widen to under a sum."""
    return "int32" if backend == "jax" else "int64"


def widened(backend, dtype):
    """Return the name of the dtype of a sum."""
    kind = numpy_dtype(dtype).kind
    if kind == "u":
        return {"jax": "uint32", "torch": "int64"}.get(backend, "uint64")
    return default_int(backend) if kind in "bi" else on_backend(dtype, backend)


def wide(x):
    """Return x in NumPy's widest dtype of its kind, to compute a reference in."""
    kinds = {"b": np.bool_, "i": np.int64, "u": np.int64, "f": np.float64, "V": np.float64}
    return x.astype(kinds.get(x.dtype.kind, np.complex128))


@functools.cache
def tolerances(dtype):
    """Return the names of tolerances for results of a dtype: some units in the last place."""
    return {"float16": (4e-3, 1e-3), "bfloat16": (3e-2, 1e-2)}.get(dtype, (2e-5, 2e-6))


def assert_same(got, want, dtype):
    """Assert that an array has the shape and entries of a wide reference, and a dtype by name."""
    assert got.dtype.name == dtype
    rtol, atol = tolerances(dtype)
    if np.dtype(got.dtype).kind in "biu":
        want = np.asarray(want).astype(got.dtype)
    assert_trees_close(got, want, rtol=rtol, atol=atol)
