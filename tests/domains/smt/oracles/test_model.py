"""Models of SMT problems, and scripts that show them."""

import pytest
import z3
from chcfuzz.domains.smt.oracles.evidence import assertion_script, model_script
from chcfuzz.domains.smt.oracles.model import check, check_text, holds_anyway
from chcfuzz.grammar.reading import parse
from chcfuzz.oracles import second_solver
from chcfuzz.oracles.verdict import VerdictKind
from chcfuzz.solvers.model_text import TextModel
from chcfuzz.solvers.outcome import Outcome, Status
from chcfuzz.tracing.trace import NOTHING

SORTS = parse.problem("""(declare-sort U 0)
(declare-const c U)
(declare-fun f (U) U)
(assert (distinct (f c) c))
(assert (= (f (f c)) c))
(check-sat)
""")
OF_Z3 = """(define-fun c () U U!val!0)
(define-fun f ((x!0 U)) U (ite (= x!0 U!val!1) U!val!0 U!val!1))"""
OF_CVC5 = """(define-fun c () U (as @U_0 U))
(define-fun f (($x1 U)) U (ite (= (as @U_0 U) $x1) (as @U_1 U) (as @U_0 U)))"""


def of_z3(script: str) -> str:
    solver = z3.Solver(ctx=z3.Context())
    solver.from_string(script)
    return str(solver.check())


@pytest.mark.parametrize("model", [OF_Z3, OF_CVC5])
def test_elements_of_sorts_become_constants_in_scripts(model: str) -> None:
    assert check_text(SORTS, model).kind is VerdictKind.PASS
    assert second_solver.answers(model_script(SORTS, model)) == ("unsat", "unsat")
    assert of_z3(assertion_script(SORTS, model, 0)) == "unsat"


def test_the_script_of_a_wrong_model_is_satisfiable() -> None:
    wrong = "(define-fun c () U (as @U_0 U))\n(define-fun f (($x1 U)) U (as @U_0 U))"
    verdict = check_text(SORTS, wrong)
    assert (verdict.kind, verdict.detail) == (VerdictKind.WRONG_MODEL, "assertion 1 is false under the model")
    assert second_solver.answers(verdict.evidence) == ("sat",)
    assert of_z3(verdict.evidence) == "sat"


def test_cvc5_reads_scripts_with_constant_arrays_of_negative_numbers() -> None:
    stated = parse.problem("(declare-const a (Array Int Int))(assert (= (select a 3) (- 1)))(check-sat)")
    model = "(define-fun a () (Array Int Int) ((as const (Array Int Int)) (- {})))"
    assert second_solver.answers(model_script(stated, model.format(1))) == ("unsat",)
    assert second_solver.answers(check_text(stated, model.format(2)).evidence) == ("sat",)


def test_a_model_that_says_nothing_about_a_quantifier_is_open() -> None:
    problem = parse.problem("(declare-fun f (Int) Int)(assert (forall ((x Int)) (> (f x) (f (- x 1)))))(check-sat)")
    verdict = check_text(problem, "(define-fun f ((x Int)) Int x)")
    assert (verdict.kind, verdict.detail) == (VerdictKind.UNDECIDED, "assertion 1 is open under the model")


FINITE = parse.problem("""(declare-sort U 0)(declare-fun f (U) U)(declare-const a U)
(assert (forall ((x U)) (= (f (f x)) x)))(assert (exists ((x U)) (distinct (f x) x a)))(check-sat)""")
IN_CIRCLE = """(define-fun a () U {2})
(define-fun f ((x U)) U (ite (= x {0}) {1} (ite (= x {1}) {0} x)))"""


@pytest.mark.parametrize("names", [("U!val!0", "U!val!1", "U!val!2"), ("(as @U_0 U)", "(as @U_1 U)", "(as @U_2 U)")])
def test_quantifiers_over_a_universe_are_decided(names: tuple[str, str, str]) -> None:
    model = IN_CIRCLE.format(*names)
    assert check_text(FINITE, model).kind is VerdictKind.PASS  # a structure with these elements alone exists
    declared = [f"(declare-fun {name.strip('()').removeprefix('as ').split()[0]} () U)" for name in names]
    whole = "\n".join((*declared, model))
    assert check_text(FINITE, whole).kind is VerdictKind.PASS
    assert of_z3(model_script(FINITE, whole)) == "unknown" or "unsat" in second_solver.answers(
        model_script(FINITE, whole)
    )
    wrong = whole.replace(f"(define-fun a () U {names[2]})", f"(define-fun a () U {names[0]})").replace(
        f"(ite (= x {names[1]}) {names[0]} x)", "x"
    )
    verdict = check_text(FINITE, wrong)
    assert (verdict.kind, verdict.detail) == (VerdictKind.WRONG_MODEL, "assertion 1 is false under the model")
    assert of_z3(verdict.evidence) == "sat"


def test_without_a_universe_a_false_existence_is_open() -> None:
    text = "(define-fun a () U U!val!0)\n(define-fun f ((x U)) U x)"
    exists = parse.problem(
        "(declare-sort U 0)(declare-fun f (U) U)(declare-const a U)(assert (exists ((x U)) (distinct x a)))"
    )
    assert check_text(exists, text).kind is VerdictKind.UNDECIDED
    closed = check_text(exists, f"(declare-fun U!val!0 () U)\n{text}")
    assert closed.kind is VerdictKind.WRONG_MODEL
    assert of_z3(closed.evidence) == "sat"
    other = f"(declare-fun U!val!1 () U)\n{text}"  # not all elements are declared
    assert check_text(exists, other).kind is not VerdictKind.WRONG_MODEL


def test_a_text_that_is_no_model_is_not_a_finding() -> None:
    assert check_text(SORTS, "((((").kind is VerdictKind.UNDECIDED


def test_a_script_has_only_the_definitions_that_the_problem_needs() -> None:
    model = "(define-fun g ((x U)) U x)\n(define-fun h () Int 3)\n" + OF_Z3.replace("U!val!0)\n", "(g U!val!0))\n")
    script = model_script(SORTS, model)
    assert ("define-fun g" in script, "define-fun h" in script) == (True, False)


def outcome(status: Status, definitions: str | None) -> Outcome:
    model = None if definitions is None else TextModel(definitions)
    return Outcome(status, "", NOTHING, 0, 0.0, model=model)


def test_only_an_answer_sat_with_a_model_is_checked() -> None:
    assert check(SORTS, outcome(Status.SAT, OF_CVC5)).kind is VerdictKind.PASS
    for status, definitions in ((Status.UNSAT, OF_CVC5), (Status.SAT, None)):
        found = check(SORTS, outcome(status, definitions))
        assert (found.kind, found.detail) == (VerdictKind.UNDECIDED, "no model")


def test_a_model_holds_anyway_if_no_open_value_can_change_it() -> None:
    assert holds_anyway(SORTS, outcome(Status.SAT, OF_CVC5))
    assert not holds_anyway(SORTS, outcome(Status.SAT, None))
    assert not holds_anyway(SORTS, outcome(Status.SAT, "(((("))
    open_value = parse.problem("(declare-const x Int)(declare-const y Int)(assert (= x 1))(assert (>= y 0))(check-sat)")
    model = outcome(Status.SAT, "(define-fun x () Int 1)")
    assert check(open_value, model).kind is VerdictKind.PASS
    assert not holds_anyway(open_value, model)
