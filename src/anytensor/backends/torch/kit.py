"""PyTorch's kit for the shared formulas, once for traces and transforms and once for ordinary CPU tensors."""

from __future__ import annotations

from typing import Any

import torch

from anytensor.backends.torch import kernels
from anytensor.backends.torch.segment_extremes import extreme, extreme_constant
from anytensor.backends.torch.segment_sums import total

__all__ = ["Plain", "Traced", "floating", "result_dtype"]


def result_dtype(x: Any) -> Any:
    """Return the default float for integers and bool, else the dtype of x."""
    dtype = x.dtype
    return dtype if dtype.is_floating_point or dtype.is_complex else torch.get_default_dtype()


def floating(x: Any) -> Any:
    """Return x in the dtype to compute in."""
    dtype = result_dtype(x)
    if dtype in (torch.float16, torch.bfloat16):
        dtype = torch.float32
    return x if x.dtype == dtype else x.to(dtype)


class Traced:
    """Operations that a trace and every transform takes; each id in range."""

    @staticmethod
    def floating(x: Any) -> Any:
        """Return x in the dtype to compute in."""
        return floating(x)

    @staticmethod
    def result_dtype(x: Any) -> Any:
        """Return the dtype of the answer for x."""
        return result_dtype(x)

    @staticmethod
    def cast(x: Any, dtype: Any) -> Any:
        """Return x in the dtype."""
        return x if x.dtype == dtype else x.to(dtype)

    @staticmethod
    def where(condition: Any, a: Any, b: Any) -> Any:
        """Select."""
        return torch.where(condition, a, b)

    @staticmethod
    def exp(x: Any) -> Any:
        """Raise e to x."""
        return x.exp()

    @staticmethod
    def log(x: Any) -> Any:
        """Take the natural logarithm."""
        return x.log()

    @staticmethod
    def sqrt(x: Any) -> Any:
        """Take the square root."""
        return x.sqrt()

    @staticmethod
    def is_finite(x: Any) -> Any:
        """Return where x is neither NaN nor infinite."""
        return torch.isfinite(x)

    @staticmethod
    def align_rank(x: Any, other: Any) -> Any:
        """Append axes of length 1 until x has the rank of other."""
        missing = other.ndim - x.ndim
        return x.reshape(*x.shape, *[1] * missing) if missing else x

    @staticmethod
    def cast_like(x: Any, other: Any) -> Any:
        """Return x in the dtype of other."""
        return x if x.dtype == other.dtype else x.to(other.dtype)

    @staticmethod
    def rows(values: Any, ids: Any) -> Any:
        """Give each row its segment's entry."""
        return values.index_select(0, ids)

    @staticmethod
    def sum(x: Any, ids: Any, n: Any, sorted: bool) -> Any:
        """Sum segments."""
        return kernels.total(x, ids, n)

    @staticmethod
    def min(x: Any, ids: Any, n: Any, sorted: bool) -> Any:
        """Take the least entries."""
        return extreme(x, ids, n, False, False)

    @staticmethod
    def max(x: Any, ids: Any, n: Any, sorted: bool) -> Any:
        """Take the greatest entries."""
        return extreme(x, ids, n, True, False)

    @staticmethod
    def max_constant(x: Any, ids: Any, n: Any, sorted: bool) -> Any:
        """Take the greatest entries as constants."""
        return extreme_constant(x, ids, n, True, False)

    @staticmethod
    def count(ids: Any, n: Any, sorted: bool) -> Any:
        """Count rows."""
        return kernels.count(ids, n)


class Plain(Traced):
    """The same on ordinary CPU tensors, by kernels that raise on a bad id."""

    @staticmethod
    def sum(x: Any, ids: Any, n: Any, sorted: bool) -> Any:
        """Sum segments."""
        return total(x, ids, n, sorted, True)

    @staticmethod
    def min(x: Any, ids: Any, n: Any, sorted: bool) -> Any:
        """Take the least entries."""
        return extreme(x, ids, n, False, True)

    @staticmethod
    def max(x: Any, ids: Any, n: Any, sorted: bool) -> Any:
        """Take the greatest entries."""
        return extreme(x, ids, n, True, True)

    @staticmethod
    def max_constant(x: Any, ids: Any, n: Any, sorted: bool) -> Any:
        """Take the greatest entries as constants."""
        return extreme_constant(x, ids, n, True, True)

    @staticmethod
    def count(ids: Any, n: Any, sorted: bool) -> Any:
        """Count rows."""
        return kernels.plain_count(ids, n)
