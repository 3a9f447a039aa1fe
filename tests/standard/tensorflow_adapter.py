"""The TensorFlow namespace as array-api-tests imports it."""

from anytensor.backends.tensorflow.namespace import *  # noqa: F403
