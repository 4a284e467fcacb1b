"""Each contract finds a result that breaks it, under the name of the violation, and passes a right one."""

import pytest
from chcfuzz.domains.parts.oracles.contracts import judged
from chcfuzz.domains.parts.oracles.violation_scripts import Stated, values_script
from chcfuzz.domains.parts.oracles.violations import Violation
from chcfuzz.domains.parts.part_solver import PartTexts
from chcfuzz.domains.parts.question import PARTS, PartProblem
from chcfuzz.domains.parts.question_text import read
from chcfuzz.oracles import second_solver
from chcfuzz.oracles.verdict import Verdict, VerdictKind
from chcfuzz.solvers.outcome import Outcome, Status
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.tracing.trace import NOTHING

BETWEEN = "(declare-const x Int)(declare-const y Int)(assert (< 0 x))(assert (< x y))"
VALUES = "((x 1) (y 2))"
PARITY = "(declare-const x Int)(declare-const y Int)(assert (= (+ x x) y))"
EVEN = "((x 1) (y 2))"
TRUTHS = "(declare-const p Bool)(declare-const q Bool)(assert (or p q))(assert (not q))"
TRUE = "((p true) (q false))"
ODD = "(declare-const x Int)(declare-const y Int)(assert (distinct (+ x x 1) y))"
CLASH = "(declare-const p Bool)(declare-const q Bool)(assert p)(assert (not p))(assert q)"
MODEL = "(define-fun p () Bool true)(define-fun q () Bool false)"
AT_1_2 = "(define-fun x () Int 1)(define-fun y () Int 2)"
BOTH_TRUE = "(define-fun p () Bool true)(define-fun q () Bool true)"
LEAVES = ["unsat", "false", "asserted", "p", "asserted", "(not p)"]
WRONG = "(define-fun p () Bool false)(define-fun q () Bool false)"
BOUNDED = "(declare-const x Int)(declare-const y Int)(assert (<= 0 x))(assert (< x y))(assert (< y 10))"
EQUAL_TO_FILLED = "(= m ((as const (Array Int (Array Int Int))) a))"
FILLED = f"""(declare-const m (Array Int (Array Int Int)))(declare-const a (Array Int Int))
    (assert {EQUAL_TO_FILLED})"""
ZEROS = "((as const (Array Int Int)) 0)"
IN_FILLED = f"((m ((as const (Array Int (Array Int Int))) {ZEROS})) (a {ZEROS}))"
POINT_I_J = "(define-fun i () Int 1)(define-fun j () Int 2)"
CLASH_OF_FILLS = """(declare-const i Int)(declare-const j Int)
    (assert (= ((as const (Array Int Int)) i) ((as const (Array Int Int)) j)))(assert (distinct i j))"""
EITHER = "(declare-const x Int)(declare-const y Int)(assert (or (= x 1 (- y 1)) (= x (- y 3) 0)))"


def point(x: int, y: int) -> str:
    return f"(define-fun x () Int {x})(define-fun y () Int {y})"


CASES = [
    (f"(project (x) {VALUES})", BETWEEN, ["(> y 1)"], None),
    (f"(project (x) {VALUES})", BETWEEN, ["(> y 0)"], Violation.WEAK),
    (f"(project (x) {VALUES})", BETWEEN, ["(> y 2)"], Violation.FALSE),
    (f"(project (x) {VALUES})", BETWEEN, ["(and (> y 1) (> x 0))"], Violation.LEFT),
    (f"(project (x) {VALUES})", BETWEEN, ["(and (> y 1) k!0)"], Violation.NEW),
    (f"(project (x) {VALUES})", BETWEEN, ["y"], Violation.SORT),
    (f"(project (x) {EVEN})", PARITY, ["true"], Violation.WEAK),
    (f"(mbp (x) {EVEN})", PARITY, ["(= (mod y 2) 0)"], None),
    (f"(mbp (x) {EVEN})", PARITY, ["true"], Violation.WEAK),
    (f"(mbp (a) {IN_FILLED})", FILLED, [f"(= m ((as const (Array Int (Array Int Int))) {ZEROS}))"], None),
    (f"(mbp (a) {IN_FILLED})", FILLED, ["true"], Violation.WEAK),
    (f"(witness (x) {VALUES})", BETWEEN, ["(> y 1)", "x", "1"], None),
    (f"(witness (x) {VALUES})", BETWEEN, ["(> y 1)", "x", "y"], Violation.WITNESS),
    (f"(witness (x) {VALUES})", BETWEEN, ["(and (< x y) (< 0 x))"], None),
    (f"(implicant () {VALUES})", BETWEEN, ["(and (< 0 x) (< x y))"], None),
    (f"(implicant () {VALUES})", BETWEEN, ["(< 0 x)"], Violation.NOT_IMPLIED),
    (f"(implicant () {VALUES})", BETWEEN, ["(< y x)"], Violation.FALSE),
    (f"(simplify () {VALUES})", BETWEEN, ["(and (not (<= x 0)) (not (<= y x)))"], None),
    (f"(simplify () {VALUES})", BETWEEN, ["(and (not (<= x 0)) (<= x y))"], Violation.DIFFERENT),
    ("(simplify)", BETWEEN, ["(not (<= x 0))"], Violation.DIFFERENT),
    ("(cvc5-simplify)", PARITY, ["(= y (* x 2))"], None),
    ("(cvc5-simplify)", PARITY, ["(= x (div_total y 2))"], Violation.DIFFERENT),
    ("(bitwuzla-simplify)", TRUTHS, ["(and p (not q))"], None),
    ("(bitwuzla-simplify)", TRUTHS, ["(not q)"], Violation.DIFFERENT),
    (f"(simplifier (simplify) {TRUE})", TRUTHS, ["sat", MODEL], None),
    (f"(simplifier (simplify) {TRUE})", TRUTHS, ["sat", WRONG], Violation.MODEL),
    (f"(simplifier (simplify) {TRUE})", TRUTHS, ["unsat", ""], Violation.UNSAT),
    ("(simplifier (simplify))", TRUTHS, ["unsat", ""], Violation.UNSAT),
    ("(simplifier (simplify))", CLASH, ["sat", MODEL], Violation.SAT),
    ("(simplifier (simplify))", CLASH_OF_FILLS, ["sat", POINT_I_J], Violation.SAT),
    ("(simplifier (simplify))", CLASH, ["unsat", ""], None),
    (f"(tactic (nnf) {TRUE})", TRUTHS, ["unsat", "", "0"], Violation.UNSAT),
    (f"(tactic (nnf) {TRUE})", TRUTHS, ["unsat", "", "1"], None),
    (f"(tactic (nnf) {TRUE})", TRUTHS, ["sat", WRONG, "0"], Violation.MODEL),
    (f"(tactic (nnf) {TRUE})", TRUTHS, ["sat", WRONG, "2"], None),
    (f"(tactic (nnf) {TRUE})", TRUTHS, ["sat", "", "0"], Violation.MODEL),
    (f"(eliminate (x) {VALUES})", BETWEEN, ["(> y 1)"], None),
    (f"(eliminate (x) {VALUES})", BETWEEN, ["(> y 5)"], Violation.DIFFERENT),
    (f"(eliminate (x) {VALUES})", BETWEEN, ["true"], Violation.WEAK),
    (f"(eliminate (x) {VALUES})", BETWEEN, ["(exists ((x Int)) (< 0 x y))"], None),
    (f"(qe-lite (x) {VALUES})", BETWEEN, ["(and (< 0 x) (< x y))", "x"], None),
    (f"(qe-lite (x) {VALUES})", BETWEEN, ["(< x y)", "x"], Violation.WEAK),
    (f"(qe-lite (q) {TRUE})", TRUTHS, ["p", "q"], None),
    (f"(qe-lite (a) {IN_FILLED})", FILLED, [EQUAL_TO_FILLED, "a"], None),
    (
        f"(qe-lite (a) {IN_FILLED})",
        FILLED,
        [f"(and {EQUAL_TO_FILLED} (distinct a (select m 1)))", "a"],
        Violation.DIFFERENT,
    ),
    (f"(qe-lite (x) {VALUES})", BETWEEN, ["(< x y)"], Violation.LEFT),
    (f"(qe-lite (x) {VALUES})", BETWEEN, ["(> y 5)"], Violation.DIFFERENT),
    (f"(cvc5-eliminate (x) {EVEN})", PARITY, ["(= (mod_total y 2) 0)"], None),
    (f"(cvc5-eliminate (x) {EVEN})", PARITY, ["true"], Violation.WEAK),
    (f"(cvc5-disjunct (x) {EVEN})", PARITY, ["(= y 2)"], None),
    (f"(cvc5-disjunct (x) {EVEN})", PARITY, ["(= y 3)"], Violation.WEAK),
    (f"(qsat (p) {TRUE})", TRUTHS, ["sat"], None),
    (f"(qsat (p) {TRUE})", TRUTHS, ["unsat"], Violation.UNSAT),
    (f"(qsat (p) {TRUE} ((bound forall)))", TRUTHS, ["unsat"], None),
    (f"(qsat (p) {TRUE} ((bound forall)))", TRUTHS, ["sat"], Violation.SAT),
    (f"(qsat (x) {VALUES} ((bound forall)))", ODD, ["sat"], None),
    (f"(qsat (x) {VALUES} ((bound forall)))", ODD, ["unsat"], Violation.UNSAT),
    (f"(consequences (p q) {TRUE})", TRUTHS, ["sat", "(not q)", "p"], None),
    (f"(consequences (p q) {TRUE})", TRUTHS, ["sat", "(not q)"], Violation.MISSING),
    (f"(consequences (p q) {TRUE})", TRUTHS, ["sat", "p", "q"], Violation.NOT_CONSEQUENCE),
    (f"(consequences (p) {TRUE})", TRUTHS, ["unsat"], Violation.UNSAT),
    (f"(cube () {TRUE})", TRUTHS, ["(and q p)", "(not q)"], None),
    (f"(cube () {TRUE})", TRUTHS, ["(and p q)"], Violation.CUBES),
    (f"(cube () {TRUE})", TRUTHS, ["(and p k!0)"], None),
    (f"(soft () {TRUE})", TRUTHS, ["sat", BOTH_TRUE, "4"], None),
    (f"(soft () {TRUE})", TRUTHS, ["sat", MODEL, "5"], Violation.OPTIMUM),
    (f"(soft () {TRUE})", TRUTHS, ["unsat", "", ""], Violation.UNSAT),
    ("(proof)", CLASH, [*LEAVES, "unit-resolution", "(=> (and p (not p)) false)"], None),
    ("(proof)", CLASH, [*LEAVES, "asserted", "(and p q)"], Violation.STEP),
    ("(proof)", CLASH, [*LEAVES, "th-lemma", "(=> q p)"], Violation.STEP),
    ("(proof)", CLASH, ["unsat", "q"], Violation.STEP),
    ("(proof)", CLASH, [*LEAVES, "nnf-pos", "(~ p q)", "sk", "(=> q p)"], None),
    (f"(proof () {TRUE})", TRUTHS, ["unsat", "false"], Violation.UNSAT),
    (f"(cover (x) {VALUES})", BETWEEN, ["unsat", "(> y 1)", "(= y 2)"], None),
    (f"(cover (x) {VALUES})", BETWEEN, ["unsat", "(> y 2)", "false"], Violation.DIFFERENT),
    (f"(cover (x) {VALUES})", BETWEEN, ["unsat", "true", "(> y 0)"], Violation.WEAK),
    ("(cover (x) ((x 5) (y 6)))", BETWEEN, ["unsat", "true", "false"], Violation.UNSAT),
    (f"(ground (x) {VALUES})", BETWEEN, ["sat", "refutation", "(= y 3)", "answer", "(and (= y 3))"], None),
    (f"(ground (x) {VALUES})", BETWEEN, ["sat", "refutation", "(= y 3)", "answer", "false"], Violation.GROUND),
    (f"(ground (x) {VALUES})", BETWEEN, ["sat", "refutation", "(= y 1)", "answer", "false"], Violation.GROUND),
    (f"(ground (x) {VALUES})", BETWEEN, ["unsat"], Violation.UNSAT),
    (f"(pareto (x y) {VALUES})", BOUNDED, ["unsat", point(7, 8)], None),
    (f"(pareto (x y) {VALUES})", BOUNDED, ["sat", point(7, 8)], None),
    (f"(pareto (x y) {VALUES})", BOUNDED, ["unknown", point(0, 1)], Violation.OPTIMUM),
    (f"(pareto (x y) {VALUES})", BOUNDED, ["unsat", point(9, 9)], Violation.MODEL),
    (f"(pareto (x y) {VALUES})", EITHER, ["unsat", point(0, 3)], Violation.FRONT),
    (f"(pareto (x y) {VALUES} ((direction minimize)))", BOUNDED, ["unsat", point(0, 1)], None),
    (f"(pareto (x y) {VALUES} ((direction minimize)))", BOUNDED, ["unsat", point(1, 2)], Violation.OPTIMUM),
    (f"(pareto (x y) {VALUES})", BOUNDED, ["unsat"], Violation.UNSAT),
    ("(tactic-proof (nnf))", CLASH, [*LEAVES, "unit-resolution", "(=> (and p (not p)) false)"], None),
    ("(tactic-proof (nnf))", CLASH, [*LEAVES, "th-lemma", "(=> q p)"], Violation.STEP),
    (f"(bitwuzla-check () {TRUE})", TRUTHS, ["sat"], None),
    (f"(bitwuzla-check () {TRUE})", TRUTHS, ["unsat"], Violation.UNSAT),
    ("(bitwuzla-check)", CLASH, ["sat"], Violation.SAT),
    ("(tactic (nnf) () ((core true)))", CLASH, ["unsat", "", "0", "0", "1"], None),
    ("(tactic (nnf) () ((core true)))", CLASH, ["unsat", "", "0", "0"], Violation.CORE),
    (
        f"(optimum (x) {VALUES})",
        BETWEEN,
        ["sat", AT_1_2, "oo"],
        None,
    ),
    (
        f"(optimum (x) {VALUES})",
        BETWEEN,
        ["sat", AT_1_2, "0"],
        Violation.OPTIMUM,
    ),
    ("(core)", CLASH, ["unsat", "", "0", "1"], None),
    ("(core)", CLASH, ["unsat", "", "0", "2"], Violation.CORE),
    (f"(push () {TRUE})", TRUTHS, ["sat", MODEL], None),
    (f"(push () {TRUE})", TRUTHS, ["unsat", ""], Violation.UNSAT),
]


def judge(question: str, formula: str, texts: list[str]) -> tuple[PartProblem, Verdict]:
    problem = read(f'(set-info :chcfuzz-part "{question}")\n{formula}')
    assert isinstance(problem, PartProblem)
    outcome = Outcome(Status.RESULT, "", NOTHING, 0, 0.0, extra=PartTexts(tuple(texts), problem.question.label))
    return problem, judged(problem, outcome, Watchdog(60))


@pytest.mark.parametrize(("question", "formula", "texts", "violation"), CASES)
def test_a_contract_finds_its_violation_and_passes_a_right_result(
    question: str, formula: str, texts: list[str], violation: Violation | None
) -> None:
    problem, verdict = judge(question, formula, texts)
    if violation is None:
        assert verdict.kind in (VerdictKind.PASS, VerdictKind.UNDECIDED), verdict.detail
        return
    assert verdict.kind is VerdictKind.WRONG_RESULT, verdict.detail
    assert verdict.fault.startswith(f"{problem.question.label}: {violation.value}")
    assert "(assert" in verdict.evidence


def test_every_part_has_a_case_of_each_kind() -> None:
    kinds = {(question.strip("()").split(" ")[0], violation is None) for question, *_, violation in CASES}
    assert kinds == {(part, is_right) for part in PARTS for is_right in (True, False)}


def test_the_evidence_of_a_projection_that_is_too_weak_is_sat_and_unsat() -> None:
    _, verdict = judge(f"(mbp (x) {EVEN})", PARITY, ["true"])
    assert second_solver.answers(verdict.evidence) == ("sat", "unsat")


def test_the_evidence_about_an_array_filled_with_a_variable_is_sat_and_unsat() -> None:
    filled_with_i = "(= m ((as const (Array Int (Array Int Int))) ((as const (Array Int Int)) i)))"
    formula = f"{FILLED}(declare-const i Int)(assert (= i (select a 0)))(assert (= 0 (select a 1)))"
    _, verdict = judge(f"(mbp (a) ((i 0) {IN_FILLED[1:]})", formula, [filled_with_i])
    assert verdict.kind is VerdictKind.WRONG_RESULT
    assert second_solver.answers(verdict.evidence) == ("sat", "unsat")


def test_a_claim_that_is_to_be_satisfiable_is_not_weakened() -> None:
    problem, _ = judge(f"(mbp (a) {IN_FILLED})", FILLED, ["true"])
    shown = values_script(problem, "A formula.", {}, [Stated("it has a solution", "sat", problem.formula)])
    assert EQUAL_TO_FILLED in shown


def test_a_projection_is_too_weak_at_values_far_from_the_model() -> None:
    formula = "(declare-const x Int)(declare-const y Int)(assert (= x y))(assert (< x 50))"
    _, verdict = judge("(mbp (x) ((x 0) (y 0)))", formula, ["(or (= y 0) (= y 1000))"])
    assert verdict.kind is VerdictKind.WRONG_RESULT
    assert "1000" in verdict.evidence


def test_a_projection_is_too_weak_beside_the_model_if_queries_keep_away_from_it() -> None:
    formula = """(declare-const z (Array Int (Array Int Int)))(declare-const y (Array Int Int))
        (declare-const w (Array Int Int))(declare-const i Int)(assert (= w (select (store z 0 y) i)))"""
    zeros = f"((as const (Array Int (Array Int Int))) {ZEROS})"
    _, verdict = judge(f"(mbp (z) ((z {zeros}) (y {ZEROS}) (w {ZEROS}) (i 0)))", formula, ["true"])
    assert verdict.kind is VerdictKind.WRONG_RESULT


def test_a_result_that_binds_a_constant_of_the_question_is_not_judged() -> None:
    formula = "(declare-const a!1 Bool)(declare-const p Bool)(assert (and p (not a!1)))"
    _, verdict = judge("(simplify () ((p true) (a!1 false)))", formula, ["(let ((a!1 (and p p))) (and a!1 (not a!1)))"])
    assert verdict.kind is VerdictKind.UNDECIDED
    assert "a!1" in verdict.detail
