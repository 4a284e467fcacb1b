"""Statistics for comparing fuzzers, as Klees et al. (CCS 2018) and Arcuri and Briand (ICSE 2011) require.

A trial measures how long a campaign takes until something happens. A trial that ends before it happens is *censored*:
its value is where the trial ended. Censored values count as larger than all others in ranks, and as what they are in
survival curves. Needs scipy (`pip install 'chcfuzz[statistics]'`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import stats

RESAMPLES = 10_000
CONFIDENCE = 0.95
_SEED = 20_181_015  # of the bootstrap: the same sample has the same interval on every machine


@dataclass(frozen=True)
class Sample:
    """Values of trials, in one unit. `censored[i]`: trial i ended at `values[i]` without the event."""

    values: tuple[float, ...]
    censored: tuple[bool, ...]

    def __post_init__(self) -> None:
        if len(self.values) != len(self.censored):
            raise ValueError(f"{len(self.values)} values, but {len(self.censored)} marks of censoring")

    @property
    def events(self) -> int:
        """Number of trials in which the event happened."""
        return len(self.values) - sum(self.censored)

    @property
    def ranked(self) -> NDArray[np.float64]:
        """The values for comparisons of ranks: infinite where censored."""
        return np.where(self.censored, np.inf, np.asarray(self.values, dtype=float))

    @property
    def median(self) -> float:
        """The median; infinite where half of the trials or more are censored."""
        return _median(self.ranked)


@dataclass(frozen=True)
class Interval:
    """A confidence interval; its ends may be infinite."""

    low: float
    high: float


@dataclass(frozen=True)
class Comparison:
    """Sample B beside sample A.

    `a12` is the probability that a value of A is larger than one of B, ties counting half (Vargha and Delaney, 2000):
    above 0.5, B is faster. `p` is that of the two-sided Mann-Whitney U test, or of the Wilcoxon signed-rank test for
    pairs; `logrank` is that of the log-rank test, which uses where censored trials ended.
    """

    a12: float
    p: float
    logrank: float


def _median(values: NDArray[np.float64]) -> float:
    ordered = np.sort(values)
    low, high = ordered[(len(ordered) - 1) // 2], ordered[len(ordered) // 2]
    return float(low) if low == high else float((low + high) / 2)


def median_interval(sample: Sample) -> Interval:
    """Return the percentile bootstrap interval of a sample's median."""
    values = sample.ranked
    chance = np.random.default_rng(_SEED)
    medians = [_median(values[chance.integers(0, len(values), len(values))]) for _ in range(RESAMPLES)]
    tail = (1 - CONFIDENCE) / 2
    ordered = np.sort(medians)
    return Interval(float(ordered[int(tail * RESAMPLES)]), float(ordered[int((1 - tail) * RESAMPLES) - 1]))


def compared(a: Sample, b: Sample, pairs: bool = False) -> Comparison:
    """Compare two samples of the same event; with `pairs`, values at the same place belong to the same seed."""
    first, second = a.ranked, b.ranked
    finite = np.concatenate([first[np.isfinite(first)], second[np.isfinite(second)]])
    last = (finite.max() if len(finite) else 0.0) + 1.0  # ranks need an order, not a distance
    first, second = np.minimum(first, last), np.minimum(second, last)
    u, p = stats.mannwhitneyu(first, second, alternative="two-sided")
    p = _signed_rank(first, second) if pairs else float(p)
    return Comparison(float(u) / (len(first) * len(second)), p, _logrank(a, b))


def _signed_rank(first: NDArray[np.float64], second: NDArray[np.float64]) -> float:
    """Return the p of the two-sided Wilcoxon signed-rank test; pairs without a difference keep their ranks (Pratt)."""
    if np.array_equal(first, second):
        return 1.0
    return float(stats.wilcoxon(first, second, zero_method="pratt", method="auto").pvalue)


@dataclass(frozen=True)
class Ranks:
    """Mean ranks of groups over the same seeds, the largest value first; two that differ by less are not different."""

    means: tuple[float, ...]
    critical: float
    p: float


def ranks(samples: Sequence[Sample]) -> Ranks:
    """Rank three or more samples of the same seeds: Friedman's test, Nemenyi's critical difference (Demsar 2006)."""
    table = np.array([sample.ranked for sample in samples])
    table[np.isinf(table)] = np.max(table[np.isfinite(table)], initial=0.0) + 1.0
    means = stats.rankdata(-table, axis=0).mean(axis=1)
    groups, seeds = table.shape
    quantile = float(stats.studentized_range.ppf(CONFIDENCE, groups, np.inf)) / np.sqrt(2)
    critical = quantile * float(np.sqrt(groups * (groups + 1) / (6 * seeds)))
    is_constant = bool((table == table[0]).all())
    p = 1.0 if is_constant else float(stats.friedmanchisquare(*table).pvalue)
    return Ranks(tuple(map(float, means)), critical, p)


def _logrank(a: Sample, b: Sample) -> float:
    if not (a.events or b.events):
        return 1.0
    with np.errstate(invalid="ignore"):
        p = float(stats.logrank(_censored(a), _censored(b)).pvalue)
    return 1.0 if np.isnan(p) else p  # all events happened at once, so there is nothing to compare


def _censored(sample: Sample) -> stats.CensoredData:
    return stats.CensoredData.right_censored(sample.values, sample.censored)


def survival(sample: Sample) -> list[tuple[float, float]]:
    """Return the Kaplan-Meier curve: (value, share of trials in which the event has not happened by then)."""
    if not sample.events:
        return []
    curve = stats.ecdf(_censored(sample)).sf
    return [(float(value), float(share)) for value, share in zip(curve.quantiles, curve.probabilities, strict=True)]


def holm(p_values: Sequence[float]) -> list[float]:
    """Return the p-values of several tests, corrected by Holm's method (1979), in the same order."""
    order = sorted(range(len(p_values)), key=lambda i: (p_values[i], i))
    corrected = [0.0] * len(p_values)
    largest = 0.0
    for rank, index in enumerate(order):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[index]))
        corrected[index] = largest
    return corrected


def p_text(p: float | None) -> str:
    """Return a p with three decimals; a smaller one than they can show is not printed as 0, and None is "too few"."""
    if p is None:
        return "too few"
    return f"{p:.3f}" if p >= 0.0005 else "< 0.001"


def value_text(value: float) -> str:
    """Return a value of a measure with three digits or no decimals; an infinite one is a time that never came."""
    return "never" if value == float("inf") else f"{value:,.0f}" if value >= 10 else f"{value:.3g}"


def interval_text(interval: Interval) -> str:
    """Return the two ends of an interval."""
    return f"{value_text(interval.low)} to {value_text(interval.high)}"


def geometric_mean(values: Sequence[float]) -> float:
    """Return the geometric mean of positive values."""
    return float(stats.gmean(values))
