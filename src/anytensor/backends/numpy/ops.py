"""What ``at.*`` calls on NumPy: the namespace with 0-d arrays, then the rooms that depart from it."""

from anytensor.backends.numpy.namespace import *  # noqa: F403

from anytensor.backends.numpy.creation import *  # noqa: F403  # isort: skip  # later rooms take precedence
from anytensor.backends.numpy.activation import *  # noqa: F403  # isort: skip
from anytensor.backends.numpy.elementwise import *  # noqa: F403  # isort: skip
from anytensor.backends.numpy.reduction import *  # noqa: F403  # isort: skip
from anytensor.backends.numpy.sorting import *  # noqa: F403  # isort: skip
from anytensor.backends.numpy.sets import *  # noqa: F403  # isort: skip
from anytensor.backends.numpy.linear_algebra import *  # noqa: F403  # isort: skip
