"""Releases of interpolating solvers have faults that are public, and the check finds them."""

from dataclasses import dataclass

import pytest
from chcfuzz.domains.interpolation.oracles.interpolant import Checker
from chcfuzz.domains.interpolation.solvers.selection import selected
from chcfuzz.domains.smt.solvers.isolation import Isolated
from chcfuzz.domains.smt.solvers.releases import fetched
from chcfuzz.execution.solving import Solving
from chcfuzz.grammar.interpolation.group_text import read
from chcfuzz.oracles.verdict import VerdictKind
from chcfuzz.solvers.outcome import Outcome, Status
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.solvers.z3_release import ReleaseError

WATCHDOG = Watchdog(60.0)
# cvc5 issue 11332: it solves `(= x 0)`, and forgets the equation.
EQUATION = """(declare-const x Int)
(assert (! (= x 0) :interpolation-group g0))
(assert (! (> x 3) :interpolation-group g1))
"""


@dataclass(frozen=True)
class Fault:
    """A text, with a release that is wrong and a later one that is right."""

    text: str
    bad: str
    good: str


FAULTS = (Fault(EQUATION, "cvc5@1.2.0", "cvc5@1.2.1"),)


def interpolated(solver: str, text: str) -> Outcome:
    name, _, version = solver.partition("@")
    try:
        fetched(name, version)
    except ReleaseError as error:
        pytest.skip(f"needs the wheel of {solver}: {error}")
    engine = Isolated(selected((solver,), ())[0], Solving(domain="interpolation", solvers=(solver,)), WATCHDOG)
    try:
        return engine.solve(text, (), 1_000_000)
    finally:
        engine.close()


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.bad)
def test_a_release_gives_a_wrong_interpolant_and_a_later_one_does_not(fault: Fault) -> None:
    outcomes = [interpolated(solver, fault.text) for solver in (fault.bad, fault.good)]
    assert [outcome.status for outcome in outcomes] == [Status.UNSAT, Status.UNSAT]
    problem = read(fault.text)
    bad, good = (Checker(WATCHDOG).check(problem, outcome).kind for outcome in outcomes)
    assert (bad, good) == (VerdictKind.WRONG_INTERPOLANT, VerdictKind.PASS)
