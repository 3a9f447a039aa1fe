"""The page of roads has every public function, its calls run, and what it says can be found again."""

import re
import sys
from pathlib import Path

import numpy as np
import pytest

DOCS = Path(__file__).parents[2] / "docs"
sys.path.append(str(DOCS))

from roads.calls import CALLS, ROWS, UNTRACED, arrays, function_of, uncalled  # noqa: E402
from roads.driving import ROADS, drive  # noqa: E402
from roads.page import write  # noqa: E402


def test_every_public_function_is_in_the_table_or_said_not_to_be_run():
    assert uncalled() == []
    assert not set(CALLS) & {name for names in UNTRACED.values() for name in names}


def test_the_page_has_a_row_for_each_and_a_reason_for_each_number():
    page = (DOCS / "roads.md").read_text()
    rows = dict(re.findall(r"^\| `([\w.]+)` \| (.*) \|$", page, flags=re.MULTILINE))
    assert list(rows) == list(CALLS)
    reasons = set(re.findall(r"^(\d+)\. \S", page, flags=re.MULTILINE))
    cells = [cell for row in rows.values() for cell in row.split(" | ")]
    assert len(cells) == len(CALLS) * len(ROADS)
    assert set(cells) == {"✓", *reasons}


def test_what_the_contract_promises_goes_every_way():
    page = (DOCS / "roads.md").read_text()
    rows = dict(re.findall(r"^\| `([\w.]+)` \| (.*) \|$", page, flags=re.MULTILINE))
    promised = ("at.segment_", "at.partition_", "jraph.", "hetero.")
    for name, row in rows.items():
        if name.startswith(promised):
            assert set(row.split(" | ")) == {"✓"}, name


@pytest.mark.parametrize("name", CALLS)
def test_the_calls_run_on_numpy(name):
    call, names = function_of(CALLS[name])
    for rows in ROWS:
        held = arrays(rows)
        with np.errstate(all="ignore"):
            call(*[held[argument] for argument in names])


@pytest.mark.parametrize("road", ROADS)
def test_a_row_is_found_again(road):
    call, names = function_of(CALLS["at.segment_max"])
    assert drive(road, call, names) is None


def test_a_road_that_does_not_go_says_why():
    call, names = function_of(CALLS["at.linalg.svd"])
    reason = drive("ONNX, tf", call, names)
    assert "nothing for TensorFlow's Svd" in reason
    call, names = function_of(CALLS["at.sum"])
    assert drive("`vmap`", lambda x: call(x) + x.ndim * (type(x) is np.ndarray), names).startswith(
        "another result"
    )
    page = write({"at.sum": dict.fromkeys(ROADS, reason)}, {"torch": "2"})
    assert "| `at.sum` | 1 |" in page
    assert "1. NotImplementedError" in page
