"""TensorFlow's part, imported once the program has TensorFlow loaded."""

import anytensor.backends.tensorflow.ops as ops  # noqa: F401  # one of the members of the Protocol
from anytensor.backends.tensorflow.array import *  # noqa: F403
from anytensor.backends.tensorflow.autograph import leave_library_as_it_is
from anytensor.backends.tensorflow.indexing import *  # noqa: F403
from anytensor.backends.tensorflow.segment import *  # noqa: F403
from anytensor.backends.tensorflow.segment_glance import *  # noqa: F403
from anytensor.backends.tensorflow.tracing import *  # noqa: F403
from anytensor.backends.tensorflow.transform import *  # noqa: F403

leave_library_as_it_is()
