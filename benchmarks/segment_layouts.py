"""Large segment operations on torch by layout: narrow rows, orders of the ids, strides, dtypes, padding.

The peer is the native kernel that a user calls on these operands, with the same value: it has a slow way for
most of these layouts. Each row is a choice in ``large.py``, ``bags.py`` or ``kernels.py`` of the backend.
"""

from __future__ import annotations

import importlib.util
from typing import Any

import anytensor as at
from benchmarks.rows import by_backend, compared
from benchmarks.segment_small import Call, Case

GOAL = 1.1  # of the native kernel, as for segment_large


def _orders(rows: int) -> dict[str, Any]:
    """Return ids below a fifth of the number of rows, as they occur."""
    import torch

    edges = torch.arange(rows)
    some = torch.randint(0, rows // 5, (rows,))
    nearly = some.sort()[0]
    nearly[rows // 2] = 0
    return {
        "random": some,
        "batched": edges // 100 * 20 + torch.randint(0, 20, (rows,)),  # graphs of 20 nodes and 100 edges
        "sorted": some.sort()[0],
        "nearly sorted": nearly,
    }


def _dropped(name: str, x: Any, ids: Any, n: int) -> Case:
    """Give the last rows, a fiftieth, an id out of range; the peer refuses that, and gets ids in range."""
    padded = ids.clone()
    padded[-len(ids) // 50 :] = n
    peer = _maxed(x, ids, n) if name.startswith("max") else _added(x, ids, n)
    return _pair(f"{name}, padded", x, padded, n, peer)


def _added(x: Any, ids: Any, n: int) -> Call:
    return lambda: x.new_zeros((n, *x.shape[1:])).index_add_(0, ids, x)


def _maxed(x: Any, ids: Any, n: int) -> Call:
    def call() -> Any:
        return x.new_full((n, *x.shape[1:]), -float("inf")).scatter_reduce_(0, _wide(x, ids), x, "amax")

    return call


def _wide(x: Any, ids: Any) -> Any:
    return ids.long().reshape(-1, *[1] * (x.ndim - 1)).expand(x.shape)


def _pair(name: str, x: Any, ids: Any, n: int, peer: Call | None = None) -> Case:
    title = f"{name}: {' x '.join(f'{length:,}' for length in x.shape)} in {n:,}"
    if name.startswith("max"):
        return title, lambda: at.segment_max(x, ids, n), peer or _maxed(x, ids, n), GOAL
    return title, lambda: at.segment_sum(x, ids, n), peer or _added(x, ids, n), GOAL


def torch_cases() -> list[Case]:
    """Pair our calls with the native kernels."""
    import torch

    torch.manual_seed(0)

    def ids(rows: int, n: int) -> Any:
        return torch.randint(0, n, (rows,))

    cases = []
    for rows in (100_000, 300_000, 1_000_000):  # column by column
        n = rows // 10
        cases += [_pair("sum", torch.randn(rows, width), ids(rows, n), n) for width in (2, 3)]
    for n in (1_000, 200_000):  # bags, and blocks of rows where the result is large
        x, places = torch.randn(1_000_000, 64), ids(1_000_000, n)
        cases += [_pair(name, x, places, n) for name in ("sum", "max")]
    for rows in (50_000, 100_000, 400_000):  # bags
        for width in (8, 16, 64):
            x = torch.randn(rows, width)
            cases += [
                _pair(f"sum, {name} ids", x, places, rows // 5) for name, places in _orders(rows).items()
            ]
    for rows in (2_000, 300_000):  # the quick way is for int64 ids without gaps
        n = rows // 10
        x, places = torch.randn(rows, 64), ids(rows, n)
        gaps = torch.stack([places, places], 1)[:, 0]
        cases += [_pair("sum, int32 ids", x, places.int(), n), _pair("max, strided ids", x, gaps, n)]
    x, places = torch.randn(300_000, 128)[:, :64], ids(300_000, 30_000)  # ... and contiguous rows
    cases += [_pair(name, x, places, 30_000) for name in ("sum, strided x", "max, strided x")]
    half, places = torch.randn(300_000, 64).bfloat16(), ids(300_000, 30_000)
    cases.append(_pair("sum, bfloat16", half, places, 30_000, _wide_sum(half, places, 30_000)))
    for shape in ((1_000_000,), (300_000, 8), (300_000, 64)):
        x, places = torch.randn(shape), ids(shape[0], shape[0] // 10)
        cases += [_dropped(name, x, places, shape[0] // 10) for name in ("sum", "max")]
    return cases


def _wide_sum(x: Any, ids: Any, n: int) -> Call:
    def call() -> Any:
        rows = x.float()
        return rows.new_zeros((n, *x.shape[1:])).index_add_(0, ids, rows).to(x.dtype)

    return call


def measure(rounds: int = 15, only: str | None = None) -> list[dict[str, Any]]:
    """Return one record for each layout and operation."""
    if only not in (None, "torch"):
        return []
    if importlib.util.find_spec("torch") is None:
        return [{"backend": "torch", "operation": "-", "note": "torch is not installed"}]
    return [compared("torch", *case, rounds) for case in torch_cases()]


def report(records: list[dict[str, Any]]) -> str:
    """Lay the records out in one table."""
    return by_backend(records, lambda name: f"{name}: large, by layout")
