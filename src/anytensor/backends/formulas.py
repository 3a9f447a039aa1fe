"""The derived segment operations, written once over a backend's few primitives.

Every function takes the backend's kit first. ``ids`` are guarded already: a row outside [0, n) was dealt with
by the backend before (see S1 in ``contract.py``), so these formulas need not think of it. A backend may wrap
them (JAX compiles each once per shape) or replace one where a benchmark shows that its own is faster.
"""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

__all__ = [
    "Kit",
    "logsumexp",
    "max_or_constant",
    "mean",
    "min_or_constant",
    "normalize",
    "std",
    "variance",
]

INFINITY = float("inf")


@runtime_checkable  # for who checks annotations as they run
class Kit(Protocol):
    """The primitives that the formulas are made of; a module or a namespace object of each backend."""

    @staticmethod
    def floating(x: Any) -> Any:
        """Return x in the dtype to compute in: integers and bool in the default float, halves in float32."""

    @staticmethod
    def result_dtype(x: Any) -> Any:
        """Return the dtype of the answer for x: the default float for integers and bool, else its own."""

    @staticmethod
    def cast(x: Any, dtype: Any) -> Any:
        """Return x in the dtype; the same object if it has it."""

    @staticmethod
    def cast_like(x: Any, other: Any) -> Any:
        """Return x in the dtype of other."""

    @staticmethod
    def where(condition: Any, a: Any, b: Any) -> Any:
        """Select; one of a and b may be a Python scalar, which takes the other's dtype."""

    @staticmethod
    def exp(x: Any) -> Any:
        """Raise e to x."""

    @staticmethod
    def log(x: Any) -> Any:
        """Take the natural logarithm."""

    @staticmethod
    def sqrt(x: Any) -> Any:
        """Take the square root."""

    @staticmethod
    def is_finite(x: Any) -> Any:
        """Return where x is neither NaN nor infinite."""

    @staticmethod
    def align_rank(x: Any, other: Any) -> Any:
        """Append axes of length 1 to x until it has the rank of other."""

    @staticmethod
    def sum(x: Any, ids: Any, n: Any, sorted: bool) -> Any:
        """Sum segments of floating or complex x."""

    @staticmethod
    def min(x: Any, ids: Any, n: Any, sorted: bool) -> Any:
        """Take the least entry of each segment."""

    @staticmethod
    def max(x: Any, ids: Any, n: Any, sorted: bool) -> Any:
        """Take the greatest entry of each segment."""

    @staticmethod
    def max_constant(x: Any, ids: Any, n: Any, sorted: bool) -> Any:
        """As max, without a gradient (and without its cost)."""

    @staticmethod
    def count(ids: Any, n: Any, sorted: bool) -> Any:
        """Count the rows of each segment, integer."""

    @staticmethod
    def rows(values: Any, ids: Any) -> Any:
        """Give each row its segment's entry: values[ids]."""


def mean(k: Kit, x: Any, ids: Any, n: Any, sorted: bool) -> Any:
    """Average the rows of each segment; an empty one is 0."""
    work = k.floating(x)
    total = k.sum(work, ids, n, sorted)
    return k.cast(total / _divisor(k, ids, n, sorted, total), k.result_dtype(x))


def _divisor(k: Kit, ids: Any, n: Any, sorted: bool, like: Any) -> Any:
    count = k.count(ids, n, sorted)
    return k.align_rank(k.cast_like(k.where(count == 0, 1, count), like), like)


def _variance(k: Kit, work: Any, ids: Any, n: Any, sorted: bool) -> Any:
    # Two passes: E[x^2] - E[x]^2 cancels to nothing where the mean is large beside the spread.
    total = k.sum(work, ids, n, sorted)
    divisor = _divisor(k, ids, n, sorted, total)
    distance = work - k.rows(total / divisor, ids)
    return k.sum(distance * distance, ids, n, sorted) / divisor


def variance(k: Kit, x: Any, ids: Any, n: Any, sorted: bool) -> Any:
    """Average the squared distance from the mean; an empty segment is 0."""
    return k.cast(_variance(k, k.floating(x), ids, n, sorted), k.result_dtype(x))


def std(k: Kit, x: Any, ids: Any, n: Any, sorted: bool) -> Any:
    """Take the root of the variance, with gradient 0 (not NaN) where it is 0."""
    var = _variance(k, k.floating(x), ids, n, sorted)
    spread = var > 0
    root = k.where(spread, k.sqrt(k.where(spread, var, 1)), var)  # NaN is not > 0 and passes through
    return k.cast(root, k.result_dtype(x))


def normalize(k: Kit, x: Any, ids: Any, n: Any, sorted: bool) -> Any:
    """Divide each row by the sum of its segment; 0/0 is 0 with gradient 0."""
    work = k.floating(x)
    total = k.rows(k.sum(work, ids, n, sorted), ids)
    nothing = (total == 0) & (work == 0)
    share = k.where(nothing, 0, work / k.where(nothing, 1, total))
    return k.cast(share, k.result_dtype(x))


def logsumexp(k: Kit, x: Any, ids: Any, n: Any, sorted: bool) -> Any:
    """Take log(sum(exp)) of each segment; empty or only -inf gives -inf with gradient 0."""
    work = k.floating(x)
    top = k.max_constant(work, ids, n, sorted)
    top = k.where(k.is_finite(top), top, 0)
    total = k.sum(k.exp(work - k.rows(top, ids)), ids, n, sorted)
    nothing = total == 0
    result = k.where(nothing, -INFINITY, k.log(k.where(nothing, 1, total)) + top)
    return k.cast(result, k.result_dtype(x))


def _or_constant(k: Kit, result: Any, ids: Any, n: Any, sorted: bool, constant: Any) -> Any:
    empty = k.align_rank(k.count(ids, n, sorted) == 0, result)
    return k.where(empty, constant, result)


def min_or_constant(k: Kit, x: Any, ids: Any, n: Any, sorted: bool, constant: Any) -> Any:
    """Take the least entry of each segment, ``constant`` where it is empty."""
    return _or_constant(k, k.min(x, ids, n, sorted), ids, n, sorted, constant)


def max_or_constant(k: Kit, x: Any, ids: Any, n: Any, sorted: bool, constant: Any) -> Any:
    """Take the greatest entry of each segment, ``constant`` where it is empty."""
    return _or_constant(k, k.max(x, ids, n, sorted), ids, n, sorted, constant)
