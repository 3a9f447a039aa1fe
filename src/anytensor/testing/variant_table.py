"""The table of variants: each backend in each of its modes, and how a caller selects among them."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable
from dataclasses import dataclass

from anytensor import errors

__all__ = ["VARIANTS", "Variant", "is_installed", "select", "variants"]


@dataclass(frozen=True)
class Variant:
    """One way to run a portable function: a backend in a mode.

    Attributes:
        backend: ``"numpy"``, ``"jax"``, ``"torch"`` or ``"tensorflow"``, which is also the module to import.
        mode: ``"eager"``, or what the backend calls its compiled or special mode.
        compiled: Whether a compiler sees the function before it runs.
        differentiable: Whether gradients exist here.
    """

    backend: str
    mode: str
    compiled: bool
    differentiable: bool

    @property
    def name(self) -> str:
        """The backend's name, with the mode after a dash unless it is eager."""
        return self.backend if self.mode == "eager" else f"{self.backend}-{self.mode}"

    def __str__(self) -> str:
        return self.name


VARIANTS = (
    Variant("numpy", "eager", compiled=False, differentiable=False),
    Variant("numpy", "readonly", compiled=False, differentiable=False),
    Variant("jax", "eager", compiled=False, differentiable=True),
    Variant("jax", "jit", compiled=True, differentiable=True),
    Variant("torch", "eager", compiled=False, differentiable=True),
    Variant("torch", "compile", compiled=True, differentiable=True),
    Variant("torch", "compile-dynamic", compiled=True, differentiable=True),
    Variant("tensorflow", "eager", compiled=False, differentiable=True),
    Variant("tensorflow", "function", compiled=True, differentiable=True),
    Variant("tensorflow", "function-none", compiled=True, differentiable=True),
    Variant("tensorflow", "xla", compiled=True, differentiable=True),
)
"""Every variant, installed or not: a new mode is a row here and a branch in its backend's runner."""


def is_installed(backend: str) -> bool:
    """Return whether a backend's package can be found, without importing it."""
    try:
        return importlib.util.find_spec(backend) is not None
    except ValueError:  # a module put into sys.modules by hand has no spec
        return True


def variants(
    backends: str | Iterable[str] | None = None, modes: str | Iterable[str] | None = None
) -> tuple[Variant, ...]:
    """List the variants that can run here.

    Args:
        backends: Names of backends to keep; None keeps all.
        modes: Names of modes to keep, such as ``"eager"`` or ``("jit", "compile")``; None keeps all.

    Returns:
        The variants whose packages are installed, NumPy first. Nothing is imported to find out.

    Raises:
        TypeError: If ``backends`` or ``modes`` holds something other than strings.
        ValueError: If a backend or a mode is unknown.

    Example:
        >>> from anytensor.testing import variants
        >>> [variant.name for variant in variants(backends="numpy")]
        ['numpy', 'numpy-readonly']
    """
    return select("variants", backends, modes)[0]


def select(
    function: str, backends: str | Iterable[str] | None, modes: str | Iterable[str] | None
) -> tuple[tuple[Variant, ...], tuple[str, ...]]:
    """Return the variants asked for that are installed, and the backends asked for that are not."""
    kept_backends = _names(function, "backends", backends, [v.backend for v in VARIANTS])
    kept_modes = _names(function, "modes", modes, [v.mode for v in VARIANTS])
    asked = [v for v in VARIANTS if v.backend in kept_backends and v.mode in kept_modes]
    absent = tuple(name for name in dict.fromkeys(v.backend for v in asked) if not is_installed(name))
    return tuple(v for v in asked if v.backend not in absent), absent


def _names(
    function: str, argument: str, asked: str | Iterable[str] | None, known: list[str]
) -> tuple[str, ...]:
    allowed = tuple(dict.fromkeys(known))
    if asked is None:
        return allowed
    if isinstance(asked, str):
        asked = (asked,)
    try:
        names = tuple(asked)
    except TypeError:
        names = (asked,)  # type: ignore[assignment]  # reported below with what came
    for name in names:
        if not isinstance(name, str):
            raise TypeError(
                f"{function}: `{argument}` must be a string or strings, among "
                f"{', '.join(map(repr, allowed))}; got {errors.describe(name)}"
            )
        if name not in allowed:
            raise errors.unknown_option(name, function, argument, allowed)
    return names
