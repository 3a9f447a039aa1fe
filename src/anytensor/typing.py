"""Annotations of the public functions, and the switch that turns them into run-time checks.

The annotations are jaxtyping's: ``Shaped[ArrayT, "rows *features"]`` says that an operand has a first axis
called rows, and that the result is an array of the same type. They load no framework.
"""

from __future__ import annotations

import os
import sys
from typing import Any, TypeAlias, TypeVar

import numpy as np
from jaxtyping import Bool, Integer, Num, Shaped

__all__ = [
    "ArrayT",
    "IndexVector",
    "Mask",
    "Partitions",
    "Scalar",
    "SegmentIds",
    "SizeLike",
    "enable_typecheck",
]

ArrayT = TypeVar("ArrayT")
"""An array of any one backend: the result is of the operand's own type."""

Scalar: TypeAlias = bool | int | float | complex | np.generic
"""A Python or NumPy number."""

SizeLike = Any
"""A Python int, a symbolic size, or a 0-d integer array."""

SegmentIds = Integer[Any, " rows"]
"""One segment id for each row, any integer dtype."""

Partitions = Integer[Any, " partitions"]
"""Lengths of contiguous partitions."""

IndexVector = Integer[Any, " entries"]
"""Indices along an axis."""

Mask = Bool[Any, "..."]
"""A boolean array."""


def enable_typecheck() -> None:
    """Check the annotations of the public functions at run time, with beartype.

    Call it once, before the functions are used: names imported with ``from anytensor import ...`` before
    keep their unchecked form where they are not promoted. Does nothing if ``JAXTYPING_DISABLE`` is set to a
    true value.

    Raises:
        ImportError: If beartype is not installed (``pip install "anytensor[typecheck]"``).

    Notes:
        The checks run after promotion, on what a function computes with. They cost tens of microseconds a
        call: for development and tests.

    Example:
        >>> import anytensor as at
        >>> at.enable_typecheck()  # doctest: +SKIP
    """
    if os.environ.get("JAXTYPING_DISABLE", "0").lower() not in ("0", "", "false"):
        return
    try:
        from beartype import beartype
    except ImportError as error:
        raise ImportError('enable_typecheck needs beartype: pip install "anytensor[typecheck]"') from error
    from jaxtyping import jaxtyped

    package = sys.modules["anytensor"]
    for name in package.__all__:
        function = getattr(package, name)
        ours = getattr(function, "__module__", "").startswith("anytensor.")  # einops' functions are not
        if not ours or not hasattr(function, "__code__") or hasattr(function, "__anytensor_checked__"):
            continue
        if "_function" in function.__globals__ and hasattr(function, "__wrapped__"):
            # A promoted function: its wrapper stays, and the function that it calls is checked.
            inner = function.__globals__["_function"]
            function.__globals__["_function"] = jaxtyped(inner, typechecker=beartype)
            function.__anytensor_checked__ = True
        else:
            checked = jaxtyped(function, typechecker=beartype)
            checked.__anytensor_checked__ = True
            setattr(package, name, checked)


_ = (Num, Shaped)  # re-exported for the modules that annotate
