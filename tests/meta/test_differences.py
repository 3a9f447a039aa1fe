"""The page of surprising differences says what its cases give, run now."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
sys.path.append(str(DOCS))

from differences import running  # noqa: E402 - found on the path that was added
from differences.case import Case  # noqa: E402
from differences.cases import CASES  # noqa: E402
from differences.page import PARTS, row, write  # noqa: E402

PAGE = (DOCS / "differences.md").read_text()
TABLES = PAGE.partition(PARTS[0])[2].partition(PARTS[1])[0]
ROWS = [line for line in TABLES.splitlines() if line.startswith("| ") and not line.startswith("| |")]


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_the_page_says_what_a_case_gives(case: Case) -> None:
    assert row(case) in ROWS, "run `python -m differences` in docs"


def test_the_page_has_no_row_besides() -> None:
    titles = [line.split(" | ")[0].removeprefix("| ") for line in ROWS]
    assert sorted(titles) == sorted(case.title for case in CASES)
    assert len({case.name for case in CASES}) == len(CASES)


def test_a_case_in_which_the_backends_disagree_is_refused() -> None:
    case = Case("apart", "arrays", "the framework's name", {"x": ([1], "int32")}, "type(x).__module__")
    with pytest.raises(AssertionError, match="apart: type"):
        running.everywhere(case)


def test_what_is_written_by_hand_stays() -> None:
    page = f"head\n{PARTS[0]}\nold\n{PARTS[1]}\ntail\n"
    written = write(page, lambda: "new")
    assert written == f"head\n{PARTS[0]}\n\nnew\n{PARTS[1]}\ntail\n"
