"""Files of a comparison for papers: a table for LaTeX, and curves as SVG without a library for drawing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from chcfuzz.experiments.campaign_groups import CampaignGroup
from chcfuzz.experiments.comparison import Row, bands, common_end, until_samples
from chcfuzz.experiments.statistics import p_text, survival

MEASURES = ("unique traces", "transitions", "buckets")
_WIDTH, _HEIGHT, _LEFT, _BOTTOM, _TOP = 480, 300, 64, 40, 16
_ROW, _PER_LETTER = 18, 9  # of the names below a drawing
_COLOURS = ("#2f6fd0", "#d06a1f", "#2e8b57", "#8a4fbf", "#b03060", "#6b6b6b")
_ESCAPED = {char: "\\" + char for char in "&%$#_{}"} | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}"}
Curve = tuple[str, Sequence[tuple[float, float]]]


def latex(rows: Sequence[Row], by: str, end: float) -> str:
    """Return the table of a comparison for LaTeX with booktabs."""
    lines = [rf"% compared after {end:,.0f} {by}", r"\begin{tabular}{lrrrr}", r"\toprule"]
    lines += [r"measure & median & median & $\hat{A}_{12}$ & $p$ \\", r"\midrule"]
    for row in rows:
        sides = [f"{_tex(name)} {_value(sample.median)}" for name, sample in zip(row.names, row.samples, strict=True)]
        p = p_text(row.p).replace("<", "$<$")
        lines.append(rf"{_tex(row.measure)} & {' & '.join(sides)} & {row.comparison.a12:.2f} & {p} \\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", ""])


def drawings(groups: Sequence[CampaignGroup], by: str) -> dict[str, str]:
    """Return drawings by file name: the median of each measure, and the share of campaigns without each bucket."""
    found = {}
    for measure in MEASURES:
        curves = [(band.group, list(zip(band.at, band.median, strict=True))) for band in bands(groups, by, measure)]
        found[f"{measure.replace(' ', '-')}.svg"] = svg(f"median of {measure}", by, curves)
    end = common_end(groups, by)
    for bucket, samples in until_samples(groups, by).items():
        curves = [
            (group.name, list(_steps([(0.0, 1.0), *survival(sample)], end)))
            for group, sample in zip(groups, samples, strict=True)
        ]
        found[f"survival-{bucket}.svg"] = svg(f"share of campaigns without {bucket}", by, curves)
    return found


def svg(title: str, by: str, curves: Sequence[Curve]) -> str:
    """Return curves over seconds or executions as an SVG, with their largest values at the axes."""
    right = max((x for _, points in curves for x, _ in points), default=0.0) or 1.0
    top = max((y for _, points in curves for _, y in points), default=0.0) or 1.0
    width, height = _WIDTH - _LEFT - 16, _HEIGHT - _TOP - _BOTTOM
    columns = max(1, width // (_PER_LETTER * max(len(name) for name, _ in curves) + 16))
    below = _HEIGHT + _ROW * ((len(curves) - 1) // columns)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {below}" font-family="sans-serif">',
        f"<title>{escape(title)}</title>",
        f'<path d="M{_LEFT},{_TOP}V{_TOP + height}H{_LEFT + width}" fill="none" stroke="#888"/>',
        f'<text x="{_LEFT - 6}" y="{_TOP + 10}" text-anchor="end">{_value(top)}</text>',
        f'<text x="{_LEFT - 6}" y="{_TOP + height}" text-anchor="end">0</text>',
        f'<text x="{_LEFT + width}" y="{_HEIGHT - 22}" text-anchor="end">{_value(right)} {escape(by)}</text>',
        f'<text x="{_LEFT + 8}" y="{_TOP + 10}">{escape(title)}</text>',
    ]
    for index, (name, points) in enumerate(curves):
        colour = _COLOURS[index % len(_COLOURS)]
        places = " ".join(f"{_LEFT + width * x / right:.1f},{_TOP + height * (1 - y / top):.1f}" for x, y in points)
        lines.append(f'<polyline points="{places}" fill="none" stroke="{colour}" stroke-width="2"/>')
        x, y = _LEFT + width // columns * (index % columns), _HEIGHT - 6 + _ROW * (index // columns)
        lines.append(f'<text x="{x}" y="{y}" fill="{colour}">{escape(name)}</text>')
    return "\n".join([*lines, "</svg>", ""])


def _steps(points: Sequence[tuple[float, float]], end: float) -> Iterator[tuple[float, float]]:
    """Yield the corners of a step function that falls at each point, up to the end."""
    height = 1.0
    for x, y in points:
        yield from ((x, height), (x, y))
        height = y
    yield end, height


def _tex(text: str) -> str:
    return "".join(_ESCAPED.get(char, char) for char in text)


def _value(value: float) -> str:
    return "never" if value == float("inf") else f"{value:,.0f}" if value >= 10 else f"{value:.3g}"
