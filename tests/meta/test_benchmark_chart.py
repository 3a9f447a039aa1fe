"""Charts of the benchmarks' tables: what is read out of a table, and where it is drawn."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

sys.path.append(str(Path(__file__).parents[2]))

from benchmarks.chart import chart, rows_of, with_charts
from benchmarks.timing import table

HEADER = ("operation", "ours", "ratio", "goal")
TABLE = table("torch: small", HEADER, [("fast", "1 us", "0.50", "1.5"), ("a < b", "9 us", "2.00", "1.5")])


def test_rows_of_a_table() -> None:
    assert rows_of(TABLE.splitlines()) == [("fast", 0.5, 1.5), ("a < b", 2.0, 1.5)]


def test_a_note_and_a_table_without_ratios_are_left_out() -> None:
    noted = table("torch", HEADER, [("fast", "no kernel", "-", "-")])
    assert rows_of(noted.splitlines()) == []
    assert rows_of(table("memory", ("edges", "MB"), [("3", "4")]).splitlines()) == []
    assert chart([]) == ""


def test_bars_lie_on_their_side_of_one() -> None:
    drawn = ElementTree.fromstring(chart(rows_of(TABLE.splitlines())))
    faster, slower = drawn.iter("rect")
    one, left = float(slower.get("x", "nan")), float(faster.get("x", "nan"))
    widths = [float(bar.get("width", "nan")) for bar in (faster, slower)]
    assert left + widths[0] == pytest.approx(one, abs=0.2)
    assert widths[0] == pytest.approx(widths[1], abs=0.2)  # half and double
    assert faster.get("fill") != slower.get("fill")  # one misses its goal
    assert "a < b" in [text.text for text in drawn.iter("text")]


def test_every_table_of_a_report_is_followed_by_its_chart() -> None:
    page = with_charts("\n".join([TABLE, table("memory", ("edges", "MB"), [("3", "4")]), TABLE]))
    assert re.findall(r"^## |^<div>", page, re.MULTILINE) == ["## ", "<div>", "## ", "## ", "<div>"]
    assert page.count("| fast") == 2
