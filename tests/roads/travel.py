"""Send one call down one road: the outputs as NumPy arrays, or the error that stopped it."""

from __future__ import annotations

import numpy as np

from anytensor.testing import assert_trees_close, run_portable

# Roads that the conformance kit runs: our name -> (its backend, its mode).
KIT = {
    "JAX": ("jax", "eager"),
    "jax.jit": ("jax", "jit"),
    "PyTorch": ("torch", "eager"),
    "torch.compile": ("torch", "compile"),
    "torch.compile dynamic": ("torch", "compile-dynamic"),
    "TensorFlow": ("tensorflow", "eager"),
    "tf.function": ("tensorflow", "function"),
    "tf.function None": ("tensorflow", "function-none"),
    "XLA of TensorFlow": ("tensorflow", "xla"),
}


def kit(road, function, args):
    backend, mode = KIT[road]
    (outcome,) = run_portable(function, *args, backends=backend, modes=mode).outcomes
    if outcome.error is not None:
        raise outcome.error
    return outcome.outputs


def _total(outputs):
    """Sum the floating outputs of JAX."""
    import jax
    import jax.numpy as jnp

    leaves = [x for x in jax.tree.leaves(outputs) if jnp.issubdtype(x.dtype, jnp.floating)]
    return sum((jnp.sum(x) for x in leaves), jnp.zeros(()))


def jax_grad(function, args):
    """Differentiate by the floating arguments; the gradients must be finite."""
    import jax
    import jax.numpy as jnp

    xs = [jnp.asarray(a) for a in args]
    places = tuple(i for i, x in enumerate(xs) if jnp.issubdtype(x.dtype, jnp.floating))
    if not places:
        return None
    gradients = jax.grad(lambda *xs: _total(function(*xs)), argnums=places)(*xs)
    assert all(bool(jnp.isfinite(g).all()) for g in gradients), "the gradient is not finite"
    return None


def jax_jvp(function, args):
    import jax
    import jax.numpy as jnp

    xs = [jnp.asarray(a) for a in args]
    places = [i for i, x in enumerate(xs) if jnp.issubdtype(x.dtype, jnp.floating)]

    def floating(*moved):
        full = list(xs)
        for place, x in zip(places, moved, strict=True):
            full[place] = x
        return function(*full)

    moved = tuple(xs[i] for i in places)
    if not moved:
        return None
    value, _ = jax.jvp(floating, moved, tuple(jnp.ones_like(x) for x in moved))
    return jax.tree.map(np.asarray, value)


def jax_vmap(function, args):
    import jax
    import jax.numpy as jnp

    twice = [jnp.stack([jnp.asarray(a)] * 2) for a in args]
    return jax.tree.map(lambda x: np.asarray(x)[1], jax.vmap(function)(*twice))


def torch_vmap(function, args):
    import torch

    twice = [torch.stack([torch.from_numpy(a)] * 2) for a in args]
    out = torch.func.vmap(function)(*twice)
    return torch.utils._pytree.tree_map(lambda x: x[1].numpy(), out)


def torch_export(function, args):
    import torch

    class Module(torch.nn.Module):
        def forward(self, *xs):
            return function(*xs)

    xs = tuple(torch.from_numpy(a.copy()) for a in args)
    free = {0: torch.export.Dim.AUTO}
    program = torch.export.export(Module(), xs, dynamic_shapes=(tuple(free for _ in xs),), strict=False)
    return torch.utils._pytree.tree_map(lambda x: x.numpy(), program.module()(*xs))


OTHER = {
    "jax.grad": jax_grad,
    "jax.jvp": jax_jvp,
    "jax.vmap": jax_vmap,
    "torch.func.vmap": torch_vmap,
    "torch.export": torch_export,
}

ROADS = (
    "JAX",
    "jax.jit",
    "jax.grad",
    "jax.jvp",
    "jax.vmap",
    "PyTorch",
    "torch.compile",
    "torch.compile dynamic",
    "torch.func.vmap",
    "torch.export",
    "TensorFlow",
    "tf.function",
    "tf.function None",
    "XLA of TensorFlow",
)


def wanted(function, args):
    """Return what NumPy gives."""
    (outcome,) = run_portable(function, *args, backends="numpy", modes="readonly").outcomes
    if outcome.error is not None:
        raise outcome.error
    return outcome.outputs


def travel(road, function, args, want):
    """Run a call on a road and hold it to NumPy's values.

    Args:
        road: One of ``ROADS``.
        function: The call.
        args: Its NumPy arguments.
        want: What NumPy gives.

    Raises:
        Exception: Whatever the road raises; AssertionError for other values.
    """
    got = kit(road, function, args) if road in KIT else OTHER[road](function, args)
    if got is not None:
        assert_trees_close(got, want, rtol=1e-4, atol=1e-4)
