"""Annotations of the public functions, and the switch that turns them into run-time checks.

The annotations are jaxtyping's: ``Shaped[ArrayT, "rows *features"]`` says that an operand has a first axis
called rows, and that the result is an array of the same type. They load no framework.

jaxtyping itself takes a third of the time of ``import anytensor`` (``benchmarks/import_time.py``: it loads
asyncio), and only a checker reads what it makes. So it is imported if the program has done so before, as it
must to install its import hook, or by ``enable_typecheck``; until then a stand-in holds its place.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import numpy as np

__all__ = [
    "ArrayT",
    "Bool",
    "IndexVector",
    "Integer",
    "Mask",
    "Num",
    "Partitions",
    "Scalar",
    "SegmentIds",
    "Shaped",
    "SizeLike",
    "enable_typecheck",
]


class _Later:
    """Stands for jaxtyping's ``name``, or ``name[items]``, until a checker asks for it."""

    def __init__(self, name: str, items: Any = None) -> None:
        self.name, self.items = name, items

    def __getitem__(self, items: Any) -> _Later:
        return _Later(self.name, items)

    def __or__(self, other: Any) -> Any:
        return Any

    __ror__ = __or__

    def __call__(self) -> None:  # typing takes what can be called for a type
        raise TypeError(f"{self!r} is an annotation")

    def __repr__(self) -> str:
        return f"jaxtyping.{self.name}" + ("" if self.items is None else f"[{self.items!r}]")

    def resolve(self) -> Any:
        """Import jaxtyping and return its own annotation."""
        import jaxtyping

        kind = getattr(jaxtyping, self.name)
        return kind if self.items is None else kind[self.items]


ArrayT = TypeVar("ArrayT")
"""An array of any one backend: the result is of the operand's own type."""

Scalar: TypeAlias = bool | int | float | complex | np.generic
"""A Python or NumPy number."""

SizeLike = Any
"""A Python int, a symbolic size, or a 0-d integer array."""

if TYPE_CHECKING:
    from jaxtyping import Bool, Integer, Num, Shaped

    SegmentIds = Integer[Any, " rows"]
    """One segment id for each row, any integer dtype."""

    Partitions = Integer[Any, " partitions"]
    """Lengths of contiguous partitions."""

    IndexVector = Integer[Any, " entries"]
    """Indices along an axis."""

    Mask = Bool[Any, "..."]
    """A boolean array."""

_LATER = {
    **{name: _Later(name) for name in ("Bool", "Integer", "Num", "Shaped")},
    "SegmentIds": _Later("Integer", (Any, " rows")),
    "Partitions": _Later("Integer", (Any, " partitions")),
    "IndexVector": _Later("Integer", (Any, " entries")),
    "Mask": _Later("Bool", (Any, "...")),
}


def __getattr__(name: str) -> Any:
    # Asked by each module that imports a name, some long after this one: a hook may have come between.
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return _LATER[name].resolve() if "jaxtyping" in sys.modules else _LATER[name]


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

    for path, module in list(sys.modules.items()):
        if path.partition(".")[0] == "anytensor":
            for name, value in list(vars(module).items()):
                if isinstance(value, _Later):
                    setattr(module, name, value.resolve())
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
