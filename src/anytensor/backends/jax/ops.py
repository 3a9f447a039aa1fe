"""What ``at.*`` calls on JAX: ``jax.numpy``, then the rooms that replace names of it."""

# isort: skip_file
from jax.numpy import *  # noqa: F403
from anytensor.backends.jax.creation import *  # type: ignore[assignment,no-redef]  # noqa: F403
from anytensor.backends.jax.activation import *  # noqa: F403
from anytensor.backends.jax.elementwise import *  # type: ignore[assignment]  # noqa: F403
from anytensor.backends.jax.manipulation import *  # noqa: F403
from anytensor.backends.jax.reduction import *  # type: ignore[assignment]  # noqa: F403
from anytensor.backends.jax.searching import *  # type: ignore[assignment]  # noqa: F403
