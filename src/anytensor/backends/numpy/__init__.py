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


def __getattr__(name: str) -> Any:
    if name not in ("ops", "xp"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    ops = importlib.import_module("anytensor.backends.numpy.ops")
    globals().update(ops=ops, xp=importlib.import_module("array_api_compat.numpy"))
    # CPython looks attributes of a module with __getattr__ up the slow way: 40 ns a call of at.add.
    globals().pop("__getattr__", None)
    return globals()[name]
