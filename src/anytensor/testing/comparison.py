"""Compare what variants returned: structure, array type, dtype, shape, and every entry."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from anytensor.testing.operands import flatten_with_paths, is_floating
from anytensor.testing.report import Difference, Outcome

__all__ = [
    "Rules",
    "assert_trees_close",
    "compare_arrays",
    "compare_gradients",
    "compare_outcome",
    "compare_trees",
    "tolerance",
]

# rtol, atol of a dtype: some hundred units in the last place, since backends sum in different orders.
_TOLERANCES = {
    "float64": (1e-9, 1e-11),
    "complex128": (1e-9, 1e-11),
    "float32": (1e-5, 1e-6),
    "complex64": (1e-5, 1e-6),
    "float16": (4e-3, 1e-3),
    "bfloat16": (2e-2, 1e-2),
}
_COARSEST = (0.25, 0.25)  # the 8-bit floats of ml_dtypes


@dataclass(frozen=True)
class Rules:
    """How close is close.

    Attributes:
        rtol: Relative tolerance of an entry; None takes that of the coarser dtype of the two.
        atol: Absolute tolerance of an entry; None as for ``rtol``.
        dtypes: ``"kind"``, ``"exact"``, ``"any"``, or a mapping from backend to {NumPy's dtype: its own}.
        slack: Factor on the tolerances that dtypes bring.
        floor: Least rtol and atol that dtypes bring.
    """

    rtol: float | None = None
    atol: float | None = None
    dtypes: str | Mapping[str, Mapping[str, str]] = "kind"
    slack: float = 1.0
    floor: tuple[float, float] = (0.0, 0.0)

    def tolerances(self, *arrays: Any) -> tuple[float, float]:
        """Return the (rtol, atol) to compare arrays with."""
        rtol, atol = (max(self.slack * t, f) for t, f in zip(tolerance(*arrays), self.floor, strict=True))
        return rtol if self.rtol is None else self.rtol, atol if self.atol is None else self.atol


def tolerance(*arrays: Any) -> tuple[float, float]:
    """Return the (rtol, atol) of the coarsest floating or complex dtype among arrays; (0, 0) of integers."""
    inexact = [array.dtype for array in arrays if is_floating(array) or array.dtype.kind == "c"]
    return max((_TOLERANCES.get(dtype.name, _COARSEST) for dtype in inexact), default=(0.0, 0.0))


def assert_trees_close(
    got: Any, expected: Any, *, rtol: float | None = None, atol: float | None = None
) -> None:
    """Assert that two nests of NumPy arrays have one structure and shapes, and entries that are close.

    Args:
        got: A nest of arrays, such as ``outcome.outputs``.
        expected: The nest that it should equal. NaN equals NaN; dtypes are not compared.
        rtol: Relative tolerance; None takes that of the coarser of the two dtypes.
        atol: Absolute tolerance; None as for ``rtol``.

    Raises:
        AssertionError: If they differ, with every difference.

    Example:
        >>> import numpy as np
        >>> from anytensor.testing import assert_trees_close
        >>> assert_trees_close({"a": np.array([1.0, np.nan])}, {"a": np.array([1.0, np.nan])})
        >>> assert_trees_close({"a": np.array([1.0, 2.0])}, {"a": np.array([1.0, 3.0])})
        Traceback (most recent call last):
        AssertionError: value of got['a']: 1 of 2 entries differs, first at [1]: got 2.0, expected 3.0 \
(largest difference 1, rtol 1e-09, atol 1e-11)
    """
    rules = Rules(rtol, atol, "any")
    found = list(compare_trees("", "", got, expected, rules, {}, root="got"))
    if found:
        raise AssertionError("\n".join(str(difference).removeprefix(": ") for difference in found))


def compare_trees(
    variant: str,
    backend: str,
    got: Any,
    expected: Any,
    rules: Rules,
    narrowing: Mapping[str, str],
    root: str = "output",
) -> Iterator[Difference]:
    """Yield every difference between two nests of NumPy arrays and plain values."""
    ours = dict(flatten_with_paths(got, root))
    theirs = dict(flatten_with_paths(expected, root))
    if ours.keys() != theirs.keys():
        lost = [path for path in theirs if path not in ours]
        extra = [path for path in ours if path not in theirs]
        detail = "; ".join(
            f"{word} {', '.join(paths)}"
            for word, paths in (("lacks", lost), ("has in excess", extra))
            if paths
        )
        yield Difference(variant, "structure", root, detail)
    for path in theirs:
        if path in ours:
            yield from _compare_leaves(variant, backend, path, ours[path], theirs[path], rules, narrowing)


def _compare_leaves(
    variant: str,
    backend: str,
    path: str,
    got: Any,
    expected: Any,
    rules: Rules,
    narrowing: Mapping[str, str],
) -> Iterator[Difference]:
    if not _is_numeric(got) or not _is_numeric(expected):
        if type(got) is not type(expected) or got != expected:
            detail = f"got {got!r}, expected {expected!r}"
            yield Difference(variant, "value", path, detail, None, got, expected)
        return
    # A Python number says nothing of dtypes: under a trace it comes back as an array.
    strong = hasattr(got, "dtype") and hasattr(expected, "dtype")
    got, expected = np.asarray(got), np.asarray(expected)
    if strong:
        wanted = _wanted_dtype(backend, got, expected, rules, narrowing)
        if wanted:
            yield Difference(variant, "dtype", path, f"got {got.dtype.name}, expected {wanted}")
    yield from compare_arrays(variant, "value", path, got, expected, rules)


def _is_numeric(x: Any) -> bool:
    return isinstance(x, (np.ndarray, np.generic, bool, int, float, complex))


def _kind(dtype: Any) -> str:
    return {"b": "bool", "i": "signed integer", "u": "unsigned integer", "c": "complex"}.get(
        dtype.kind, "floating"
    )


def _wanted_dtype(backend: str, got: Any, expected: Any, rules: Rules, narrowing: Mapping[str, str]) -> str:
    """Return the dtype that should have come, in words, or "" if the right one came."""
    if rules.dtypes == "any":
        return ""
    if rules.dtypes == "kind":
        kinds = _kind(got.dtype), _kind(expected.dtype)
        return "" if kinds[0] == kinds[1] else f"a {kinds[1]} dtype as NumPy's {expected.dtype.name}"
    name = expected.dtype.name
    table = rules.dtypes.get(backend, {}) if isinstance(rules.dtypes, Mapping) else {}
    wanted = table.get(name, narrowing.get(name, name))
    return "" if got.dtype.name == wanted else wanted


def compare_arrays(
    variant: str, what: str, path: str, got: Any, expected: Any, rules: Rules, *coarser: Any
) -> Iterator[Difference]:
    """Yield the difference between two arrays, if any: of shape, else the first entry that differs.

    Args:
        variant: Name of the variant, for the report.
        what: ``"value"`` or ``"gradient"``.
        path: Name of the output or argument.
        got: A NumPy array.
        expected: The array that it should equal.
        rules: Tolerances.
        *coarser: More arrays whose dtypes bound the tolerance from below.

    Yields:
        At most one difference.
    """
    if got.shape != expected.shape:
        yield Difference(variant, "shape", path, f"got {got.shape}, expected {expected.shape}")
        return
    rtol, atol = rules.tolerances(got, expected, *coarser)
    exact = got.dtype.kind in "biu" and expected.dtype.kind in "biu"
    ours, theirs = (got, expected) if exact else (_widen(got), _widen(expected))
    with np.errstate(all="ignore"):
        same = ours == theirs
        if not exact:
            distance = np.abs(ours - theirs)
            same |= np.isfinite(ours) & np.isfinite(theirs) & (distance <= atol + rtol * np.abs(theirs))
            same |= np.isnan(ours) & np.isnan(theirs)
    if same.all():
        return
    wrong = np.argwhere(~np.atleast_1d(same))
    index = tuple(int(i) for i in wrong[0]) if got.ndim else ()
    largest = ""
    if not exact:
        finite = distance[np.isfinite(distance) & ~same] if got.ndim else distance[np.isfinite(distance)]
        size = f"{finite.max():.3g}" if finite.size else "not finite"
        largest = f" (largest difference {size}, rtol {rtol:g}, atol {atol:g})"
    detail = (
        f"{len(wrong)} of {same.size} entries differ{'s' if len(wrong) == 1 else ''}, first at "
        f"{list(index)}: got {got[index]}, expected {expected[index]}{largest}"
    )
    yield Difference(variant, what, path, detail, index, got[index], expected[index])


def _widen(x: Any) -> Any:
    return x.astype(np.complex128 if x.dtype.kind == "c" else np.float64)


def compare_outcome(outcome: Outcome, expected: Any, rules: Rules) -> Iterator[Difference]:
    """Yield every difference of an outcome from the values expected, gradients apart."""
    name = outcome.variant.name
    if outcome.error is not None:
        kind = type(outcome.error).__name__
        yield Difference(name, "error", "the call", f"{kind}: {_in_brief(outcome.error)}")
        return
    for path in outcome.written:
        yield Difference(name, "argument", path, "the function wrote to its memory")
    for path, kind in outcome.foreign:
        detail = f"got a {kind}, expected an array of {outcome.variant.backend}"
        yield Difference(name, "type", path, detail)
    yield from compare_trees(
        name, outcome.variant.backend, outcome.outputs, expected, rules, outcome.narrowing
    )


def compare_gradients(
    outcome: Outcome, expected: Mapping[str, Any], operands: Mapping[str, Any], rules: Rules
) -> Iterator[Difference]:
    """Yield every difference of an outcome's gradients from those expected, dtypes included."""
    name = outcome.variant.name
    outputs = [leaf for _, leaf in flatten_with_paths(outcome.outputs, "") if hasattr(leaf, "dtype")]
    for path, gradient in outcome.gradients.items():
        own = operands[path].dtype.name
        wanted = outcome.narrowing.get(own, own)
        if gradient.dtype.name != wanted:
            detail = f"the gradient has dtype {gradient.dtype.name}, expected the argument's {wanted}"
            yield Difference(name, "dtype", path, detail)
        if path in expected:
            yield from compare_arrays(
                name, "gradient", path, gradient, expected[path], rules, operands[path], *outputs
            )


def _in_brief(error: Exception, width: int = 200) -> str:
    # Dynamo says what is wrong first, TensorFlow last, after the user's own lines.
    lines = [line.strip()[:width] for line in str(error).splitlines() if line.strip()]
    return " ".join(lines if len(lines) <= 4 else [*lines[:2], "...", *lines[-2:]])
