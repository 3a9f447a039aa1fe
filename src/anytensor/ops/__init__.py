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

from anytensor.ops import (  # isort: skip  # the rooms themselves, after their names
    cumulative,
    data_types,
    elementwise,
    fft,
    indexing,
    linalg,
    manipulation,
    patterns,
    reduction,
    searching,
    sets,
    sorting,
    transforms,
)
from anytensor.ops.creation import similar  # isort: skip
from anytensor.ops.host_traces import trace_on_host_arrays  # isort: skip
from anytensor.promotion import align_arrays  # isort: skip

trace_on_host_arrays(
    getattr(room, name)
    for room in (
        cumulative,
        elementwise,
        fft,
        indexing,
        linalg,
        manipulation,
        patterns,
        reduction,
        searching,
        sets,
        similar,
        sorting,
        transforms,
    )
    for name in getattr(room, "__all__", vars(room))
)
trace_on_host_arrays([align_arrays, data_types.astype])
