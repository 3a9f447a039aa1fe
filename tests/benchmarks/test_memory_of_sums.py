"""The memory that a large sum takes beside its result, measured in a process of its own."""

import sys

import pytest

from benchmarks import memory

RESULT = memory.SEGMENTS * memory.FEATURES * 4
SUMS = [name for name in memory.PROBES if "segment_sum" in name]


@pytest.mark.skipif(sys.platform != "linux", reason="the mark of the resident set is reset through /proc")
@pytest.mark.parametrize("name", SUMS)
def test_a_sum_takes_its_result_and_a_tenth(name):
    pytest.importorskip(name.split()[0])
    if name.startswith("numpy"):
        pytest.importorskip("scipy.sparse", reason="NumPy's sums of many rows are SciPy's")
    assert RESULT <= 1.001 * memory._probe(name) <= 1.101 * RESULT
