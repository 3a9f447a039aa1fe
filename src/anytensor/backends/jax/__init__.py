"""JAX's part, imported once the program has JAX loaded."""

import anytensor.backends.jax.ops as ops  # noqa: F401  # one of the members of the Protocol
from anytensor.backends.jax.array import *  # noqa: F403
from anytensor.backends.jax.indexing import *  # noqa: F403
from anytensor.backends.jax.segment import *  # noqa: F403
from anytensor.backends.jax.tracing import *  # noqa: F403
from anytensor.backends.jax.transform import *  # noqa: F403
