"""cvc5's opinion on interpolants that Z3 finds right: without it, Z3 alone checks the interpolants of Spacer."""

from __future__ import annotations

from chcfuzz.domains.interpolation.oracles.interpolant import Checker
from chcfuzz.domains.interpolation.roots import as_interpolation
from chcfuzz.domains.protocol import NoSecondOpinion
from chcfuzz.mutators.chain import Mutant
from chcfuzz.oracles.verdict import Verdict
from chcfuzz.solvers.outcome import Outcome, Status, texts_of
from chcfuzz.solvers.watchdog import Watchdog


class InterpolationSecondOpinion(NoSecondOpinion):
    """Checks with cvc5 the interpolants that Z3 finds right."""

    def __init__(self, watchdog: Watchdog) -> None:
        """Check under the limits of this watchdog."""
        self._checker = Checker(watchdog)

    def verdicts(self, mutant: Mutant, outcome: Outcome) -> tuple[Verdict, ...]:
        """Return cvc5's verdict on the interpolants of the solver under test."""
        if outcome.status is not Status.UNSAT or not texts_of(outcome):
            return ()
        return (self._checker.check_with_cvc5(as_interpolation(mutant.problem), outcome),)
