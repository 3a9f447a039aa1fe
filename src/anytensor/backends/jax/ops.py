"""What ``at.*`` calls on JAX: ``jax.numpy``, then the rooms that depart from it."""

from jax.numpy import *  # noqa: F403
from anytensor.backends.jax.creation import *  # noqa: F403  # isort: skip  # later rooms take precedence
from anytensor.backends.jax.activation import *  # noqa: F403  # isort: skip
