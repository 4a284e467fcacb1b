"""How much sooner one kind of campaigns kills faults than another: Cox's model of proportional hazards.

The time of a trial is its work until the kill, in the solver's resource units, or its whole work if it is censored.
Each fault is a stratum, so only trials of the same fault are compared (Cox 1972; ties as Efron 1977). A hazard ratio
above 1 means that an arm kills sooner than the first one. Needs `pip install -e '.[yardstick]'`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from chcfuzz.experiments.statistics import CONFIDENCE


class Timed(Protocol):
    """A trial: its arm, its fault, its work, and whether it ended with a kill."""

    @property
    def arm(self) -> str:
        """The kind of the campaign."""

    @property
    def fault(self) -> int:
        """The number of the fault."""

    @property
    def work(self) -> float:
        """Resource units until the kill, or of the whole trial."""

    @property
    def is_kill(self) -> bool:
        """Whether the trial ended with a kill."""


@dataclass(frozen=True)
class Hazard:
    """The hazard of an arm relative to the first, with its interval and the p-value of Wald's test."""

    ratio: float
    low: float
    high: float
    p: float


def hazards(trials: Sequence[Timed], arms: Sequence[str]) -> dict[str, Hazard]:
    """Return the hazard of each arm but the first that has trials of the same faults, some of them killed."""
    from statsmodels.duration.hazard_regression import PHReg

    others = [arm for arm in arms[1:] if _can_differ(trials, arms[0], arm)]
    used = [each for each in trials if each.arm in (arms[0], *others)]
    if not others:
        return {}
    chosen = np.array([[float(each.arm == arm) for arm in others] for each in used])
    work, kills = np.array([each.work for each in used]), np.array([float(each.is_kill) for each in used])
    strata = np.array([each.fault for each in used])
    fit = PHReg(work, chosen, status=kills, strata=strata, ties="efron").fit()
    intervals = np.exp(fit.conf_int(alpha=1 - CONFIDENCE))
    return {
        arm: Hazard(float(np.exp(fit.params[at])), float(low), float(high), float(fit.pvalues[at]))
        for at, (arm, (low, high)) in enumerate(zip(others, intervals, strict=True))
    }


def _can_differ(trials: Sequence[Timed], first: str, other: str) -> bool:
    both = [{each.fault for each in trials if each.arm == arm} for arm in (first, other)]
    killing = [{each.fault for each in trials if each.arm == arm and each.is_kill} for arm in (first, other)]
    return bool((both[0] & both[1]) & (killing[0] | killing[1]))


def hazard_rows(trials: Sequence[Timed], arms: Sequence[str]) -> list[list[object]]:
    """Return the table of hazards."""
    rows: list[list[object]] = [["hazard of a kill", f"relative to {arms[0]}", f"{CONFIDENCE:.0%} interval", "p"]]
    for arm, found in hazards(trials, arms).items():
        rows.append([arm, f"{found.ratio:.2f}", f"{found.low:.2f} to {found.high:.2f}", f"{found.p:.3f}"])
    return rows
