"""Derivations whose steps name their clause and values, as Golem's intermediate format has them, and their evidence."""

import pytest
import z3
from chcfuzz.domains.chc.oracles import checked_derivation
from chcfuzz.domains.chc.oracles.checked_derivation import CheckedDerivation, check_derivation, wrong_step
from chcfuzz.domains.chc.oracles.refutation import DerivationStep
from chcfuzz.domains.chc.solvers.derivation import Derived
from chcfuzz.grammar.printing.witness import Fact
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.oracles import second_solver
from chcfuzz.oracles.verdict import VerdictKind
from chcfuzz.solvers.watchdog import Watchdog

WATCHDOG, RLIMIT = Watchdog(60), 1_000_000
SYSTEM = parse("""(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (p 0))
(assert (forall ((x Int) (|y z| Int)) (=> (and (p x) (= |y z| (+ x 2))) (p |y z|))))
(assert (forall ((x Int)) (=> (and (p x) (> x 1)) false)))
(assert (forall ((x Int)) (=> (and (p x) (= (div x 0) 7)) (p 5))))
(check-sat)
""")
P = SYSTEM.predicates[0]
FACT, STEP, QUERY, OPEN = (
    "(p 0)",
    "(forall ((x Int) (|y z| Int)) (=> (and (p x) (= |y z| (+ x 2))) (p |y z|)))",
    "(forall ((x Int)) (=> (and (p x) (> x 1)) false))",
    "(forall ((x Int)) (=> (and (p x) (= (div x 0) 7)) (p 5)))",
)
FIRST = Derived("(p 0)", (), FACT)
SECOND = Derived("(p 2)", (0,), STEP, ("0", "2"), "(=> (and (p 0) (= 2 (+ 0 2))) (p 2))")
LAST = Derived(None, (1,), QUERY, ("2",), "(=> (and (p 2) (> 2 1)) false)")


def checked(*steps: Derived) -> CheckedDerivation:
    return check_derivation(SYSTEM, steps, RLIMIT, WATCHDOG)


@pytest.fixture
def no_query(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail on any query for a step."""

    def fail(*_: object) -> None:
        raise AssertionError("a step is searched")

    monkeypatch.setattr(checked_derivation, "find_step", fail)


@pytest.mark.usefixtures("no_query")
def test_steps_that_name_their_clause_and_values_need_no_query() -> None:
    assert checked(FIRST, SECOND, LAST).refutation == (
        DerivationStep(0, (), (), Fact(P, (0,))),
        DerivationStep(1, (0,), (0, 2), Fact(P, (2,))),
        DerivationStep(2, (1,), (2,), None),
    )


@pytest.mark.parametrize(
    "searched",
    [
        Derived("(p 2)", (0,)),
        Derived("(p 2)", (0,), "(forall ((x Int)) (p x))", ("0",)),
        Derived("(p 2)", (0,), "(forall ((x Int)) (q x))", ("0",)),
        Derived("(p 2)", (0,), STEP, ("0", "(div 2 0)")),
        Derived("(p 2)", (0,), STEP, ("0",)),
        Derived("(p 2)", (0,), STEP, ("0", "no_number")),
    ],
)
def test_a_step_without_a_clause_and_values_that_can_be_read_is_searched(searched: Derived) -> None:
    found = checked(FIRST, searched, LAST)
    assert found.refutation is not None, found.message
    assert found.refutation[1] == DerivationStep(1, (0,), (0, 2), Fact(P, (2,)))


@pytest.mark.usefixtures("no_query")
def test_a_wrong_step_at_its_values_is_found_by_our_evaluator_and_shown_to_any_solver() -> None:
    found = checked(FIRST, Derived("(p 2)", (0,), STEP, ("0", "3"), "(=> (p 0) (p 2))"))
    assert (found.refutation, found.wrong, found.judge) == (None, True, "our evaluator")
    assert found.message.startswith("clause 2 at x = 0, |y z| = 3: ")
    assert second_solver.answers(found.evidence) == ("unsat",)
    assert "; clause 2" in found.evidence
    assert "; clause 1" not in found.evidence, "only the clause that the step names"
    right = checked_derivation._evidence(  # noqa: SLF001
        SYSTEM, Fact(P, (2,)), [Fact(P, (0,))], DerivationStep(1, (0,), (0, 2), Fact(P, (2,)))
    )
    assert second_solver.answers(right) == ("sat",)
    verdict = wrong_step("proof", found, "in a proof, ")
    assert (verdict.kind, verdict.judges) == (VerdictKind.WRONG_PROOF, ("our evaluator",))
    assert verdict.detail == f"in a proof, {found.message}"
    assert verdict.evidence == found.evidence


@pytest.mark.usefixtures("no_query")
def test_an_instance_that_still_has_variables_is_wrong_by_its_text() -> None:
    found = checked(FIRST, Derived("(p 2)", (0,), STEP, ("0", "2"), "(=> (and (p 0) (= |y z| 2)) (p |y z|))"))
    assert (found.refutation, found.wrong, found.judge, found.evidence) == (None, True, "its text", "")
    assert found.message == "clause 2 at x = 0, |y z| = 2: the instance still has |y z|"


@pytest.mark.usefixtures("no_query")
def test_a_step_whose_value_smt_lib_leaves_open_is_undecided() -> None:
    found = checked(FIRST, Derived("(p 5)", (0,), OPEN, ("0",), "(=> (and (p 0) (= (div 0 0) 7)) (p 5))"))
    assert (found.refutation, found.wrong) == (None, False)
    assert found.message.startswith("clause 4 at x = 0: ")


def test_an_error_of_z3_is_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise z3.Z3Exception(b"it breaks")

    monkeypatch.setattr(checked_derivation, "find_step", fail)
    found = checked(FIRST, Derived("(p 2)", (0,)))
    assert (found.refutation, found.wrong) == (None, False)
    assert found.message.startswith("step 1: Z3 raises: ")
    assert "it breaks" in found.message


@pytest.mark.parametrize(
    ("answers", "kind", "judges"),
    [
        (("unsat", "unsat"), VerdictKind.WRONG_PROOF, ("Z3", "cvc5")),
        (("unsat", "unknown"), VerdictKind.WRONG_PROOF, ("Z3",)),
        ((), VerdictKind.WRONG_PROOF, ("Z3",)),
        (("unsat", "sat"), VerdictKind.UNDECIDED, ()),
    ],
)
def test_cvc5_agrees_only_if_it_refutes_every_clause(
    monkeypatch: pytest.MonkeyPatch, answers: tuple[str, ...], kind: VerdictKind, judges: tuple[str, ...]
) -> None:
    monkeypatch.setattr(second_solver, "answers", lambda _: answers)
    found = wrong_step("proof", CheckedDerivation(None, "it does not follow", wrong=True, evidence="a script"))
    assert (found.kind, found.judges) == (kind, judges)
    ending = " according to Z3, but cvc5 finds values" if kind is VerdictKind.UNDECIDED else ""
    assert found.detail == f"it does not follow{ending}"
