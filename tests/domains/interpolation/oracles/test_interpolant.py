"""Interpolants are checked by the definition: implications, shared symbols, text."""

from dataclasses import dataclass

import pytest
from chcfuzz.domains.interpolation.oracles import interpolant
from chcfuzz.domains.interpolation.oracles.interpolant import Checker
from chcfuzz.domains.interpolation.solvers.quick_z3 import Queries
from chcfuzz.grammar.interpolation.group_text import read
from chcfuzz.grammar.problem import Problem
from chcfuzz.oracles import second_solver
from chcfuzz.oracles.verdict import Verdict, VerdictKind
from chcfuzz.solvers.faults import FaultClass
from chcfuzz.solvers.outcome import Outcome, Status, Texts
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
    return Outcome(Status.UNSAT, "", NOTHING, 0, 0.0, extra=Texts(texts))


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
    assert verdict.fault in (FaultClass.NOT_IMPLIED, FaultClass.NOT_CONTRADICTING)
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


FLOATS = read("""(declare-const x (_ FloatingPoint 5 11))(declare-const |y z| (_ FloatingPoint 5 11))
(assert (! (fp.isNaN x) :interpolation-group g0))
(assert (! (and (fp.isZero x) (fp.isZero |y z|)) :interpolation-group g1))
""")


@pytest.mark.parametrize(
    ("text", "kind", "detail"),
    [
        ("(= (fp.symfpu_nan x) #b1)", VerdictKind.UNDECIDED, "is not read here"),
        ("(let ((_let0 (fp.symfpu_nan |y z|))) (= _let0 #b0))", VerdictKind.FOREIGN_SYMBOL, "one side, `|y z|`"),
        ("(= (fp.symfpu_half x) #b1)", VerdictKind.FOREIGN_SYMBOL, "solver's own, `fp.symfpu_half`"),
    ],
)
def test_documented_components_of_floats_are_not_foreign(text: str, kind: VerdictKind, detail: str) -> None:
    verdict = check(text, problem=FLOATS)
    assert (verdict.kind, detail in verdict.detail) == (kind, True), verdict


LONGER = read("""(declare-const x Int)(declare-const y Int)(declare-const z Int)
(assert (! (and (> x 3) (= y (+ x 1))) :interpolation-group g0))
(assert (! (and (< y z) (< z 7) (< z 8)) :interpolation-group g1))
""")  # with (>= z 7) in the place of (< z 7), the first group has a model for y = 5, which (> y 7) excludes


@pytest.fixture
def undecided(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Let Z3 not decide implications; other paths are decided. Collects the limits of the queries."""
    limits: list[int] = []

    @dataclass
    class Undecided:
        watchdog: Watchdog
        rlimit: int

        def answer(self, problem: Problem) -> tuple[str, str]:
            limits.append(self.rlimit)
            return ("unknown", "") if self.rlimit == CHECKER.rlimit else Queries(self.watchdog, 500_000).answer(problem)

    monkeypatch.setattr(interpolant, "Queries", Undecided)
    return limits


def test_a_fault_that_only_another_path_shows_is_confirmed_there(undecided: list[int]) -> None:
    verdict = check("(> y 7)", problem=LONGER)
    assert (verdict.kind, verdict.detail) == (VerdictKind.WRONG_INTERPOLANT, "cut 1 of 1: it is not implied by A")
    assert verdict.judges == ("our evaluator", "cvc5", "Z3")
    assert "A and another path that it contradicts have a model" in verdict.evidence
    assert second_solver.answers(verdict.evidence) == ("sat",)
    assert undecided[0] == CHECKER.rlimit
    assert set(undecided[1:]) == {CHECKER.rlimit // 10}


@pytest.mark.usefixtures("undecided")
@pytest.mark.parametrize(
    ("text", "detail"),
    [
        ("(> y 4)", "cut 1 of 1: it is not implied by A: Z3 answers unknown; "),
        ("(> y 0)", "cut 1 of 1: it does not contradict the side B: Z3 answers unknown"),
    ],
)
def test_an_implication_that_nothing_decides_is_open(text: str, detail: str) -> None:
    verdict = check(text)
    assert verdict.kind is VerdictKind.UNDECIDED
    assert detail in verdict.detail


@pytest.mark.parametrize(
    ("evaluated", "cvc5", "kind", "judges"),
    [
        (VerdictKind.PASS, ("sat",), VerdictKind.WRONG_INTERPOLANT, ("our evaluator", "cvc5", "Z3")),
        (VerdictKind.PASS, ("unknown",), VerdictKind.WRONG_INTERPOLANT, ("our evaluator", "Z3")),
        (VerdictKind.UNDECIDED, ("sat",), VerdictKind.WRONG_INTERPOLANT, ("cvc5", "Z3")),
        (VerdictKind.UNDECIDED, ("unknown",), VerdictKind.UNDECIDED, ()),
        (VerdictKind.PASS, ("unsat",), VerdictKind.UNDECIDED, ()),
    ],
)
def test_a_model_of_z3_alone_confirms_nothing(
    monkeypatch: pytest.MonkeyPatch,
    evaluated: VerdictKind,
    cvc5: tuple[str, ...],
    kind: VerdictKind,
    judges: tuple[str, ...],
) -> None:
    monkeypatch.setattr("chcfuzz.domains.smt.oracles.model.check_text", lambda *_: Verdict("model", evaluated))
    monkeypatch.setattr("chcfuzz.oracles.second_solver.answers", lambda _: cvc5)
    verdict = check("(> y 5)")
    assert (verdict.kind, verdict.judges) == (kind, judges)


def test_cvc5_checks_only_interpolants_that_are_read() -> None:
    for texts in (("(> y",), ("(> y 4)", "(> y 4)"), ()):
        verdict = CHECKER.check_with_cvc5(PAIR, outcome(*texts))
        assert (verdict.oracle, verdict.kind) == ("interpolant-cvc5", VerdictKind.UNDECIDED)
        assert verdict.detail == "interpolants that are not read"


def test_an_interpolant_of_another_sort_or_that_is_too_long_is_not_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    verdict = check("(+ y 1)")
    assert (verdict.kind, verdict.detail) == (VerdictKind.UNREADABLE, "cut 1 of 1: the interpolant has sort Int")
    monkeypatch.setattr(interpolant, "MOST_LENGTH", 6)
    assert check("(> y 4)").detail == "cut 1 of 1: an interpolant of 7 characters; 6 are read"
    monkeypatch.setattr(interpolant, "MOST_LENGTH", 7)
    assert check("(> y 4)").kind is VerdictKind.PASS


def test_an_interpolant_that_may_bind_a_constant_of_the_problem_is_not_checked() -> None:
    problem = read("""(declare-const a!1 Int)
        (assert (! (> a!1 5) :interpolation-group A))(assert (! (< a!1 0) :interpolation-group B))""")
    verdict = CHECKER.check(problem, outcome("(let ((a!1 3)) (< a!1 2))"))
    assert (verdict.kind, "may bind the constant a!1" in verdict.detail) == (VerdictKind.UNDECIDED, True)
