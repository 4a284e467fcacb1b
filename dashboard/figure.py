"""A figure of a page as Plotly's JSON.

A colour is the name of a variable of the page, so that a figure is readable in light and dark mode.
"""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from chcfuzz.campaign.runs.history import Point

Json = dict[str, Any]

MAX_POINTS = 600  # of a curve
SERIES = 8  # colours


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
    return f"var(--s{number % SERIES + 1})"


def thinned(points: Sequence[Point]) -> list[Point]:
    """Return at most `MAX_POINTS` points, evenly spaced, including the last one."""
    if len(points) <= MAX_POINTS:
        return list(points)
    step = (len(points) - 1) / (MAX_POINTS - 1)
    return [points[round(number * step)] for number in range(MAX_POINTS)]
