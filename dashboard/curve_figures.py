"""Figures of curves over time or executions, for one run or several."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from chcfuzz.campaign.runs.history import Point
from chcfuzz.dashboard.campaign_data import DashboardRun
from chcfuzz.dashboard.figure import Figure, Json, plain, series, thinned

_FEW = 8  # largest value for which an axis has a tick at each number
_SHORTEST = 1.0  # seconds between two points for a rate: the last point of a session follows at once


def growth(runs: Sequence[DashboardRun]) -> list[Figure]:
    """Return the figures of traces, transitions, edges, findings and corpus over time or executions."""
    pairs = ("Transitions", "Different pairs of successive steps.")
    if all(run.has_features for run in runs):
        pairs = ("Features", "Different properties of answers and statistics of the solver.")
    wanted: tuple[tuple[str, str, str, Callable[[Point], float | None]], ...] = (
        ("traces", "Unique traces", "Different sequences of solver steps.", lambda p: p.traces),
        ("transitions", *pairs, lambda p: p.transitions),
        ("edges", "Edges of Z3", "Coverage of the solver's code, with a traced build.", lambda p: p.edges),
        ("findings", "Findings", "Confirmed findings, before they are put into buckets.", lambda p: p.found),
        ("units", "Units in the corpus", "Files that libFuzzer has kept in the corpus.", lambda p: p.units),
    )
    found = []
    for number, (name, title, note, value) in enumerate(wanted):
        lines = []
        for which, run in enumerate(runs):
            points = [p for p in thinned(run.history.points) if value(p) is not None]
            if points:
                colour = series(which if len(runs) > 1 else number)
                style = _Style(colour, fills=len(runs) == 1, steps=name == "findings")
                lines.append(_line(run.name, points, [value(p) for p in points], style))
        if lines:
            layout = _curves(len(runs) > 1)
            if max(value(run.history.points[-1]) or 0 for run in runs if run.history.points) <= _FEW:
                layout["yaxis"] |= {"dtick": 1, "tickformat": "d"}
            found.append(Figure(name, title, note, lines, layout, axes=True))
    return found


@dataclass(frozen=True)
class _Style:
    """Colour of a curve, whether the area below is filled, and whether it is a step function."""

    colour: str
    fills: bool = False
    steps: bool = False


def _line(name: str, points: Sequence[Point], values: Sequence[float | None], style: _Style) -> Json:
    return {
        "type": "scatter",
        "mode": "lines",
        "name": plain(name),
        "x": [p.seconds for p in points],
        "meta": {"seconds": [round(p.seconds, 1) for p in points], "executions": [p.executions for p in points]},
        "y": values,
        "line": {"color": style.colour, "width": 2.5, "shape": "hv" if style.steps else "linear"},
        "fill": "tozeroy" if style.fills else "none",
        "fillcolor": f"{style.colour}22",
        "hovertemplate": "%{y:,}<extra>" + plain(name) + "</extra>",
    }


def _curves(legend: bool, unit: str = "") -> Json:
    return {
        "xaxis": {"title": {"text": "time"}},
        "yaxis": {"rangemode": "tozero", "ticksuffix": unit, "tickformat": "~s" if not unit else ",d"},
        "showlegend": legend,
        "hovermode": "x unified",
    }


def speed(runs: Sequence[DashboardRun]) -> Figure:
    """Return the figure of solved mutants per second."""
    lines = []
    for which, run in enumerate(runs):
        points = thinned(run.history.points)
        pairs = [(a, b) for a, b in pairwise(points) if b.seconds - a.seconds >= _SHORTEST]
        rates = [round((b.solved - a.solved) / (b.seconds - a.seconds), 2) for a, b in pairs]
        line = _line(run.name, [b for _, b in pairs], _smooth(rates), _Style(series(which)))
        lines.append({**line, "hovertemplate": "%{y:.1f} per second<extra>" + plain(run.name) + "</extra>"})
    note = "Executions that ran the solver, without cached ones. A running mean."
    layout = _curves(len(runs) > 1)
    layout["yaxis"] |= {"tickformat": ",~r"}  # SI prefixes would make 0.8 a second "800m"
    return Figure("speed", "Solved per second", note, lines, layout, axes=True)


def _smooth(values: Sequence[float]) -> list[float]:
    """Return a running mean over a fortieth of the curve."""
    width = max(1, len(values) // 40)
    return [
        round(sum(part) / len(part), 2)
        for number in range(len(values))
        for part in [values[max(0, number - width) : number + width + 1]]
    ]


def memory(runs: Sequence[DashboardRun]) -> Figure:
    """Return the figure of the memory of the processes."""
    lines = []
    for which, run in enumerate(runs):
        points = thinned(run.history.points)
        line = _line(run.name, points, [round(p.memory_bytes / 2**20, 1) for p in points], _Style(series(which)))
        lines.append({**line, "hovertemplate": "%{y:,.0f} MiB<extra>" + plain(run.name) + "</extra>"})
    note = "Held by the supervisor and its workers; a worker that grows too large is replaced."
    return Figure("memory", "Memory", note, lines, _curves(len(runs) > 1, " MiB"), axes=True)
