"""A page that compares groups of campaigns: a table, and the quartiles of each group over time."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

from chcfuzz.dashboard import rendering
from chcfuzz.dashboard.figure import Figure, Json, plain, series
from chcfuzz.experiments.campaign_groups import CampaignGroup, are_paired, differing_words
from chcfuzz.experiments.comparison import Band, Row, bands, common_end, end_samples, rankings, until_samples
from chcfuzz.experiments.statistics import Sample, interval_text, p_text, survival, value_text

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
    pairs = all(are_paired(groups[0], other) for other in groups[1:])
    drawn = [_figure(measure, note, bands(groups, by, measure), by) for measure, note in _MEASURES.items()]
    drawn += [_boxes(groups, by, measure) for measure in _MEASURES]
    drawn += [_survival(groups, by, bucket, samples) for bucket, samples in until_samples(groups, by).items()]
    return rendering.rendered(
        "comparison.html",
        title=" and ".join(group.name for group in groups),
        groups=groups,
        rows=[_cells(row) for row in rows],
        by=by,
        end=f"{common_end(groups, by):,.0f}",
        figures=drawn,
        differing=[(name, shlex.join(words)) for name, words in differing_words(groups).items()],
        test="Wilcoxon signed-rank of campaigns with the same seed" if pairs else "Mann-Whitney",
        ranks=[
            (measure, [f"{mean:.2f}" for mean in one.means], f"{one.critical:.2f}", p_text(one.p))
            for measure, one in rankings(groups, by).items()
        ],
        specs={figure.id: figure.json for figure in drawn},
    )


def _cells(row: Row) -> tuple[str, ...]:
    sides = [
        f"{name}: {value_text(sample.median)} ({interval_text(interval)}), n = {len(sample.values)}"
        for name, sample, interval in zip(row.names, row.samples, row.intervals, strict=True)
    ]
    return (row.measure, *sides, f"{row.comparison.a12:.2f}", p_text(row.p))


def _values(highest: float) -> Json:
    """Return an axis for values from 0: whole numbers, and not parts of one, where they are few."""
    return {"rangemode": "tozero", **({"dtick": 1, "tickformat": "d"} if highest <= _FEW else {"tickformat": "~s"})}


def _boxes(groups: Sequence[CampaignGroup], by: str, measure: str) -> Figure:
    """Return a box plot of a measure at the common end, with each campaign as a point."""
    samples = end_samples(groups, by, measure)
    data: list[Json] = [
        {
            "type": "box",
            "name": plain(group.name),
            "y": sample.values,
            "boxpoints": "all",
            "marker": {"color": series(n)},
        }
        for n, (group, sample) in enumerate(zip(groups, samples, strict=True))
    ]
    layout: Json = {"yaxis": _values(max(max(sample.values) for sample in samples)), "showlegend": False}
    name = f"{measure.replace(' ', '-')}-boxes"
    return Figure(name, f"{measure.capitalize()} at the end", "A point for each campaign.", data, layout)


def _survival(groups: Sequence[CampaignGroup], by: str, bucket: str, samples: Sequence[Sample]) -> Figure:
    """Return the share of campaigns that have not found a bucket, over time."""
    end, data = common_end(groups, by), list[Json]()
    for index, (group, sample) in enumerate(zip(groups, samples, strict=True)):
        points = [(0.0, 1.0), *survival(sample)]
        line: Json = {"type": "scatter", "mode": "lines", "name": plain(group.name)}
        shape: Json = {"shape": "hv", "color": series(index), "width": 2.5}
        x, y = [place for place, _ in points], [share for _, share in points]
        data.append({**line, "x": [*x, end], "y": [*y, y[-1]], "line": shape})
    layout: Json = {"xaxis": {"title": {"text": by}}, "yaxis": {"range": [0, 1.05]}, "showlegend": True}
    return Figure(f"survival-{bucket}", plain(bucket), "Share of campaigns without the bucket.", data, layout)


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
    highest = max((max(band.high) for band in found), default=0.0)
    layout: Json = {
        "xaxis": {"title": {"text": by}, "tickformat": "~s"},
        "yaxis": _values(highest),
        "showlegend": True,
        "legend": {"traceorder": "normal"},
        "hovermode": "x unified",
    }
    return Figure(measure.replace(" ", "-"), measure.capitalize(), f"{note} Median and quartiles.", data, layout)
