"""How NumPy arrays reach a framework: the options in force, by thread and task."""

from __future__ import annotations

from contextvars import ContextVar, Token

from anytensor import errors
from anytensor.compiling import is_compiling

__all__ = ["CopyWarning", "current_options", "promote_options"]

FALLBACKS = ("copy", "error")


class CopyWarning(UserWarning):
    """A NumPy array had to be copied on its way to a framework, since its memory cannot be shared."""


class promote_options:  # noqa: N801 - a context manager that reads as a function
    """Set how NumPy arrays reach a framework, inside a ``with`` block.

    Args:
        copy: True always copies, for host buffers that are written to later; False shares memory where the
            framework can.
        fallback: What happens where memory cannot be shared and ``copy`` is False: ``"copy"`` copies and
            warns (``CopyWarning``), ``"error"`` raises ValueError.

    Raises:
        TypeError: If ``copy`` is not a bool.
        ValueError: If ``fallback`` is neither of the two.

    Notes:
        Options hold for the current thread or asyncio task. Blocks nest; an exception restores the outer
        options. An option left out keeps the value of the surrounding block.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> with at.promote_options(copy=True):
        ...     y = at.maximum(np.array([1.0, 3.0]), 2.0)
        >>> y
        array([2., 3.])
    """

    def __init__(self, *, copy: bool | None = None, fallback: str | None = None) -> None:
        if copy is not None and not isinstance(copy, bool):
            raise TypeError(f"promote_options: `copy` must be a bool, got {errors.describe(copy)}")
        if fallback is not None and fallback not in FALLBACKS:
            raise errors.unknown_option(fallback, "promote_options", "fallback", FALLBACKS)
        self._asked = (copy, fallback)
        self._outer: list[tuple[tuple[bool, str], Token[tuple[bool, str]] | None]] = []

    def __enter__(self) -> promote_options:
        """Put the options in force."""
        outer = current_options()
        copy, fallback = self._asked
        options = (outer[0] if copy is None else copy, outer[1] if fallback is None else fallback)
        token = None if is_compiling() else _options.set(options)
        self._outer.append((_mirror[0], token))
        _mirror[0] = options
        return self

    def __exit__(self, *exc: object) -> None:
        """Restore the options of the surrounding block."""
        mirrored, token = self._outer.pop()
        _mirror[0] = mirrored
        if token is not None:
            _options.reset(token)


_DEFAULT_OPTIONS = (False, "copy")
_options: ContextVar[tuple[bool, str]] = ContextVar("anytensor_promote_options", default=_DEFAULT_OPTIONS)
# TorchDynamo cannot trace ContextVar.get, but guards on a list's entry: what a trace reads instead.
_mirror: list[tuple[bool, str]] = [_DEFAULT_OPTIONS]


def current_options() -> tuple[bool, str]:
    """Return (copy, fallback) as the surrounding blocks set them."""
    if is_compiling():
        return _mirror[0]
    return _options.get()
