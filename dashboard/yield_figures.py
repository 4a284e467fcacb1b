"""Figures of the yield of mutations."""

from __future__ import annotations

import math
from collections import Counter as Tally
from collections.abc import Sequence

from chcfuzz.dashboard.campaign_data import DashboardRun, Yield
from chcfuzz.dashboard.figure import SERIES, Figure, plain, series

_ONE_TWO_FIVE = [digit * 10**power for power in range(9) for digit in (1, 2, 5)]
_MOST_LABELS = 8  # dots with their names
_LABEL_WIDTH, _LABEL_HEIGHT = 0.25, 0.06  # shares of the figure that a label covers


def yields(rows: Sequence[Yield]) -> Figure:
    """Return the figure of the registry: tries, share of tries that opened a trace, and current weight of each row."""
    tried: Tally[str] = Tally()
    for row in rows:
        tried[row.family] += row.tried
    named = _labelled(rows)
    data = []
    for number, family in enumerate(sorted(tried, key=lambda family: (-tried[family], family))):
        inside = [row for row in rows if row.family == family and row.tried]
        if not inside:
            continue
        data.append(
            {
                "type": "scatter",
                "mode": "markers+text",
                "name": plain(family),
                "x": [row.tried for row in inside],
                "y": [round(100 * row.rate, 2) for row in inside],
                "text": [plain(row.row) if row.row in named else "" for row in inside],
                "textposition": "top center",
                "textfont": {"size": 11, "color": "var(--muted)"},
                "cliponaxis": False,
                "customdata": [[row.opened, _percent(row.weight), plain(row.row)] for row in inside],
                "marker": {
                    "color": series(number),
                    "symbol": ("circle", "diamond", "square", "triangle-up")[number // SERIES % 4],
                    "size": [8 + 300 * min(row.weight or 0.0, 0.06) for row in inside],
                    "opacity": 0.8,
                    "line": {"width": 1, "color": "var(--card)"},
                },
                "hovertemplate": "<b>%{customdata[2]}</b><br>tried %{x:,}, opened %{customdata[0]:,} (%{y:.1f} %)"
                "<br>weight %{customdata[1]}<extra></extra>",
            }
        )
    layout = {
        "xaxis": {"title": {"text": "times tried"}, "type": "log", "tickvals": _ONE_TWO_FIVE},
        "yaxis": {"title": {"text": "opened a trace"}, "ticksuffix": " %", "rangemode": "tozero"},
        "showlegend": True,
        "legend": {"itemsizing": "constant"},
        "hovermode": "closest",
        "height": 460,
    }
    note = "A dot is a mutation, parameter or configuration; larger dots have a higher probability now."
    return Figure("yields", "Yield of mutations", note, data, layout)


def _labelled(rows: Sequence[Yield]) -> set[str]:
    """Return the rows that have opened most traces and whose labels do not cover each other."""
    chosen: list[tuple[str, float, float]] = []
    widest = math.log(max((row.tried for row in rows), default=1) + 1)
    highest = max((row.rate for row in rows), default=1.0) or 1.0
    for row in sorted(rows, key=lambda row: (-row.opened, row.row)):
        if row.tried and len(chosen) < _MOST_LABELS:
            x, y = math.log(row.tried) / widest, row.rate / highest
            if all(abs(x - left) > _LABEL_WIDTH or abs(y - low) > _LABEL_HEIGHT for _, left, low in chosen):
                chosen.append((row.row, x, y))
    return {name for name, _, _ in chosen}


def _percent(weight: float | None) -> str:
    return "not known" if weight is None else f"{100 * weight:.2f} %"


def yields_beside(first: DashboardRun, second: DashboardRun) -> Figure | None:
    """Return the figure that compares the rows of two runs; None if they share none."""
    mine, yours = ({row.row: row for row in run.yields} for run in (first, second))
    both = sorted(row for row in mine.keys() & yours.keys() if mine[row].tried >= 5 and yours[row].tried >= 5)
    if not both:
        return None
    data = [
        {
            "type": "scatter",
            "mode": "markers",
            "x": [round(100 * mine[row].rate, 2) for row in both],
            "y": [round(100 * yours[row].rate, 2) for row in both],
            "text": [plain(row) for row in both],
            "marker": {"color": series(0), "size": 9, "opacity": 0.75},
            "hovertemplate": "<b>%{text}</b><br>%{x:.1f} % and %{y:.1f} %<extra></extra>",
            "showlegend": False,
        }
    ]
    most = max([1.0, *(100 * each[row].rate for row in both for each in (mine, yours))])
    line = {"color": "var(--quiet)", "dash": "dot", "width": 1}
    diagonal = {"type": "line", "x0": 0, "y0": 0, "x1": most, "y1": most, "line": line}
    layout = {
        "xaxis": {"title": {"text": plain(first.name)}, "ticksuffix": " %", "rangemode": "tozero"},
        "yaxis": {"title": {"text": plain(second.name)}, "ticksuffix": " %", "rangemode": "tozero"},
        "shapes": [diagonal],
        "hovermode": "closest",
        "height": 420,
    }
    note = "Share of tries that opened a trace. On the dotted line, a mutation has the same yield in both runs."
    return Figure("yields-beside", "Yield of mutations in both runs", note, data, layout)
