"""JAX's part, imported once the program has JAX loaded."""

from anytensor.backends.jax.array import *  # noqa: F403
from anytensor.backends.jax.indexing import *  # noqa: F403
from anytensor.backends.jax.segment import *  # noqa: F403
from anytensor.backends.jax.tracing import *  # noqa: F403
from anytensor.backends.jax.transform import *  # noqa: F403
