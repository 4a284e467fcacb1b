"""Results of queries behind a check: right ones pass, wrong ones are findings, all others are not judged."""

import pytest
from chcfuzz.domains.smt.oracles import answers as smt_answers
from chcfuzz.domains.smt.oracles import errors as smt_errors
from chcfuzz.domains.smt.oracles import query_results
from chcfuzz.domains.smt.solvers.z3 import Z3
from chcfuzz.grammar.printing.printer import print_problem
from chcfuzz.grammar.problem import Problem
from chcfuzz.grammar.reading.parse import problem
from chcfuzz.oracles.verdict import VerdictKind
from chcfuzz.solvers.faults import FaultClass
from chcfuzz.solvers.model_text import TextModel
from chcfuzz.solvers.outcome import Outcome, Status, Texts
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.tracing.trace import NOTHING

VALUES = problem(
    """(declare-sort U 0)(declare-const u U)(declare-const x Int)(declare-fun f (Int) Int)
    (declare-const a (Array Int Int))(assert (! (> (f x) 3) :named |is large|))(check-sat)
    (get-value (x (f (+ x 1)) a u))(get-assignment)"""
)
MODEL = """(declare-fun U!val!0 () U)
(define-fun u () U U!val!0)(define-fun x () Int (- 2))(define-fun f ((y Int)) Int (ite (= y (- 1)) 7 4))
(define-fun a () (Array Int Int) ((as const (Array Int Int)) 5))"""
RIGHT = "((x (- 2)) ((f (+ x 1)) 7) (a ((as const (Array Int Int)) 5)) (u U!val!0))"
CORE = problem(
    """(set-option :produce-unsat-cores true)(declare-const x Int)(declare-const p Bool)
    (assert (! (> x 3) :named large))(assert (! (< x 2) :named small))(assert (! (not (= x 7)) :named other))
    (check-sat)(get-unsat-core)"""
)
ASSUMED = problem(
    """(declare-const p Bool)(declare-const q Bool)(assert (=> p (not q)))
    (check-sat-assuming (p q))(get-unsat-assumptions)"""
)


def outcome(status: Status, *results: str, model: str = MODEL) -> Outcome:
    found = TextModel(model) if status is Status.SAT else None
    return Outcome(status, "", NOTHING, 0, 0.0, found, extra=Texts(results))


def solve(part: Problem) -> Outcome:
    return Z3(Watchdog(60)).solve(print_problem(part), (), 1_000_000)


def nothing(_part: Problem) -> Outcome:
    raise AssertionError("there is nothing to solve")


@pytest.mark.parametrize(
    ("right", "wrong"),
    [("7)", "8)"), ("(- 2)", "2"), ("Int)) 5", "Int)) 6"), ("7)", "7.5)"), ("U!val!0", "U!val!1")],
)
def test_a_value_that_differs_from_the_model_is_wrong(right: str, wrong: str) -> None:
    assert query_results.check(VALUES, outcome(Status.SAT, RIGHT, "((|is large| true))"), nothing) is not None
    verdict = query_results.check(VALUES, outcome(Status.SAT, RIGHT.replace(right, wrong), ""), nothing)
    assert verdict is not None
    is_read = wrong != "7.5)"  # of another sort; the other values are right
    assert verdict.kind is (VerdictKind.WRONG_RESULT if is_read else VerdictKind.PASS), verdict.detail
    assert verdict.fault == (FaultClass.WRONG_VALUE if is_read else "")


def test_right_values_pass_and_a_wrong_assignment_does_not() -> None:
    right = query_results.check(VALUES, outcome(Status.SAT, RIGHT, "((|is large| true))"), nothing)
    wrong = query_results.check(VALUES, outcome(Status.SAT, RIGHT, "((|is large| false))"), nothing)
    assert right is not None
    assert wrong is not None
    assert (right.kind, wrong.kind) == (VerdictKind.PASS, VerdictKind.WRONG_RESULT)
    assert solve(problem(wrong.evidence)).status is Status.SAT


def test_a_value_that_the_model_leaves_open_is_not_judged() -> None:
    verdict = query_results.check(VALUES, outcome(Status.SAT, RIGHT, "", model=""), nothing)
    assert verdict is not None
    assert verdict.kind is VerdictKind.UNDECIDED


@pytest.mark.parametrize(
    ("core", "fault"),
    [
        ("(large small)", ""),
        ("(\nlarge\nsmall\nother\n)", ""),
        ("(large other)", FaultClass.SATISFIABLE_CORE),
        ("()", FaultClass.SATISFIABLE_CORE),
        ("(large small p)", FaultClass.UNKNOWN_MEMBER),
        ('(error "no core")', ""),
        ("", ""),
    ],
)
def test_a_core_that_has_a_model_is_wrong(core: str, fault: str) -> None:
    verdict = query_results.check(CORE, outcome(Status.UNSAT, core), solve)
    assert verdict is not None
    assert verdict.fault == fault
    is_read = core.startswith(("(large", "(\n"))
    right = VerdictKind.PASS if is_read else VerdictKind.UNDECIDED
    assert verdict.kind is (VerdictKind.WRONG_RESULT if fault else right)
    if fault == FaultClass.SATISFIABLE_CORE:
        assert solve(problem(verdict.evidence)).status is Status.SAT


def test_assumptions_that_have_a_model_are_wrong() -> None:
    faults = {}
    for core in ("(p q)", "(p)", "()"):
        verdict = query_results.check(ASSUMED, outcome(Status.UNSAT, core), solve)
        assert verdict is not None
        faults[core] = verdict.fault
    assert faults == {"(p q)": "", "(p)": FaultClass.SATISFIABLE_CORE, "()": FaultClass.SATISFIABLE_CORE}


def test_a_wrong_answer_unsat_is_not_a_wrong_core() -> None:
    satisfiable = problem(print_problem(CORE).replace("(< x 2)", "(< x 9)"))
    verdict = query_results.check(satisfiable, outcome(Status.UNSAT, "(large)"), solve)
    assert verdict is not None
    assert verdict.kind is VerdictKind.PASS


@pytest.mark.parametrize("result", ["(x 5)", "((x))", "(x y z u)", "5", "((x 5 5) (a) (u) (f))", "((", '"'])
def test_a_result_of_another_form_is_not_judged(result: str) -> None:
    verdict = query_results.check(VALUES, outcome(Status.SAT, result, ""), nothing)
    assert verdict is not None
    assert verdict.kind is VerdictKind.UNDECIDED


def test_results_that_belong_to_no_query_are_not_judged() -> None:
    assert query_results.check(CORE, outcome(Status.UNSAT, "(large)", "(large)"), solve) is None
    assert query_results.check(CORE, Outcome(Status.UNSAT, "", NOTHING, 0, 0.0), solve) is None


def test_the_finding_accuses_the_solver_that_gave_the_result() -> None:
    solved = Outcome(
        Status.UNSAT, "", NOTHING, 0, 0.0, others=(("cvc5", outcome(Status.UNSAT, "(large)")),)
    )  # the solver under test gave no result
    found = [each for each in smt_answers.check(CORE, lambda _: None, solved, "z3", solve) if each.kind.is_finding]
    assert [(each.accuses, each.seen, each.fault) for each in found] == [
        ((("solver", "cvc5"),), "unsat", FaultClass.SATISFIABLE_CORE)
    ]


def test_a_failed_check_in_a_query_is_a_finding_and_a_refusal_is_not() -> None:
    fails = outcome(Status.UNSAT, '(error "Check failure: d_state == 3")')
    refuses = outcome(Status.UNSAT, '(error "cannot get value unless after a SAT response.")')
    assert smt_errors.check(fails).kind is VerdictKind.EXCEPTION
    assert smt_errors.check(refuses).kind is VerdictKind.PASS
