"""NumPy's part: host arrays and scalars."""

import anytensor.backends.numpy.ops as ops  # noqa: F401  # one of the members of the Protocol
from anytensor.backends.numpy.array import *  # noqa: F403
from anytensor.backends.numpy.indexing import *  # noqa: F403
from anytensor.backends.numpy.segment import *  # noqa: F403
from anytensor.backends.numpy.tracing import *  # noqa: F403
from anytensor.backends.numpy.transform import *  # noqa: F403
