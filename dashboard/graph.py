"""The graph of a solver's steps: the transitions, the number of traces with each, and the places of the nodes.

A step of Spacer's progress log is placed by its text: by its level from left to right, in a row for its kind and depth.
Steps of other sources are placed by their distance from the start.
"""

from __future__ import annotations

import re
from collections import Counter as Tally
from collections import defaultdict
from dataclasses import dataclass, replace

from chcfuzz.campaign.session.tallies import STEP, Totals

MAX_EDGES = 250  # that are drawn
RARE = 0.01  # a transition in a smaller share of the traces is rare
_LEVELS = ("0", "1", "2", "3-4", "5-8", "9-16", "17-32", "over 32")
_STEP = re.compile(r"(?P<kind>[\w-]+)(?: at (?:level (?P<level>[\w -]+)|any level))?(?:, depth (?P<depth>[\w -]+))?")
_TRANSFORM = re.compile(r"\w+ (changes|leaves fewer|makes more) rules")
_REACHED = re.compile(r"level (?P<level>[\w -]+) begins")


@dataclass(frozen=True)
class GraphStep:
    """A node; `traces` counts its occurrences as a target of transitions in all traces."""

    words: str
    x: float
    y: float
    traces: int


@dataclass(frozen=True)
class Edge:
    """A transition, and the number of unique traces that contain it."""

    before: str
    after: str
    traces: int
    is_rare: bool


@dataclass(frozen=True)
class Graph:
    """The graph; `edges` are drawn, frequent ones first. All rare edges are among `all_edges`."""

    steps: tuple[GraphStep, ...]
    edges: tuple[Edge, ...]
    all_edges: tuple[Edge, ...]
    rows: tuple[tuple[float, str], ...]  # the height and the label of each row

    @property
    def left_out(self) -> int:
        """Number of edges that are not drawn."""
        return len(self.all_edges) - len(self.edges)

    def largest(self, most: int) -> Graph:
        """Return the graph with only the most frequent edges drawn, and their steps."""
        edges = self.edges[:most]
        names = {name for edge in edges for name in (edge.before, edge.after)}
        return replace(self, edges=edges, steps=tuple(step for step in self.steps if step.words in names))

    @property
    def rare(self) -> tuple[Edge, ...]:
        """Rare edges, the rarest first."""
        return tuple(sorted((edge for edge in self.all_edges if edge.is_rare), key=lambda edge: edge.traces))


def graph_of(tables: Totals, build: str) -> Graph:
    """Return the graph of a build's traces."""
    counts: Tally[tuple[str, str]] = Tally()
    for name, number in tables.items():
        if len(name) == 4 and name[:2] == (STEP, build):
            counts[name[2], name[3]] += number
    begins = sum(number for (before, _), number in counts.items() if before == "begin") or 1
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    edges = [Edge(before, after, number, number <= max(1, RARE * begins)) for (before, after), number in ordered]
    rare = [edge for edge in edges if edge.is_rare][-MAX_EDGES // 3 :]
    drawn = [edge for edge in edges if not edge.is_rare][: MAX_EDGES - len(rare)] + rare
    places, rows = _places(drawn, edges)
    arrivals: Tally[str] = Tally()
    for edge in edges:
        arrivals[edge.after] += edge.traces
    steps = tuple(GraphStep(words, *places[words], arrivals[words]) for words in sorted(places))
    return Graph(steps, tuple(drawn), tuple(edges), rows)


def _places(
    drawn: list[Edge], edges: list[Edge]
) -> tuple[dict[str, tuple[float, float]], tuple[tuple[float, str], ...]]:
    names = sorted({edge.before for edge in drawn} | {edge.after for edge in drawn})
    placed = {name: place for name in names if (place := _place(name)) is not None}
    if len(placed) < len(names):
        return _layers(names, edges), ()
    rows = sorted({row for _, row in placed.values()})
    height = {row: float(-number) for number, row in enumerate(rows)}
    return (
        {name: (float(x), height[row]) for name, (x, row) in placed.items()},
        tuple((height[row], row[1]) for row in rows),
    )


def _place(name: str) -> tuple[float, tuple[int, str]] | None:
    """Return the column and the row of a step of the progress log; None for other steps."""
    if name == "begin":
        return -1.0, (0, "level begins")
    reached = _REACHED.fullmatch(name)
    if reached is not None and reached["level"] in _LEVELS:
        return float(_LEVELS.index(reached["level"])), (0, "level begins")
    if name == "propagate":
        return -1.0, (1, "propagate")
    if _TRANSFORM.fullmatch(name) is not None:
        return -1.0, (-1, name)
    step = _STEP.fullmatch(name)
    if step is None or not name.startswith(("expand-pob", "add-lemma")):
        return None
    column = float(_LEVELS.index(step["level"])) if step["level"] in _LEVELS else float(len(_LEVELS))
    if step["kind"] == "add-lemma":
        return column, (2, "add-lemma")
    depth = step["depth"] or ""
    return column, (3 + (_LEVELS.index(depth) if depth in _LEVELS else len(_LEVELS)), f"pob, depth {depth}")


def _layers(names: list[str], edges: list[Edge]) -> dict[str, tuple[float, float]]:
    """Place nodes in columns by their distance from the start, and in rows by name."""
    after = defaultdict(list)
    for edge in edges:
        after[edge.before].append(edge.after)
    layer = {"begin": 0}
    todo = ["begin"]
    for name in todo:
        for follows in after[name]:
            if follows not in layer:
                layer[follows] = layer[name] + 1
                todo.append(follows)
    last = max(layer.values(), default=0) + 1
    columns = defaultdict(list)
    for name in names:
        columns[layer.get(name, last)].append(name)
    return {
        name: (float(column), (len(inside) - 1) / 2 - number)
        for column, inside in columns.items()
        for number, name in enumerate(inside)
    }
