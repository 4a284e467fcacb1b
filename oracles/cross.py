"""Two solvers on one system: where they disagree, witnesses say who lied, or nobody can tell.

A model that holds in every clause speaks for sat, a refutation whose every step was checked speaks for unsat. What only
two solvers say against each other is a disagreement: one of them is wrong, and a person has to find out which.
"""

from __future__ import annotations

from chcfuzz.grammar.system import System
from chcfuzz.oracles import model
from chcfuzz.oracles.verdict import CROSS, Verdict, VerdictKind
from chcfuzz.solvers.outcome import Outcome, Status
from chcfuzz.solvers.watchdog import Watchdog


def settle(
    system: System,
    ours: Outcome,
    other: Outcome,
    name: str,
    watchdog: Watchdog,
    refutation: str = "",
) -> Verdict:
    """Compare the outcome of the solver under test with that of another, called `name`, on the same system.

    PASS if they agree; UNDECIDED if one of them gave no answer. Where they disagree and a witness settles it:
    WRONG_ANSWER if the solver under test is wrong, OTHERS_FAULT if the other one is. DISAGREEMENT if there is none.

    The model of the side that says sat is checked here. `refutation` says in words that a refutation of the system was
    checked, whoever found it; empty if there is none.
    """
    answers = f"answers {ours.status.value}, {name} {other.status.value}"
    if not ours.status.is_decided or not other.status.is_decided:
        return Verdict(CROSS, VerdictKind.UNDECIDED, answers)
    if ours.status is other.status:
        return Verdict(CROSS, VerdictKind.PASS, answers)
    sat_side = ours if ours.status is Status.SAT else other
    verdict = model.check(system, sat_side, watchdog)
    holds = verdict.kind is VerdictKind.PASS
    if holds and refutation:
        told = f"{answers}; a model holds in every clause, and a refutation is right too ({refutation})"
        return Verdict(CROSS, VerdictKind.DISAGREEMENT, told)
    if holds:
        return _lied(ours.status is Status.UNSAT, f"{answers} with a model that holds in every clause", name)
    if refutation:
        return _lied(ours.status is Status.SAT, f"{answers}; a refutation is right ({refutation})", name)
    about = {VerdictKind.WRONG_MODEL: f"; the model is wrong: {verdict.detail}"}.get(
        verdict.kind, f"; the model is undecided: {verdict.detail}"
    )
    return Verdict(CROSS, VerdictKind.DISAGREEMENT, answers + about, verdict.evidence)


def _lied(we_did: bool, told: str, name: str) -> Verdict:
    if we_did:
        return Verdict(CROSS, VerdictKind.WRONG_ANSWER, told)
    return Verdict(CROSS, VerdictKind.OTHERS_FAULT, f"{told}: {name} is wrong")
