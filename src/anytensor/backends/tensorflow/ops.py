"""What ``at.*`` calls on TensorFlow: our namespace, then the rooms that add to it."""

from anytensor.backends.tensorflow.namespace import *  # noqa: F403

from anytensor.backends.tensorflow.creation import *  # noqa: F403  # isort: skip  # later rooms take precedence
from anytensor.backends.tensorflow.activation import *  # noqa: F403  # isort: skip
from anytensor.backends.tensorflow.along_axis import *  # noqa: F403  # isort: skip
from anytensor.backends.tensorflow.elementwise import *  # noqa: F403  # isort: skip
from anytensor.backends.tensorflow.reduction import *  # noqa: F403  # isort: skip
