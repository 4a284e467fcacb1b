"""The figure of the steps of the solver."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from chcfuzz.dashboard.figure import Figure, Json, plain
from chcfuzz.dashboard.graph import Edge, Graph

Places = Mapping[str, tuple[float, float]]

_ASPECT = 4.0  # ratio of width and height of a unit of the graph, approximately


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
            "mode": "markers" if graph.rows else "markers+text",  # rows and columns name the dots
            "x": [step.x for step in graph.steps],
            "y": [step.y for step in graph.steps],
            "text": [plain(step.words.rpartition(" ")[2]) for step in graph.steps],
            "textposition": "top center",
            "textfont": {"size": 10, "color": "var(--muted)"},
            "cliponaxis": False,
            "customdata": [[step.traces, loops.get(step.words, 0), plain(step.words)] for step in graph.steps],
            "marker": {
                "size": [9 + 3 * _class(step.traces, largest) for step in graph.steps],
                "color": "var(--s1)",
                "line": {"width": 1.5, "color": "var(--card)"},
            },
            "hovertemplate": "<b>%{customdata[2]}</b><br>end of %{customdata[0]:,} transitions, each once in a trace"
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
