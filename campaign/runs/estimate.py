"""Estimates of what a campaign has not seen yet, from what it has seen once and twice.

Each execution of a mutant observes one trace. After n executions, the next one opens a new trace with a probability of
about f1 / n, where f1 is the number of traces that were observed exactly once (Good and Turing; Good, Biometrika 1953).
The number of traces that were never observed is at least about f1 squared / 2 f2, where f2 counts those observed twice
(Chao, 1984), and that bounds what more executions can bring (Chao and Jost, Ecology 2012). Boehme applies both to
fuzzing ("STADS", TOSEM 2018). The same holds for the signatures of findings.

Both estimates are lower bounds for a campaign that learns, because its later executions are not like its earlier ones.
They show when the present strategies are exhausted; they are not an estimate of the number of bugs.
"""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

HOUR = 3600.0


@dataclass(frozen=True)
class ObservedCounts:
    """Numbers of `executions`, and of things that were observed in exactly one and exactly two of them."""

    executions: int
    once: int
    twice: int

    @classmethod
    def of(cls, executions: int, seen: Iterable[str]) -> ObservedCounts:
        """Return the numbers of things from one name for each observation."""
        times = Tally(Tally(seen).values())
        return cls(executions, times[1], times[2])

    @property
    def chance(self) -> float:
        """Probability that the next execution observes something new."""
        return self.once / self.executions if self.executions else 0.0

    @property
    def unseen(self) -> float:
        """Number of things that were never observed, at least; an estimate."""
        if not self.executions:
            return 0.0
        pairs = self.once**2 / (2 * self.twice) if self.twice else self.once * (self.once - 1) / 2
        return (self.executions - 1) / self.executions * pairs

    def more(self, executions: float) -> float:
        """Return the number of new things that this number of further executions will observe, an estimate."""
        unseen = self.unseen
        if not unseen:
            return self.chance * min(executions, 1.0)  # a single observation, which may be the only thing there is
        share = self.once / (self.executions * unseen + self.once)
        return float(unseen * (1 - (1 - share) ** executions))


@dataclass(frozen=True)
class Outlook:
    """Estimate of the results of another hour, from the first `seconds` of a campaign.

    `traces` are those that had a new feature if the traces of the solvers are sets of features (`has_features`).
    """

    seconds: float
    traces: ObservedCounts
    signatures: ObservedCounts
    has_features: bool = False

    @property
    def executions_an_hour(self) -> float:
        """Number of mutants that an hour executes."""
        return self.traces.executions / self.seconds * HOUR if self.seconds else 0.0

    def description(self) -> str:
        """Return a line for the summary."""
        if not self.traces.executions:
            return "no estimate, since no mutant has an answer"
        chance = self.traces.chance
        kind, opens = ("traces with a new feature", "has one") if self.has_features else ("new traces", "opens a trace")
        every = f"one mutant in {_in_digits(1 / chance, 3)} {opens}" if chance else f"no mutant {opens}"
        traces = _rounded(self.traces.more(self.executions_an_hour))
        found = f"at least about {traces} {kind} ({every})"
        if not self.signatures.once and not self.signatures.twice:
            return f"{found}; no findings, so no estimate of theirs"
        if not self.signatures.unseen:
            return f"{found}; too few findings for an estimate of theirs"
        return f"{found} and {_rounded(self.signatures.more(self.executions_an_hour))} new signatures of findings"

    def summary(self) -> dict[str, Any]:
        """Return the content of the machine-readable summary."""
        return {
            "mutants": self.traces.executions,
            **({"has_features": True} if self.has_features else {}),
            **{
                name: {
                    "once": seen.once,
                    "twice": seen.twice,
                    "chance": round(seen.chance, 6),
                    "next_hour": round(seen.more(self.executions_an_hour), 1),
                }
                for name, seen in (("traces", self.traces), ("signatures", self.signatures))
            },
        }


def _rounded(number: float) -> str:
    """Return a number with two significant digits, as an estimate has."""
    return _in_digits(number, 2) if number >= 10 else f"{number:.1f}"


def _in_digits(number: float, digits: int) -> str:
    """Return a number rounded to its first `digits` digits, without an exponent."""
    return f"{float(f'{number:.{digits}g}'):,.15g}"
