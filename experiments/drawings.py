"""Drawings of a comparison for papers, as SVG without a library: curves, box plots and ranks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

import numpy as np
from chcfuzz.experiments.campaign_groups import CampaignGroup
from chcfuzz.experiments.comparison import bands, common_end, end_samples, rankings, until_samples
from chcfuzz.experiments.statistics import Ranks, Sample, survival, value_text

MEASURES = ("unique traces", "transitions", "buckets")
_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 480, 320, 64, 16, 40, 56
_INNER, _TALL = _WIDTH - _LEFT - _RIGHT, _HEIGHT - _TOP - _BOTTOM
_ROW, _PER_LETTER = 18, 9  # of the names below a drawing
_RANK_ROW, _RANK_LEFT = 26, 216  # of the drawing of ranks: a group, and the names
_COLOURS = ("#2f6fd0", "#d06a1f", "#2e8b57", "#8a4fbf", "#b03060", "#6b6b6b")
_BOX = 28.0  # widest box
_QUARTILES = (0, 25, 50, 75, 100)
Curve = tuple[str, Sequence[tuple[float, float]]]
Box = tuple[str, Sequence[float]]


def drawings(groups: Sequence[CampaignGroup], by: str) -> dict[str, str]:
    """Return drawings by file name.

    They are the median of each measure over time and its box plot at the end, the share of campaigns without each
    bucket, and the ranks of three or more groups with the same seeds.
    """
    found = {}
    end, names = common_end(groups, by), [group.name for group in groups]
    for measure in MEASURES:
        curves = [(band.group, list(zip(band.at, band.median, strict=True))) for band in bands(groups, by, measure)]
        found[f"{_file(measure)}.svg"] = curves_svg(f"median of {measure}", by, curves)
        samples = end_samples(groups, by, measure)
        boxes = [(name, sample.values) for name, sample in zip(names, samples, strict=True)]
        found[f"{_file(measure)}-boxes.svg"] = boxes_svg(f"{measure} after {value_text(end)} {by}", boxes)
    for bucket, until in until_samples(groups, by).items():
        curves = [(name, _falling(sample, end)) for name, sample in zip(names, until, strict=True)]
        found[f"survival-{bucket}.svg"] = curves_svg(f"share of campaigns without {bucket}", by, curves)
    for measure, ranked in rankings(groups, by).items():
        found[f"{_file(measure)}-ranks.svg"] = ranks_svg(f"mean rank of {measure} (1: the largest)", names, ranked)
    return found


def _file(measure: str) -> str:
    return measure.replace(" ", "-")


def _falling(sample: Sample, end: float) -> list[tuple[float, float]]:
    """Return the corners of a survival curve, which falls at each event, up to the end."""
    points = [(0.0, 1.0)]
    for x, y in survival(sample):
        points += [(x, points[-1][1]), (x, y)]
    return [*points, (end, points[-1][1])]


def curves_svg(title: str, by: str, curves: Sequence[Curve]) -> str:
    """Return curves over seconds or executions, with their largest values at the axes."""
    right = max((x for _, points in curves for x, _ in points), default=0.0) or 1.0
    top = max((y for _, points in curves for _, y in points), default=0.0) or 1.0
    lines = [*_axes(top), _text(_LEFT + _INNER, _TOP + _TALL + 18, f"{value_text(right)} {by}", anchor="end")]
    for index, (_, points) in enumerate(curves):
        places = " ".join(f"{_LEFT + _INNER * x / right:.1f},{_height(y, top):.1f}" for x, y in points)
        lines.append(f'<polyline points="{places}" fill="none" stroke="{_colour(index)}" stroke-width="2"/>')
    return _drawing(title, _HEIGHT, [*lines, *_legend([name for name, _ in curves])], len(curves))


def boxes_svg(title: str, boxes: Sequence[Box]) -> str:
    """Return a box plot: quartiles, whiskers to the least and the largest value, and a dot for each campaign."""
    top = max((value for _, values in boxes for value in values), default=0.0) or 1.0
    lines, step = [*_axes(top)], _INNER / max(1, len(boxes))
    for index, (_, values) in enumerate(boxes):
        lines += _box(_LEFT + step * (index + 0.5), min(step / 3, _BOX), values, top, _colour(index))
    return _drawing(title, _HEIGHT, [*lines, *_legend([name for name, _ in boxes])], len(boxes))


def _box(middle: float, width: float, values: Sequence[float], top: float, colour: str) -> Iterator[str]:
    """Yield a box around its middle, and the campaigns as dots at its left."""
    least, low, median, high, most = (_height(float(value), top) for value in np.percentile(values, _QUARTILES))
    left, right = middle - width / 2, middle + width / 2
    shape = f'x="{left:.1f}" y="{high:.1f}" width="{width:.1f}" height="{low - high:.1f}"'
    yield f'<rect {shape} fill="{colour}" fill-opacity="0.2" stroke="{colour}"/>'
    yield f'<path d="M{middle:.1f},{least:.1f}V{low:.1f}M{middle:.1f},{high:.1f}V{most:.1f}" stroke="{colour}"/>'
    yield f'<path d="M{left:.1f},{median:.1f}H{right:.1f}" stroke="{colour}" stroke-width="3"/>'
    for value in values:
        yield f'<circle cx="{left - 8:.1f}" cy="{_height(value, top):.1f}" r="2.5" fill="{colour}"/>'


def ranks_svg(title: str, names: Sequence[str], ranked: Ranks) -> str:
    """Return the mean rank of each group, the best one first, in the middle of a bar as wide as a critical difference.

    Two groups differ significantly if their bars do not overlap.
    """
    most, half = len(names), ranked.critical / 2
    unit = (_WIDTH - _RIGHT - _RANK_LEFT) / (most - 1 + 2 * half)
    bottom = _TOP + _RANK_ROW * most

    def place(rank: float) -> float:
        return _RANK_LEFT + unit * (rank - 1 + half)

    lines = [f'<path d="M{place(1):.1f},{bottom}H{place(most):.1f}" fill="none" stroke="#888"/>']
    lines += [_text(place(rank), bottom + 18, str(rank), anchor="middle") for rank in range(1, most + 1)]
    for row, index in enumerate(sorted(range(most), key=lambda index: (ranked.means[index], index))):
        mean, y, colour = ranked.means[index], _TOP + _RANK_ROW * row + 13, _colour(index)
        bar = f"M{place(mean - half):.1f},{y}H{place(mean + half):.1f}"
        lines.append(f'<path d="{bar}" stroke="{colour}" stroke-width="4" stroke-opacity="0.4"/>')
        lines.append(f'<circle cx="{place(mean):.1f}" cy="{y}" r="5" fill="{colour}"/>')
        lines.append(_text(8, y + 5, f"{names[index]} {mean:.2f}", colour))
    note = f"bars: critical difference {ranked.critical:.2f} (Nemenyi, 0.05)"
    return _drawing(title, bottom + 52, [*lines, _text(8, bottom + 42, note)], 1)


def _drawing(title: str, height: int, lines: Sequence[str], names: int) -> str:
    """Return a drawing with its title above, and space for the rows of the names below."""
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height + _ROW * (names - 1)}"'
    style = 'font-family="sans-serif" font-size="14">'
    return "\n".join([f"{head} {style}", f"<title>{escape(title)}</title>", _text(8, 22, title), *lines, "</svg>", ""])


def _legend(names: Sequence[str]) -> Iterator[str]:
    """Yield the names below a drawing, each on a row of its own."""
    for index, name in enumerate(names):
        yield _text(_LEFT, _HEIGHT - 10 + _ROW * index, name, _colour(index))


def _axes(top: float) -> Iterator[str]:
    yield f'<path d="M{_LEFT},{_TOP}V{_TOP + _TALL}H{_LEFT + _INNER}" fill="none" stroke="#888"/>'
    yield _text(_LEFT - 6, _TOP + 10, value_text(top), anchor="end")
    yield _text(_LEFT - 6, _TOP + _TALL, "0", anchor="end")


def _text(x: float, y: float, text: str, colour: str = "#555", anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" fill="{colour}" text-anchor="{anchor}">{escape(text)}</text>'


def _height(value: float, top: float) -> float:
    return _TOP + _TALL * (1 - value / top)


def _colour(index: int) -> str:
    return _COLOURS[index % len(_COLOURS)]
