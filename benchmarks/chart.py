"""A table of ratios as a bar chart: an SVG in the page, which needs no library."""

from __future__ import annotations

import html
import math

__all__ = ["chart", "rows_of", "with_charts"]

LABEL, WIDTH, ROW = 300, 720, 18
MET, MISSED, GOAL = "#00897b", "#d84315", "#f9a825"
LEAST, MOST = 1 / 16, 8.0  # what lies outside is drawn at the edge; the number beside it is right


def with_charts(report: str) -> str:
    """Return a report with a chart after each table that has ratios."""
    parts = []
    for part in report.split("\n## "):
        lines = part.rstrip().splitlines()
        drawn = chart(rows_of(lines))
        parts.append("\n".join([*lines, "", *([drawn, ""] if drawn else [])]))
    return "\n## ".join(parts)


def rows_of(lines: list[str]) -> list[tuple[str, float, float]]:
    """Return (what was timed, ratio, goal) of each row of a Markdown table that has a ratio and a goal."""
    table = [[cell.strip() for cell in line.strip("| ").split(" | ")] for line in lines if line[:1] == "|"]
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


def _place(ratio: float) -> float:
    share = math.log(min(max(ratio, LEAST), MOST) / LEAST) / math.log(MOST / LEAST)
    return round(LABEL + share * (WIDTH - 44 - LABEL), 1)
