"""Tables of a comparison for papers, in LaTeX with booktabs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from chcfuzz.experiments.comparison import Row
from chcfuzz.experiments.statistics import Ranks, p_text, value_text

_ESCAPED = {char: "\\" + char for char in "&%$#_{}"} | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}"}


def latex(rows: Sequence[Row], by: str, end: float) -> str:
    """Return the table of a comparison."""
    heading = r"measure & median & median & $\hat{A}_{12}$ & $p$"
    lines = []
    for row in rows:
        sides = [f"{name} {value_text(sample.median)}" for name, sample in zip(row.names, row.samples, strict=True)]
        lines.append(f"{_cells(row.measure, *sides)} & {row.comparison.a12:.2f} & {_p(row.p)}")
    return f"% compared after {end:,.0f} {by}\n{_tabular(heading, lines)}"


def latex_ranks(ranked: Mapping[str, Ranks], names: Sequence[str]) -> str:
    """Return the table of mean ranks, with Friedman's p and Nemenyi's critical difference."""
    heading = f"{_cells('mean rank', *names)} & $p$ & critical difference"
    lines = []
    for measure, one in ranked.items():
        means = (f"{mean:.2f}" for mean in one.means)
        lines.append(f"{_cells(measure, *means)} & {_p(one.p)} & {one.critical:.2f}")
    return _tabular(heading, lines)


def _tabular(heading: str, lines: Sequence[str]) -> str:
    """Return a table whose first column is of text, and whose others are of numbers."""
    rows = [rf"{line} \\" for line in lines]
    columns = "l" + "r" * heading.count(" & ")
    begin = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", rf"{heading} \\", r"\midrule"]
    return "\n".join([*begin, *rows, r"\bottomrule", r"\end{tabular}", ""])


def _cells(*texts: str) -> str:
    return " & ".join("".join(_ESCAPED.get(char, char) for char in text) for text in texts)


def _p(p: float | None) -> str:
    return p_text(p).replace("<", "$<$")
