"""TensorFlow's part, imported once the program has TensorFlow loaded."""

from anytensor.backends.tensorflow.array import *  # noqa: F403
from anytensor.backends.tensorflow.indexing import *  # noqa: F403
from anytensor.backends.tensorflow.segment import *  # noqa: F403
from anytensor.backends.tensorflow.tracing import *  # noqa: F403
from anytensor.backends.tensorflow.transform import *  # noqa: F403
