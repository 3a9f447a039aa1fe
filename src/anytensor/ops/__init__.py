"""The Array API standard as ``at.*``, in rooms named after the standard's chapters."""

from anytensor.ops.creation import *  # noqa: F403
from anytensor.ops.cumulative import *  # noqa: F403
from anytensor.ops.data_types import *  # noqa: F403
from anytensor.ops.elementwise import *  # noqa: F403
from anytensor.ops.indexing import *  # noqa: F403
from anytensor.ops.manipulation import *  # noqa: F403
from anytensor.ops.namespaces import *  # noqa: F403
from anytensor.ops.patterns import *  # noqa: F403
from anytensor.ops.reduction import *  # noqa: F403
from anytensor.ops.searching import *  # noqa: F403
from anytensor.ops.sets import *  # noqa: F403
from anytensor.ops.sorting import *  # noqa: F403
from anytensor.ops.transforms import *  # noqa: F403
