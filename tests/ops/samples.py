"""Hypothesis strategies and tables that the tests of ordinary operations share."""

import numpy as np
from hypothesis import strategies as st

EAGER = ("numpy", "jax", "torch", "tensorflow")

DTYPES = (
    "bool",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "float16",
    "bfloat16",
    "float32",
    "float64",
    "complex64",
    "complex128",
)


def numpy_dtype(name):
    """Return a dtype by name; NumPy itself has no bfloat16."""
    if name == "bfloat16":
        import ml_dtypes

        return np.dtype(ml_dtypes.bfloat16)
    return np.dtype(name)


def sample(name, shape=(2, 3)):
    """Return an array of small values that every dtype has, zeros among them."""
    size = int(np.prod(shape))
    return (np.arange(size) % 5).reshape(shape).astype(numpy_dtype(name))


@st.composite
def arrays(draw, max_axes=3, max_length=3, min_axes=0, dtypes=("float32", "int32", "bool")):
    """Draw an array of a few entries, empty ones among them."""
    shape = tuple(draw(st.lists(st.integers(0, max_length), min_size=min_axes, max_size=max_axes)))
    dtype = numpy_dtype(draw(st.sampled_from(dtypes)))
    offset = draw(st.integers(-2, 2))
    values = np.arange(int(np.prod(shape))) + offset
    return values.reshape(shape).astype(dtype)


@st.composite
def axis_of(draw, x):
    """Draw an axis of an array, counted from either end."""
    return draw(st.integers(-x.ndim, x.ndim - 1))
