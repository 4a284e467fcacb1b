"""Results of campaigns that find known wrong answers, and the tables that compare them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from chcfuzz.experiments.statistics import Sample, compared, geometric_mean, holm, median_interval, p_text

MEASURES = ("executions", "solver_work", "solver_seconds", "seconds")
AT_END = (*MEASURES, "solved", "unique_traces")


@dataclass(frozen=True)
class Campaign:
    """A campaign that has ended. `found` has its numbers at the event of each bug, `end` those at its end.

    `ends` counts how contradictions or findings ended.
    """

    arm: str
    corpus: str
    seed: int
    bugs: tuple[str, ...]
    found: Mapping[str, Mapping[str, float]]
    end: Mapping[str, float]
    ends: Mapping[str, int] = field(default_factory=dict)


def sample(campaigns: Iterable[Campaign], arm: str, bug: str, measure: str) -> Sample:
    """Return the values of one measure, censored ones at the end of their campaign."""
    each = [campaign for campaign in campaigns if campaign.arm == arm and bug in campaign.bugs]
    values = tuple(campaign.found.get(bug, campaign.end)[measure] for campaign in each)
    return Sample(values, tuple(bug not in campaign.found for campaign in each))


def table(campaigns: Sequence[Campaign], arms: Sequence[str], bugs: Iterable[str], measure: str) -> list[list[object]]:
    """Return a comparison of two arms: a row for each bug, and the geometric mean of the ratios of medians."""
    pairs = {bug: [sample(campaigns, arm, bug, measure) for arm in arms] for bug in bugs}
    comparisons = {bug: compared(first, second) for bug, (first, second) in pairs.items()}
    corrected = dict(zip(comparisons, holm([found.p for found in comparisons.values()]), strict=True))
    rows: list[list[object]] = [["bug", *(cell for arm in arms for cell in _header(arm)), "A12", "p (Holm)"]]
    for bug, pair in pairs.items():
        cells = [cell for side in pair for cell in _cells(side)]
        rows.append([bug, *cells, f"{comparisons[bug].a12:.2f}", p_text(corrected[bug])])
    ratios = [_or_end(second) / _or_end(first) for first, second in pairs.values()]
    return [*rows, ["geometric mean of B / A", *[""] * 6, f"{geometric_mean(ratios):.2f}", ""]]


def _header(arm: str) -> tuple[str, str, str]:
    return f"median {arm}", "95 %", "found"


def _cells(side: Sample) -> tuple[str, str, str]:
    interval = median_interval(side)
    found = f"{side.events} of {len(side.values)}"
    return _number(side.median), f"{_number(interval.low)} to {_number(interval.high)}", found


def _or_end(side: Sample) -> float:
    """Return the median; if it is censored, the median of the ends of trials, which is less than the truth."""
    return side.median if side.median != float("inf") else Sample(side.values, (False,) * len(side.values)).median


def _number(value: float) -> str:
    return "never" if value == float("inf") else f"{value:.0f}" if value >= 10 else f"{value:.2g}"


def single(campaigns: Sequence[Campaign], arm: str, bugs: Iterable[str], measures: Sequence[str]) -> list[list[object]]:
    """Return the medians of one arm, and how often its campaigns on the corpus of a bug ended in each way."""
    own = [campaign for campaign in campaigns if campaign.arm == arm]
    names = list(dict.fromkeys(name for campaign in own if len(campaign.bugs) == 1 for name in campaign.ends))
    rows: list[list[object]] = [["bug", "found", *(cell for name in measures for cell in (name, "95 %")), *names]]
    for bug in bugs:
        cells = [_cells(sample(own, arm, bug, measure)) for measure in measures]
        sums = [sum(each.ends.get(name, 0) for each in own if bug in each.bugs) for name in names]
        rows.append([bug, cells[0][2], *(cell for each in cells for cell in each[:2]), *map(str, sums)])
    return rows


def ends(campaigns: Sequence[Campaign], arms: Iterable[str]) -> list[list[object]]:
    """Return the medians at the end of the campaigns of each arm."""
    names = [name for name in AT_END if all(name in campaign.end for campaign in campaigns)]
    middle = [
        [arm, *(Sample(tuple(c.end[n] for c in own), (False,) * len(own)).median for n in names)]
        for arm, own in ((arm, [c for c in campaigns if c.arm == arm]) for arm in arms)
    ]
    return [["medians at the end", *names], *middle]


def comparable(campaigns: Sequence[Campaign]) -> list[str]:
    """Return the measures that all campaigns and all their events have."""
    numbers = [each for campaign in campaigns for each in (campaign.end, *campaign.found.values())]
    return [name for name in MEASURES if all(name in each for each in numbers)]
