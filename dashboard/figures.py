"""The figures of the page as Plotly's JSON, for one run or several.

A colour is the name of a variable of the page, so that a figure is readable in light and dark mode.
"""

from __future__ import annotations

import html
import math
from collections import Counter as Tally
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from chcfuzz.campaign.runs.history import Point
from chcfuzz.campaign.session.tallies import COST, OUTCOME, Totals
from chcfuzz.dashboard.graph import Edge, Graph
from chcfuzz.dashboard.runs import Run, Yield

Json = dict[str, Any]
Places = Mapping[str, tuple[float, float]]

MAX_POINTS = 600  # of a curve
_STATUSES = ("sat", "unsat", "unknown", "limit", "error", "crash", "hang")
_SERIES = 8  # colours
_MAX_ROWS = 24  # of bars
_ONE_TWO_FIVE = [digit * 10**power for power in range(9) for digit in (1, 2, 5)]
_LABELLED = 0.06  # share of a bar in which its percentage fits
_MOST_LABELS = 8  # dots with their names
_FEW = 8  # largest value for which an axis has a tick at each number
_ASPECT = 4.0  # ratio of width and height of a unit of the graph, approximately
_TIMES = (
    ("solver", "solver_time"),
    ("oracles", "check_time"),
    ("mutate", "mutate_time"),
    ("decode", "decode_time"),
    ("apply", "apply_time"),
    ("print", "print_time"),
    ("trace", "trace_time"),
    ("confirm", "confirm_time"),
)


@dataclass(frozen=True)
class Figure:
    """A figure; `note` explains it. With `axes`, the page can show executions instead of time."""

    id: str
    title: str
    note: str
    data: list[Json]
    layout: Json
    axes: bool = False

    @property
    def json(self) -> Json:
        """Data and layout for Plotly."""
        return {"data": self.data, "layout": self.layout}


def plain(text: str) -> str:
    """Return a text escaped for Plotly, which interprets tags and entities."""
    return html.escape(text, quote=False)


def series(number: int) -> str:
    """Return the colour of the run or row with this number."""
    return f"var(--s{number % _SERIES + 1})"


def thinned(points: Sequence[Point]) -> list[Point]:
    """Return at most `MAX_POINTS` points, evenly spaced, including the last one."""
    if len(points) <= MAX_POINTS:
        return list(points)
    step = (len(points) - 1) / (MAX_POINTS - 1)
    return [points[round(number * step)] for number in range(MAX_POINTS)]


def growth(runs: Sequence[Run]) -> list[Figure]:
    """Return the figures of traces, transitions, edges, findings and corpus over time or executions."""
    wanted: tuple[tuple[str, str, str, Callable[[Point], float | None]], ...] = (
        ("traces", "Unique traces", "Different sequences of solver steps.", lambda p: p.traces),
        ("transitions", "Transitions", "Different pairs of successive steps.", lambda p: p.transitions),
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


def speed(runs: Sequence[Run]) -> Figure:
    """Return the figure of solved mutants per second."""
    lines = []
    for which, run in enumerate(runs):
        points = thinned(run.history.points)
        pairs = [(a, b) for a, b in pairwise(points) if b.seconds > a.seconds]
        rates = [round((b.solved - a.solved) / (b.seconds - a.seconds), 2) for a, b in pairs]
        line = _line(run.name, [b for _, b in pairs], _smooth(rates), _Style(series(which)))
        lines.append({**line, "hovertemplate": "%{y:.1f} per second<extra>" + plain(run.name) + "</extra>"})
    note = "Executions that ran the solver, without cached ones. A running mean."
    return Figure("speed", "Solved per second", note, lines, _curves(len(runs) > 1), axes=True)


def _smooth(values: Sequence[float]) -> list[float]:
    """Return a running mean over a fortieth of the curve."""
    width = max(1, len(values) // 40)
    return [
        round(sum(part) / len(part), 2)
        for number in range(len(values))
        for part in [values[max(0, number - width) : number + width + 1]]
    ]


def memory(runs: Sequence[Run]) -> Figure:
    """Return the figure of the memory of the processes."""
    lines = []
    for which, run in enumerate(runs):
        points = thinned(run.history.points)
        line = _line(run.name, points, [round(p.memory_bytes / 2**20, 1) for p in points], _Style(series(which)))
        lines.append({**line, "hovertemplate": "%{y:,.0f} MiB<extra>" + plain(run.name) + "</extra>"})
    note = "Held by the supervisor and its workers; a worker that grows too large is replaced."
    return Figure("memory", "Memory", note, lines, _curves(len(runs) > 1, " MiB"), axes=True)


def times(runs: Sequence[Run]) -> Figure:
    """Return the figure of the shares of the time of workers."""
    bars: list[Json] = []
    names = [run.name for run in runs]
    parts = [_shares(run) for run in runs]
    for number, label in enumerate([*(label for label, _ in _TIMES), "other"]):
        bars.append(_share_bar(label, names, [part[label] for part in parts], series(number)))
    bars[-1]["marker"]["color"] = "var(--quiet)"
    layout = _shares_layout(len(runs))
    note = "Shares of the workers' time. Other is libFuzzer itself, waiting, and starting up."
    return Figure("times", "Where time goes", note, bars, layout)


def _shares(run: Run) -> dict[str, float]:
    last = run.history.last
    counters: Mapping[str, float] = last.counters if last else {}
    wall = counters.get("wall_time", 0.0)
    shares = {label: counters.get(name, 0.0) / wall if wall else 0.0 for label, name in _TIMES}
    return {**shares, "other": max(0.0, 1.0 - sum(shares.values())) if wall else 0.0}


def _share_bar(label: str, names: Sequence[str], shares: Sequence[float], colour: str) -> Json:
    return {
        "type": "bar",
        "orientation": "h",
        "name": plain(label),
        "y": [plain(name) for name in names],
        "x": [round(100 * share, 2) for share in shares],
        "text": [f"{100 * share:.0f} %" if share >= _LABELLED else "" for share in shares],
        "textposition": "inside",
        "insidetextanchor": "middle",
        "textangle": 0,
        "constraintext": "none",
        "textfont": {"color": "var(--card)", "size": 12},
        "marker": {"color": colour, "line": {"width": 1, "color": "var(--card)"}},
        "hovertemplate": "%{y}: %{x:.1f} %<extra>" + plain(label) + "</extra>",
    }


def _shares_layout(rows: int) -> Json:
    return {
        "barmode": "stack",
        "xaxis": {"range": [0, 100], "ticksuffix": " %"},
        "yaxis": {"autorange": "reversed", "showgrid": False, "automargin": True},
        "height": max(200, 120 + 32 * rows),
        "showlegend": True,
        "legend": {"traceorder": "normal"},
        "bargap": 0.25,
    }


def outcomes(tables: Totals, by: str) -> Figure:
    """Return the figure of the answers by theory, or by the family of the chain's last step."""
    place = 1 if by == "theory" else 2
    counts: dict[str, Tally[str]] = {}
    for name, number in tables.items():
        if name[0] == OUTCOME and len(name) == 4:
            counts.setdefault(name[place], Tally())[name[3]] += number
    groups = sorted(counts, key=lambda group: (-counts[group].total(), group))[:_MAX_ROWS]
    bars = []
    for status in _STATUSES:
        shares = [counts[group][status] / counts[group].total() for group in groups]
        if any(shares):
            bar = _share_bar(status, groups, shares, f"var(--{status})")
            bar["customdata"] = [counts[group][status] for group in groups]
            bar["hovertemplate"] = "%{y}: %{customdata:,} (%{x:.1f} %)<extra>" + status + "</extra>"
            bars.append(bar)
    title = "Answers by theory" if by == "theory" else "Answers by family of the last step"
    note = "A system with several theories counts for the first of Arrays, ADT, BV, LRA, LIA."
    if by != "theory":
        note = "Family of the last mutation; seed: without mutations, parameter: only solver parameters."
    return Figure(f"outcomes-{by}", title, note, bars, _shares_layout(len(groups)))


def costs(runs: Sequence[Run]) -> list[Figure]:
    """Return a histogram of the costs of executions for each run."""
    found = []
    for number, run in enumerate(runs):
        counts: dict[str, Tally[int]] = {}
        for name, times_ in run.tables.items():
            if name[0] == COST and len(name) == 3 and name[2].isdecimal():
                counts.setdefault(name[1], Tally())[int(name[2])] += times_
        if not counts:
            continue
        bits = range(min(min(tally) for tally in counts.values()), max(max(tally) for tally in counts.values()) + 1)
        labels = [_power(bit) for bit in bits]
        bars = [
            {
                "type": "bar",
                "name": status,
                "x": labels,
                "y": [counts[status][bit] for bit in bits],
                "marker": {"color": f"var(--{status})"},
                "hovertemplate": "%{y:,} executions<extra>" + status + "</extra>",
            }
            for status in _STATUSES
            if status in counts
        ]
        layout = {
            "barmode": "stack",
            "legend": {"traceorder": "normal"},
            "bargap": 0.08,
            "xaxis": {"title": {"text": "resource units, up to"}, "type": "category", "dtick": 2, "tickangle": 0},
            "showlegend": True,
            "hovermode": "x unified",
        }
        title = "Cost of executions" + (f": {run.name}" if len(runs) > 1 else "")
        note = "The solver's own count of its work, in powers of two; expensive units are mutated less often."
        found.append(Figure(f"costs-{number}", title, note, bars, layout))
    return found


def _power(bits: int) -> str:
    number = 1 << bits
    for size, letter in ((1 << 30, "G"), (1 << 20, "M"), (1 << 10, "k")):
        if number >= size:
            return f"{number // size}{letter}"
    return str(number)


def yields(rows: Sequence[Yield]) -> Figure:
    """Return the figure of the registry: tries, share of tries that opened a trace, and current weight of each row."""
    tried: Tally[str] = Tally()
    for row in rows:
        tried[row.family] += row.tried
    named = {row.row for row in sorted(rows, key=lambda row: (-row.opened, row.row))[:_MOST_LABELS]}
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
                    "symbol": ("circle", "diamond", "square", "triangle-up")[number // _SERIES % 4],
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


def _percent(weight: float | None) -> str:
    return "not known" if weight is None else f"{100 * weight:.2f} %"


def transitions(graph: Graph) -> Figure:
    """Return the graph of steps: a wider line has more traces, and rare ones are highlighted."""
    places = {step.words: (step.x, step.y) for step in graph.steps}
    data: list[Json] = []
    common = [edge for edge in graph.edges if not edge.is_rare]
    most = max((edge.traces for edge in common), default=1)
    for width in range(1, 6):
        inside = [edge for edge in common if _class(edge.traces, most) == width]
        if inside:
            line = {"color": f"var(--edge){4 + 2 * width:x}0", "width": 0.6 * width}
            data.append(_edges(inside, places, line, "common", named=not data))
    rare = [edge for edge in graph.edges if edge.is_rare]
    if rare:
        data.append(_edges(rare, places, {"color": "var(--rare)", "width": 1.2, "dash": "dot"}, "rare", True))
    for edges, colour in ((common, "var(--edge)"), (rare, "var(--rare)")):
        data.append(_middles(edges, places, colour))
    loops = {edge.before: edge.traces for edge in graph.all_edges if edge.before == edge.after}
    largest = max((step.traces for step in graph.steps), default=1) or 1
    data.append(
        {
            "type": "scatter",
            "mode": "markers",
            "x": [step.x for step in graph.steps],
            "y": [step.y for step in graph.steps],
            "text": [plain(step.words) for step in graph.steps],
            "customdata": [[step.traces, loops.get(step.words, 0)] for step in graph.steps],
            "marker": {
                "size": [9 + 3 * _class(step.traces, largest) for step in graph.steps],
                "color": "var(--s1)",
                "line": {"width": 1.5, "color": "var(--card)"},
            },
            "hovertemplate": "<b>%{text}</b><br>reached %{customdata[0]:,} times"
            "<br>after itself in %{customdata[1]:,} traces<extra></extra>",
            "showlegend": False,
        }
    )
    columns = sorted({step.x for step in graph.steps})
    layout = {
        "xaxis": {
            "showgrid": False,
            "zeroline": False,
            "tickvals": columns if graph.rows else [],
            "ticktext": [_column(column) for column in columns] if graph.rows else [],
            "title": {"text": "level" if graph.rows else "steps from the start"},
        },
        "yaxis": {
            "showgrid": False,
            "zeroline": False,
            "tickvals": [height for height, _ in graph.rows],
            "ticktext": [plain(row) for _, row in graph.rows],
            "automargin": True,
        },
        "height": max(420, 46 * len(graph.rows)) if graph.rows else 620,
        "showlegend": True,
        "hovermode": "closest",
    }
    count = f"{len(graph.all_edges)} transitions between kinds of steps"
    if graph.left_out:
        count += f", {len(graph.edges)} of them drawn"
    note = f"{count}. Wider lines are in more traces; dotted ones are rare: at most one trace in a hundred."
    return Figure("graph", "How Spacer's steps follow each other", note, data, layout)


def _column(column: float) -> str:
    names = ("begin", "0", "1", "2", "3-4", "5-8", "9-16", "17-32", "32+", "any")
    return names[int(column) + 1] if 0 <= int(column) + 1 < len(names) else ""


def _class(number: int, most: int) -> int:
    """Return a class from 1 to 5 on a logarithmic scale up to the maximum."""
    if number <= 0 or most <= 1:
        return 1
    step = most ** (1 / 5)
    reached = 1
    while reached < 5 and number > step**reached:
        reached += 1
    return reached


def _edges(edges: Sequence[Edge], places: Places, line: Json, name: str, named: bool) -> Json:
    x: list[float | None] = []
    y: list[float | None] = []
    for edge in edges:
        for px, py in _curve(places[edge.before], places[edge.after]):
            x.append(px)
            y.append(py)
        x.append(None)
        y.append(None)
    return {
        "type": "scatter",
        "mode": "lines",
        "x": x,
        "y": y,
        "line": {**line, "shape": "spline"},
        "hoverinfo": "skip",
        "name": name,
        "legendgroup": name,
        "showlegend": named,
    }


def _middles(edges: Sequence[Edge], places: Places, colour: str) -> Json:
    """Return the points where an edge shows its details."""
    middles = [_curve(places[edge.before], places[edge.after])[3] for edge in edges]
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [x for x, _ in middles],
        "y": [y for _, y in middles],
        "text": [f"{plain(edge.before)}<br>then {plain(edge.after)}" for edge in edges],
        "customdata": [edge.traces for edge in edges],
        "marker": {"size": 4, "color": colour, "opacity": 0.45},
        "hovertemplate": "%{text}<br>in %{customdata:,} traces<extra></extra>",
        "showlegend": False,
    }


def _curve(start: tuple[float, float], end: tuple[float, float]) -> list[tuple[float, float]]:
    """Return seven points of a curve from one place to another, or of a loop at one place.

    Curves bend to the left, so that both directions are visible.
    """
    (ax, ay), (bx, by) = start, end
    if start == end:
        around = ((0.0, 0.0), (0.07, 0.3), (0.08, 0.5), (0.0, 0.6), (-0.08, 0.5), (-0.07, 0.3), (0.0, 0.0))
        return [(ax + dx, ay + dy) for dx, dy in around]
    way = math.hypot(_ASPECT * (bx - ax), by - ay)
    bend = min(0.3 * way, 1.5) / way
    mx, my = (ax + bx) / 2 - bend * (by - ay) / _ASPECT, (ay + by) / 2 + bend * _ASPECT * (bx - ax)
    found = []
    for number in range(7):
        t = number / 6
        found.append(
            (
                round((1 - t) ** 2 * ax + 2 * t * (1 - t) * mx + t * t * bx, 4),
                round((1 - t) ** 2 * ay + 2 * t * (1 - t) * my + t * t * by, 4),
            )
        )
    return found


def yields_beside(first: Run, second: Run) -> Figure:
    """Return the figure that compares the rows of two runs."""
    mine, yours = ({row.row: row for row in run.yields} for run in (first, second))
    both = sorted(row for row in mine.keys() & yours.keys() if mine[row].tried >= 5 and yours[row].tried >= 5)
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
