"""Interpolants are checked by the definition: implications, shared symbols, text."""

import pytest
from chcfuzz.grammar.interpolation_text import read
from chcfuzz.oracles import second_solver
from chcfuzz.oracles.fault_class import fault_class
from chcfuzz.oracles.interpolant import Checker
from chcfuzz.oracles.verdict import Verdict, VerdictKind
from chcfuzz.solvers.outcome import Outcome, Status
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.tracing.trace import NOTHING

CHECKER = Checker(Watchdog(60.0))
PAIR = read("""(declare-const x Int)(declare-const y Int)(declare-const z Int)
(assert (! (and (> x 3) (= y (+ x 1))) :interpolation-group g0))
(assert (! (and (< y z) (< z 4)) :interpolation-group g1))
""")
SEQUENCE = read("""(declare-const x Int)(declare-const y Int)
(assert (! (= x 1) :interpolation-group g0))
(assert (! (= y (+ x 1)) :interpolation-group g1))
(assert (! (> y 2) :interpolation-group g2))
""")
QUANTIFIED = read("""(declare-fun f (Int) Int)(declare-const a Int)
(assert (! (forall ((i Int)) (> (f i) 3)) :interpolation-group g0))
(assert (! (< (f a) 2) :interpolation-group g1))
""")


def outcome(*texts: str) -> Outcome:
    return Outcome(Status.UNSAT, "", NOTHING, 0, 0.0, interpolants=texts)


def check(*texts: str, problem: object = PAIR) -> Verdict:
    return CHECKER.check(problem, outcome(*texts))  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["(> y 4)", "(not (<= y 4))", "(let ((a!1 (> y 3))) (and a!1 a!1))", "(>= y 5)"])
def test_an_interpolant_that_holds_passes(text: str) -> None:
    assert check(text).kind is VerdictKind.PASS
    assert CHECKER.check_with_cvc5(PAIR, outcome(text)).kind is VerdictKind.PASS


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("(> y 5)", "cut 1 of 1: it is not implied by A"),
        ("false", "cut 1 of 1: it is not implied by A"),
        ("true", "cut 1 of 1: it does not contradict the side B"),
        ("(> y 0)", "cut 1 of 1: it does not contradict the side B"),
    ],
)
def test_a_wrong_implication_is_found_by_evaluation_and_by_cvc5(text: str, fault: str) -> None:
    verdict = check(text)
    assert (verdict.kind, verdict.detail) == (VerdictKind.WRONG_INTERPOLANT, fault)
    assert verdict.judges == ("our evaluator", "cvc5", "Z3")
    assert second_solver.answers(verdict.evidence) == ("sat",)
    assert "(define-fun I () Bool" in verdict.evidence
    assert fault_class(verdict.detail) in ("it is not implied", "it does not contradict")
    assert CHECKER.check_with_cvc5(PAIR, outcome(text)).detail == fault


def test_a_sequence_has_to_be_inductive() -> None:
    assert check("(= x 1)", "(<= y 2)", problem=SEQUENCE).kind is VerdictKind.PASS
    verdict = check("(<= x 1)", "(= y 2)", problem=SEQUENCE)
    assert verdict.detail == "cut 2 of 2: it is not implied by its group and the interpolants below"
    assert verdict.kind is VerdictKind.WRONG_INTERPOLANT


def test_a_symbol_of_one_side_is_foreign_whatever_it_implies() -> None:
    verdict = check("(and (> y 4) (= x x))")
    assert (verdict.kind, verdict.detail) == (
        VerdictKind.FOREIGN_SYMBOL,
        "cut 1 of 1: the interpolant has a symbol of one side, `x`",
    )
    assert "; Both sides have: y." in verdict.evidence
    own = check("(> @x!3 4)")
    assert (own.kind, own.detail) == (
        VerdictKind.FOREIGN_SYMBOL,
        "cut 1 of 1: the interpolant has a symbol of the solver's own, `@x!3`",
    )


@pytest.mark.parametrize("texts", [("(> y",), ("(+ y 1)",), ("(and y y)",), (), ("true", "true")])
def test_a_text_that_no_solver_reads_is_unreadable(texts: tuple[str, ...]) -> None:
    assert check(*texts).kind is VerdictKind.UNREADABLE


def test_a_form_that_only_other_readers_know_is_not_a_finding() -> None:
    assert check("(> (int.pow2 y) 4)").kind is VerdictKind.UNDECIDED
    assert check("(> (@diff y y) 4)").kind is VerdictKind.UNDECIDED
    assert "1000003 characters" in check(f"true {'x' * 999_998}").detail


def test_a_quantified_problem_is_decided_where_the_solvers_are() -> None:
    assert check("(forall ((i Int)) (> (f i) 3))", problem=QUANTIFIED).kind is VerdictKind.PASS
    wrong = check("(forall ((i Int)) (> (f i) 0))", problem=QUANTIFIED)
    assert wrong.kind in (VerdictKind.WRONG_INTERPOLANT, VerdictKind.UNDECIDED)
    assert check("(forall ((i Int)) (> (f i) 4))", problem=QUANTIFIED).kind is not VerdictKind.PASS


def test_values_that_smtlib_leaves_open_decide_nothing() -> None:
    problem = read("""(declare-const x Int)(declare-const y Int)
(assert (! (and (= y 0) (= x (div y 1))) :interpolation-group g0))
(assert (! (= x 1) :interpolation-group g1))
""")
    verdict = CHECKER.check(problem, outcome("(and (= x 0) (= (div 1 x) (div 1 0)))"))
    assert verdict.kind is VerdictKind.PASS
    verdict = CHECKER.check(problem, outcome("(and (= x 0) (= (div 1 x) 0))"))
    assert verdict.kind is VerdictKind.UNDECIDED


def test_without_interpolants_nothing_is_decided() -> None:
    assert CHECKER.check(PAIR, Outcome(Status.SAT, "", NOTHING, 0, 0.0)).kind is VerdictKind.UNDECIDED


TREES = read("""(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
(declare-const a List)(declare-const b List)
(assert (! (= b (cons 1 a)) :interpolation-group g0))
(assert (! (= a (cons 2 b)) :interpolation-group g1))
""")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("(>= (_size b) (+ 1 (_size a)))", VerdictKind.UNDECIDED),  # Princess reads it: a function of its theory
        ("(>= (my_size b) (_size a))", VerdictKind.FOREIGN_SYMBOL),
        ("(<= Rat_denom 3)", VerdictKind.FOREIGN_SYMBOL),  # Princess does not read it
    ],
)
def test_a_function_that_princess_adds_to_a_theory_is_not_foreign(text: str, kind: VerdictKind) -> None:
    assert check(text, problem=TREES).kind is kind
