"""Creation functions of the standard; ``like=`` gives the backend, the device and the default dtype."""

from anytensor.ops.creation.conversion import *  # noqa: F403
from anytensor.ops.creation.filled import *  # noqa: F403
from anytensor.ops.creation.grids import *  # noqa: F403
from anytensor.ops.creation.similar import *  # noqa: F403
