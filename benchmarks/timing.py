"""Time several ways to do one thing, interleaved in one process, and compare them as ratios of medians."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Timing:
    """Seconds of one way: the median over rounds, and the quartiles."""

    median: float
    low: float
    high: float


def _settle_allocator() -> None:
    """Free a large array, as every program that has loaded its data did.

    Before, glibc hands what a call of some megabytes frees back to the system each time (its threshold is
    twice the largest piece that was ever freed), and the next call faults it in again: more than its work.
    """
    np.ones(30 << 20, np.uint8)


def interleave(
    ways: dict[str, Callable[[], object]], rounds: int = 15, budget: float = 0.004
) -> dict[str, Timing]:
    """Time every way in every round, in an order that turns, so that drift of the machine hits all alike.

    Args:
        ways: Name -> a call without arguments that finishes its work before it returns.
        rounds: How many rounds.
        budget: Seconds that one way gets in a round; a fast call is repeated that long.

    Returns:
        Name -> timing of one call.
    """
    _settle_allocator()
    repeats = {}
    for name, call in ways.items():
        call()
        call()
        start = time.perf_counter()
        call()
        once = max(time.perf_counter() - start, 1e-7)
        repeats[name] = max(1, int(budget / once))
    samples: dict[str, list[float]] = {name: [] for name in ways}
    names = list(ways)
    enabled = gc.isenabled()
    gc.disable()
    try:
        for i in range(rounds):
            for name in names[i % len(names) :] + names[: i % len(names)]:
                call, count = ways[name], repeats[name]
                start = time.perf_counter()
                for _ in range(count):
                    call()
                samples[name].append((time.perf_counter() - start) / count)
    finally:
        if enabled:
            gc.enable()
    return {name: summary(times) for name, times in samples.items()}


def summary(times: list[float]) -> Timing:
    """Return the median and the quartiles."""
    low, _, high = statistics.quantiles(times, n=4)
    return Timing(statistics.median(times), low, high)


def human(seconds: float) -> str:
    """Write a time with three digits and a unit."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def table(title: str, header: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    """Lay out rows as a Markdown table under a heading."""
    widths = [max(len(row[i]) for row in (header, *rows)) for i in range(len(header))]
    lines = [header, tuple("-" * width for width in widths), *rows]
    body = "\n".join(
        "| " + " | ".join(cell.ljust(w) for cell, w in zip(line, widths, strict=True)) + " |"
        for line in lines
    )
    return f"## {title}\n\n{body}\n"
