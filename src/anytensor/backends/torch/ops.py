"""What ``at.*`` calls on PyTorch: array_api_compat's namespace, then the rooms that depart from it."""

from array_api_compat.torch import *  # noqa: F403

from anytensor.backends.torch.creation import *  # noqa: F403  # isort: skip  # later rooms take precedence
from anytensor.backends.torch.manipulation import *  # noqa: F403  # isort: skip
from anytensor.backends.torch.activation import *  # noqa: F403  # isort: skip
from anytensor.backends.torch.along_axis import *  # noqa: F403  # isort: skip
from anytensor.backends.torch.elementwise import *  # noqa: F403  # isort: skip
from anytensor.backends.torch.reduction import *  # noqa: F403  # isort: skip
from anytensor.backends.torch.sets import *  # noqa: F403  # isort: skip
from anytensor.backends.torch.searching import *  # noqa: F403  # isort: skip
from anytensor.backends.torch.linear_algebra import *  # noqa: F403  # isort: skip
