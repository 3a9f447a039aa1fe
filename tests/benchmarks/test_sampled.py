"""What is made of py-spy's stacks."""

from pathlib import Path

import anytensor as at
from benchmarks import sampled

STACKS = f"""\
_main (sampled.py:47);tensors (elementwise.py:3);import_it (<frozen importlib>:5) 900
_main (sampled.py:47);loop (sampled.py:36) 10
_main (sampled.py:47);loop (sampled.py:36);segment_sum ({at.__file__}:1) 60
_main (sampled.py:47);loop (sampled.py:36);wrap (<anytensor.promote segment_sum>:3) 29
_main (sampled.py:47);loop (sampled.py:36);rare (/x/site-packages/numpy/core.py:8) 1
"""


def test_shares_of_the_loop_and_of_nothing_else():
    found = sampled.shares(STACKS)
    first = Path(at.__file__).read_text().splitlines()[0]
    assert [(line["share"], line["where"]) for line in found] == [
        (0.6, "anytensor/__init__.py:1"),
        (0.29, "promote's wrapper:3"),
        (0.1, "sampled.py:36"),
    ]
    assert found[0]["code"] == first


def test_a_report_has_a_row_for_every_line_and_for_what_is_missing():
    text = sampled.report(
        [
            {"call": "one", "lines": sampled.shares(STACKS)},
            {"call": "two", "note": "py-spy is not installed"},
        ]
    )
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    assert len(rows) == 2 + 3 + 1
    assert "60%" in rows[2]
    assert "py-spy is not installed" in rows[-1]
