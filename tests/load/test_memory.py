"""Calls without end leave no memory behind, with the cache on."""

from __future__ import annotations

import gc
import resource
import time
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from loads import FULL, MAKERS, report, size

import anytensor as at

CALLS = size(600, 1_000_000)


def one_call(backend: str) -> Any:
    """Return a call of a segment operation on fixed operands, and of a partition with lengths of its own."""
    make = MAKERS[backend]
    # TensorFlow keeps 0.7 kB of every kernel's error, and its kernels refuse an id out of range.
    x, ids = make(np.ones((6, 2), np.float32)), make(np.array([0, 0, 1, 1, 3, 9], np.int32))
    host = np.array([2, 1, 3], np.int32)

    def call() -> None:
        at.segment_sum(x, ids, 4)
        lengths = make(host)
        at.partition_softmax(x, lengths, 6)
        at.partition_sum(x, lengths, 6)

    return call


def resident() -> int:
    """Return the bytes in memory; where the system does not say, the most there ever were."""
    statm = Path("/proc/self/statm")
    if statm.exists():
        return int(statm.read_text().split()[1]) * resource.getpagesize()
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


@pytest.mark.parametrize("backend", list(MAKERS))
def test_memory_is_flat(backend: str) -> None:
    call = one_call(backend)
    with at.cache():
        for _ in range(CALLS // 10 + 200):  # what is compiled, and the pools of the allocators
            call()
        gc.collect()
        measure = resident if FULL else lambda: tracemalloc.get_traced_memory()[0]
        if not FULL:
            tracemalloc.start()
        grown, began = [], time.perf_counter()
        try:
            for _ in range(1 if FULL else 3):
                before = measure()
                for _ in range(CALLS // 3):  # of three calls each
                    call()
                gc.collect()
                grown.append(measure() - before)
        finally:
            tracemalloc.stop()
        seconds = time.perf_counter() - began
    report(f"{backend}: {CALLS} calls in {seconds:.0f} s, memory grew by {grown[-1] / 1e6:.2f} MB")
    # What another thread of the process allocates meanwhile is there in one round, a leak in every one.
    # A leak of one array a call would be 50 kB in the small run and 30 MB in the full one.
    assert min(grown) < (8_000_000 if FULL else 20_000)
