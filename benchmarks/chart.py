"""A table of ratios as a bar chart, one of costs against rows as a line: an SVG that needs no library."""

from __future__ import annotations

import html
import math

from benchmarks.timing import human

__all__ = ["chart", "costs_of", "line", "rows_of", "with_charts"]

LABEL, WIDTH, ROW = 300, 720, 18
MET, MISSED, GOAL = "#00897b", "#d84315", "#f9a825"
HEIGHT, LEFT, BELOW = 200, 60, 24  # of a line chart; the room for its labels
LEAST, MOST = 1 / 16, 8.0  # what lies outside is drawn at the edge; the number beside it is right


def with_charts(report: str) -> str:
    """Return a report with a chart after each table that has ratios, or nanoseconds a row."""
    parts = []
    for part in report.split("\n## "):
        lines = part.rstrip().splitlines()
        drawn = chart(rows_of(lines)) or line(costs_of(lines))
        parts.append("\n".join([*lines, "", *([drawn, ""] if drawn else [])]))
    return "\n## ".join(parts)


def _cells(lines: list[str]) -> list[list[str]]:
    return [[cell.strip() for cell in text.strip("| ").split(" | ")] for text in lines if text[:1] == "|"]


def rows_of(lines: list[str]) -> list[tuple[str, float, float]]:
    """Return (what was timed, ratio, goal) of each row of a Markdown table that has a ratio and a goal."""
    table = _cells(lines)
    if not table or "ratio" not in table[0] or "goal" not in table[0]:
        return []
    ratio, goal = table[0].index("ratio"), table[0].index("goal")
    rows = []
    for cells in table[2:]:
        try:
            rows.append((cells[0], float(cells[ratio]), float(cells[goal])))
        except (ValueError, IndexError):  # a row with a note instead of numbers
            continue
    return rows


def chart(rows: list[tuple[str, float, float]]) -> str:
    """Draw a bar for each row from 1, on a logarithmic scale, with a mark at the goal; "" for no rows."""
    if not rows:
        return ""
    height = ROW * (len(rows) + 1)
    out = [
        f'<svg viewBox="0 0 {WIDTH} {height}" style="width: 100%; max-width: {WIDTH}px" role="img" '
        'font-size="11" fill="currentColor" aria-label="ratio of ours to the peer, logarithmic">'
    ]
    for value in (1 / 8, 1 / 4, 1 / 2, 1, 2, 4):
        x, strength = _place(value), 0.6 if value == 1 else 0.15
        out += [
            f'<line x1="{x}" y1="{ROW}" x2="{x}" y2="{height}" stroke="currentColor" opacity="{strength}"/>',
            f'<text x="{x}" y="12" text-anchor="middle">{value:g}</text>',
        ]
    for index, (label, ratio, goal) in enumerate(rows):
        top = ROW * (index + 1) + 3
        start, end = sorted((_place(1), _place(ratio)))
        width, mark = max(end - start, 1), _place(goal)
        colour = MET if ratio <= goal else MISSED
        out += [
            f'<text x="{LABEL - 8}" y="{top + 10}" text-anchor="end">{html.escape(label)}</text>',
            f'<rect x="{start}" y="{top}" width="{width:.1f}" height="{ROW - 6}" fill="{colour}"/>',
            f'<line x1="{mark}" y1="{top - 2}" x2="{mark}" y2="{top + ROW - 4}" stroke="{GOAL}"/>',
            f'<text x="{WIDTH - 4}" y="{top + 10}" text-anchor="end">{ratio:.2f}</text>',
        ]
    return f"<div>{''.join(out)}</svg></div>"


def costs_of(lines: list[str]) -> list[tuple[int, float]]:
    """Return (rows, seconds) of each row of a Markdown table that has rows and nanoseconds a row."""
    table = _cells(lines)
    if not table or "rows" not in table[0] or "ns a row" not in table[0]:
        return []
    rows, cost = table[0].index("rows"), table[0].index("ns a row")
    counts = [(int(cells[rows].replace(",", "")), float(cells[cost])) for cells in table[2:]]
    return [(count, count * nanoseconds * 1e-9) for count, nanoseconds in counts]


def line(costs: list[tuple[int, float]]) -> str:
    """Draw seconds against rows, both logarithmic, beside a linear cost; "" for less than two sizes.

    The broken line goes through the size whose rows are dearest. Where the line lies below, rows are cheaper.
    """
    if len(costs) < 2:
        return ""
    dearest = max(seconds / count for count, seconds in costs)
    first, last = costs[0][0], costs[-1][0]
    low, high = min(seconds for _, seconds in costs), dearest * last
    width, height = WIDTH - LEFT - 20, HEIGHT - BELOW - 10

    def point(count: float, seconds: float) -> tuple[float, float]:
        across = math.log(count / first) / math.log(last / first)
        up = math.log(seconds / low) / math.log(high / low)
        return round(LEFT + across * width, 1), round(10 + (1 - up) * height, 1)

    out = [
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" style="width: 100%; max-width: {WIDTH}px" role="img" '
        'font-size="11" fill="currentColor" aria-label="seconds against rows, both logarithmic">'
    ]
    for power in range(math.ceil(math.log10(low)), math.floor(math.log10(high)) + 1):
        y = point(first, 10.0**power)[1]
        out += [
            f'<line x1="{LEFT}" y1="{y}" x2="{LEFT + width}" y2="{y}" stroke="currentColor" opacity="0.15"/>',
            f'<text x="{LEFT - 6}" y="{y + 4}" text-anchor="end">{human(10.0**power)}</text>',
        ]
    ends = " ".join(f"{x},{y}" for x, y in (point(first, dearest * first), point(last, high)))
    out.append(f'<polyline points="{ends}" fill="none" stroke="{GOAL}" stroke-dasharray="6 4"/>')
    places = [point(*cost) for cost in costs]
    joined = " ".join(f"{x},{y}" for x, y in places)
    out.append(f'<polyline points="{joined}" fill="none" stroke="{MET}" stroke-width="2"/>')
    for (count, _), (x, y) in zip(costs, places, strict=True):
        out += [
            f'<circle cx="{x}" cy="{y}" r="3" fill="{MET}"/>',
            f'<text x="{x}" y="{HEIGHT - 6}" text-anchor="middle">{count:,}</text>',
        ]
    return f"<div>{''.join(out)}</svg></div>"


def _place(ratio: float) -> float:
    share = math.log(min(max(ratio, LEAST), MOST) / LEAST) / math.log(MOST / LEAST)
    return round(LABEL + share * (WIDTH - 44 - LABEL), 1)
