"""Ways to run a function of the namespace: eager, a graph with unknown sizes, XLA."""

import numpy as np
import tensorflow as tf

MODES = ("eager", "graph", "xla")


def open_spec(x):
    return tf.TensorSpec([None] * x.shape.rank, x.dtype)


def run(function, mode, *arrays):
    """Call ``function`` on tensors of ``arrays`` in a mode; the graph sees no static sizes."""
    tensors = [tf.convert_to_tensor(a) for a in arrays]
    if mode == "eager":
        return function(*tensors)
    if mode == "xla":
        return tf.function(function, jit_compile=True, autograph=False)(*tensors)
    specs = [open_spec(t) for t in tensors]
    return tf.function(function, input_signature=specs, autograph=False)(*tensors)


def static_shape(function, *shapes_and_dtypes):
    """Static shape of the result when the sizes given are all that a graph knows."""
    specs = [tf.TensorSpec(shape, dtype) for shape, dtype in shapes_and_dtypes]
    traced = tf.function(function, input_signature=specs, autograph=False)
    return tuple(traced.get_concrete_function().output_shapes)


def close(got, want, tolerance=1e-5):
    want = np.asarray(want)
    got = np.asarray(got)
    assert got.shape == want.shape
    np.testing.assert_allclose(got.astype(want.dtype), want, rtol=tolerance, atol=tolerance, equal_nan=True)
