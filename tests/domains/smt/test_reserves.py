"""Solvers in reserve answer where no other project does."""

from collections.abc import Iterator

import pytest
from chcfuzz.domains.smt import reserves
from chcfuzz.domains.smt.reserves import ReserveOpinion, Reserves, answering_alone
from chcfuzz.domains.smt.roots import SmtRoots
from chcfuzz.domains.smt.rows.registry import registry
from chcfuzz.domains.smt.solvers import releases
from chcfuzz.execution.solving import Solving
from chcfuzz.mutators import roots
from chcfuzz.mutators.chain import Chains, Mutant
from chcfuzz.mutators.recipe import Recipe
from chcfuzz.oracles.reserve_use import ReserveUse
from chcfuzz.oracles.verdict import VerdictKind
from chcfuzz.solvers.outcome import Outcome, Status
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.solvers.z3_release import active
from chcfuzz.tracing.trace import NOTHING

TEXT = "(set-logic ALL)\n(declare-fun x () Bool)\n(assert x)\n(check-sat)\n"


@pytest.fixture(autouse=True)
def _each(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(reserves, "ONE_IN", 1)
    monkeypatch.setattr(releases, "in_cache", _cached)
    before = roots.active()
    roots.activate(SmtRoots())
    yield
    roots.activate(before)


def _cached(solver: str) -> tuple[str, ...]:
    return ("4.16.0.0", "5.3.0.0") if solver == "z3" else ()


def outcome(status: Status, *others: tuple[str, Outcome]) -> Outcome:
    return Outcome(status, "", NOTHING, 0, 0.0, others=others)


def mutant(text: str = TEXT) -> Mutant:
    return Chains(registry(())).apply(Recipe(text))


class Answering(Reserves):
    """Solvers in reserve that give these answers, without running."""

    def __init__(self, **answers: Status) -> None:
        self._answers = answers

    def outcomes(self, alone: str, text: str) -> Iterator[tuple[str, Outcome]]:
        yield from ((name, outcome(status)) for name, status in self._answers.items())


def test_another_release_comes_first_and_then_each_project_that_is_left_out() -> None:
    of_two = Reserves(Solving(domain="smt", solvers=("z3", "cvc5")), Watchdog(60))
    assert of_two.names("z3") == ["z3@5.3.0.0", "bitwuzla"]
    assert of_two.names("cvc5") == ["bitwuzla"]
    old = Reserves(Solving(domain="smt", solvers=("z3@5.3.0.0:sat.euf=true",)), Watchdog(60))
    assert old.names("z3@5.3.0.0:sat.euf=true")[0] == f"z3@{active().version}"


def test_an_answer_is_alone_if_no_other_project_answers() -> None:
    sat, silent = outcome(Status.SAT), outcome(Status.HANG)
    assert answering_alone({"z3": sat, "cvc5": silent, "z3-program": sat}) == "z3"
    assert answering_alone({"z3": sat, "cvc5": sat}) == answering_alone({"z3": silent}) == ""


def test_an_answer_that_solvers_in_reserve_contradict_is_suspicious() -> None:
    refuses, opinion = outcome(Status.UNSUPPORTED), ReserveOpinion(Answering(a=Status.HANG, b=Status.SAT), "z3")
    (verdict,) = opinion.verdicts(mutant(), outcome(Status.UNSAT, ("cvc5", refuses)))
    assert (verdict.kind, verdict.judges, verdict.accuses) == (VerdictKind.DISAGREEMENT, ("b",), ())
    assert verdict.detail == "answers unsat, b sat, and no partner answers"
    (other,) = opinion.verdicts(mutant(), outcome(Status.HANG, ("cvc5", outcome(Status.UNSAT))))
    assert (other.accuses, other.seen) == ((("solver", "cvc5"),), "unsat")


def test_the_queries_and_their_budget_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reserves, "ONE_IN", 3)
    opinion = ReserveOpinion(Answering(b=Status.SAT), "z3")
    for number in range(60):
        opinion.verdicts(mutant(f"(declare-fun x () Int)(assert (> x {number}))(check-sat)"), outcome(Status.SAT))
    opinion.verdicts(mutant(), outcome(Status.SAT, ("cvc5", outcome(Status.SAT))))
    used = opinion.reserves.taken()
    assert used.answers == 60
    assert 0 < used.queried == used.decided < 40
    assert used.nanoseconds > 0
    assert opinion.reserves.taken() == ReserveUse()


def test_the_reserve_is_left_alone_where_a_partner_answers_or_a_term_is_left_open() -> None:
    opinion = ReserveOpinion(Answering(b=Status.SAT), "z3")
    assert opinion.verdicts(mutant(), outcome(Status.UNSAT, ("cvc5", outcome(Status.UNSAT)))) == ()
    open_term = TEXT.replace("(assert x)", "(declare-fun y () Int)(assert (= (div y 0) 1))")
    assert opinion.verdicts(mutant(open_term), outcome(Status.UNSAT)) == ()
    (silent,) = ReserveOpinion(Answering(b=Status.HANG), "z3").verdicts(mutant(), outcome(Status.UNSAT))
    assert silent.kind is VerdictKind.UNDECIDED


def test_solvers_in_reserve_run_in_child_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(releases, "in_cache", lambda _solver: ())
    of_one = Reserves(Solving(domain="smt", solvers=("z3",)), Watchdog(60))
    try:
        assert [(name, each.status) for name, each in of_one.outcomes("z3", TEXT)] == [
            ("cvc5", Status.SAT),
            ("bitwuzla", Status.SAT),
        ]
        (verdict,) = ReserveOpinion(of_one, "z3").verdicts(mutant(), outcome(Status.SAT))
        assert (verdict.kind, verdict.judges) == (VerdictKind.PASS, ("cvc5",))
    finally:
        of_one.close()
