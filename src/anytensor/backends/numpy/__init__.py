"""NumPy's part: host arrays and scalars.

The ordinary operations (``ops``) and the namespace (``xp``) stand on array_api_compat.numpy, whose import
loads all of NumPy, its Fortran compiler front end included, and takes longer than NumPy's own. They are
imported when first asked for (``benchmarks/import_time.py``).
"""

from __future__ import annotations

import importlib
from typing import Any

from anytensor.backends.numpy.array import *  # noqa: F403
from anytensor.backends.numpy.indexing import *  # noqa: F403
from anytensor.backends.numpy.segment import *  # noqa: F403
from anytensor.backends.numpy.tracing import *  # noqa: F403
from anytensor.backends.numpy.transform import *  # noqa: F403

_LATER = {"ops": "anytensor.backends.numpy.ops", "xp": "array_api_compat.numpy"}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = importlib.import_module(_LATER[name])
    globals()[name] = module
    return module
