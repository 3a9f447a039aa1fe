"""PyTorch's part, imported once the program has PyTorch loaded."""

import anytensor.backends.torch.host_arrays  # noqa: F401  # has Dynamo trace NumPy arrays
import anytensor.backends.torch.ops as ops  # noqa: F401  # one of the members of the Protocol
from anytensor.backends.torch.array import *  # noqa: F403
from anytensor.backends.torch.indexing import *  # noqa: F403
from anytensor.backends.torch.segment import *  # noqa: F403
from anytensor.backends.torch.segment_glance import *  # noqa: F403
from anytensor.backends.torch.tracing import *  # noqa: F403
from anytensor.backends.torch.transform import *  # noqa: F403
