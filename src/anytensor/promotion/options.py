"""How NumPy arrays reach a framework: the options in force, by thread and task."""

from __future__ import annotations

from contextvars import ContextVar, Token
from typing import Any

from anytensor import errors
from anytensor.compiling import is_compiling

__all__ = ["CopyWarning", "check_options", "current_options", "promote_options"]

FALLBACKS = ("copy", "error")


class CopyWarning(UserWarning):
    """A NumPy array had to be copied on its way to a framework, since its memory cannot be shared."""


def check_options(function: str, copy: Any, fallback: Any) -> None:
    """Raise TypeError if ``copy`` is no bool, ValueError if ``fallback`` is unknown; None is allowed."""
    if copy is not None and not isinstance(copy, bool):
        raise errors.not_a_bool(copy, function, "copy")
    if fallback is not None and not (isinstance(fallback, str) and fallback in FALLBACKS):
        raise errors.unknown_option(fallback, function, "fallback", FALLBACKS)


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
        A dtype that JAX lacks without ``jax_enable_x64`` is converted, as JAX itself does: float64 to
        float32, int64 to int32. That is no sharing, so ``fallback="error"`` refuses it (but not a single
        number that fits). By default it is silent where every number fits, and warns where one does not:
        1e300 is inf then, and 2**32 + 1 is 1. Indices and masks lose nothing: an index past int32 stays out
        of range.

        Options hold for the current thread or asyncio task. Blocks nest; an exception restores the outer
        options. An option left out keeps the value of the surrounding block. A call that ``torch.compile``
        traces takes the options of the block that was opened last, in whatever thread.

    Example:
        >>> import numpy as np
        >>> import anytensor as at
        >>> with at.promote_options(copy=True):
        ...     y = at.maximum(np.array([1.0, 3.0]), 2.0)
        >>> y
        array([2., 3.])
    """

    def __init__(self, *, copy: bool | None = None, fallback: str | None = None) -> None:
        check_options("promote_options", copy, fallback)
        self._asked = (copy, fallback)
        self._entered: list[tuple[tuple[bool, str], Token[tuple[bool, str]] | None]] = []

    def __enter__(self) -> promote_options:
        """Put the options in force."""
        outer = current_options()
        copy, fallback = self._asked
        options = (outer[0] if copy is None else copy, outer[1] if fallback is None else fallback)
        if is_compiling():
            token = None
            _traced.append(options)
        else:
            token = _options.set(options)
            _open.append(options)
            _set_latest()
        self._entered.append((options, token))
        return self

    def __exit__(self, *exc: object) -> None:
        """Restore the options of the surrounding block."""
        options, token = self._entered.pop()
        if token is None:
            _traced.pop()  # the blocks of a trace close in it, the last one first
            return
        _options.reset(token)
        _open.remove(options)  # not the last one if threads overlap; of equals, any
        _set_latest()


_DEFAULT_OPTIONS = (False, "copy")
_options: ContextVar[tuple[bool, str]] = ContextVar("anytensor_promote_options", default=_DEFAULT_OPTIONS)
# The options of all blocks that are open, in any thread.
_open: list[tuple[bool, str]] = []
# TorchDynamo cannot trace ContextVar.get, but guards on a list, its length too: what a trace reads is the
# last of the open blocks, in a list of one, and the blocks that the trace itself opens. From ``_open`` it
# would compile anew whenever another thread opens a block.
_latest: list[tuple[bool, str]] = [_DEFAULT_OPTIONS]
_traced: list[tuple[bool, str]] = []


def _set_latest() -> None:
    _latest[0] = (_open[-1:] or [_DEFAULT_OPTIONS])[0]  # in one step: another thread may close the last block


def current_options() -> tuple[bool, str]:
    """Return (copy, fallback) as the surrounding blocks set them."""
    if is_compiling():
        return _traced[-1] if _traced else _latest[0]
    return _options.get()
