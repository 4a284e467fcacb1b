"""SMT problems as CHC systems, and CHC systems as SMT problems."""

import pytest
import z3
from chcfuzz.grammar.interpolation import bridge
from chcfuzz.grammar.interpolation.bridge import BridgeError
from chcfuzz.grammar.printing.printer import print_problem, print_system
from chcfuzz.grammar.reading import parse

CONSTANTS = """(set-info :status {status})
(declare-const x Int)
(declare-const y Int)
(assert (! (= y (+ x 1)) :named first))
(assert (> x {least}))
(assert (< y 7))
(check-sat)
"""
FUNCTIONS = """(declare-fun f (Int Bool) Int)
(declare-const x Int)
(assert (> (f x true) (f x false)))
"""
SYSTEM = """(set-logic HORN)
(set-info :status unsat)
(declare-fun P (Int) Bool)
(assert (P 0))
(assert (forall ((x Int)) (=> (P x) (P (+ x 2)))))
(assert (forall ((x Int)) (=> (and (P x) (= x 4)) false)))
(check-sat)
"""


def answer(text: str) -> str:
    solver = z3.Solver(ctx=z3.Context())
    solver.set("rlimit", 1_000_000)
    solver.from_string(text)
    return str(solver.check())


@pytest.mark.parametrize(("status", "least"), [("sat", 4), ("unsat", 5)])
def test_a_problem_is_the_body_of_a_clause_and_its_status_is_the_opposite(status: str, least: int) -> None:
    problem = parse.problem(CONSTANTS.format(status=status, least=least))
    system = bridge.system_of(problem)
    assert parse.parse(print_system(system)) == system
    assert (system.status, len(system.clauses), system.predicates) == ({"sat": "unsat", "unsat": "sat"}[status], 1, ())
    assert answer(print_problem(problem)) == status
    assert answer(print_system(system)) == system.status


def test_functions_become_arrays() -> None:
    (clause,) = bridge.system_of(parse.problem(FUNCTIONS)).clauses
    assert {str(each.sort) for each in clause.variables} == {"Int", "(Array Int (Array Bool Int))"}


def test_a_problem_that_a_system_cannot_state_is_refused_in_one_line() -> None:
    with pytest.raises(BridgeError, match="the sort U is uninterpreted: a CHC system cannot declare it; edit the"):
        bridge.system_of(parse.problem("(declare-sort U 0)(declare-const u U)(assert (= u u))"))
    with pytest.raises(BridgeError, match="a problem without assertions has no clause"):
        bridge.system_of(parse.problem("(declare-const u Int)(check-sat)"))


def test_a_system_is_a_problem_with_the_same_status() -> None:
    problem = bridge.problem_of(parse.parse(SYSTEM))
    assert parse.problem(print_problem(problem)) == problem
    assert [str(function.name) for function in problem.functions] == ["P"]
    assert (problem.status, len(problem.assertions)) == ("unsat", 3)
    assert answer(print_problem(problem)) == "unsat"


@pytest.mark.parametrize(("depth", "expected"), [(1, "unsat"), (2, "unsat"), (3, "sat"), (5, "sat")])
def test_an_unrolling_has_a_model_as_soon_as_a_derivation_is_short_enough(depth: int, expected: str) -> None:
    problem = bridge.problem_of(parse.parse(SYSTEM), depth)
    assert problem.status is None
    assert not any(formula.depth for formula in problem.formulas)
    assert answer(print_problem(problem)) == expected
