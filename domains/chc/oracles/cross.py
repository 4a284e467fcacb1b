"""Compare two solvers on one system: if they disagree, a witness determines which one is wrong.

A model that satisfies every clause shows sat, and a refutation whose every step was checked shows unsat. Without a
witness the verdict is a disagreement: one of the solvers is wrong, and a person has to find out which.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from chcfuzz.domains.chc.oracles import model
from chcfuzz.grammar.system import System
from chcfuzz.oracles.verdict import CROSS, Verdict, VerdictKind
from chcfuzz.solvers.outcome import Outcome, Status
from chcfuzz.solvers.watchdog import Watchdog


@dataclass(frozen=True)
class Opinion:
    """The outcome of another solver on the same system, with the solver's name.

    `refutation` describes a refutation of the system that was checked, from any source; it is empty if none was found.
    """

    name: str
    outcome: Outcome
    refutation: str = ""


def settle(system: System, ours: Outcome, opinion: Opinion, watchdog: Watchdog) -> Verdict:
    """Compare the outcome of the solver under test with the opinion of another one, which `judges` names.

    PASS if they agree; UNDECIDED if one of them gave no answer; WRONG_ANSWER if a witness shows that the solver under
    test is wrong. DISAGREEMENT without a witness, and if a witness shows that the other solver is wrong.

    The model of the side that answers sat is checked here.
    """
    return replace(_settled(system, ours, opinion, watchdog), judges=(opinion.name,))


def _settled(system: System, ours: Outcome, opinion: Opinion, watchdog: Watchdog) -> Verdict:
    name, other, refutation = opinion.name, opinion.outcome, opinion.refutation
    answers = f"answers {ours.status.value}, {name} {other.status.value}"
    if not ours.status.is_decided or not other.status.is_decided:
        return Verdict(CROSS.name, VerdictKind.UNDECIDED, answers)
    if ours.status is other.status:
        return Verdict(CROSS.name, VerdictKind.PASS, answers)
    sat_side = ours if ours.status is Status.SAT else other
    verdict = model.check(system, sat_side, watchdog)
    holds = verdict.kind is VerdictKind.PASS
    if holds and refutation:
        detail = f"{answers}; a model holds in every clause, and a refutation is right too ({refutation})"
        return Verdict(CROSS.name, VerdictKind.DISAGREEMENT, detail)
    if holds:
        return _wrong(ours.status is Status.UNSAT, f"{answers} with a model that holds in every clause", name)
    if refutation:
        return _wrong(ours.status is Status.SAT, f"{answers}; a refutation is right ({refutation})", name)
    about = {VerdictKind.WRONG_MODEL: f"; the model is wrong: {verdict.detail}"}.get(
        verdict.kind, f"; the model is undecided: {verdict.detail}"
    )
    return Verdict(CROSS.name, VerdictKind.DISAGREEMENT, answers + about, verdict.evidence)


def _wrong(ours: bool, detail: str, name: str) -> Verdict:
    if ours:
        return Verdict(CROSS.name, VerdictKind.WRONG_ANSWER, detail)
    return Verdict(CROSS.name, VerdictKind.DISAGREEMENT, f"{detail}: {name} is wrong")
