"""A page that compares groups of campaigns: a table, and the quartiles of each group over time."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from chcfuzz.dashboard import rendering
from chcfuzz.dashboard.figure import Figure, Json, plain, series
from chcfuzz.experiments.comparison import Band, CampaignGroup, Row, bands, common_end
from chcfuzz.experiments.statistics import Interval, p_text

_FEW = 8  # largest value for which an axis has a tick at each number
_MEASURES = {
    "unique traces": "Different sequences of solver steps.",
    "buckets": "Buckets of findings, as far as possible one for each cause.",
    "transitions": "Different pairs of successive steps.",
}


def write(groups: Sequence[CampaignGroup], rows: Sequence[Row], by: str, into: Path) -> None:
    """Write the page; raises `UsageError`."""
    rendering.write(html_of(groups, rows, by), into, "--page")


def html_of(groups: Sequence[CampaignGroup], rows: Sequence[Row], by: str) -> str:
    """Return the page as HTML."""
    drawn = [_figure(measure, note, bands(groups, by, measure), by) for measure, note in _MEASURES.items()]
    return rendering.rendered(
        "comparison.html",
        title=" and ".join(group.name for group in groups),
        groups=groups,
        rows=[_cells(row) for row in rows],
        by=by,
        end=f"{common_end(groups, by):,.0f}",
        figures=drawn,
        specs={figure.id: figure.json for figure in drawn},
    )


def _cells(row: Row) -> tuple[str, ...]:
    sides = [
        f"{name}: {_number(sample.median)} ({_interval(interval)}), n = {len(sample.values)}"
        for name, sample, interval in zip(row.names, row.samples, row.intervals, strict=True)
    ]
    return (row.measure, *sides, f"{row.comparison.a12:.2f}", p_text(row.p))


def _interval(interval: Interval) -> str:
    return f"{_number(interval.low)} to {_number(interval.high)}"


def _number(value: float) -> str:
    return "never" if value == float("inf") else f"{value:,.0f}" if value >= 10 else f"{value:.3g}"


def _figure(measure: str, note: str, found: Sequence[Band], by: str) -> Figure:
    data: list[Json] = []
    for index, band in enumerate(found):
        colour = series(index)
        outline = {"type": "scatter", "mode": "lines", "hoverinfo": "skip", "showlegend": False, "line": {"width": 0}}
        data += [
            {**outline, "x": band.at, "y": band.high},
            {**outline, "x": band.at, "y": band.low, "fill": "tonexty", "fillcolor": f"{colour}33"},
            {
                "type": "scatter",
                "mode": "lines",
                "name": plain(band.group),
                "x": band.at,
                "y": band.median,
                "line": {"color": colour, "width": 2.5},
                "hovertemplate": "%{y:,}<extra>" + plain(band.group) + "</extra>",
            },
        ]
    few = max((max(band.high) for band in found), default=0.0) <= _FEW
    layout: Json = {
        "xaxis": {"title": {"text": by}, "tickformat": "~s"},
        "yaxis": {"rangemode": "tozero", **({"dtick": 1, "tickformat": "d"} if few else {"tickformat": "~s"})},
        "showlegend": True,
        "legend": {"traceorder": "normal"},
        "hovermode": "x unified",
    }
    return Figure(measure.replace(" ", "-"), measure.capitalize(), f"{note} Median and quartiles.", data, layout)
