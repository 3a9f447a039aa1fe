"""Ten million rows, eagerly: the sums are NumPy's own."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest
from loads import MAKERS, report, size

import anytensor as at

ROWS, SEGMENTS = size(100_000, 10_000_000), size(1_000, 100_000)


@pytest.fixture(scope="module")
def data() -> tuple[Any, Any, Any, Any]:
    rng = np.random.default_rng(0)
    x = rng.uniform(0.5, 1.5, ROWS).astype(np.float32)
    ids = rng.integers(0, SEGMENTS, ROWS).astype(np.int32)
    return x, ids, np.bincount(ids, weights=x, minlength=SEGMENTS), np.bincount(ids, minlength=SEGMENTS)


@pytest.mark.parametrize("is_sorted", [False, True], ids=["unsorted", "sorted"])
@pytest.mark.parametrize("backend", list(MAKERS))
def test_sums_and_counts(backend: str, is_sorted: bool, data: Any) -> None:
    host, host_ids, sums, counts = data
    if is_sorted:
        order = np.argsort(host_ids, kind="stable")
        host, host_ids = host[order], host_ids[order]
    x, ids = MAKERS[backend](host), MAKERS[backend](host_ids)
    began = time.perf_counter()
    got = np.asarray(at.segment_sum(x, ids, SEGMENTS, sorted=is_sorted))
    report(f"{backend}: {ROWS} rows in {time.perf_counter() - began:.2f} s, sorted={is_sorted}")
    np.testing.assert_allclose(got, sums, rtol=2e-5)
    np.testing.assert_array_equal(at.segment_count(ids, SEGMENTS, sorted=is_sorted), counts)
    shares = at.segment_softmax(x, ids, SEGMENTS, sorted=is_sorted)
    np.testing.assert_allclose(at.segment_sum(shares, ids, SEGMENTS), counts > 0, rtol=1e-4)


@pytest.mark.parametrize("backend", list(MAKERS))
def test_partitions(backend: str, data: Any) -> None:
    counts = data[3]
    ids = at.partition_ids(MAKERS[backend](counts.astype(np.int32)), ROWS)
    np.testing.assert_array_equal(ids, np.repeat(np.arange(SEGMENTS), counts))
