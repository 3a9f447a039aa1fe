"""Forward mode, second derivatives and vmap in each framework's own words, over host arrays."""

import importlib
import warnings

import numpy as np
import pytest

import anytensor as at

__all__ = ["for_each_transform", "forward", "second", "vectorized"]

TRANSFORMS = ("jax", "jax-jit", "torch", "tensorflow", "tensorflow-function")


def for_each_transform(*left_out):
    """Parametrize over the frameworks that can transform, eager and (but for torch) compiled."""
    here = [
        name for name in TRANSFORMS if name not in left_out and importlib.util.find_spec(name.split("-")[0])
    ]
    return pytest.mark.parametrize("transform", here)


def _jax(transform, run, *arrays):
    jax = importlib.import_module("jax")
    run = jax.jit(run) if transform == "jax-jit" else run
    return jax.tree.map(np.asarray, run(*(jax.numpy.asarray(a) for a in arrays)))


def _tensorflow(transform, run, *arrays):
    tf = importlib.import_module("tensorflow")
    run = tf.function(run) if transform == "tensorflow-function" else run
    # Ids that a test closes over are host memory; TensorFlow shares it only where it happens to be aligned.
    with at.promote_options(copy=True):
        outputs = run(*(tf.constant(a) for a in arrays))
    return tf.nest.map_structure(lambda x: x.numpy(), outputs)


def forward(transform, function, x, tangent):
    """Return the tangent of ``function(x)`` by forward mode."""
    if transform.startswith("jax"):
        jax = importlib.import_module("jax")
        return _jax(transform, lambda x, t: jax.jvp(function, (x,), (t,))[1], x, tangent)
    if transform == "torch":
        torch = importlib.import_module("torch")
        with warnings.catch_warnings():
            # torch 2.13 scripts its own decompositions on first use, by a function that it deprecates.
            warnings.simplefilter("ignore", DeprecationWarning)
            importlib.import_module("torch._decomp.decompositions_for_jvp")
        return torch.func.jvp(function, (torch.tensor(x),), (torch.tensor(tangent),))[1].numpy()
    tf = importlib.import_module("tensorflow")

    def run(x, tangent):
        with tf.autodiff.ForwardAccumulator(x, tangent) as accumulator:
            y = function(x)
        # TensorFlow's own sum over segments has IndexedSlices for a tangent, at times.
        return tf.convert_to_tensor(accumulator.jvp(y, tf.UnconnectedGradients.ZERO))

    return _tensorflow(transform, run, x, tangent)


def second(transform, function, x, weights, direction):
    """Return the Hessian of ``sum(weights * function(x))`` times a direction, by two reverse passes.

    JAX takes forward over reverse, its own idiom.
    """
    if transform.startswith("jax"):
        jax = importlib.import_module("jax")

        def run(x, weights, direction):
            return jax.jvp(jax.grad(lambda x: (weights * function(x)).sum()), (x,), (direction,))[1]

        return _jax(transform, run, x, weights, direction)
    if transform == "torch":
        torch = importlib.import_module("torch")
        x = torch.tensor(x, requires_grad=True)
        total = (torch.tensor(weights) * function(x)).sum()
        (first,) = torch.autograd.grad(total, x, create_graph=True)
        if not first.requires_grad:  # linear in x
            return np.zeros(x.shape, np.float32)
        (result,) = torch.autograd.grad((first * torch.tensor(direction)).sum(), x, allow_unused=True)
        return np.zeros(x.shape, np.float32) if result is None else result.numpy(force=True)
    tf = importlib.import_module("tensorflow")

    def run(x, weights, direction):
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                total = tf.reduce_sum(weights * function(x))
            first = tf.convert_to_tensor(inner.gradient(total, x))
            moved = tf.reduce_sum(first * direction)
        return outer.gradient(moved, x, unconnected_gradients=tf.UnconnectedGradients.ZERO)

    return _tensorflow(transform, run, x, weights, direction)


def vectorized(transform, function, x, ids, over):
    """Return ``function`` mapped over axis 0 of x, of ids, or of both, as ``over`` says."""
    axes = tuple(0 if name in over else None for name in ("x", "ids"))
    if transform.startswith("jax"):
        jax = importlib.import_module("jax")
        return _jax(transform, jax.vmap(function, in_axes=axes), x, ids)
    if transform == "torch":
        torch = importlib.import_module("torch")
        return torch.func.vmap(function, in_dims=axes)(torch.tensor(x), torch.tensor(ids)).numpy()
    tf = importlib.import_module("tensorflow")

    def run(x, ids):
        if over == ("x",):
            return tf.vectorized_map(lambda one: function(one, ids), x)
        if over == ("ids",):
            return tf.vectorized_map(lambda one: function(x, one), ids)
        return tf.vectorized_map(lambda both: function(*both), (x, ids))

    return _tensorflow(transform, run, x, ids)
