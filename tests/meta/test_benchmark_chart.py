"""Charts of the benchmarks' tables: what is read out of a table, and where it is drawn."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

sys.path.append(str(Path(__file__).parents[2]))

from benchmarks.chart import chart, costs_of, line, rows_of, with_charts
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


COSTS = table(
    "torch segment_sum",
    ("rows", "time", "ns a row"),
    [("100", "2 us", "20.0"), ("1,000", "10 us", "10.0"), ("100,000", "2 ms", "20.0")],
)


def test_costs_of_a_table() -> None:
    assert costs_of(COSTS.splitlines()) == [
        (100, pytest.approx(2e-6)),
        (1000, pytest.approx(1e-5)),
        (100_000, pytest.approx(2e-3)),
    ]
    assert costs_of(TABLE.splitlines()) == []
    assert line([]) == line([(100, 1e-6)]) == ""


def test_a_line_lies_on_the_linear_one_where_rows_are_dearest() -> None:
    drawn = ElementTree.fromstring(line(costs_of(COSTS.splitlines())))
    linear, cost = (
        [tuple(map(float, pair.split(","))) for pair in points.get("points", "").split()]
        for points in drawn.iter("polyline")
    )
    assert cost[0] == linear[0]
    assert cost[-1] == linear[-1]
    (left, bottom), (right, top) = linear
    share = (cost[1][0] - left) / (right - left)
    assert share == pytest.approx(1 / 3, abs=0.01)  # a decade of three
    assert cost[1][1] > bottom + share * (top - bottom) + 5  # below it, as y goes down
    assert [text.text for text in drawn.iter("text")][-3:] == ["100", "1,000", "100,000"]


def test_a_line_comes_after_its_table() -> None:
    page = with_charts(f"{TABLE}\n{COSTS}")
    assert page.count("<svg") == 2
    assert page.index("100,000") < page.index("seconds against rows")
